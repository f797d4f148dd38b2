"""Fidelity of reading: what a pipeline reads out of replies beside what a reference reads.

Scores hide it: two readers that take another wrong option are both wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from gumption.records import GumptionError

__all__ = ["ReadingFidelity", "Readings", "reading_fidelity", "same_value"]


class Readings(Struct, frozen=True):
    """One reply under both readers; None where one reads nothing."""

    model: str
    value: Any
    reference: Any


class ReadingFidelity(Struct, frozen=True):
    """How far one reader reads as the reference does."""

    replies: int
    read: int
    """Replies that the reference reads."""
    answered: float | None
    """Share of these that are read here."""
    agreement: float | None
    """Share of the replies that both read in which both read the same."""
    only_here: int
    """Replies that are read here and that the reference reads nothing in."""
    worst: tuple[str, float] | None
    """The model with the smallest share answered, and that share."""


def reading_fidelity(both: Sequence[Readings]) -> ReadingFidelity:
    """Compares two readers on the same replies. Raises GumptionError for none."""
    if not both:
        raise GumptionError("no reply was read", where="fidelity", remedy="read the same replies")
    known = [one for one in both if one.reference is not None]
    shared = [one for one in known if one.value is not None]
    answered = {
        model: _share([one.value is not None for one in known if one.model == model])
        for model in dict.fromkeys(one.model for one in known)
    }
    worst = min(answered.items(), key=lambda pair: (pair[1], pair[0]), default=None)
    return ReadingFidelity(
        replies=len(both),
        read=len(known),
        answered=_share([one.value is not None for one in known]) if known else None,
        agreement=_share([same_value(one.value, one.reference) for one in shared]) if shared else None,
        only_here=sum(one.value is not None and one.reference is None for one in both),
        worst=worst,
    )


def same_value(one: Any, other: Any) -> bool:
    """Whether two readings say the same: numbers to a millionth of their size, texts whatever their case."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    first, second = _number(one), _number(other)
    if first is not None and second is not None:
        return math.isclose(first, second, rel_tol=1e-6, abs_tol=1e-9)
    return str(one).strip().casefold() == str(other).strip().casefold()


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found)
