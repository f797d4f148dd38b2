"""How far apart two models must be for a subset of the items to order them as all items do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats
from gumption.ranking._resampling import model_matrix, subset_flags, weighted_means
from gumption.ranking.fidelity import DIGITS, order_of_pairs
from gumption.records import GumptionError

__all__ = ["GAPS", "WIDEST", "GapBin", "PairOrder", "pair_order", "pair_order_of", "smallest_gap"]

GAPS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1)
"""Edges of the gaps' bins, as differences of scores in [0, 1]."""
WIDEST = 1.01
"""The last bin's end: a gap of 1 is inside."""
ENOUGH = 0.8


class GapBin(Struct, frozen=True):
    """Pairs of models whose full scores differ by low <= gap < high."""

    low: float
    high: float
    pairs: int
    kept: float | None
    """Share of draws that keep the order of a pair, a tie in the subset being a miss; None without pairs."""


class PairOrder(Struct, frozen=True):
    """Whether subsets keep the order of pairs of models, by how far the pair is apart on all items."""

    bins: tuple[GapBin, ...]
    smallest_gap: float | None
    """The smallest gap that is kept 80 % of the time: the minimum detectable accuracy difference of arXiv
    2510.08730. A monotone fit of kept on gap, a tie in the subset counting one half, pairs tied on all
    items left out. A difference of scores in [0, 1]; None where no gap of these models is kept so often."""


def pair_order(
    matrix: npt.ArrayLike, k: int, *, draws: int = 300, seed: int = 0, gaps: Sequence[float] = GAPS
) -> PairOrder:
    """The order of pairs in random subsets of k items of a models x items matrix, NaN = missing.

    Raises GumptionError for a matrix or a k that does not fit.
    """
    scores = model_matrix(matrix)
    items = scores.shape[1]
    if not 1 <= k <= items:
        raise GumptionError(f"k = {k} of {items} items", where="k", remedy="give a k between 1 and the items")
    rng = np.random.default_rng(seed)
    drawn = np.concatenate([weighted_means(scores, flags) for flags in subset_flags(rng, draws, items, k)])
    return pair_order_of(drawn, weighted_means(scores, np.ones((1, items)))[0], gaps)


def pair_order_of(drawn: Floats, full: Floats, gaps: Sequence[float] = GAPS) -> PairOrder:
    """The same of given scores: `drawn` draws x models by subsets, `full` models (or draws x models, where
    each draw has models of its own) by all items."""
    full = np.broadcast_to(full, drawn.shape)
    upper = np.triu_indices(drawn.shape[1], 1)
    gap, order = np.abs(full[:, upper[0]] - full[:, upper[1]]), order_of_pairs(full, upper)
    gap = np.round(gap, DIGITS)
    seen = order_of_pairs(drawn, upper)
    untied = order != 0
    strict = (seen == order)[untied]
    half = np.where(seen == order, 1.0, np.where(seen == 0, 0.5, 0.0))[untied]
    apart = gap[untied]
    bins = []
    for low, high in zip(gaps, [*gaps[1:], WIDEST], strict=True):
        inside = (apart >= low) & (apart < high)
        share = float(strict[inside].mean()) if inside.any() else None
        pairs = int(inside.sum())
        bins.append(GapBin(float(low), float(high), round(pairs / len(drawn)), share))
    return PairOrder(tuple(bins), smallest_gap(apart, half))


def smallest_gap(gaps: npt.ArrayLike, kept: npt.ArrayLike, enough: float = ENOUGH) -> float | None:
    """The smallest of the gaps at which a monotone (isotonic) fit of `kept` in [0, 1] reaches `enough`."""
    from scipy.optimize import isotonic_regression

    where, share = np.asarray(gaps, np.float64), np.asarray(kept, np.float64)
    if not len(where):
        return None
    distinct, at = np.unique(where, return_inverse=True)
    weights = np.bincount(at).astype(np.float64)
    fit = isotonic_regression(np.bincount(at, share) / weights, weights=weights).x
    reached = np.flatnonzero(fit >= enough - 1e-12)
    return float(distinct[reached[0]]) if len(reached) else None
