"""ViewSpatial-Bench: a file in the published schema, and all 5,712 published questions without pictures."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from oracle_runs import card_of, picture, scored

from gumption.answers import guess
from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks.viewspatial import official
from gumption.records import GumptionError, Image, Text
from gumption.suites import Suite

TYPES = {
    "Camera perspective - Relative Direction": 1773,
    "Camera perspective - Object View Orientation": 996,
    "Person perspective - Scene Simulation Relative Direction": 1105,
    "Person perspective - Object View Orientation": 996,
    "Person perspective - Relative Direction": 842,
}


def write(folder: Path, rows: list[dict[str, object]]) -> Path:
    (folder / "eval").mkdir(parents=True)
    (folder / "eval/ViewSpatial-Bench.json").write_text(json.dumps(rows))
    return folder


def row(**changed: object) -> dict[str, object]:
    usual = {
        "question_type": "Camera perspective - Relative Direction",
        "image_path": ["ViewSpatial-Bench/scene/1.png", "ViewSpatial-Bench/scene/2.png"],
        "question": "Where is the cabinet?",
        "choices": "A. left\nB. front-left\nC. above-left\nD. back",
        "answer": "D. back",
    }
    return usual | changed


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = write(
        tmp_path_factory.mktemp("viewspatial"), [row(), row(choices="A. left\nB. right", answer="A. left")]
    )
    (folder / "ViewSpatial-Bench/scene").mkdir(parents=True)
    for n in (1, 2):
        (folder / f"ViewSpatial-Bench/scene/{n}.png").write_bytes(picture([[n]]))
    return get("viewspatial").load(folder)


def test_items_and_oracles(suite: Suite, tmp_path: Path) -> None:
    item = suite.items[0]
    assert [type(part) for part in item.parts] == [Image, Image, Text]
    assert item.answer.choices == {"A": "left", "B": "front-left", "C": "above-left", "D": "back"}
    assert item.answer.gold == "D" and item.category == "Camera perspective - Relative Direction"
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.total.chance) == (1.0, 1.0, (1 / 4 + 1 / 2) / 2)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("reply", "official", "ours"),
    [
        ("D. back", 1.0, 1.0),
        ("d", 1.0, 1.0),
        ("Looking at it,\nit is D", 1.0, 1.0),
        ("D\nThat is a guess.", 0.0, 1.0),  # the article of the last line is A there
        ("D\n", 0.0, 1.0),  # the last line is empty
        ("It is at the back of a wall.", 0.0, 1.0),
        ("I can't tell.", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_hand_worked_replies(suite: Suite, reply: str, official: float, ours: float) -> None:
    item = suite.items[0]
    score = scored(get("viewspatial").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (official, ours)


def test_missing_pictures_are_named_with_where_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match=r"no 'ViewSpatial-Bench/scene/1\.png'") as caught:
        get("viewspatial").load(write(tmp_path, [row()]))
    assert "lidingm/ViewSpatial-Bench" in caught.value.remedy and "--data" in caught.value.remedy


@pytest.mark.data
def test_every_published_answer_is_right(public_data: Path, tmp_path: Path) -> None:
    with gzip.open(public_data / "question_pool/pool.jsonl.gz") as stream:
        pool = [one for one in map(json.loads, stream) if one["benchmark"] == "ViewSpatial"]
    rows = [
        row(
            question_type=one["category"],
            image_path=[],
            **{k: one[k] for k in ("question", "choices", "answer")},
        )
        for one in pool
    ]
    suite = get("viewspatial").load(write(tmp_path, rows))
    assert Counter(item.category for item in suite.items) == TYPES
    assert all(official(one["answer"], item) == 1.0 for one, item in zip(pool, suite.items, strict=True))
    assert sum(guess(item.answer) for item in suite.items) / 5712 == pytest.approx(
        (5539 / 4 + 173 / 2) / 5712
    )
