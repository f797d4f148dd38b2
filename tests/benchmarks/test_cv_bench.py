"""CV-Bench on files in the published schema, and its formula by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_runs import card_of, hub_pictures, picture, write_parquet

from gumption.benchmarks import get
from gumption.ranking import scorecard
from gumption.records import Image, Scorecard, Scored, Text
from gumption.suites import Suite

SOURCES = ("ADE20K",) * 2 + ("COCO",) * 4
TASKS = ("Count", "Relation", "Count", "Count", "Relation", "Relation")


def write(folder: Path) -> Path:
    for kind, sources, tasks in (
        ("2D", SOURCES, TASKS),
        ("3D", ("Omni3D",) * 3, ("Depth",) * 2 + ("Distance",)),
    ):
        n = len(sources)
        write_parquet(
            folder / f"test_{kind.lower()}.parquet",
            {
                "idx": list(range(n)),
                "type": [kind] * n,
                "task": list(tasks),
                "image": hub_pictures([picture([[i]]) for i in range(n)]),
                "question": ["How many lamps are there?"] * n,
                "choices": [["1", "2", "3"][: 3 if kind == "2D" else 2]] * n,
                "answer": ["(B)"] * n,
                "prompt": ["..."] * n,
                "filename": ["x.png"] * n,
                "source": list(sources),
            },
        )
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("cv-bench").load(write(tmp_path_factory.mktemp("cvbench")))


def test_items_of_both_files(suite: Suite) -> None:
    assert len(suite.items) == 9 and len({item.id for item in suite.items}) == 9
    item = suite.items[0]
    assert isinstance(item.parts[0], Image) and item.parts[1] == Text("How many lamps are there?")
    assert (item.answer.gold, item.category, item.dimension) == ("B", "ADE20K", "Count")
    assert set(suite.provenance["files"]) == {"test_2d.parquet", "test_3d.parquet"}


def test_oracles_are_at_ceiling_and_floor(suite: Suite, tmp_path: Path) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
    assert right.total.chance == pytest.approx((6 / 3 + 3 / 2) / 9)


def card_with(suite: Suite, values: Sequence[int]) -> Scorecard:
    """The scorecard of the first items with these scores."""
    rows = [
        Scored(
            item.id, 0, "cv-bench", item.category, item.dimension, item.cluster, "choice", float(value), "ok",
            "answered", 0.5,
        )
        for item, value in zip(suite.items, values, strict=False)
    ]  # fmt: skip
    benchmark = get("cv-bench")
    return scorecard(rows, benchmark.official, further=benchmark.further)


def test_the_formula_on_unequal_sources(suite: Suite) -> None:
    """ADE20K 1 of 2, COCO 3 of 4, Omni3D 1 of 3: 2D .625, 3D 1/3, overall .479167; micro is 5/9."""
    card = card_with(suite, (1, 0, 1, 1, 1, 0, 1, 0, 0))
    assert card.official.mean == pytest.approx((0.625 + 1 / 3) / 2)
    assert [one.mean for one in card.further] == pytest.approx([0.625, 1 / 3, 5 / 9])


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 1), min_size=9, max_size=9))
def test_the_formula_on_any_scores(suite: Suite, values: list[int]) -> None:
    ade, coco, omni = values[:2], values[2:6], values[6:]
    card = card_with(suite, values)
    assert card.official.mean == pytest.approx(((mean(ade) + mean(coco)) / 2 + mean(omni)) / 2)


def test_the_first_questions_alone_have_no_3d_number(suite: Suite) -> None:
    """As a run of part of it has: a number that cannot be, not an error."""
    card = card_with(suite, (1, 0, 1, 1))
    assert card.official.mean == pytest.approx((1 / 2 + 1) / 2)
    assert [one.mean for one in card.further] == [pytest.approx(0.75), None, pytest.approx(0.75)]
    assert "3D: Omni3D has no mean: no row is of category Omni3D." in card.notes
