"""Which number of items published percentages can come from: k of n, to the digits that were printed.

Figures of one benchmark over several models share their n. Few n fit many figures at once, so a table gives
away a subset, or rows that were dropped, without any of its data.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.records import GumptionError

__all__ = ["Denominator", "denominators", "numerators"]

MOST = 1_000_000
"""The largest n that is tried."""
_MOST_DIGITS = 8


class Denominator(Struct, frozen=True):
    """One n that fits."""

    n: int
    counts: tuple[int, ...]
    """k for each figure, in their order."""
    by_chance: float
    """Share of all sets of as many different figures that this n would fit: near 1 it says nothing."""


def denominators(
    figures: Sequence[str], most: int = 6000, digits: int | None = None
) -> tuple[Denominator, ...]:
    """Every n from 1 to `most` for which each of `figures` is 100 k/n as printed, smallest first.

    figures: percentages from 0 to 100, as text, for "41.00" says more than "41". digits: behind the point,
    where all were printed with as many; otherwise each has those it is written with. A figure halfway between
    two printed ones may have been rounded either way. Exact: whole numbers throughout.

    Raises GumptionError for a figure that is none, and for `most` outside 1 to a million.
    """
    if not 1 <= most <= MOST:
        raise GumptionError(f"n up to {most}", remedy=f"give a number from 1 to {MOST:,}")
    if not figures:
        raise GumptionError("no figure", remedy="give one or more percentages, such as 58.74 62.94")
    printed = [_printed(figure, digits) for figure in figures]
    n = np.arange(1, most + 1)
    fits = np.ones(most, dtype=bool)
    counts = []
    for figure, scale in printed:
        k, fit = _nearest(figure, scale, n)
        counts.append(k)
        fits &= fit
    found = np.flatnonzero(fits)
    return tuple(
        Denominator(int(n[at]), tuple(int(k[at]) for k in counts), _by_chance(printed, int(n[at])))
        for at in found
    )


def numerators(figures: Sequence[str], n: int, digits: int | None = None) -> tuple[int | None, ...]:
    """The k of each figure under this n, None where it is no k/n. Arguments as for `denominators`."""
    if n < 1 or n > MOST:
        raise GumptionError(f"n = {n}", remedy=f"give a number from 1 to {MOST:,}")
    found: list[int | None] = []
    for figure in figures:
        k, fit = _nearest(*_printed(figure, digits), np.array([n]))
        found.append(int(k[0]) if fit[0] else None)
    return tuple(found)


def _printed(figure: str, digits: int | None) -> tuple[int, int]:
    """The figure in its last printed digit, and how much 100 % is in it."""
    try:
        value = Decimal(figure.strip().removesuffix("%").strip())
    except InvalidOperation as error:
        raise GumptionError(f"{figure!r} is no percentage", remedy="write it like 58.74") from error
    if not value.is_finite() or not 0 <= value <= 100:
        raise GumptionError(f"{figure!r} is not between 0 and 100", remedy="write it like 58.74")
    exponent = value.as_tuple().exponent
    written = max(0, -exponent) if isinstance(exponent, int) else 0
    behind = written if digits is None else digits
    if not 0 <= behind <= _MOST_DIGITS or written > behind:
        raise GumptionError(
            f"{figure!r} with {behind} digits behind the point",
            remedy=f"give at least as many digits as it is written with, at most {_MOST_DIGITS}",
        )
    return int(value.scaleb(behind)), 100 * 10**behind


def _nearest(
    figure: int, scale: int, n: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The k for which k/n is nearest to the figure, and whether it prints as the figure."""
    k = (2 * figure * n + scale) // (2 * scale)
    return k, np.abs(2 * (scale * k - figure * n)) <= n


def _by_chance(printed: Sequence[tuple[int, int]], n: int) -> float:
    """Of the figures that can be printed, n makes n + 1, or all; each that differs is one more draw."""
    share = Fraction(1)
    for _, scale in set(printed):
        share *= min(Fraction(n + 1, scale + 1), Fraction(1))
    return float(share)
