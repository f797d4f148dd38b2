"""Selectors that look at past results: source models x items, gaps filled, in [0, 1].

Each takes the matrix, a k below the number of items, and a generator, whose draws only break ties.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from gumption.curation._clusters import centroid
from gumption.curation._inputs import Floats, Ints
from gumption.curation.select import one_of_each

__all__ = ["RESPONSE_SELECTORS", "ResponseSelector", "difficulty_order"]

ResponseSelector: TypeAlias = Callable[[Floats, int, np.random.Generator], Ints]

TRUST = 0.6
"""Share of the source models' covariance of items that is believed; the rest is taken for noise of single
items. Chosen on other splits than those reported: .3 to .7 do alike, .9 fails."""
LEAST_VARIANCE = 0.02
"""Of an item that all source models get or miss: the next model may not."""


def item_total(responses: Floats, k: int, rng: np.random.Generator) -> Ints:
    """The items whose score rises most with the model's mean score."""
    return np.argsort(-_slopes(responses, rng), kind="stable")[:k]


def correlation(responses: Floats, k: int, rng: np.random.Generator) -> Ints:
    """Greedy choice of the items whose mean correlates best with the mean of all, over new models like the
    source models.

    The covariance of items is that of the source models, shrunk to its diagonal (as Ledoit and Wolf 2004
    do): TRUST F F' + D, kept as its factor F, so that a step costs items x models. Unlike the top of
    item-total it does not choose many items that say the same of the same few models.
    """
    models, items = responses.shape
    centred = responses - responses.mean(axis=0)
    factor = centred.T * np.sqrt(TRUST / max(models - 1, 1))
    # One more model at the pool's mean: a mean of 0 or 1 over few models is not certain.
    mean = (responses.sum(axis=0) + responses.mean()) / (models + 1)
    own = (1 - TRUST) * np.maximum(mean * (1 - mean), LEAST_VARIANCE)
    own *= 1 + 1e-6 * rng.random(items)

    with_all = factor @ factor.sum(axis=0) + own
    # The variance of the chosen ones' sum, were each item added to them.
    variance = (factor**2).sum(axis=1) + own
    chosen = np.empty(k, dtype=np.int64)
    shared = total = 0.0
    for place in range(k):
        best = int(((shared + with_all) / np.sqrt(variance)).argmax())
        chosen[place] = best
        shared += with_all[best]
        with_all[best] = -np.inf
        more = variance[best] - total
        total = variance[best]
        variance += 2 * (factor @ factor[best]) + more
    return chosen


def mixed(responses: Floats, k: int, rng: np.random.Generator) -> Ints:
    """Half of the items by `correlation`, half one of each run of the others in the order of difficulty.

    The second half keeps the suite near the pool where the source models mislead the first.
    """
    sharp = correlation(responses, max(k // 2, 1), rng)
    rest = np.setdiff1d(np.arange(responses.shape[1]), sharp)
    order = difficulty_order(responses[:, rest], np.zeros(len(rest), dtype=np.int64), rng)
    return np.concatenate([sharp, rest[one_of_each(order, k - len(sharp), rng)]])


def anchor(responses: Floats, k: int, rng: np.random.Generator) -> Ints:
    """One item of each of k clusters of items that the source models answer alike (after Vivek et al. 2024,
    anchor points, with outcomes in place of confidences)."""
    return centroid(np.ascontiguousarray(responses.T, dtype=np.float32), k, rng)


def disagreement(responses: Floats, k: int, rng: np.random.Generator) -> Ints:
    """The items on which the source models' scores vary most (after DISCO)."""
    items: int = responses.shape[1]
    return np.lexsort((rng.random(items), -responses.var(axis=0)))[:k]


RESPONSE_SELECTORS: Mapping[str, ResponseSelector] = MappingProxyType(
    {
        "item-total": item_total,
        "correlation": correlation,
        "mixed": mixed,
        "anchor": anchor,
        "disagreement": disagreement,
    }
)


def difficulty_order(responses: Floats, group: Ints, rng: np.random.Generator) -> Ints:
    """The items by group, then by their mean score; equal ones in a random order."""
    items: int = responses.shape[1]
    return np.lexsort((rng.random(items), responses.mean(axis=0), group))


def _slopes(responses: Floats, rng: np.random.Generator) -> Floats:
    """Covariance of each item with the mean over all items, ties broken at random."""
    centred = responses - responses.mean(axis=0)
    slope: Floats = centred.mean(axis=1) @ centred
    return slope + 1e-9 * rng.random(responses.shape[1])
