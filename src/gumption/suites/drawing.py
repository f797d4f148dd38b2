"""The random order in which a suite is asked where a run may end before its last item.

Whole clusters are drawn, since items of one picture stand or fall together. What is drawn so far is a sample
of the whole suite whose chances are known: without replacement, with rates that follow the aggregate's
weights, so that a mean over few small strata is not left to luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gumption.records import Aggregate, Item

__all__ = ["Drawing", "draw"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Drawing:
    """The items of a suite, draw by draw. Items that no aggregate counts come last."""

    mass: Floats
    """Of each item: its weight in the aggregate, 0 where it does not count. Sums to 1."""
    place: Ints
    """Of each item: the number of the draw that it comes with, from 0."""

    @cached_property
    def size(self) -> Floats:
        """Of each draw: how many of its items count."""
        return np.asarray(np.bincount(self.place, self.mass > 0), np.float64)

    @cached_property
    def weight(self) -> Floats:
        """Of each draw: the mass of its items."""
        return np.asarray(np.bincount(self.place, self.mass), np.float64)

    def items(self, first: int, last: int) -> list[int]:
        """Numbers of the items of some draws, in the order in which they are asked."""
        inside = np.flatnonzero((self.place >= first) & (self.place < last))
        return [int(number) for number in inside[np.argsort(self.place[inside], kind="stable")]]

    def means(self, values: Floats) -> Floats:
        """Mass-weighted means by draw of M x items values: M x draws that count."""
        counted = int((self.weight > 0).sum())
        sums = np.stack([np.bincount(self.place, self.mass * row, len(self.weight)) for row in values])
        return np.asarray(sums[:, :counted] / self.weight[:counted])


def draw(
    items: Sequence[Item],
    official: Aggregate | None,
    seed: int,
    *,
    priority: npt.ArrayLike | None = None,
) -> Drawing:
    """Draws the clusters of `items` (within their benchmark; an item without one is its own) one by one.

    official: the aggregate that the sample is to estimate; None is the mean over items. Every time, one of
    the clusters that are left is drawn with a chance in proportion to its mass per item: all alike for the
    mean over items, rarer strata more often for a mean over strata (successive sampling by exponential keys,
    Efraimidis and Spirakis 2006). priority: of each item; the clusters of the highest mean come first and
    nothing is random but the order of equals: no error rate can be told of such an order.
    """
    mass = _mass(items, official)
    cluster = _clusters(items)
    counted = np.bincount(cluster, mass > 0)
    rate = np.divide(np.bincount(cluster, mass), counted, out=np.zeros(len(counted)), where=counted > 0)
    keys = np.random.default_rng(seed).exponential(size=len(rate))
    keys = np.divide(keys, rate, out=np.full(len(rate), np.inf), where=rate > 0)
    if priority is not None:
        first = -np.bincount(cluster, np.asarray(priority, np.float64)) / np.bincount(cluster)
        order = np.lexsort((keys, np.where(rate > 0, first, np.inf)))
    else:
        order = np.argsort(keys, kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return Drawing(mass, number[cluster])


def _clusters(items: Sequence[Item]) -> Ints:
    numbers: dict[tuple[str, str, str], int] = {}
    return np.array(
        [
            numbers.setdefault((item.benchmark, item.cluster, "" if item.cluster else item.id), len(numbers))
            for item in items
        ],
        np.int64,
    )


def _mass(items: Sequence[Item], official: Aggregate | None) -> Floats:
    by = official.by if official else ""
    weights = official.weights if official and by else None
    names = [str(getattr(item, by)) if by else "all" for item in items]
    sizes: dict[str, int] = {}
    for name in names:
        sizes[name] = sizes.get(name, 0) + 1
    weight = {name: (1.0 if name else 0.0) if weights is None else weights.get(name, 0.0) for name in sizes}
    if not any(weight.values()):
        weight = dict.fromkeys(sizes, 1.0)
    mass = np.array([weight[name] / sizes[name] for name in names])
    return np.asarray(mass / mass.sum())
