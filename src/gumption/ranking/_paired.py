"""Tests and intervals of paired differences, laid out as a design with one column per pair of models.

The p-value is by Student's t on the clustered standard error: draws cannot tell a p of 1e-5 from one of 1e-4,
and a correction for many pairs needs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, stdtr, stdtrit

from gumption.ranking._design import Design, Floats, Ints, Spread, Weights, lay_out
from gumption.ranking.intervals import FEW, STILL, UPPER, expanded
from gumption.records import Interval

__all__ = ["SAME", "GapTest", "exact_mcnemar", "gap_blocks", "gap_intervals", "gap_tests"]

CELLS = 2**22
"""Cells of one block of pairs x items: 32 MiB."""

SAME = 1e-12
"""Scores closer than this are a tie: sums of halves and thirds differ by rounding."""
UNLIKE = 10
"""With fewer clusters than this unlike all the others, the spread of the differences is hardly known."""


@dataclass(frozen=True, slots=True)
class GapTest:
    """How far a mean difference is from 0."""

    spread: Spread
    centre: float
    """The mean difference, drawn towards 0 where the spread is hardly known."""
    error: float
    """Its standard error."""
    hardly: bool
    """The spread is hardly known, and half a win, half a loss and a tie were added."""

    @property
    def p_better(self) -> float:
        """Probability by t that the difference is above 0."""
        return float(stdtr(self.spread.dof, self.centre / self.error))

    @property
    def p(self) -> float:
        """Of the two-sided test that the difference is 0."""
        return float(2.0 * stdtr(self.spread.dof, -abs(self.centre) / self.error))


@dataclass(frozen=True, slots=True)
class GapBlock:
    """Some pairs of models."""

    first: Ints
    second: Ints
    gaps: Floats
    """Pairs x items: first - second, NaN where one of them has no score."""
    design: Design


def gap_blocks(
    scores: Floats,
    clusters: npt.ArrayLike | None,
    strata: npt.ArrayLike | None = None,
    weights: Weights | None = None,
) -> Iterator[GapBlock]:
    """All pairs of rows of models x items, (0, 1), (0, 2), ..., (1, 2), ..., some at a time."""
    first, second = np.triu_indices(len(scores), 1)
    rows = max(1, CELLS // scores.shape[1])
    for start in range(0, len(first), rows):
        one, other = first[start : start + rows], second[start : start + rows]
        gaps = scores[one] - scores[other]
        yield GapBlock(one, other, gaps, lay_out(gaps, clusters=clusters, strata=strata, weights=weights))


def gap_tests(design: Design) -> list[GapTest | None]:
    """One test per column of a design of differences in [-1, 1]; None for a column without a value."""
    return [
        _test(design, column) if design.counts[:, column if design.counts.shape[1] > 1 else 0].any() else None
        for column in range(design.sums.shape[1])
    ]


def gap_intervals(
    design: Design, tests: Sequence[GapTest | None], resamples: int, seed: int
) -> list[tuple[Interval, float | None]]:
    """The mean difference with its 95 % interval, and P(difference > 0), of each test.

    By draws of clusters, ties halved, which serve all columns; by t where the spread is hardly known or the
    degrees of freedom are few.
    """
    by_draws = [test is not None and not test.hardly and test.spread.dof >= FEW for test in tests]
    drawn = design.draws(resamples, seed) if any(by_draws) else None
    found: list[tuple[Interval, float | None]] = []
    for column, test in enumerate(tests):
        if test is None:
            found.append((Interval(None, None, None, name="a - b"), None))
        elif by_draws[column] and drawn is not None:
            own = drawn[:, column]
            better = float(np.mean((own > SAME) + 0.5 * (np.abs(own) <= SAME)))
            found.append((_within(test, *expanded(test.spread, own), "bootstrap"), better))
        else:
            reach = float(stdtrit(test.spread.dof, UPPER)) * test.error
            found.append((_within(test, test.centre - reach, test.centre + reach, "t"), test.p_better))
    return found


def exact_mcnemar(wins: int, losses: int) -> float:
    """The two-sided p-value of McNemar's exact test: of wins + losses fair coins, a split so uneven."""
    return min(1.0, 2.0 * float(bdtr(min(wins, losses), wins + losses, 0.5)))


def _within(test: GapTest, low: float, high: float, method: str) -> Interval:
    mean = test.spread.mean
    return Interval(mean, min(max(low, -1.0), mean), max(min(high, 1.0), mean), method, "a - b")


def _test(design: Design, column: int) -> GapTest:
    counts = design.counts[:, column if design.counts.shape[1] > 1 else 0]
    present = counts > 0
    spread = design.spread(column)
    mean, centre, variance = spread.mean, spread.mean, spread.variance
    n = min(spread.clusters, spread.items)  # fewer where strata weigh a few clusters more than the rest
    hardly = _hardly_varies(design.sums[present, column] / counts[present]) or variance < STILL
    if hardly:
        centre = mean * n / (n + 2)
        added = 1.0 + 2.0 * centre**2 + n * (mean - centre) ** 2
        variance = (variance * n**2 + added) / (n + 2) ** 2
    return GapTest(spread, centre, variance**0.5, hardly)


def _hardly_varies(share: Floats) -> bool:
    alike = max(int((np.abs(share - value) <= SAME).sum()) for value in (-1.0, 0.0, 1.0))
    return len(share) - alike < min(UNLIKE, len(share) / 2)
