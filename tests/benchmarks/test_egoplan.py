"""EgoPlan-Bench on a Parquet file in the published schema, with a clip for each question."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from clips import greys, write_clip
from oracle_runs import card_of, scored, write_parquet

from gumption.benchmarks import get, open_suite
from gumption.records import GumptionError, Text, Video
from gumption.suites import Suite


def write(folder: Path) -> Path:
    golds = "ABCDABCD"
    count = len(golds)
    step = pa.struct(
        [("narration_text", pa.string()), ("start_frame", pa.int64()), ("stop_frame", pa.int64())]
    )
    columns = {
        "sample_id": pa.array(range(count), pa.int64()),
        "video_source": [("EpicKitchens", "Ego4D")[at % 2] for at in range(count)],
        "video_id": [f"P{at // 4:02d}" for at in range(count)],
        "task_goal": ["wash the pan"] * count,
        "question": ["not shown"] * count,
        **{f"choice_{letter}": [f"action {letter}"] * count for letter in "abcd"},
        "golden_choice_idx": list(golds),
        "answer": [f"action {gold.lower()}" for gold in golds],
        "current_observation_frame": pa.array([200] * count, pa.int64()),
        "task_progress_metadata": pa.array(
            [[{"narration_text": "take pan", "start_frame": 1, "stop_frame": 90}]] * count, pa.list_(step)
        ),
    }
    write_parquet(folder / "data/validation-00000-of-00001.parquet", columns)
    for at in range(count):
        write_clip(folder / f"clips/{at}.mp4", 15, first=at)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("egoplan"))


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return get("egoplan").load(folder)


def test_the_last_picture_is_the_current_observation(suite: Suite) -> None:
    item = suite.items[3]
    assert greys(suite, item) == [0, 2, 4, 6, 8, 10, 12, 14]
    question = item.parts[-1]
    assert isinstance(question, Text) and "wash the pan" in question.text
    assert "not shown" not in question.text
    assert item.meta["current_observation_frame"] == 200 and item.meta["frames"] == 8
    assert (item.cluster, item.category) == ("Ego4D/P00", "Ego4D")


def test_the_clip_itself_can_be_shown(folder: Path) -> None:
    item = open_suite("egoplan:shown=video", folder).items[0]
    clip, question = item.parts
    assert isinstance(clip, Video) and isinstance(question, Text)
    assert question.text.startswith("The video shows") and item.meta["protocol"] == "shown=video"


def test_the_oracle_is_right_by_every_rule_and_a_wrong_one_scores_nothing(
    suite: Suite, tmp_path: Path
) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert [right.official.mean, *(each.mean for each in right.further)] == [1.0, 1.0, 1.0]
    assert [wrong.official.mean, *(each.mean for each in wrong.further)] == [0.0, 0.0, 0.0]


def test_hand_worked_replies(suite: Suite) -> None:
    """Of the item whose right option is C: our reading, EgoPlan-Bench2's, lmms-eval's."""
    item = suite.items[2]
    for reply, expected in (
        ("C", (1, 1, 1)),
        ("Answer: C", (1, 1, 0)),
        ("Based on the video, the answer is C", (1, 0, 0)),
        ("c", (1, 0, 0)),
        ("I would wash it.", (0, 0, 0)),
    ):
        score = scored(get("egoplan").episode(item), item, reply)
        assert (score.value, *score.parts.values()) == expected


def test_a_missing_clip_says_what_it_needs(tmp_path: Path) -> None:
    folder = write(tmp_path / "data")
    (folder / "clips/5.mp4").unlink()
    with pytest.raises(GumptionError, match=r"no clip 5\.mp4") as caught:
        get("egoplan").load(folder)
    assert "licences" in caught.value.remedy
