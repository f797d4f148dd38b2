"""Where each item of a matrix stands: its cluster, its stratum, and the pair of both that it is added to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gumption.records import GumptionError

__all__ = ["Floats", "Frame", "Ints", "Weights", "compact", "frame_of", "row_blocks"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Weights: TypeAlias = Mapping[str, float] | Mapping[int, float]
"""Relative weights of strata by their labels."""

CELLS = 2**22
"""Cells of the rows that are worked on at a time: 32 MiB as floats."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The (cluster, stratum) pairs of some items, sorted by stratum, then cluster."""

    kept: Ints | None
    """Columns of the matrix that count, None if all do."""
    place: Ints
    """Number of the pair of each kept item."""
    cluster: Ints
    """P cluster numbers, 0 to `clusters` - 1."""
    stratum: Ints
    """P stratum numbers, ascending, each of `weights` at least once."""
    clusters: int
    weights: Floats
    """One positive weight per stratum."""

    @classmethod
    def of(cls, kept: Ints | None, cluster: Ints, stratum: Ints, weights: Floats) -> Frame:
        """From the cluster and the stratum of each kept item; numbers both without gaps."""
        cluster, clusters = compact(cluster)
        stratum, _ = compact(present := stratum)
        key = stratum * clusters + cluster
        order = np.argsort(key, kind="stable")
        first = np.diff(key[order], prepend=-1) != 0
        place = np.empty(len(key), np.int64)
        place[order] = np.cumsum(first) - 1
        pairs = key[order][first]
        return cls(kept, place, pairs % clusters, pairs // clusters, clusters, weights[np.unique(present)])

    def pooled(self, most: int, rng: np.random.Generator) -> Frame:
        """A frame of these pairs: its clusters are `most` random pools of whole clusters."""
        pool = rng.permutation(self.clusters) % most
        return Frame.of(None, pool[self.cluster], self.stratum, self.weights)

    def add_up(self, rows: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """Sums and counts by pair of M rows of the matrix: P x M, and P x 1 for counts if none is missing."""
        if self.kept is not None:
            rows = rows[:, self.kept]
        values = rows.astype(np.float64)
        missing = np.isnan(values)
        if missing.any():
            values[missing] = 0.0
            return self.by_pair(values), self.by_pair((~missing).astype(np.float64))
        return self.by_pair(values), self.by_pair(np.ones((1, values.shape[1])))

    def by_pair(self, rows: Floats) -> Floats:
        """Sums of M rows of kept values by pair: P x M."""
        pairs = len(self.cluster)
        if pairs == len(self.place):
            apart = np.empty((pairs, len(rows)))
            apart[self.place] = rows.T
            return apart
        return np.stack([np.bincount(self.place, row, pairs) for row in rows], axis=1)


def frame_of(
    matrix: npt.NDArray[Any],
    *,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    weights: Weights | None = None,
) -> Frame:
    """The frame of an M x n matrix, NaN where a value is missing; items that no model has are left out.

    Labels are strings or integers. Strata of weight 0 are left out. Raises GumptionError for lengths that
    differ, a missing label, weights without strata, and a weight that is missing, negative or not finite.
    """
    if weights is not None and strata is None:
        raise GumptionError("weights without strata", where="weights", remedy="give each item its stratum")
    n = matrix.shape[1]
    cluster = np.arange(n) if clusters is None else _codes(clusters, n, "clusters")[0]
    stratum, names = (np.zeros(n, np.int64), [0]) if strata is None else _codes(strata, n, "strata")
    weight = _weights(names, weights)
    keep = weight[stratum] > 0
    if matrix.dtype.kind == "f":
        seen = np.zeros(n, bool)
        for rows in row_blocks(matrix):
            seen |= ~np.isnan(matrix[rows]).all(axis=0)
            if seen.all():
                break
        keep &= seen
    if keep.all():
        return Frame.of(None, cluster, stratum, weight)
    return Frame.of(np.flatnonzero(keep), cluster[keep], stratum[keep], weight)


def row_blocks(matrix: npt.NDArray[Any]) -> Iterator[slice]:
    """Slices of the rows that are small enough to be copied."""
    rows = max(1, CELLS // max(matrix.shape[1], 1))
    return (slice(first, first + rows) for first in range(0, len(matrix), rows))


def compact(numbers: Ints) -> tuple[Ints, int]:
    """Numbers from 0 up without the gaps between them, and how many there are."""
    there = np.bincount(numbers) > 0
    if there.all():
        return numbers, len(there)
    return (np.cumsum(there) - 1)[numbers], int(there.sum())


def _codes(labels: npt.ArrayLike, n: int, what: str) -> tuple[Ints, list[Any]]:
    try:
        array = pa.array(labels)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise GumptionError(
            f"{what} are not all strings or all integers ({error})",
            where=what,
            remedy="give one string or integer per item",
        ) from error
    if len(array) != n:
        raise GumptionError(
            f"{len(array)} labels for {n} items", where=what, remedy="give one label per item, in their order"
        )
    if array.null_count:
        row = array.is_null().index(True).as_py()
        raise GumptionError("a label is missing", where=f"{what}, item {row}", remedy="label every item")
    encoded = array.dictionary_encode()
    return encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist()


def _weights(names: list[Any], weights: Mapping[Any, float] | None) -> Floats:
    if weights is None:
        return np.ones(len(names))
    unknown = [str(name) for name in names if name not in weights]
    if unknown:
        raise GumptionError(
            f"no weight for {', '.join(sorted(unknown)[:10])}",
            where="weights",
            remedy="give every stratum a weight; 0 leaves one out",
        )
    weight = np.array([weights[name] for name in names], dtype=np.float64)
    if not np.isfinite(weight).all() or (weight < 0).any() or (len(weight) and not weight.any()):
        raise GumptionError(
            f"weights are not usable: {dict(zip(names, weight.tolist(), strict=True))}",
            where="weights",
            remedy="give finite weights of 0 or more, at least one above 0",
        )
    return weight
