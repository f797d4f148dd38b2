"""RoboVQA in the published layout: JSON lines in .json files, clips beside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clips import greys, write_clip
from oracle_runs import card_of, scored

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.records import GumptionError, Item, Text
from gumption.suites import Suite

TEXTS = (
    "<task:planning:freeform> bring a cup to the table Q: immediate next step? "
    "<PRED>A: pick up the cup</PRED>",
    "<task:success:discrete:True> place bottle in bin Q: satisfied? "
    "<PRED>A: <PRED:BINARY>yes</PRED:BINARY></PRED>",
    "<task:affordance:discriminative:discrete:False> open drawer Q: possible right now? "
    "<PRED>A: <PRED:BINARY>no</PRED:BINARY></PRED> <task:planning:freeform> Q: more? <PRED>A: never</PRED>",
    "<task:past_description:freeform> Q: what action just happened? <PRED>A: Open   drawer</PRED>",
)


FLOOR_OF_NOT = (2 / 3 + 3 * (2 / 3 / 2) ** 0.5) / 4
"""Three words against two of them: precisions 2/3 and 1/2, two weights from BLEU-2 on."""


def write(folder: Path, *, as_list: bool = False, texts: tuple[str, ...] = TEXTS) -> Path:
    rows = [{"uid": str(at), "text": text, "video": f"clip{at % 2}.mp4"} for at, text in enumerate(texts)]
    file = folder / "json/val/data-00000-of-00001.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(rows) if as_list else "\n".join(map(json.dumps, rows)))
    for at in range(2):
        write_clip(folder / f"videos/clip{at}.mp4", 15, first=at)
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("robovqa").load(write(tmp_path_factory.mktemp("robovqa")))


def words(item: Item) -> str:
    last = item.parts[-1]
    assert isinstance(last, Text)
    return last.text.splitlines()[-1]


def test_the_first_question_of_a_text_is_asked_in_full_words(suite: Suite) -> None:
    assert [words(item) for item in suite.items] == [
        "bring a cup to the table. What is the next step?",
        "place bottle in bin. Is that done?",
        "open drawer. Is that possible right now?",
        "what action just happened?",
    ]
    golds = [(item.answer.kind, item.answer.gold) for item in suite.items]
    assert golds == [
        ("text", "pick up the cup"),
        ("yes_no", "yes"),
        ("yes_no", "no"),
        ("text", "Open drawer"),
    ]
    assert suite.items[1].category == "success:discrete:True"
    assert greys(suite, suite.items[0]) == [0, 2, 4, 6, 8, 10, 12, 14]
    assert [item.cluster for item in suite.items] == ["clip0.mp4", "clip1.mp4"] * 2


def test_a_list_holds_the_same_questions(suite: Suite, tmp_path: Path) -> None:
    assert get("robovqa").load(write(tmp_path / "list", as_list=True)).items == suite.items


def test_the_oracle_is_right_by_both_rules(suite: Suite, tmp_path: Path) -> None:
    card = card_of(suite, tmp_path / "right", 1.0)
    assert (card.official.mean, card.micro.mean) == (1.0, 1.0)


def test_a_wrong_oracle_scores_nothing(suite: Suite, tmp_path: Path) -> None:
    """The other one of yes and no, and a word that the answer has not: without a common word BLEU is 0."""
    card = card_of(suite, tmp_path / "wrong", 0.0)
    assert (card.official.mean, card.micro.mean) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("at", "reply", "official", "ours"),
    [
        (0, "Pick up the cup", 1.0, 1.0),
        (0, "<think>the plate?</think>\npick up the cup", 1.0, 1.0),
        (0, "<answer>pick up\nthe cup</answer>", 1.0, None),
        (0, "Answer: pick up the cup", None, 1.0),
        (0, "wave", 0.0, 0.0),
        (0, "not pick up the cup", 0.745599285868, 0.745599285868),  # NLTK
        (3, "not Open drawer", FLOOR_OF_NOT, FLOOR_OF_NOT),
        (0, "", 0.0, 0.0),
        (1, "yes", 1.0, 1.0),
        (1, "Yes", 1.0, 1.0),
        (1, "yes it is", 1 / 3, 1.0),
        (1, "no", 0.0, 0.0),
        (2, "I do not know", None, 0.0),
        (2, "know", 1.0, 0.0),
        (2, "nothing", 1.0, 0.0),
        (2, "No.", 0.0, 1.0),  # "no." keeps its period there and is another word than "no"
    ],
)
def test_hand_worked_replies(
    suite: Suite, at: int, reply: str, official: float | None, ours: float | None
) -> None:
    item = suite.items[at]
    score = scored(get("robovqa").episode(item), item, reply)
    assert official is None or score.parts[OFFICIAL] == pytest.approx(official)
    assert ours is None or score.value == pytest.approx(ours)


@pytest.mark.parametrize("text", ["<" * 200_000, "<a" * 100_000, "<think>" * 30_000, "no" * 100_000])
def test_long_replies_take_no_time_to_speak_of(suite: Suite, text: str) -> None:
    for item in suite.items[:2]:
        assert scored(get("robovqa").episode(item), item, text).parts[OFFICIAL] == 0.0


def test_what_is_not_as_published_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "data", texts=("Q: what now? no answer is marked",))
    with pytest.raises(GumptionError, match="no answer is marked") as caught:
        get("robovqa").load(folder)
    assert "data-00000-of-00001.json, row 1" in caught.value.where
    file = folder / "json/val/data-00000-of-00001.json"
    file.write_text('{"uid": "0", "text": "Q: a? <PRED>A: b</PRED>", "video": "gone.mp4"}')
    with pytest.raises(GumptionError, match=r"no clip 'gone\.mp4'"):
        get("robovqa").load(folder)
    file.write_text('{"uid": "0", "video": "clip0.mp4"}')
    with pytest.raises(GumptionError, match="text"):
        get("robovqa").load(folder)
    file.write_text("{broken")
    with pytest.raises(GumptionError, match="row 1"):
        get("robovqa").load(folder)
