"""A report shows every question as it was sent, in whatever words."""

from __future__ import annotations

from pathlib import Path

import pytest

from gumption.benchmarks import Asking, read_prompts
from gumption.models.baseline import Oracle
from gumption.models.model import ReadMedia
from gumption.models.replay import Replay
from gumption.records import Answer, Item, Key, Reply, Text
from gumption.reporting import RecordedRun
from gumption.running import run
from gumption.suites import Suite

CHOICES = {"A": "a cup", "B": "a plate"}
QUIZ = Suite(
    "quiz",
    "1",
    (
        Item("q1", "made", (Text("Which is red?"),), Answer("choice", "B", CHOICES)),
        Item("q2", "made", (Text("Is it red?"),), Answer("yes_no", "yes")),
        # A benchmark that names the letters alone, as its question has the options.
        Item("q3", "mmstar", (Text("Which? A: a cup, B: a plate"),), Answer("choice", "B", CHOICES)),
    ),
)


class Heard(Oracle):
    """Keeps the parts of the first request about each item."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, tuple[object, ...]] = {}

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        self.sent.setdefault(key[0], question.parts)
        return await super().ask(question, key, media)


def authors_words(tmp_path: Path) -> Asking:
    path = tmp_path / "prompts.json"
    path.write_text('{"*": {"*": "Behold: {question} {options} Speak!"}}')
    return read_prompts(path)


@pytest.mark.parametrize("name", ["gumption-v1", "direct", "cot", "file"])
def test_items_are_shown_as_they_were_sent(tmp_path: Path, name: str) -> None:
    asking = authors_words(tmp_path) if name == "file" else Asking(prompt=name)
    model = Heard()
    done = run(QUIZ, model, tmp_path / "run", asking=asking)
    shown = {item.id: item.parts for item in RecordedRun(done).items()}
    assert shown == model.sent
    assert all(shown[item.id] != item.parts for item in QUIZ.items)


def test_of_rotations_the_first_is_shown_and_counted(tmp_path: Path) -> None:
    model = Heard()
    done = run(QUIZ, model, tmp_path / "run", asking=Asking(circular=True))
    shown = {item.id: item.parts for item in RecordedRun(done).items()}
    assert shown["q1"] == (*model.sent["q1"], Text("[the first of 2 questions asked side by side]"))
    assert shown["q2"] == model.sent["q2"]


def test_of_replies_recorded_elsewhere_the_item_alone_is_known(tmp_path: Path) -> None:
    replies = {(item.id, 0, ""): Reply(item.id, text="B") for item in QUIZ.items}
    done = run(QUIZ, Replay("m", replies, "made"), tmp_path / "run")
    assert [item.parts for item in RecordedRun(done).items()] == [item.parts for item in QUIZ.items]
