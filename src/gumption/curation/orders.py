"""The order of the models dimension by dimension, and what the whole order owes to the dimensions' weights.

A pooled order hides both: a dimension whose items cannot tell the models apart, and an order that turns with
the weights. How much each dimension weighs is a choice, not a finding.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.curation._inputs import Floats, Ints
from gumption.ranking._resampling import model_matrix
from gumption.ranking.fidelity import item_rows, tau_b
from gumption.ranking.noise import Draws
from gumption.ranking.reliability import reliability
from gumption.ranking.weightings import Weightings, part_means, under_weights
from gumption.records import GumptionError

__all__ = ["EQUAL", "DimensionOrder", "Orders", "orders"]

EQUAL = "every dimension the same"
"""The suite's official number."""
AS_POOL = "as large as in the pool"
AS_SUITE = "as large as in the suite"


class DimensionOrder(Struct, frozen=True):
    """The models by the items of one dimension."""

    name: str
    pool: int
    suite: int
    """Items of the suite; below two of them nothing can be said."""
    reliability: Draws | None
    """Of the suite's items: split-half, stepped up (`ranking.reliability`)."""
    pool_reliability: Draws | None
    tau: float | None
    """tau-b of the order by the suite's items with that by the pool's, which contain them."""
    order: tuple[tuple[str, float], ...]
    """Models and their means in [0, 1] on the suite's items, best first; those without a result left out."""


class Orders(Struct, frozen=True):
    """Every dimension's order, and the whole order under several weightings of the dimensions."""

    dimensions: tuple[DimensionOrder, ...]
    weightings: Weightings | None
    """None where fewer than two dimensions have results."""


def orders(
    responses: npt.ArrayLike,
    chosen: npt.ArrayLike,
    labels: npt.ArrayLike,
    names: Sequence[str],
    *,
    models: Sequence[str] = (),
    seed: int = 0,
) -> Orders:
    """The dimensions of the items `chosen` (column numbers), each with its reliability and its order.

    `responses`: models x items in [0, 1], NaN = missing. `labels`: for each item a number into `names`.
    Raises GumptionError for arrays that do not fit.
    """
    scores = model_matrix(responses, "responses")
    label = np.asarray(labels, dtype=np.int64)
    if label.shape != (scores.shape[1],):
        raise GumptionError(
            f"labels of shape {label.shape} for {scores.shape[1]} items",
            where="labels",
            remedy="give one label per item",
        )
    kept = item_rows(chosen, scores.shape[1])
    called = tuple(models) or tuple(map(str, range(len(scores))))
    shown = np.unique(label[kept])
    dimensions = tuple(
        _order(scores, np.flatnonzero(label == part), kept[label[kept] == part], names[part], called, seed)
        for part in shown.tolist()
    )
    return Orders(dimensions, _weightings(scores, label, kept, called))


def _weightings(scores: Floats, label: Ints, kept: Ints, models: tuple[str, ...]) -> Weightings | None:
    asked = np.flatnonzero(~np.isnan(scores[:, kept]).all(axis=1))
    if len(asked) < 2:
        return None
    parts = int(label.max()) + 1
    means = part_means(scores[np.ix_(asked, kept)], label[kept], parts)
    told = np.flatnonzero(~np.isnan(means).all(axis=0))
    if len(told) < 2:
        return None
    pool, suite = (np.bincount(one, minlength=parts)[told] for one in (label, label[kept]))
    return under_weights(
        means[:, told],
        {EQUAL: np.ones(len(told)), AS_POOL: pool, AS_SUITE: suite},
        tuple(models[row] for row in asked.tolist()),
    )


def _order(
    scores: Floats, pool: Ints, suite: Ints, name: str, models: tuple[str, ...], seed: int
) -> DimensionOrder:
    inside = scores[:, suite]
    asked = np.flatnonzero(~np.isnan(inside).all(axis=1))
    means = np.nanmean(inside[asked], axis=1) if len(asked) else np.empty(0)
    tau = np.nan
    if len(asked) > 1:
        tau = float(tau_b(means, np.nanmean(scores[np.ix_(asked, pool)], axis=1)))
    best = np.argsort(-means, kind="stable").tolist()
    return DimensionOrder(
        name=name,
        pool=len(pool),
        suite=len(suite),
        reliability=_reliability(scores[np.ix_(asked, suite)], seed),
        pool_reliability=_reliability(scores[np.ix_(asked, pool)], seed),
        tau=None if np.isnan(tau) else tau,
        order=tuple((models[asked[row]], float(means[row])) for row in best),
    )


def _reliability(scores: Floats, seed: int) -> Draws | None:
    """None where there are too few models or items to speak of."""
    scores = scores[:, ~np.isnan(scores).all(axis=0)]
    return reliability(scores, seed=seed) if len(scores) > 1 and scores.shape[1] > 1 else None
