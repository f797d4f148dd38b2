"""The memory of an induction, as its roles are shown it."""

from __future__ import annotations

from collections.abc import Sequence

from gumption.curation.roles import Past
from gumption.running.prompting import cut, data

__all__ = ["told_past"]

_ITERATIONS = 8
"""The last ones are shown in full; of older ones the names and the verdict."""
_CHARACTERS = 300
_DEFINITION_CHARACTERS = 600
"""Whole, for a proposer: a set that it gives again is known by its words."""


def told_past(past: Sequence[Past]) -> str:
    """A line an iteration."""
    old = [_verdict(one) for one in past[:-_ITERATIONS]]
    return data([*old, *[_verdict(one) | _judgement(one) for one in past[-_ITERATIONS:]]])


def _verdict(past: Past) -> dict[str, object]:
    return {
        "iteration": past.number,
        "verdict": "accepted" if past.review.accepted else "rejected",
        "dimensions": [cut(name, _CHARACTERS) for name in past.dimensions.names],
    }


def _judgement(past: Past) -> dict[str, object]:
    review, balance = past.review, past.balance
    return {
        "definitions": [cut(one.definition, _DEFINITION_CHARACTERS) for one in past.dimensions.all],
        "questions": balance.counts,
        "share of Other": round(balance.other, 3),
        "evenness": round(balance.entropy, 3),
        "redundancy": cut(review.redundancy, _CHARACTERS),
        "coverage": cut(review.coverage, _CHARACTERS),
        "balance": cut(review.balance, _CHARACTERS),
        "changes": [
            {
                "action": change.action,
                "dimensions": change.dimensions,
                "reason": cut(change.reason, _CHARACTERS),
                "suggestion": cut(change.suggestion, _CHARACTERS),
            }
            for change in review.changes
        ],
    }
