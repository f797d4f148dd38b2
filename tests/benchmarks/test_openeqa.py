"""OpenEQA in the published layout, and on the questions of the pool."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from oracle_runs import card_of, picture

from gumption.benchmarks import get, open_suite
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks.openeqa import mark
from gumption.models import open_models
from gumption.ranking import scorecard
from gumption.records import GumptionError, Image, Item, Reply, Score, Text
from gumption.running import run
from gumption.suites import Suite


def write(folder: Path, frames: int = 7) -> Path:
    """`data/open-eqa-v0.json` and two walks below `data/frames`."""
    rows = []
    for number in range(6):
        walk = f"hm3d-v0/00{number % 2}-walk"
        (folder / "data/frames" / walk).mkdir(parents=True, exist_ok=True)
        row = {
            "question": f"What is thing {number}?",
            "answer": f"A chair, {number}.",
            "category": ("object recognition", "world knowledge")[number % 2],
            "question_id": f"q{number}",
            "episode_history": walk,
        }
        rows.append(row | ({"extra_answers": ["a seat", "a stool"]} if number == 5 else {}))
    for walk in range(2):
        for at in range(frames):
            pixels = np.full((4, 6, 3), 100 * walk + at, np.uint8)
            (folder / f"data/frames/hm3d-v0/00{walk}-walk/{at:05d}-rgb.png").write_bytes(picture(pixels))
    (folder / "data/open-eqa-v0.json").write_text(json.dumps(rows))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("open-eqa"))


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return open_suite("openeqa:frames=4", folder)


def drive(item: Item, reply: str, verdict: str | tuple[str, ...], status: str = "ok") -> Score:
    """One reply, then a verdict for each text that the judge is shown."""
    episode = get("openeqa").episode(item)
    next(episode)
    try:
        questions = episode.send((Reply(item.id, text=reply, status=status),))  # type: ignore[arg-type]
        verdicts = (verdict,) * len(questions) if isinstance(verdict, str) else verdict
        assert len(verdicts) == len(questions)
        episode.send(tuple(Reply(one.id, text=text) for one, text in zip(questions, verdicts, strict=True)))
    except StopIteration as stop:
        score: Score = stop.value
        return score
    raise AssertionError("the episode asks for more")


def test_frames_are_even_from_the_first_to_the_last(suite: Suite) -> None:
    """Of 7 pictures four: 0, 2, 4, 6."""
    *frames, question = suite.items[1].parts
    assert isinstance(question, Text) and question.text == "What is thing 1?"
    expected = [picture(np.full((4, 6, 3), 100 + at, np.uint8)) for at in (0, 2, 4, 6)]
    assert [suite.media.read(frame.sha256) for frame in frames if isinstance(frame, Image)] == expected
    assert suite.items[1].meta["frames"] == 4 and suite.items[1].meta["protocol"] == "frames=4"
    assert len({item.cluster for item in suite.items}) == 2


def test_an_oracle_with_a_judge(suite: Suite, tmp_path: Path) -> None:
    right = card_of(suite, tmp_path / "right", 1.0, judged=True)
    wrong = card_of(suite, tmp_path / "wrong", 0.0, judged=True)
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_without_a_judge_nothing_is_scored(suite: Suite, tmp_path: Path) -> None:
    card = card_of(suite, tmp_path / "run", 1.0)
    assert (card.total.n, card.total.planned, card.official.mean) == (0, 6, None)


@pytest.mark.parametrize(
    ("verdict", "value"),
    [
        ("5", 1.0),
        ("Your mark: 1", 0.0),
        ("Your mark: 2", 0.25),
        ("Your mark: 3\nbecause it is near", 0.5),
        ("I would say\nYour mark: 4", 0.75),
        ("Your mark: 0", 0.0),
        ("0", 0.0),
        ("Your mark: 9", 1.0),
        ("<think>Your mark: 1</think>Your mark: 5", 1.0),
        ("Your mark: four", None),
        ("Your mark: 4/5", None),
        ("Your mark: 4.5", None),
        ("four", None),
        ("", None),
        ("error.", None),
        ("9" * 5000, None),
    ],
)
def test_a_mark_is_read_or_the_item_stays_unscored(suite: Suite, verdict: str, value: float | None) -> None:
    assert mark(verdict) == value
    score = drive(suite.items[0], "A chair", verdict)
    assert (score.value, score.parts.get(OFFICIAL)) == (value, value)


def test_what_stands_after_the_last_period_is_cut_for_the_official_mark(suite: Suite) -> None:
    item = suite.items[0]
    score = drive(item, "About 2.5 m", ("Your mark: 5", "Your mark: 2"))
    assert (score.value, score.parts[OFFICIAL]) == (1.0, 0.25)
    score = drive(item, "A chair.", ("Your mark: 5",))  # nothing to cut: one text, one mark
    assert (score.value, score.parts[OFFICIAL]) == (1.0, 1.0)


def test_the_judge_sees_the_cut_text_and_the_further_answers(suite: Suite) -> None:
    item = suite.items[5]
    episode = get("openeqa").episode(item)
    next(episode)
    (first, second) = episode.send((Reply(item.id, text="A seat. So I think"),))
    texts = [part.text for one in (first, second) for part in one.parts if isinstance(part, Text)]
    assert "\nA seat. So I think\n---" in texts[0] and "\nA seat.\n---" in texts[1]
    assert "As good: a seat; a stool" in texts[0] and "A chair, 5." in texts[0]
    assert [one.id for one in (first, second)] == ["openeqa/q5/judge/0", "openeqa/q5/judge/1"]
    assert [one.answer.gold for one in (first, second)] == ["Your mark: 1", "Your mark: 5"]


def test_a_missing_answer_is_0_and_a_refusal_is_marked_officially_alone(suite: Suite) -> None:
    item = suite.items[0]
    episode = get("openeqa").episode(item)
    next(episode)
    with pytest.raises(StopIteration) as caught:
        episode.send((Reply(item.id, text=""),))
    assert (caught.value.value.value, caught.value.value.parts) == (0.0, {OFFICIAL: 0.0})
    score = drive(item, "I'm sorry, I can't help with that.", ("Your mark: 2",))
    assert (score.value, score.parts[OFFICIAL]) == (0.0, 0.25)


def test_questions_without_their_frames_are_asked_alone_only_when_told(folder: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "open-eqa-v0.json").write_bytes((folder / "data/open-eqa-v0.json").read_bytes())
    with pytest.raises(GumptionError, match=r"no frames/hm3d-v0/000-walk") as caught:
        get("openeqa").load(bare)
    assert "openeqa:frames=0" in caught.value.remedy
    blind = open_suite("openeqa:frames=0", bare)
    assert all(len(item.parts) == 1 for item in blind.items)
    for wrong in ("frames=x", "frames=-1", "fps=2"):
        with pytest.raises(GumptionError):
            open_suite(f"openeqa:{wrong}", bare)


@pytest.mark.data
def test_the_questions_of_the_pool_and_the_scoring_on_their_golds(public_data: Path, tmp_path: Path) -> None:
    suite = get("openeqa").load(public_data)
    assert Counter(item.category for item in suite.items) == {
        "object localization": 263,
        "object state recognition": 252,
        "attribute recognition": 240,
        "object recognition": 231,
        "spatial understanding": 220,
        "functional reasoning": 217,
        "world knowledge": 213,
    }
    assert Counter(item.cluster.partition("-")[0] for item in suite.items) == {"scannet": 1079, "hm3d": 557}
    assert {item.meta["protocol"] for item in suite.items} == {"frames=0"}
    lines = [json.dumps({"id": item.id, "reply": item.answer.gold}) for item in suite.items]
    lines += [
        json.dumps({"id": item.id, "call": f"judge/{number}", "reply": "Your mark: 4"})
        for item in suite.items
        for number in (0, 1)
    ]
    (tmp_path / "replies.jsonl").write_text("\n".join(lines))
    from gumption.models import open_judge

    address = f"replay/{tmp_path / 'replies.jsonl'}"
    (model,) = open_models(address)
    card = scorecard(run(suite, model, tmp_path / "run", judge=open_judge(address)).folder)
    assert (card.total.n, card.official.mean, card.micro.mean) == (1636, 0.75, 0.75)
