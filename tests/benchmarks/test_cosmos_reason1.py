"""Cosmos-Reason1 in the published layout."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from clips import greys, write_clip
from oracle_runs import card_of, scored

from gumption.benchmarks import get, open_suite
from gumption.benchmarks._beside import OFFICIAL
from gumption.records import GumptionError, Text
from gumption.suites import Suite

SETS = {"av": 2, "robofail": 4, "robovqa": 3}


def write(folder: Path) -> Path:
    """A file of questions a set, clips of 21 frames at 10 a second in clips/ beside."""
    for place, (name, count) in enumerate(SETS.items()):
        rows = []
        for number in range(count):
            video = f"{name}-{number}" if name == "av" else f"clips/{name}-{number}.mp4"
            clip = f"{name}-{number}{'.camera_front_wide_120fov' if name == 'av' else ''}.mp4"
            write_clip(folder / name / "clips" / clip, first=place)
            rows.append({
                "video": video,
                "qa_pairs": {
                    "question": f"What does it do in {number}?",
                    "index2ans": {"A": "open gripper", "B": "close gripper", "C": "move left"},
                    "answer": "ABC"[number % 3],
                },
            })  # fmt: skip
        (folder / name / f"{name}_benchmark_qa_pairs.json").write_text(json.dumps(rows))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("cosmos"))


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return get("cosmos-reason1").load(folder)


def test_sets_are_categories_and_frames_go_by_time(suite: Suite) -> None:
    found = [item.category for item in suite.items]
    assert {name: found.count(name) for name in SETS} == SETS
    # 2.1 s at 4 frames a second are 8.4, so 8: every 20/7 frames of 21
    assert greys(suite, suite.items[0]) == [0, 2, 5, 8, 11, 14, 17, 20]
    assert suite.items[1].answer.choices == {"A": "open gripper", "B": "close gripper", "C": "move left"}


@pytest.mark.parametrize("way", ["reasoning", "letter"])
def test_the_oracle_is_right_by_both_rules_and_a_wrong_one_scores_nothing(
    folder: Path, tmp_path: Path, way: str
) -> None:
    suite = open_suite(f"cosmos-reason1:answer={way},frames=2", folder)
    right, wrong = (card_of(suite, tmp_path / f"{way}{level}", level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("way", "reply", "official", "ours"),
    [
        ("reasoning", "<think>It closes.</think> <answer>B</answer>", "B", "B"),
        ("reasoning", "<answer>The gripper closes: B</answer>", "T", "B"),
        ("reasoning", "<answer>b</answer>", "", "B"),
        ("reasoning", "<answer>A</answer> or rather <answer>B</answer>", "A", "B"),
        ("reasoning", "B", "", "B"),
        ("reasoning", "<answer>B", "", "B"),
        ("reasoning", "<answer>" * 30_000, "", ""),
        ("letter", "B", "B", "B"),
        ("letter", "The answer is B", "T", "B"),
        ("letter", "(B) close gripper", "B", "B"),
        ("letter", "b", "", "B"),
        ("letter", "", "", ""),
    ],
)
def test_hand_worked_replies(folder: Path, way: str, reply: str, official: str, ours: str) -> None:
    suite = open_suite(f"cosmos-reason1:answer={way},sets=robovqa,frames=2", folder)
    for item in suite.items:  # golds A, B, C
        score = scored(get("cosmos-reason1").episode(item), item, reply)
        assert score.parts[OFFICIAL] == float(official == item.answer.gold)
        assert score.value == float(ours == item.answer.gold)


def test_the_form_of_the_answer_is_asked_for(suite: Suite, folder: Path) -> None:
    letter = open_suite("cosmos-reason1:answer=letter,sets=av", folder)
    for one, tags in ((suite.items[0], True), (letter.items[0], False)):
        (question,) = next(get("cosmos-reason1").episode(one))
        words = "\n".join(part.text for part in question.parts if isinstance(part, Text))
        assert ("<answer>" in words) == tags and "B. close gripper" in words


def test_sets_are_an_option_and_a_missing_clip_says_so(folder: Path, tmp_path: Path) -> None:
    two = open_suite("cosmos-reason1:sets=av+robofail,frames=2", folder)
    assert {item.category for item in two.items} == {"av", "robofail"}
    assert two.items[0].meta["protocol"] == "sets=av+robofail,frames=2"
    with pytest.raises(GumptionError, match="no set is called kitchen"):
        open_suite("cosmos-reason1:sets=kitchen", folder)
    lacking = write(tmp_path / "lacking")
    (lacking / "robofail/clips/robofail-1.mp4").unlink()
    with pytest.raises(GumptionError, match=r"no clip 'clips/robofail-1\.mp4'") as caught:
        get("cosmos-reason1").load(lacking)
    assert "sets=robovqa" in caught.value.remedy


def test_archives_are_unpacked_where_they_lie(
    suite: Suite, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gumption.benchmarks import _archives

    for name in SETS:
        (tmp_path / name).mkdir()
        file = f"{name}_benchmark_qa_pairs.json"
        (tmp_path / name / file).write_bytes((folder / name / file).read_bytes())
        with tarfile.open(tmp_path / name / "clips.tar.gz", "w:gz") as archive:
            archive.add(folder / name / "clips", "clips")
    monkeypatch.setattr(_archives, "fetch", lambda source: tmp_path)
    assert get("cosmos-reason1").load(None).items == suite.items


def test_an_archive_that_leads_out_of_its_folder_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gumption.benchmarks import _archives

    inside = tmp_path / "inside"
    inside.mkdir()
    with tarfile.open(inside / "clips.tar.gz", "w:gz") as archive:
        archive.add(folder / "av/av_benchmark_qa_pairs.json", "../out.json")
    monkeypatch.setattr(_archives, "fetch", lambda source: inside)
    with pytest.raises(GumptionError, match="cannot be unpacked"):
        get("cosmos-reason1").load(None)
    assert not (tmp_path / "out.json").exists()


def test_pairs_that_do_not_fit_are_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "bad")
    file = folder / "robovqa/robovqa_benchmark_qa_pairs.json"
    text = file.read_text()
    for old, new in (('"answer": "A"', '"answer": "Z"'), ('"C": "move left"', '"C": 3')):
        file.write_text(text.replace(old, new))
        with pytest.raises(GumptionError, match="qa_pairs with options") as caught:
            get("cosmos-reason1").load(folder)
        assert "robovqa_benchmark_qa_pairs.json, row 1" in caught.value.where
