"""Pairs of plans, and verdicts on pairs of actions, read from files of JSON lines."""

from __future__ import annotations

from pathlib import Path

import msgspec

from gumption.lines import read_rows
from gumption.planning.judges import RecordedJudge
from gumption.planning.reader import read_plan
from gumption.records import GumptionError

__all__ = ["PlanPair", "read_judgements", "read_pairs"]

_LONGEST = 1000
"""Actions of one plan."""


class PlanPair(msgspec.Struct, frozen=True):
    """A predicted plan and the gold plan it is to be like."""

    predicted: tuple[tuple[str, ...], ...]
    gold: tuple[tuple[str, ...], ...]
    model: str = ""
    """Whose plan it is; pairs of one name make that model's score."""
    reply: str = ""
    """The predicted plan as the model wrote it, where that is known."""


class _PairLine(msgspec.Struct):
    predicted: str | list[list[str]] | None
    gold: str | list[list[str]]
    model: str = ""


class _Verdict(msgspec.Struct):
    predicted: tuple[str, ...]
    gold: tuple[str, ...]
    match: bool


def read_pairs(path: Path) -> list[PlanPair]:
    """Pairs of plans: a line has `predicted` and `gold`, each a list of actions or a reply as a model wrote
    it, and may have `model`; other keys are left alone. A null or a reply that cannot be read is an empty
    plan. Raises GumptionError naming the line."""
    pairs = []
    for where, line in read_rows(path, _PairLine, "a pair of plans", "its keys are predicted, gold, model"):
        predicted, gold = _plan(line.predicted), _plan(line.gold)
        if max(len(predicted), len(gold)) > _LONGEST:
            raise GumptionError(
                f"a plan of more than {_LONGEST} actions", where=where, remedy="leave the line out"
            )
        reply = line.predicted if isinstance(line.predicted, str) else ""
        pairs.append(PlanPair(predicted, gold, line.model, reply))
    return pairs


def read_judgements(path: Path) -> RecordedJudge:
    """A judge from verdicts that somebody gave: a line has `predicted` and `gold`, two actions as lists of
    strings, and `match`, true or false; other keys are left alone.

    Actions are looked up whatever their case, verbs as `match.canonical` leaves them. Raises GumptionError
    naming the line, and where two lines contradict each other.
    """
    rows = read_rows(path, _Verdict, "a verdict", "its keys are predicted, gold, match")
    return RecordedJudge([(one.predicted, one.gold, one.match) for _, one in rows])


def _plan(value: str | list[list[str]] | None) -> tuple[tuple[str, ...], ...]:
    actions = read_plan(value).actions if isinstance(value, str) else value
    return tuple([tuple(action) for action in actions or () if action])
