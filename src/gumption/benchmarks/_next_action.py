"""What EgoPlan-Bench and EgoPlan-Bench2 share: the question for the next action, and reading its letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from gumption.answers import score
from gumption.benchmarks._hub import Row
from gumption.benchmarks.benchmark import reading_of
from gumption.benchmarks.prompts import prompted
from gumption.records import Answer, Episode, GumptionError, Item

__all__ = ["AUTHORS", "LMMS_EVAL", "answer_of", "first_capital", "lettered", "question_of"]

AUTHORS = (
    "The best answer is",
    "The correct answer is",
    "The answer is",
    "The answer",
    "The best option isThe correct option is",
    "Best answer:Best option:",
    "Answer:",
    "Option:",
    "The correct answer",
    "The correct option",
)
"""Beginnings that `qiulu66/EgoPlan-Bench2`, eval.py, deletes. Missing commas stick two pairs together."""
LMMS_EVAL = AUTHORS[:6]
"""Those of `EvolvingLMMs-Lab/lmms-eval`, egoplan and egoplan2: "Answer: C" is A there."""
_LETTER = re.compile("[ABCD]")


def first_capital(reply: str, beginnings: Sequence[str]) -> str:
    """The first capital A to D once the beginnings are deleted, "" for none. "Based on it, C" is B."""
    text = reply.strip()
    for beginning in beginnings:
        text = text.replace(beginning, "")
    match = _LETTER.search(text)
    return match[0] if match else ""


def question_of(goal: str, *, shown: str = "pictures show, in order,") -> str:
    """In our words. What is shown stands before it, the view of this moment last."""
    return (
        f"The {shown} how far I have come with a task; the last of it is what I see now. "
        f"My goal: {goal.strip()}. What should I do next?"
    )


def answer_of(row: Row, gold: str) -> Answer:
    """The four options of a row. Raises GumptionError for a gold that is none of them."""
    choices = {letter: row[f"choice_{letter.lower()}"] for letter in "ABCD"}
    if gold not in choices:
        raise GumptionError(f"the right option is {gold!r}", remedy="fetch the data again")
    return Answer("choice", gold=gold, choices=choices)


def lettered(rules: Mapping[str, Sequence[str]]) -> Callable[[Item], Episode]:
    """The episode: our reading, and as parts what the first capital makes of the reply under each rule."""

    def episode(item: Item) -> Episode:
        (reply,) = yield (prompted(item),)
        scored = score(item.answer, reading_of(reply, item.answer))
        parts = {
            name: float(first_capital(reply.text, beginnings) == item.answer.gold)
            for name, beginnings in rules.items()
        }
        return replace(scored, parts=parts)

    return episode
