"""EgoPlan-Bench2 on a Parquet file in the published schema."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from oracle_runs import card_of, picture, scored, write_parquet

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.records import GumptionError, Image, Text
from gumption.suites import Suite


def write(folder: Path, golds: str = "ABCDABCD") -> Path:
    kind = pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
    frames = [
        [{"bytes": picture(np.full((8, 12, 3), 10 * number + at, np.uint8)), "path": None} for at in range(3)]
        for number in range(len(golds))
    ]
    columns = {
        "sample_id": [f"v{number // 2}_{number}" for number in range(len(golds))],
        "domain": [("Daily life", "Work")[number % 2] for number in range(len(golds))],
        "scenario": ["cooking"] * len(golds),
        "task_goal": ["make tea"] * len(golds),
        "task_start_frame": pa.array([0] * len(golds), pa.int64()),
        "current_observation_frame": pa.array([90] * len(golds), pa.int64()),
        "formatted_question": ["not shown"] * len(golds),
        **{f"choice_{letter}": [f"action {letter}"] * len(golds) for letter in "abcd"},
        "ground_truth": list(golds),
        "video_file": [f"v{number // 2}.mp4" for number in range(len(golds))],
        "keyframes": pa.array(frames, kind),
    }
    write_parquet(folder / "data/train-00000-of-00001.parquet", columns)
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("egoplan2").load(write(tmp_path_factory.mktemp("egoplan2")))


def test_frames_come_first_and_in_order(suite: Suite) -> None:
    *frames, question = suite.items[2].parts
    assert all(isinstance(frame, Image) for frame in frames) and isinstance(question, Text)
    assert [suite.media.read(frame.sha256) for frame in frames if isinstance(frame, Image)] == [
        picture(np.full((8, 12, 3), 20 + at, np.uint8)) for at in range(3)
    ]
    assert "make tea" in question.text and "not shown" not in question.text
    assert [item.cluster for item in suite.items] == [f"v{number // 2}.mp4" for number in range(8)]


def test_the_oracle_is_right_by_both_rules_and_a_wrong_one_scores_nothing(
    suite: Suite, tmp_path: Path
) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
    assert [each.mean for each in wrong.further] == [0.0, 0.0]
    assert right.total.chance == 0.25


@pytest.mark.parametrize(
    ("reply", "official", "lmms", "ours"),
    [
        # letter read by: the authors, lmms-eval, us; "" is none
        ("C", "C", "C", "C"),
        ("(C) action c", "C", "C", "C"),
        ("The answer is C.", "C", "C", "C"),
        ("Answer: C", "C", "A", "C"),
        ("The correct option is C", "C", "C", "C"),
        ("The best option is C", "C", "C", "C"),
        ("Best answer: C", "B", "B", "C"),
        ("Based on the video, the answer is C", "B", "B", "C"),
        ("A person pours water, so C", "A", "A", "C"),
        ("c", "", "", "C"),
        ("I cannot see it.", "", "", ""),
    ],
)
def test_hand_worked_replies(suite: Suite, reply: str, official: str, lmms: str, ours: str) -> None:
    for item in suite.items[:4]:
        gold = item.answer.gold
        score = scored(get("egoplan2").episode(item), item, reply)
        assert score.parts == {OFFICIAL: float(official == gold), "lmms-eval": float(lmms == gold)}
        assert score.value == float(ours == gold)


def test_a_gold_that_is_no_option_is_named(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="the right option is 'E'") as caught:
        get("egoplan2").load(write(tmp_path / "bad", golds="AE"))
    assert "row 2" in caught.value.where
