"""MMStar on a file in the published schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle_runs import card_of, hub_pictures, picture, scored, write_parquet

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.ranking import scorecard
from gumption.records import Image, Scored, Text
from gumption.suites import Suite

QUESTION = "What is on the table?\nOptions: A: The cup., B: The hat., C: The box., D: The dog."


def write(folder: Path) -> Path:
    """Five questions: three of one finer ability, two of another."""
    write_parquet(
        folder / "mmstar.parquet",
        {
            "index": list(range(5)),
            "question": [QUESTION] * 5,
            "image": hub_pictures([picture([[n]]) for n in range(5)]),
            "answer": ["B", "C", "A", "D", "B"],
            "category": ["math"] * 5,
            "l2_category": ["geometry"] * 3 + ["statistical reasoning"] * 2,
            "meta_info": [{"source": "MathVista", "split": "testmini", "image_path": "x.jpg"}] * 5,
        },
    )
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("mmstar").load(write(tmp_path_factory.mktemp("mmstar")))


def test_the_picture_comes_first_and_the_options_stay_in_the_question(suite: Suite) -> None:
    item = suite.items[0]
    assert isinstance(item.parts[0], Image) and item.parts[1] == Text(QUESTION)
    assert item.answer.choices == {"A": "The cup.", "B": "The hat.", "C": "The box.", "D": "The dog."}
    (asked,) = next(get("mmstar").episode(item))
    texts = [part.text for part in asked.parts if isinstance(part, Text)]
    assert texts == [QUESTION, "Answer with the letter of one option: A, B, C, D."]


def test_oracles_are_at_ceiling_and_floor(suite: Suite, tmp_path: Path) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.total.chance) == (1.0, 1.0, 0.25)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("reply", "official", "ours"),
    [
        ("B", 1.0, 1.0),
        (" b. The hat", 1.0, 1.0),
        ("(B) The hat", 1.0, 1.0),
        ("Option B", 1.0, 1.0),
        ("Option\nB", 1.0, 1.0),
        ("The answer is B.", 1.0, 1.0),
        ("Based on the picture, the answer is C.", 1.0, 0.0),  # its first letter is a b
        ("**B**", 0.0, 1.0),
        ("The correct answer is B.", 0.0, 1.0),
        ("", 0.0, 0.0),
        ("I cannot tell.", 0.0, 0.0),
    ],
)
def test_hand_worked_replies(suite: Suite, reply: str, official: float, ours: float) -> None:
    item = suite.items[0]
    score = scored(get("mmstar").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (official, ours)


def test_micro_and_the_mean_over_the_finer_abilities_are_both_named(suite: Suite, tmp_path: Path) -> None:
    """All three of the first ability right, none of the second: 3/5 and 1/2."""
    benchmark = get("mmstar")
    rows = [
        Scored(
            item.id, 0, "mmstar", item.category, item.dimension, item.cluster, "choice", value, "ok",
            "answered", 0.25, parts={OFFICIAL: value},
        )
        for item, value in zip(suite.items, (1.0, 1.0, 1.0, 0.0, 0.0), strict=True)
    ]  # fmt: skip
    card = scorecard(rows, benchmark.official, further=benchmark.further)
    assert card.official.mean == pytest.approx(0.6)
    means = {one.name: one.mean for one in card.further}
    assert [round(mean or 0, 9) for mean in means.values()] == [0.6, 0.5]
    assert any("l2" in name for name in means)
