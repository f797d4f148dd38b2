"""BLINK on files in the published schema, and one sub-task alone."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from oracle_runs import card_of, hub_pictures, picture, write_parquet

from gumption.benchmarks import get, open_suite
from gumption.benchmarks.blink import TASKS
from gumption.ranking import scorecard
from gumption.records import GumptionError, Image, Scored, Text
from gumption.suites import Suite


def write(folder: Path) -> Path:
    """Two questions in each sub-task, three in Spatial_Relation; two pictures each."""
    for task in TASKS:
        n = 3 if task == "Spatial_Relation" else 2
        none = pa.nulls(n, pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
        write_parquet(
            folder / task / "val-00000-of-00001.parquet",
            {
                "idx": [f"val_{task}_{number}" for number in range(1, n + 1)],
                "question": ["Which one is similar?"] * n,
                "sub_task": [task] * n,
                "image_1": hub_pictures([picture([[number]]) for number in range(n)]),
                "image_2": hub_pictures([picture([[100 + number]]) for number in range(n)]),
                "image_3": none,
                "image_4": none,
                "choices": [["the first", "the second"]] * n,
                "answer": ["(B)"] * n,
                "prompt": ["..."] * n,
                "explanation": [""] * n,
            },
        )
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("data") / "BLINK").parent


@pytest.fixture(scope="module")
def suite(data: Path) -> Suite:
    return get("blink").load(data)


def test_items_show_their_pictures_in_order(suite: Suite) -> None:
    item = next(item for item in suite.items if item.id == "val_Jigsaw_2")
    first, second, question = item.parts
    assert isinstance(first, Image) and suite.media.read(first.sha256) == picture([[1]])
    assert isinstance(second, Image) and suite.media.read(second.sha256) == picture([[101]])
    assert question == Text("Which one is similar?")
    assert (item.answer.gold, item.category) == ("B", "Jigsaw")


def test_oracles_are_at_ceiling_and_floor(suite: Suite, tmp_path: Path) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert right.official.mean == pytest.approx(1.0)  # a sum of fourteen shares
    assert right.micro.mean == 1.0
    assert (wrong.official.mean, wrong.micro.mean, right.total.chance) == (0.0, 0.0, 0.5)


def test_macro_is_official_and_micro_is_named(suite: Suite) -> None:
    """Right in Spatial_Relation only: 1/14 against 3/29."""
    rows = [
        Scored(item.id, 0, "blink", item.category, "", "", "choice", value, "ok", "answered", 0.5)
        for item in suite.items
        for value in [float(item.category == "Spatial_Relation")]
    ]
    benchmark = get("blink")
    card = scorecard(rows, benchmark.official, further=benchmark.further)
    assert card.official.mean == pytest.approx(1 / 14)
    assert [one.mean for one in card.further] == pytest.approx([3 / 29])


def test_one_sub_task_alone(data: Path) -> None:
    suite = open_suite("blink:task=Spatial_Relation", data)
    assert suite.name == "blink:task=Spatial_Relation"
    assert [item.category for item in suite.items] == ["Spatial_Relation"] * 3
    with pytest.raises(GumptionError, match="none of blink's") as caught:
        open_suite("blink:task=Spatial", data)
    assert "Spatial_Relation" in caught.value.remedy
    with pytest.raises(GumptionError, match="no option 'tasks'"):
        open_suite("blink:tasks=Jigsaw", data)


@pytest.mark.data
def test_the_published_golds_of_one_sub_task(public_data: Path) -> None:
    suite = open_suite("blink:task=Spatial_Relation", public_data)
    assert len(suite.items) == 143 and {item.category for item in suite.items} == {"Spatial_Relation"}
