"""Is one run better than another on the items that both scored?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy.special import stdtr, stdtrit

from gumption.ranking._design import Design, lay_out
from gumption.ranking._runs import align, differences, read_run, refuse_differences
from gumption.ranking.intervals import FEW, STILL, UPPER, expanded, unit_scores
from gumption.records import GumptionError, Interval

__all__ = ["Comparison", "compare"]

SAME = 1e-12
"""Scores closer than this are a tie: sums of halves and thirds differ by rounding."""
UNLIKE = 10
"""With fewer clusters than this unlike all the others, the spread of the differences is hardly known."""


class Comparison(Struct, frozen=True):
    """The paired difference a - b over the items scored in both."""

    a: str
    b: str
    mean_a: float | None
    """Over the items scored in both, as everything here; None if there is none."""
    mean_b: float | None
    difference: Interval
    """Mean of a - b with its 95 % interval, in [-1, 1]."""
    p_better: float | None
    """Probability that a is better than b: the share of resamples in which it is, ties halved, or by t."""
    n: int
    """Items scored in both."""
    only_a: int
    only_b: int
    clusters: int
    wins: int
    """Items on which a scores higher."""
    losses: int
    ties: int
    differences: tuple[str, ...] = ()
    """What the two runs' protocols differ in (only with force=True)."""


def compare(
    a: npt.ArrayLike | str | Path,
    b: npt.ArrayLike | str | Path,
    *,
    clusters: npt.ArrayLike | None = None,
    force: bool = False,
    resamples: int = 2000,
    seed: int = 0,
) -> Comparison:
    """Compares two models by their paired differences.

    `a`, `b`: two aligned arrays of scores in [0, 1], NaN where there is none, with `clusters` as labels
    (strings or integers; without them each item is its own); or two run folders, joined by benchmark and
    item_id, an item's score being the mean of its scored epochs. The mean over items is compared (micro).

    The interval is a bootstrap of clusters, or Student's t below 39 degrees of freedom. Where fewer than
    10 clusters (and fewer than half) are unlike the others, those being all ties, all wins or all losses,
    half a win, half a loss and a tie of one cluster are added (after Agresti and Min 2005, doi
    10.1002/sim.1781): so two equal runs get no zero width.

    Raises GumptionError for arrays that do not fit, and for run folders whose protocols differ in more than
    the model, unless `force`; the differences are then in the result.
    """
    if isinstance(a, str | Path) and isinstance(b, str | Path):
        if clusters is not None:
            raise GumptionError(
                "clusters were given", where="compare", remedy="leave them out: a run knows its own"
            )
        first, second = read_run(a), read_run(b)
        names = first.head.name, second.head.name
        found = differences(first.head, second.head)
        if not force:
            refuse_differences(found, f"{a} and {b}")
        aligned = align((first, second))
        (left, right), clusters = aligned.values, aligned.items.cluster
    elif isinstance(a, str | Path) or isinstance(b, str | Path):
        raise GumptionError(
            "one is a run folder and one is not", where="compare", remedy="give two folders or two arrays"
        )
    else:
        left, right = unit_scores(a, "a"), unit_scores(b, "b")
        names, found = ("a", "b"), ()
        if left.ndim != 1 or left.shape != right.shape:
            raise GumptionError(
                f"shapes {left.shape} and {right.shape} are not aligned",
                where="compare",
                remedy="give two flat arrays, the same items in the same order, NaN where there is no score",
            )

    gap = left - right
    both = ~np.isnan(gap)
    n, wins, losses = int(both.sum()), int((gap > SAME).sum()), int((gap < -SAME).sum())
    design = lay_out(gap[None, :], clusters=clusters)
    difference, p_better = _settle(design, resamples, seed) if n else (Interval(None, None, None), None)
    return Comparison(
        a=names[0],
        b=names[1],
        mean_a=float(left[both].mean()) if n else None,
        mean_b=float(right[both].mean()) if n else None,
        difference=difference,
        p_better=p_better,
        n=n,
        only_a=int((~np.isnan(left)).sum()) - n,
        only_b=int((~np.isnan(right)).sum()) - n,
        clusters=design.clusters,
        wins=wins,
        losses=losses,
        ties=n - wins - losses,
        differences=found,
    )


def _settle(design: Design, resamples: int, seed: int) -> tuple[Interval, float]:
    spread = design.spread()
    mean, centre, variance, n = spread.mean, spread.mean, spread.variance, spread.clusters
    if hardly := _hardly_varies(design) or variance < STILL:
        centre = mean * n / (n + 2)
        added = 1.0 + 2.0 * centre**2 + n * (mean - centre) ** 2
        variance = (variance * n**2 + added) / (n + 2) ** 2
    error, quantile = variance**0.5, float(stdtrit(spread.dof, UPPER))
    if hardly or spread.dof < FEW:
        low, high, method = centre - quantile * error, centre + quantile * error, "t"
        p_better = float(stdtr(spread.dof, centre / error))
    else:
        drawn = design.draws(resamples, seed)[:, 0]
        low, high = (float(end) for end in expanded(spread, drawn))
        method = "bootstrap"
        p_better = float(np.mean((drawn > SAME) + 0.5 * (np.abs(drawn) <= SAME)))
    low, high = min(max(low, -1.0), mean), max(min(high, 1.0), mean)
    return Interval(mean, low, high, method, "a - b"), p_better


def _hardly_varies(design: Design) -> bool:
    share = design.sums / design.counts
    alike = max(int((np.abs(share - value) <= SAME).sum()) for value in (-1.0, 0.0, 1.0))
    return design.clusters - alike < min(UNLIKE, design.clusters / 2)
