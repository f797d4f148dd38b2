"""SpatialScore: a file in the published schema, and all 1,400 hard questions without their pictures."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from oracle_runs import card_of, picture, scored

from gumption.benchmarks import get, open_suite
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks.spatialscore import official
from gumption.records import GumptionError, Image, Text
from gumption.suites import Suite

CHOICE = "Which object is lower?\n(A) the train\n(B) the street lights"


def row(kind: str, question: str, answer: str, source: str) -> dict[str, Any]:
    return {
        "index": 258,
        "category": "Others",
        "subcategory": "Miscellaneous",
        "question_type": kind,
        "input_modality": "single-image",
        "question": question,
        "answer": answer,
        "img_paths": ["./dataset/MMVP/259.png"],
        "source": source,
        "index_origin": "NF7XUVPP",
        "category_origin": "unknown",
    }


ROWS = [
    row("multi-choice", CHOICE, "(B)", "3DSRBench"),
    row("judgment", "Is the pen in the diary? Answer with Yes or No.", "No", "SpatialSense"),
    row("open-ended", "How deep is the area?", "1.5 meters", "VGBench"),
    row("open-ended", "How many chairs?", "4", "VSI-Bench_8"),
    row("open-ended", "How many cars?", "3", "RealWorldQA"),
]


def write(folder: Path, rows: list[dict[str, Any]], name: str = "SpatialScore-Hard") -> Path:
    (folder / "version_0/dataset").mkdir(parents=True, exist_ok=True)
    (folder / f"version_0/dataset/{name}.json").write_text(json.dumps(rows))
    (folder / "dataset/MMVP").mkdir(parents=True, exist_ok=True)
    (folder / "dataset/MMVP/259.png").write_bytes(picture([[1]]))
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("spatialscore").load(write(tmp_path_factory.mktemp("spatialscore"), ROWS))


def test_items(suite: Suite) -> None:
    assert [item.answer.kind for item in suite.items] == ["choice", "yes_no", "text", "number", "text"]
    item = suite.items[0]
    assert isinstance(item.parts[0], Image) and item.parts[1] == Text(CHOICE)
    assert item.answer.choices == {"A": "the train", "B": "the street lights"} and item.answer.gold == "B"
    (asked,) = next(get("spatialscore").episode(item))
    assert asked.parts[-1] == Text("Answer with the letter of one option: A, B.")


def test_lengths_are_asked_for_with_their_unit(suite: Suite) -> None:
    (asked,) = next(get("spatialscore").episode(suite.items[2]))
    assert asked.parts[-1] == Text("Answer with a number and its unit.")


def test_oracles(suite: Suite, tmp_path: Path) -> None:
    """4 becomes 8, of which mean relative accuracy is 0; where a length is wanted the reply has no number."""
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
    assert right.total.chance == pytest.approx((1 / 2 + 1 / 2) / 5)


@pytest.mark.parametrize(
    ("number", "reply", "official", "ours"),
    [
        (0, "B", 1.0, 1.0),
        (0, "(b)", 1.0, 1.0),
        (0, "Answer: (B) the street lights", 1.0, 1.0),
        (0, "It is option B.", 1.0, 1.0),
        (0, "ASSISTANT: (B)", 1.0, 1.0),
        (0, "<conclusion>(B) the lights</conclusion>", 1.0, 1.0),
        (0, "<answer>B</answer>", 0.0, 1.0),  # the first letter a to f is that of the tag
        (0, "Because it is lower: the street lights", 1.0, 1.0),  # by the B of "Because"
        (0, "The street lights", 0.0, 1.0),  # by the e of "The"
        (0, "I cannot say", 0.0, 0.0),
        (1, "No, it is beside it.", 1.0, 1.0),
        (1, "It is not in the diary.", 1.0, 0.0),
        (1, "No. The pen is to the right of it.", 0.0, 1.0),  # "right" is a yes and comes first
        (1, "Yes", 0.0, 0.0),
        (2, "1.5 meters", 1.0, 1.0),
        (2, "150 cm", 1.0, 1.0),
        (2, "\\scalar{2.9} \\distance_unit{meters}", 1.0, 1.0),
        (2, "3 meters", 0.0, 0.0),  # twice as long is too long
        (2, "0.75 meters", 0.0, 0.0),
        (2, "0.76 meters", 1.0, 1.0),
        (2, "5 feet", 1.0, 1.0),  # 152.4 cm
        (2, "not 1.5 meters", 1.0, 0.0),  # whatever stands before it
        (2, "It is approximately **1.2 m**.", 1.0, 1.0),
        (2, "1.5", 0.0, 1.0),  # no unit, no length
        (2, "0.0015 km", 0.0, 0.0),  # kilometres count as centimetres
        (2, "0 m", 0.0, 0.0),
        (3, "4", 1.0, 1.0),
        (3, "3", 0.6, 0.6),
        (3, "2 rows of 2: <conclusion>4</conclusion>", 1.0, 0.0),
        (3, "There are 5 chairs.", 0.6, 0.6),
        (3, "six", 0.1, 0.1),
        (3, "0", 0.0, 0.0),
        (3, "many", 0.0, 0.0),
        (4, "3", 1.0, 1.0),
        (4, "There are 3.", 0.0, 1.0),  # exact
    ],
)
def test_hand_worked_replies(suite: Suite, number: int, reply: str, official: float, ours: float) -> None:
    item = suite.items[number]
    score = scored(get("spatialscore").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (pytest.approx(official), pytest.approx(ours))


def test_the_whole_set_is_an_option(tmp_path: Path) -> None:
    folder = write(tmp_path, ROWS[:2], "SpatialScore")
    suite = open_suite("spatialscore:set=full", folder)
    assert (suite.name, suite.version, len(suite.items)) == ("spatialscore:set=full", "version_0 full", 2)
    with pytest.raises(GumptionError, match="SpatialScore-Hard"):
        open_suite("spatialscore", folder)


@pytest.mark.data
def test_every_published_answer_is_right(public_data: Path, tmp_path: Path) -> None:
    with gzip.open(public_data / "question_pool/pool.jsonl.gz") as stream:
        pool = [one for one in map(json.loads, stream) if one["benchmark"] == "SpatialScore-Hard"]
    suite = get("spatialscore").load(write(tmp_path, pool))
    kinds = Counter(item.meta["question_type"] for item in suite.items)
    assert kinds == {"multi-choice": 1121, "judgment": 92, "open-ended": 187}
    assert all(official(one["answer"], item) == 1.0 for one, item in zip(pool, suite.items, strict=True))
    episode = get("spatialscore").episode
    assert all(scored(episode(item), item, item.meta["answer"]).value == 1.0 for item in suite.items)
    choices = [len(item.answer.choices or ()) for item in suite.items if item.answer.kind == "choice"]
    assert min(choices) == 2 and max(choices) == 6
