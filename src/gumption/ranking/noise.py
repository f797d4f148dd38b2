"""What a rank correlation with all items could be at best, and what a random subset gets: the two
companions without which a subset's tau says nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats
from gumption.ranking._resampling import (
    bootstrap_counts,
    halves,
    model_matrix,
    subset_flags,
    weighted_means,
)
from gumption.ranking.fidelity import tau_b
from gumption.records import GumptionError

__all__ = ["Draws", "item_bootstrap", "random_subsets", "split_half"]


class Draws(Struct, frozen=True):
    """Kendall's tau-b over many draws of items. A draw that ties all models counts as 0."""

    mean: float
    low: float
    """5 % of the draws are below."""
    high: float
    """5 % of the draws are above."""
    draws: int


def item_bootstrap(matrix: npt.ArrayLike, *, draws: int = 200, seed: int = 0) -> Draws:
    """The order by items drawn anew with replacement, against the order by all: no subset can be expected
    to do better than the items themselves. `matrix`: models x items in [0, 1], NaN = missing."""
    scores = model_matrix(matrix)
    full = _full(scores)
    rng = np.random.default_rng(seed)
    blocks = bootstrap_counts(rng, draws, scores.shape[1])
    return _summary(tau_b(weighted_means(scores, counts), full) for counts in blocks)


def split_half(matrix: npt.ArrayLike, *, draws: int = 100, seed: int = 0) -> Draws:
    """The order by a random half of the items against the order by the other half.

    Raises GumptionError for a matrix that does not fit or has fewer than two items.
    """
    scores = model_matrix(matrix)
    if scores.shape[1] < 2:
        raise GumptionError("one item has no halves", where="matrix", remedy="give two items at least")
    rng = np.random.default_rng(seed)
    return _summary(
        tau_b(weighted_means(scores, one), weighted_means(scores, other))
        for one, other in halves(rng, draws, scores.shape[1])
    )


def random_subsets(
    matrix: npt.ArrayLike, k: int, *, draws: int = 200, seed: int = 0, rest: bool = False
) -> Draws:
    """The order by k random items against the order by all of them, or (`rest`) by the others only.

    Against all the tau is flattered, as all contain the subset. Raises GumptionError for a matrix or a k
    that does not fit.
    """
    scores = model_matrix(matrix)
    items = scores.shape[1]
    if not 1 <= k <= items - rest:
        raise GumptionError(f"k = {k} of {items} items", where="k", remedy="give a k between 1 and the items")
    full = _full(scores)
    rng = np.random.default_rng(seed)
    return _summary(
        tau_b(weighted_means(scores, flags), weighted_means(scores, 1.0 - flags) if rest else full)
        for flags in subset_flags(rng, draws, items, k)
    )


def _full(scores: Floats) -> Floats:
    means: Floats = weighted_means(scores, np.ones((1, scores.shape[1])))[0]
    return means


def _summary(blocks: Iterable[Floats]) -> Draws:
    taus = np.nan_to_num(np.concatenate(list(blocks)))
    low, high = np.quantile(taus, [0.05, 0.95])
    return Draws(float(taus.mean()), float(low), float(high), len(taus))
