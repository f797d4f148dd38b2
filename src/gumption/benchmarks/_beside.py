"""Asking once and scoring twice: the authors' rule beside the honest one.

The score's value is what our reader makes of the reply: refused, unanswered and ambiguous are 0. The part
"official" is what the authors' code makes of the raw reply, so that both numbers stand in one scorecard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from gumption.answers import score
from gumption.benchmarks.benchmark import reading_of
from gumption.benchmarks.prompts import prompted
from gumption.records import Episode, Item, Reading, Reply, Score

__all__ = ["OFFICIAL", "Honest", "Official", "beside"]

OFFICIAL = "official"
"""The part of a score that the authors' rule gives."""

Official: TypeAlias = Callable[[str, Item], float | None]
"""What the authors' code makes of a raw reply, in [0, 1]; None where it leaves the item out of its mean."""
Honest: TypeAlias = Callable[[Reply, Item, Reading], float]
"""What an answered reading is worth."""


def beside(
    official: Official, *, asked: Callable[[Item], Item] = prompted, honest: Honest | None = None
) -> Callable[[Item], Episode]:
    """The episode of a benchmark that has a rule of its own.

    asked: the item as a model is shown it. honest: how an answered reading is scored where `answers.score`
    has no rule for it.
    """

    def episode(item: Item) -> Episode:
        (reply,) = yield (asked(item),)
        reading = reading_of(reply, item.answer)
        if honest and item.answer.gold is not None and reading.outcome == "answered":
            scored = Score(honest(reply, item, reading), reading=reading)
        else:
            scored = score(item.answer, reading)
        given = official(reply.text, item)
        return scored if given is None else replace(scored, parts={OFFICIAL: given})

    return episode
