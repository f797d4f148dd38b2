"""RefSpatial-Bench on Parquet files in the published schema."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from oracle_runs import card_of, hub_pictures, picture, scored, write_parquet

from gumption.benchmarks import get, open_suite
from gumption.benchmarks._beside import OFFICIAL
from gumption.suites import Suite

SIZES = {"location": 6, "placement": 4, "unseen": 2}


def write(folder: Path) -> Path:
    """Three splits of pictures of 200 x 100; what is meant is the box from (40, 20) to (80, 60)."""
    mask = np.zeros((100, 200), np.uint8)
    mask[20:60, 40:80] = 255
    for number, (split, count) in enumerate(SIZES.items()):
        scenes = [picture(np.full((100, 200, 3), 16 * number + shade, np.uint8)) for shade in range(count)]
        columns = {
            "id": pa.array(range(count), pa.int64()),
            "image": hub_pictures(scenes),
            "mask": hub_pictures([picture(mask)] * count),
            "object": ["the cup left of the plate"] * count,
            "prompt": ["Please point out the cup left of the plate."] * count,
            "suffix": ["Write a list of tuples, i.e. [(x1, y1)]."] * count,
            "step": pa.array([1 + at % 3 for at in range(count)], pa.int64()),
        }
        write_parquet(folder / f"data/{split}-00000-of-00001.parquet", columns)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("refspatial"))


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return get("refspatial").load(folder)


def test_splits_are_categories_and_steps_dimensions(suite: Suite) -> None:
    found = [item.category for item in suite.items]
    assert {split: found.count(split) for split in SIZES} == SIZES
    assert {item.dimension for item in suite.items} == {"1 steps", "2 steps", "3 steps"}
    assert suite.items[0].answer.size == (200, 100)
    assert suite.items[0].answer.gold == {"polygon": [[40, 20], [80, 20], [80, 60], [40, 60]]}


def test_the_oracle_is_right_by_both_rules_and_a_wrong_one_scores_nothing(
    suite: Suite, tmp_path: Path
) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
    assert [(each.name, each.mean) for each in right.further] == [
        ("location alone", 1.0),
        ("placement alone", 1.0),
        ("unseen alone", 1.0),
        ("mean of the three splits, our reading", 1.0),
    ]
    assert right.total.chance == pytest.approx(40 * 40 / (200 * 100))


def test_a_run_of_one_split_has_no_number_for_the_others(suite: Suite, tmp_path: Path) -> None:
    card = card_of(suite.first(4), tmp_path / "run", 1.0)
    assert [each.mean for each in card.further] == [1.0, None, None, 1.0]


@pytest.mark.parametrize(
    ("options", "reply", "official", "ours"),
    [
        ("", "[(0.25, 0.4)]", 1.0, 1.0),
        ("", "[0.25, 0.4]", 0.0, 1.0),
        ("", "[(50, 40)]", 1.0, 0.0),
        ("", "(0.25, 0.4, 0.5, 0.6)", 0.3, 0.0),  # 50-100 x 40-60: 30 of its 50 columns are marked
        ("", "(0.5, 0.6, 0.25, 0.4)", None, 0.0),
        (":family=robobrain", "(50, 40)", 1.0, 1.0),
        (":family=robobrain", "(0.25, 0.4)", None, 0.0),
        (":family=molmo", '<points x1="25" y1="40" x2="90" y2="40">', 0.5, 0.5),
        (":family=molmo", '<point x="25" y="40">', 0.0, 1.0),
        (":family=gemini", '```json\n[{"point": [400, 250]}]\n```', 1.0, 1.0),
        (":family=gemini", '[{"point": [400, 250]}]', 0.0, 1.0),
        (":convention=per_mille_xy", '[{"point_2d": [250, 400]}]', None, 1.0),
    ],
)
def test_hand_worked_replies(
    folder: Path, options: str, reply: str, official: float | None, ours: float
) -> None:
    item = open_suite(f"refspatial{options}", folder).items[0]
    score = scored(get("refspatial").episode(item), item, reply)
    given = score.parts.get(OFFICIAL)
    assert given == (official if official is None else pytest.approx(0.6 if official == 0.3 else official))
    assert score.value == ours
