"""Rounds of an adaptive run: when the models are looked at, and what each item of a round came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from gumption.records import Scored
from gumption.suites.drawing import Drawing

__all__ = ["item_values", "rounds"]

FIRST_ROUND = 32
"""Items of the first round, about."""
GROWTH = 0.1
"""A round is this share of all that was asked before: the price of not looking after every draw."""


def rounds(drawing: Drawing) -> Iterator[tuple[int, int]]:
    """First and last draw (exclusive) of each round, to the end of the suite."""
    sizes = np.cumsum(np.bincount(drawing.place))
    first = 0
    while first < len(sizes):
        done = int(sizes[first - 1]) if first else 0
        wanted = done + max(FIRST_ROUND, int(GROWTH * done))
        last = min(int(np.searchsorted(sizes, wanted)) + 1, len(sizes))
        yield first, last
        first = last


def item_values(rows: Sequence[Scored], epochs: int, part: str) -> npt.NDArray[np.float64]:
    """Scores by item, the mean over its scored epochs; NaN where it has none."""
    flat = [row.parts.get(part) if part else row.value for row in rows]
    table = np.array([np.nan if value is None else value for value in flat]).reshape(-1, epochs)
    known = ~np.isnan(table)
    counts = known.sum(axis=1)
    sums = np.where(known, table, 0.0).sum(axis=1)
    means: npt.NDArray[np.float64] = np.divide(
        sums, counts, out=np.full(len(table), np.nan), where=counts > 0
    )
    return means
