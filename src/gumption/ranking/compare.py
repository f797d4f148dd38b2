"""Is one run better than another on the items that both scored?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import lay_out
from gumption.ranking._paired import SAME, gap_intervals, gap_tests
from gumption.ranking._pairing import Pairing, pair_up
from gumption.records import Interval

__all__ = ["Comparison", "compare", "compare_pairing"]


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
    p: float | None
    """Two-sided p-value of no difference, by t on the clustered standard error."""
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
    return compare_pairing(pair_up(a, b, clusters, force), resamples, seed)


def compare_pairing(pairing: Pairing, resamples: int, seed: int) -> Comparison:
    """The same of two models that are already side by side."""
    left, right = pairing.left, pairing.right
    gap = left - right
    both = ~np.isnan(gap)
    n, wins, losses = int(both.sum()), int((gap > SAME).sum()), int((gap < -SAME).sum())
    design = lay_out(gap[None, :], clusters=pairing.clusters)
    tests = gap_tests(design)
    ((difference, p_better),) = gap_intervals(design, tests, resamples, seed)
    return Comparison(
        a=pairing.names[0],
        b=pairing.names[1],
        mean_a=float(left[both].mean()) if n else None,
        mean_b=float(right[both].mean()) if n else None,
        difference=difference,
        p_better=p_better,
        p=tests[0].p if tests[0] else None,
        n=n,
        only_a=int((~np.isnan(left)).sum()) - n,
        only_b=int((~np.isnan(right)).sum()) - n,
        clusters=design.clusters,
        wins=wins,
        losses=losses,
        ties=n - wins - losses,
        differences=pairing.differences,
    )
