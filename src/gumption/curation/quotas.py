"""How many items: of each cell of a pool, for a budget, or to tell a gap apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from gumption.curation._inputs import Ints, wanted
from gumption.ranking._resampling import model_matrix
from gumption.ranking.pair_order import pair_order
from gumption.records import GumptionError

__all__ = ["even", "proportional", "size_for_budget", "size_for_gap", "size_for_gap_known"]


def proportional(sizes: npt.ArrayLike, k: int) -> Ints:
    """k places over cells of the given sizes in proportion to them (largest remainders), none above its size.

    All places where the cells hold no more than k.
    """
    cells = _sizes(sizes)
    if cells.sum() <= k:
        return cells
    exact = cells * (wanted(k) / cells.sum())
    places: Ints = np.floor(exact).astype(np.int64)
    largest = np.argsort(-(exact - places), kind="stable")
    places[largest[: k - int(places.sum())]] += 1
    return places


def even(sizes: npt.ArrayLike, k: int) -> Ints:
    """k places over cells as evenly as their sizes allow; what small cells leave goes to the others."""
    cells = _sizes(sizes)
    if cells.sum() <= k:
        return cells
    left, places = wanted(k), np.zeros_like(cells)
    order = np.argsort(cells, kind="stable")
    for rank, cell in enumerate(order):
        places[cell] = min(int(cells[cell]), left // (len(order) - rank))
        left -= int(places[cell])
    return places


def size_for_budget(budget: float, cost_per_item: npt.ArrayLike) -> int:
    """How many items a budget pays for: items, tokens, frames or GPU-hours, whatever the costs are in.

    `cost_per_item`: one number; or the costs of the pool's items, or of a sample of them, NaN where none was
    measured: an item of the suite is expected to cost their mean. 0 is a cost. The result may exceed the
    pool. Raises GumptionError where a cost is negative or infinite, where none is known, where all are 0,
    or where the budget does not pay for one item.
    """
    costs = np.asarray(cost_per_item, dtype=np.float64)
    known = costs[~np.isnan(costs)]
    if not known.size or not np.isfinite(known).all() or known.min() < 0 or not known.max():
        raise GumptionError(
            "costs are not numbers from 0 with one above it",
            where="cost_per_item",
            remedy="give what an item costs, or a cost per item; NaN where none is known",
        )
    if not np.isfinite(budget):
        raise GumptionError(f"a budget of {budget}", where="budget", remedy="give a number")
    cost = float(known.mean())
    # 2.0 pays for ten at .2, whose floating sum is a little more.
    k = int(budget / cost * (1 + 1e-12))
    if k < 1:
        raise GumptionError(
            f"a budget of {budget} does not pay for one item ({cost:g})", where="budget", remedy="raise it"
        )
    return k


def size_for_gap(
    gap: float, items: int, *, kept: float = 0.8, spread: float = 0.5, correlation: float = 0.0
) -> int:
    """The number of random items of a pool that orders two models `gap` apart rightly with chance `kept`.

    Normal approximation with finite-pool correction: the difference of two models' scores on an item has
    variance 2 spread^2 (1 - correlation). `spread`: standard deviation of a model's item scores, at most .5;
    `correlation`: of two models' scores over items, 0 being the worst usual case. gap in (0, 1].
    Raises GumptionError for figures out of range.
    """
    if not 0 < gap <= 1 or not 0.5 < kept < 1 or not 0 < spread <= 0.5 or not -1 <= correlation < 1:
        raise GumptionError(
            f"gap {gap}, kept {kept}, spread {spread}, correlation {correlation}",
            where="size_for_gap",
            remedy="gap in (0, 1], kept in (.5, 1), spread in (0, .5], correlation in [-1, 1)",
        )
    infinite = 2 * spread**2 * (1 - correlation) * float(ndtri(kept)) ** 2 / gap**2
    return min(max(int(np.ceil(infinite / (1 + infinite / wanted(items)))), 1), items)


def size_for_gap_known(gap: float, responses: npt.ArrayLike, *, draws: int = 200, seed: int = 0) -> int:
    """The same from past results: the fewest random items (to 2 %) whose smallest gap kept 80 % of the time
    is at most `gap`.

    `responses`: models x items in [0, 1], NaN = missing. All items where even they are too few.
    """
    items = model_matrix(responses, "responses").shape[1]
    low, high = 1, int(items)
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        found = pair_order(responses, middle, draws=draws, seed=seed).smallest_gap
        if found is not None and found <= gap:
            high = middle
        else:
            low = middle
    return high


def _sizes(sizes: npt.ArrayLike) -> Ints:
    cells = np.asarray(sizes, dtype=np.int64)
    if cells.ndim != 1 or (cells < 0).any():
        raise GumptionError(
            "sizes are counts", where="sizes", remedy="give a flat array of counts, 0 or more"
        )
    return cells
