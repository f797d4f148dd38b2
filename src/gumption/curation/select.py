"""Choosing items by their embeddings alone: no past results are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gumption.curation._clusters import centroid
from gumption.curation._coverage import facility, kcenter
from gumption.curation._inputs import Ints, Vectors, labels_of, vectors_of, wanted
from gumption.curation.quotas import even
from gumption.records import GumptionError

__all__ = ["SELECTORS", "Selector", "one_of_each", "rows_of", "select", "some"]

Selector: TypeAlias = Callable[[Vectors, int, np.random.Generator], Ints]
"""Vectors of n items and 0 < k < n to k row numbers."""


def random(points: Vectors, k: int, rng: np.random.Generator) -> Ints:
    """k items without replacement."""
    return rng.choice(len(points), size=k, replace=False)


def stratified(points: Vectors, k: int, rng: np.random.Generator) -> Ints:
    """One random item of each of k equal slices along the embeddings' first principal axis."""
    sample = points if len(points) <= 2**14 else points[rng.choice(len(points), 2**14, replace=False)]
    centred = sample - sample.mean(axis=0)
    axis = np.linalg.eigh(centred.T @ centred)[1][:, -1].astype(np.float32)
    order = np.lexsort((rng.random(len(points)), points @ axis))
    return one_of_each(order, k, rng)


def one_of_each(order: Ints, k: int, rng: np.random.Generator) -> Ints:
    """One random item of each of k runs of equal length of an order."""
    edges = np.arange(k + 1) * len(order) // k
    return order[rng.integers(edges[:-1], edges[1:])]


SELECTORS: Mapping[str, Selector] = MappingProxyType(
    {
        "centroid": centroid,
        "facility": facility,
        "kcenter": kcenter,
        "random": random,
        "stratified": stratified,
    }
)


def select(
    embeddings: npt.ArrayLike,
    k: int,
    method: str = "centroid",
    groups: npt.ArrayLike | None = None,
    seed: int = 0,
    *,
    balance: npt.ArrayLike | None = None,
) -> Ints:
    """Row numbers of a suite, ascending: k items of each group, all of a group that has fewer.

    `embeddings`: n x d, finite; float32 is not copied. `groups`: n labels (strings or integers), one group
    if None. `method`: centroid (the nearest item to each of k k-means centroids), facility (facility
    location by cosine), kcenter (farthest first), random, stratified (along the first principal axis).
    `balance`: n labels (source benchmark, answer kind, level of difficulty); the k places of a group are
    then shared out among them as evenly as they have items.

    Deterministic given the seed. Memory beyond the input stays under 1.5 GB however many items there are.

    Raises GumptionError for an unknown method, k below 1, labels that do not fit, an empty pool and vectors
    that are not finite.
    """
    vectors = vectors_of(embeddings)
    group = labels_of(groups, len(vectors), "groups")
    cell = labels_of(balance, len(vectors), "balance")
    selector = selector_named(method)
    wanted(k)
    rng = np.random.default_rng(seed)
    chosen = []
    for rows in rows_of(group):
        parts = list(rows_of(cell[rows]))
        for part, places in zip(parts, even([len(part) for part in parts], k), strict=True):
            if places:
                chosen.append(rows[part][some(vectors, rows[part], int(places), selector, rng)])
    return np.sort(np.concatenate(chosen))


def some(vectors: Vectors, rows: Ints, k: int, selector: Selector, rng: np.random.Generator) -> Ints:
    """Places in `rows` of k of them."""
    if k >= len(rows):
        return np.arange(len(rows))
    return selector(vectors if len(rows) == len(vectors) else vectors[rows], k, rng)


def rows_of(label: Ints) -> list[Ints]:
    """The row numbers of each label, from 0."""
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


def selector_named(method: str) -> Selector:
    if method not in SELECTORS:
        raise GumptionError(
            f"no method is called {method!r}", where="select", remedy=f"one of {', '.join(SELECTORS)}"
        )
    return SELECTORS[method]
