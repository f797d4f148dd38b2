"""The few readings that a README's sentences leave open beside the one that is proposed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from gumption.synthesis.spec import Scoring

__all__ = ["candidates_of"]

_OPEN: dict[str, tuple[dict[str, Any], ...]] = {
    "choice": (
        {"whole": None},
        {"texts": False},
        {"texts": None},
        {"several": None},
        {"letters": "capital"},
        {"letters": None},
    ),
    "yes_no": ({"whole": None}, {"several": None}, {"several": "last"}, {"several": "first"}),
    "number": (
        {"whole": None},
        {"several": None},
        {"ranges": "wrong"},
        {"words": None},
        {"several": "last"},
        {"several": "first"},
    ),
}
"""Parameters that may be otherwise; None is none."""
_STEPS = ("lower", "articles", "punctuation", "punctuation_to_blank", "spaces")


def candidates_of(scoring: Scoring) -> Iterator[Scoring]:
    """Those that differ in one thing before those that differ in two."""
    if scoring.kind == "text":
        yield from _texts(scoring)
        return
    for size in (1, 2):
        for changes in combinations(_OPEN.get(scoring.kind, ()), size):
            told = dict(scoring.parameters)
            for change in changes:
                told |= change
            told = {name: value for name, value in told.items() if value is not None}
            if told != scoring.parameters:
                yield replace(scoring, parameters=told)


def _texts(scoring: Scoring) -> Iterator[Scoring]:
    if scoring.metric == "label":
        return
    steps = scoring.normalise
    wider = [
        steps,
        *(_with(steps, one) for one in _STEPS),
        *(_with(_with(steps, "lower"), one) for one in _STEPS),
    ]
    exact = {name: value for name, value in scoring.parameters.items() if name == "contained"}
    kinds = [
        (scoring.metric, scoring.parameters),
        ("contains", {}),
        ("exact", {"whole": True, **exact}),
        ("f1", {}),
    ]
    for metric, parameters in kinds:
        for normalise in wider:
            yield replace(scoring, metric=metric, parameters=parameters, normalise=normalise)


def _with(steps: tuple[str, ...], one: str) -> tuple[str, ...]:
    if one in steps:
        return steps
    if one.startswith("punctuation"):
        steps = tuple(
            step for step in steps if not step.startswith(("punctuation", "ends", "hyphens", "drop"))
        )
    made = (*(step for step in steps if step != "spaces"), one)
    closes = one not in ("spaces", "lower") or "spaces" in steps  # a step may leave blanks behind
    return (*made, "spaces") if closes and one != "spaces" else made
