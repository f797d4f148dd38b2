"""How many items it takes to see a gap between two models, and which gap the items at hand can show.

A paired t-test over clusters of items (scenes, videos, images): its power, and that solved for the number of
items or for the gap.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy.special import nctdtr, ndtr, stdtrit

from gumption.ranking._design import lay_out
from gumption.ranking._resampling import model_matrix
from gumption.records import GumptionError

__all__ = ["USUAL", "Needed", "PairedSpread", "gap_seen", "items_needed", "paired_spread", "power_of_gap"]

LARGE = 1_000.0
"""Degrees of freedom above which the noncentral t is taken by its normal approximation (Abramowitz and Stegun
26.7.10), which is then right to 1e-6."""
MOST_CLUSTERS = 10**12


class PairedSpread(Struct, frozen=True):
    """How the per-item differences of two models vary."""

    deviation: float
    """Standard deviation of a - b over items."""
    per_cluster: float = 1.0
    """Items per cluster."""
    design_effect: float = 1.0
    """Variance of the mean difference over clusters, as a multiple of what as many independent items give:
    1 + (per_cluster - 1) x the correlation within clusters (Kish 1965)."""


USUAL = PairedSpread(0.55)
"""Unclustered items that are right or wrong. The median over pairs of models is .48 to .68 on five public
matrices (BLINK .65, VisOnlyQA .58, MathVista .53, LogicVista .48, CRUX .48). It falls with models that are
alike."""


class Needed(Struct, frozen=True):
    """What a test needs."""

    items: int
    clusters: int


def paired_spread(matrix: npt.ArrayLike, *, clusters: npt.ArrayLike | None = None) -> PairedSpread:
    """The median spread over the pairs of rows of a models x items matrix, NaN = missing.

    For two models give two rows. `clusters`: a label per item. The design effect is that of the clustered
    standard error over the unclustered one, squared; 1 for a pair that no item tells apart.

    Raises GumptionError for a matrix or labels that do not fit, and where no pair has two items in common.
    """
    scores = model_matrix(matrix)
    deviations, effects, sizes = [], [], []
    for i, j in zip(*np.triu_indices(len(scores), 1), strict=True):
        gap = scores[i] - scores[j]
        n = int((~np.isnan(gap)).sum())
        if n < 2:
            continue
        spread = lay_out(gap[None], clusters=clusters).spread()
        alone = float(np.nanvar(gap, ddof=1))
        deviations.append(alone**0.5)
        effects.append(spread.variance * n / alone if alone > 0 else 1.0)
        sizes.append(n / spread.clusters)
    if not deviations:
        raise GumptionError(
            "no two models have two items in common", where="matrix", remedy="score the same items with both"
        )
    return PairedSpread(float(np.median(deviations)), float(np.median(sizes)), float(np.median(effects)))


def power_of_gap(gap: float, clusters: float, spread: PairedSpread = USUAL, *, level: float = 0.05) -> float:
    """The probability that a two-sided paired t-test at `level` sees a true gap in (0, 1].

    `clusters`: two at least; items, where `spread` has one per cluster. Equal clusters are taken for granted:
    their means are the t-test's observations. Raises GumptionError for what does not fit.
    """
    _check(spread, level=level)
    if not 0 < gap <= 1:
        raise GumptionError(f"gap {gap}", where="power", remedy="give a difference of scores, such as 0.03")
    if not clusters >= 2:
        raise GumptionError(f"{clusters} clusters", where="power", remedy="give two at least")
    return _power(gap / _cluster_deviation(spread), clusters, level)


def items_needed(
    gap: float, spread: PairedSpread = USUAL, *, power: float = 0.8, level: float = 0.05
) -> Needed:
    """The fewest items, in whole clusters, with which a gap is seen with probability `power` at `level`.

    Raises GumptionError for what does not fit, and where more than 1e12 clusters would be needed.
    """
    _check(spread, level=level, power=power)
    high = 2
    while power_of_gap(gap, high, spread, level=level) < power:
        high *= 2
        if high > MOST_CLUSTERS:
            raise GumptionError(
                f"more than {MOST_CLUSTERS:.0e} clusters would be needed",
                where="power",
                remedy="ask for a wider gap",
            )
    low = max(high // 2, 1)  # Too few, or no test at all.
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if power_of_gap(gap, middle, spread, level=level) >= power else (middle, high)
        )
    return Needed(items=math.ceil(high * spread.per_cluster), clusters=high)


def gap_seen(
    clusters: float, spread: PairedSpread = USUAL, *, power: float = 0.8, level: float = 0.05
) -> float | None:
    """The smallest gap that is seen with probability `power` with so many clusters (items, where `spread` has
    one per cluster); None where not even a gap of 1 is. Raises GumptionError for what does not fit."""
    _check(spread, level=level, power=power)
    if power_of_gap(1.0, clusters, spread, level=level) < power:
        return None
    return _bisect(lambda gap: power_of_gap(gap, clusters, spread, level=level) >= power)


def _power(effect: float, n: float, level: float) -> float:
    """Of a two-sided t-test of n observations whose mean is `effect` standard deviations from 0."""
    quantile, shift = float(stdtrit(n - 1, 1 - level / 2)), effect * n**0.5
    return 1.0 - _below(quantile, n - 1, shift) + _below(-quantile, n - 1, shift)


def _below(t: float, dof: float, shift: float) -> float:
    """P(T <= t) of the noncentral t distribution."""
    if dof > LARGE:
        return float(ndtr((t * (1 - 1 / (4 * dof)) - shift) / math.sqrt(1 + t * t / (2 * dof))))
    exact = float(nctdtr(dof, shift, t))
    return 0.0 if math.isnan(exact) else exact  # SciPy's is NaN at times, where it is below 1e-12.


def _cluster_deviation(spread: PairedSpread) -> float:
    """Standard deviation of the clusters' mean differences."""
    return float(spread.deviation * (spread.design_effect / spread.per_cluster) ** 0.5)


def _bisect(seen: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high


def _check(spread: PairedSpread, **shares: float) -> None:
    for name, share in shares.items():
        if not 0 < share < 1:
            raise GumptionError(f"{name} {share}", where="power", remedy="give a probability inside (0, 1)")
    if not (spread.deviation > 0 and spread.per_cluster >= 1 and spread.design_effect > 0):
        raise GumptionError(
            f"spread {spread}",
            where="power",
            remedy="give a deviation above 0, an item per cluster at least and a design effect above 0; two "
            "models that no item tells apart have no spread: take USUAL",
        )
