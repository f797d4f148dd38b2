"""How alike the items of a pool are, within and across its benchmarks.

What is compared are vectors. Vectors of texts say that two questions read alike, not that they are one: the
pictures they ask about may differ, so nothing here is called a duplicate (see `duplicates`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.curation._inputs import Floats, Ints, Vectors, vectors_of
from gumption.curation.composition import unit
from gumption.records import GumptionError

__all__ = ["SIMILAR", "AlikePair", "Redundancy", "redundancy"]

SIMILAR = 0.9
"""Cosine from which on two items count as alike."""
SAMPLE = 2**14
"""Distinct vectors that are compared at most; of more, a random sample is."""
BLOCK = 2**22
"""Cells of one block of items x items: 16 MiB."""
MOST = 24
"""Benchmarks told apart; the smaller ones beyond are taken together."""
OTHERS = "all others"
EXAMPLES = 8


class AlikePair(Struct, frozen=True):
    """Two items that are alike, by their row numbers."""

    similarity: float
    first: int
    second: int


class Redundancy(Struct, frozen=True):
    """Shares of alike pairs and items. A pair is two different items of the pool."""

    threshold: float
    items: int
    """Items that were compared: all, or a random sample."""
    of: int
    pairs_within: int
    """Pairs of items of one benchmark."""
    alike_within: int
    equal_within: int
    """Pairs with the very same vector; they are alike too."""
    pairs_across: int
    alike_across: int
    items_alike: float
    """Share of the items that have an alike one anywhere."""
    items_alike_across: float
    """Share of the items that have an alike one in another benchmark."""
    benchmarks: tuple[str, ...]
    nearest: tuple[tuple[float | None, ...], ...]
    """Row r, column c: mean over the items of benchmark r of the cosine with the nearest item of c other
    than itself; None where there is no other item."""
    within: tuple[AlikePair, ...]
    """The most alike pairs of one benchmark that are not equal, one for a benchmark."""
    across: tuple[AlikePair, ...]
    """The most alike pairs of two benchmarks, one for a pair of benchmarks."""

    @property
    def share_within(self) -> float | None:
        """Of the pairs of one benchmark, those that are alike; None without such pairs."""
        return self.alike_within / self.pairs_within if self.pairs_within else None

    @property
    def share_across(self) -> float | None:
        """Of the pairs of two benchmarks, those that are alike; None without such pairs."""
        return self.alike_across / self.pairs_across if self.pairs_across else None


@dataclass(frozen=True, slots=True)
class _Distinct:
    """The distinct vectors of each benchmark, benchmark by benchmark."""

    points: Vectors
    row: Ints
    """A row of the pool that has the vector."""
    times: Ints
    benchmark: Ints
    starts: Ints
    """Where each benchmark begins."""


def redundancy(
    embeddings: npt.ArrayLike,
    benchmarks: npt.ArrayLike,
    threshold: float = SIMILAR,
    seed: int = 0,
) -> Redundancy:
    """Compares every item with every other: exact up to 16,384 distinct vectors, by a random sample of the
    items above. Memory is bounded, time too.

    `embeddings`: n x d, finite. `benchmarks`: n strings. Raises GumptionError for a threshold outside (0, 1]
    and arrays that do not fit.
    """
    if not 0 < threshold <= 1:
        raise GumptionError(f"threshold {threshold}", where="threshold", remedy="give a cosine in (0, 1]")
    vectors = vectors_of(embeddings)
    names, label = _largest(np.asarray(benchmarks, dtype=str), len(vectors))
    rows: Ints = np.arange(len(vectors))
    distinct = _distinct(vectors, label, rows)
    if len(distinct.row) > SAMPLE:
        rows = np.sort(np.random.default_rng(seed).choice(len(vectors), SAMPLE, replace=False))
        distinct = _distinct(vectors, label, rows)
    # float32 sums differ in the last digits: equal vectors are equal at a threshold of 1.
    least = np.float32(threshold - 1e-6)
    q = len(distinct.starts)
    present = distinct.benchmark[distinct.starts]
    weight = np.zeros((len(distinct.row), q), dtype=np.float32)
    column = np.searchsorted(present, distinct.benchmark)
    weight[np.arange(len(column)), column] = distinct.times
    closest = np.empty((len(column), q), dtype=np.float32)
    alike = np.zeros((q, q))
    for block, cosines in _blocks(distinct.points):
        counts = (cosines >= least).astype(np.float32) @ weight
        np.add.at(alike, column[block], counts * distinct.times[block, None])
        # Itself is no other item, unless there is another with the same vector.
        alone = distinct.times[block] == 1
        cosines[np.flatnonzero(alone), block[alone]] = -np.inf
        closest[block] = np.maximum.reduceat(cosines, distinct.starts, axis=1)
    size = np.bincount(column, distinct.times, minlength=q)
    # Each pair was counted from both sides, and each item with itself where its vector is not zero.
    said = (distinct.points**2).sum(axis=1) >= least
    itself = np.bincount(column, distinct.times * said, minlength=q)
    own = column[:, None] == np.arange(q)
    return Redundancy(
        threshold=threshold,
        items=len(rows),
        of=len(vectors),
        pairs_within=int((size * (size - 1)).sum()) // 2,
        alike_within=round(float((np.diag(alike) - itself).sum())) // 2,
        equal_within=int((distinct.times * (distinct.times - 1))[said].sum()) // 2,
        pairs_across=int(size.sum() ** 2 - (size**2).sum()) // 2,
        alike_across=round(float(alike.sum() - np.trace(alike))) // 2,
        items_alike=_share(closest >= least, distinct.times),
        items_alike_across=_share((closest >= least) & ~own, distinct.times),
        benchmarks=tuple(names[number] for number in present),
        nearest=_nearest(closest, column, distinct.times),
        within=_examples(distinct, column, closest, within=True),
        across=_examples(distinct, column, closest, within=False),
    )


def _largest(names: npt.NDArray[np.str_], n: int) -> tuple[list[str], Ints]:
    """The names by number, largest first, and each item's number."""
    if names.shape != (n,):
        raise GumptionError(
            f"labels of shape {names.shape} for {n} items", where="benchmarks", remedy="give one per item"
        )
    counts = Counter(names.tolist())
    order = sorted(counts, key=lambda name: (-counts[name], name))
    if len(order) > MOST:
        order[MOST - 1 :] = [OTHERS]
    place = {name: number for number, name in enumerate(order)}
    return order, np.array([place.get(name, len(order) - 1) for name in names.tolist()], dtype=np.int64)


def _distinct(vectors: Vectors, label: Ints, rows: Ints) -> _Distinct:
    points = np.ascontiguousarray(vectors[rows])
    raw = points.view(np.dtype((np.void, points.dtype.itemsize * points.shape[1]))).ravel()
    number = np.unique(raw, return_inverse=True)[1]
    key = label[rows] * (int(number.max()) + 1) + number
    _, first, times = np.unique(key, return_index=True, return_counts=True)
    benchmark = label[rows[first]]
    starts = np.flatnonzero(np.diff(benchmark, prepend=-1))
    return _Distinct(unit(points[first]), rows[first], times.astype(np.int64), benchmark, starts)


def _blocks(points: Vectors) -> Iterator[tuple[Ints, Vectors]]:
    step = max(1, BLOCK // len(points))
    for start in range(0, len(points), step):
        block = np.arange(start, min(start + step, len(points)))
        yield block, points[block] @ points.T


def _share(close: npt.NDArray[np.bool_], times: Ints) -> float:
    return float(close.any(axis=1) @ times / times.sum())


def _nearest(closest: Vectors, column: Ints, times: Ints) -> tuple[tuple[float | None, ...], ...]:
    table: list[tuple[float | None, ...]] = []
    for number in range(closest.shape[1]):
        mine: Floats = closest[column == number].astype(np.float64)
        weight = times[column == number]
        means = [
            float(np.clip(cell[known] @ weight[known] / weight[known].sum(), -1, 1)) if known.any() else None
            for cell, known in zip(mine.T, np.isfinite(mine).T, strict=True)
        ]
        table.append(tuple(means))
    return tuple(table)


def _examples(distinct: _Distinct, column: Ints, closest: Vectors, *, within: bool) -> tuple[AlikePair, ...]:
    """For each benchmark, or pair of them, its most alike pair; the most alike of these."""
    q = closest.shape[1]
    found = []
    for r in range(q):
        mine = np.flatnonzero(column == r)
        for c in [r] if within else range(r + 1, q):
            theirs = np.flatnonzero(column == c)
            value = closest[mine, c]
            if within:
                # Other copies of the same vector hide the nearest different one: look among the rest.
                value = np.where(distinct.times[mine] == 1, value, -np.inf)
            if not np.isfinite(value).any():
                continue
            first = mine[int(value.argmax())]
            cosines = distinct.points[theirs] @ distinct.points[first]
            if within:
                cosines[theirs == first] = -np.inf
            second = theirs[int(cosines.argmax())]
            pair = sorted((int(distinct.row[first]), int(distinct.row[second])))
            found.append(AlikePair(round(float(min(cosines.max(), 1.0)), 4), pair[0], pair[1]))
    return tuple(sorted(found, key=lambda one: (-one.similarity, one.first))[:EXAMPLES])
