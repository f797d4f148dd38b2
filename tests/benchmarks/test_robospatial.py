"""RoboSpatial-Home on Parquet files in the published schema."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracle_runs import card_of, hub_pictures, picture, scored, write_parquet

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.records import GumptionError, Item
from gumption.suites import Suite

POLYGON = "[(0.1, 0.2), (0.4, 0.2), (0.4, 0.8), (0.1, 0.8)]"


def write(folder: Path, polygon: str = POLYGON) -> Path:
    """Four pictures to point at, two of what fits, two of what stands where; 100 x 50 pixels."""
    for category, answers in (
        ("context", [polygon] * 4),
        ("compatibility", ["yes", "No"]),
        ("configuration", ["yes", "no"]),
    ):
        pictures = hub_pictures(
            [picture(np.full((50, 100, 3), len(category) + shade, np.uint8)) for shade in range(len(answers))]
        )
        columns = {
            "category": [category] * len(answers),
            "question": [f"A question of {category}?"] * len(answers),
            "answer": answers,
            "img": pictures,
            "depth_image": pictures,
            "mask": pictures,
        }
        write_parquet(folder / f"data/{category}-00000-of-00001.parquet", columns)
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("robospatial").load(write(tmp_path_factory.mktemp("robospatial")))


def of(suite: Suite, category: str, at: int = 0) -> Item:
    return [item for item in suite.items if item.category == category][at]


def test_golds_are_pixels_or_words(suite: Suite) -> None:
    assert of(suite, "context").answer.gold == {
        "polygon": [[pytest.approx(x), pytest.approx(y)] for x, y in ((10, 10), (40, 10), (40, 40), (10, 40))]
    }
    assert [of(suite, "compatibility", at).answer.gold for at in (0, 1)] == ["yes", "no"]


def test_the_oracle_is_right_by_both_rules_and_a_wrong_one_scores_nothing(
    suite: Suite, tmp_path: Path
) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_macro_as_the_readme_and_micro_as_the_code(tmp_path: Path) -> None:
    """Right in all four of context and one of two in the other categories: macro 2/3, micro 6/8, VQA 1/2."""
    from gumption.models import open_models
    from gumption.ranking import scorecard
    from gumption.running import run

    suite = get("robospatial").load(write(tmp_path / "data"))
    lines = [
        f'{{"id": "{item.id}", "reply": "{"(0.2, 0.5)" if item.answer.kind == "point" else "yes"}"}}'
        for item in suite.items
    ]
    (tmp_path / "replies.jsonl").write_text("\n".join(lines))
    (model,) = open_models(f"replay/{tmp_path / 'replies.jsonl'}")
    card = scorecard(run(suite, model, tmp_path / "run").folder)
    assert card.official.mean == pytest.approx(2 / 3)
    assert [each.mean for each in card.further] == pytest.approx([6 / 8, 1 / 2, 2 / 3])
    assert [each.name.split(" ")[0] for each in card.further] == ["micro", "VQA:", "macro"]


@pytest.mark.parametrize(
    ("reply", "official", "ours"),
    [
        ("(0.2, 0.5)", 1.0, 1.0),
        ("[0.2, 0.5]", 1.0, 1.0),
        ("[(0.2, 0.5), (0.9, 0.9)]", 1.0, 1.0),  # the first point counts
        ("[(0.9, 0.9), (0.2, 0.5)]", 0.0, 0.0),
        ("not (0.9, 0.9). Answer: (0.2, 0.5)", 0.0, 1.0),
        ("[0.9, 0.9] or (0.2, 0.5)", 1.0, None),  # round brackets come first there
        ("[(.2, .5)]", 1.0, 1.0),  # neither pattern reads it; the list does
        ("(.2, .5)", 0.0, 1.0),
        ("[.2, .5]", 1.0, 1.0),
        ("[(-0.2, 0.5)]", 0.0, 0.0),
        ("[+.2, 5e-1]", 1.0, None),
        ("[(.2, .5), 'cup']", 1.0, 1.0),  # a literal of Python, whose first entry is the point
        ("[(.2, .5), ...]", 1.0, 1.0),
        ("[(.2, .5),,]", 1.0, 1.0),  # one comma at the end is taken off
        ("[('0.2', '0.5')]", 1.0, None),
        ("['cup', (.2, .5)]", 0.0, 1.0),
        ("[(.2, .5, .1)]", 0.0, None),
        ("[.2, .5, .1]", 0.0, None),
        ("[]", 0.0, 0.0),
        ("[0.5in, .2or .5]", 0.0, None),
        ("[" + "(" * 1500 + "]", 0.0, 0.0),
        ("[." + "9" * 1500 + ", .5]", 0.0, None),
        ("[+" + "9" * 1500 + ", .5]", 0.0, None),
        ("[[.2, .5]]", 0.0, 1.0),
        ("[(200, 500)]", 0.0, 0.0),
        ("I do not know.", 0.0, 0.0),
        ("[", 0.0, 0.0),
    ],
)
def test_points(suite: Suite, reply: str, official: float, ours: float | None) -> None:
    item = of(suite, "context")
    score = scored(get("robospatial").episode(item), item, reply)
    assert score.parts[OFFICIAL] == official
    assert ours is None or score.value == ours


@pytest.mark.parametrize(
    ("gold", "reply", "official", "ours"),
    [
        ("yes", "Yes, it fits.", 1.0, 1.0),
        ("no", "No", 1.0, 1.0),
        ("no", "Nothing fits there.", 1.0, 0.0),
        ("no", "Not sure.", 1.0, 0.0),
        ("yes", "The answer is yes.", 0.0, 1.0),
        ("no", "I think no.", 0.0, 1.0),
        ("yes", "", 0.0, 0.0),
    ],
)
def test_yes_and_no(suite: Suite, gold: str, reply: str, official: float, ours: float) -> None:
    item = of(suite, "configuration", int(gold == "no"))
    score = scored(get("robospatial").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (official, ours)


@pytest.mark.parametrize(
    "gold", ["maybe", "[(0.1, 0.2)]", "[(0.1, 0.2), (0.4,", "__import__('os')", "[" * 900]
)
def test_a_gold_that_is_none_is_named(tmp_path: Path, gold: str) -> None:
    with pytest.raises(GumptionError) as caught:
        get("robospatial").load(write(tmp_path / "bad", polygon=gold))
    assert "context-00000-of-00001.parquet, row 1" in caught.value.where
