"""Shares as people read them: per cent, to a tenth, a half rounded up as the pages do."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from gumption.records import Interval

__all__ = ["percentage", "with_ends"]

_TENTH = Decimal("0.1")


def percentage(share: float | None) -> str:
    """ "54.2" for .5419; a dash where nothing is known."""
    return "–" if share is None else str(Decimal(100 * share).quantize(_TENTH, ROUND_HALF_UP))


def with_ends(interval: Interval) -> str:
    """ "54.2 [51.9, 56.5]"; without ends where they are not known."""
    if interval.low is None or interval.high is None:
        return percentage(interval.mean)
    return f"{percentage(interval.mean)} [{percentage(interval.low)}, {percentage(interval.high)}]"
