"""k-means and the items that stand for its clusters: the paper's selector (arXiv 2602.01640).

Centres are found on a sample, by Lloyd's algorithm from k-means++ starts (Arthur and Vassilvitskii 2007);
every item is then compared with every centre once. Distances are made in blocks of float32.
"""

from __future__ import annotations

import numpy as np

from gumption.curation._inputs import Ints, Vectors

__all__ = ["cells", "centroid", "nearest", "represented"]

SAMPLE = 2**14
"""Items on which centres are found, or 24 for each centre where that is more."""
EACH = 24
ROUNDS = 12
BLOCK = 2**22
"""Cells of one block of items x centres: 16 MiB."""


def centroid(points: Vectors, k: int, rng: np.random.Generator) -> Ints:
    """One item for each of k clusters: the nearest to the centroid. Places of clusters that stay empty (equal
    items) go to the items farthest from their centres."""
    n = len(points)
    label, distance = nearest(points, _centres(points, k, rng))
    order = np.lexsort((rng.random(n), distance, label))
    first = np.flatnonzero(np.diff(label[order], prepend=-1))
    chosen = order[first]
    if len(chosen) < k:
        rest = np.setdiff1d(np.arange(n), chosen)
        farthest = rest[np.lexsort((rng.random(len(rest)), -distance[rest]))]
        chosen = np.concatenate([chosen, farthest[: k - len(chosen)]])
    return np.sort(chosen)


def cells(points: Vectors, k: int, rng: np.random.Generator) -> Ints:
    """The number of each point's k-means cluster; some may be empty."""
    return nearest(points, _centres(points, k, rng))[0]


def nearest(points: Vectors, centres: Vectors) -> tuple[Ints, Vectors]:
    """For each point the number of its nearest centre and the squared Euclidean distance to it."""
    label, distance = np.empty(len(points), dtype=np.int64), np.empty(len(points), dtype=np.float32)
    half = (centres * centres).sum(axis=1) / 2
    rows = max(1, BLOCK // len(centres))
    for start in range(0, len(points), rows):
        block = points[start : start + rows]
        closeness = block @ centres.T
        closeness -= half
        here = closeness.argmax(axis=1)
        label[start : start + rows] = here
        best = closeness[np.arange(len(block)), here]
        distance[start : start + rows] = np.maximum((block * block).sum(axis=1) - 2 * best, 0.0)
    return label, distance


def represented(points: Vectors, chosen: Ints) -> Ints:
    """For each chosen item the number of items of the pool that are nearest to it."""
    return np.bincount(nearest(points, points[chosen])[0], minlength=len(chosen)).astype(np.int64)


def _centres(points: Vectors, k: int, rng: np.random.Generator) -> Vectors:
    most = max(SAMPLE, EACH * k)
    if len(points) > most:
        points = points[np.sort(rng.choice(len(points), most, replace=False))]
    return _lloyd(points, _spread_out(points, k, rng))


def _spread_out(points: Vectors, k: int, rng: np.random.Generator) -> Vectors:
    """k-means++: each centre drawn with chance in proportion to its squared distance from those before."""
    norms = (points * points).sum(axis=1)
    chosen = [int(rng.integers(len(points)))]
    distance = np.full(len(points), np.inf, dtype=np.float32)
    while len(chosen) < k:
        last = points[chosen[-1]]
        np.minimum(distance, np.maximum(norms - 2 * (points @ last) + norms[chosen[-1]], 0), out=distance)
        distance[chosen[-1]] = 0.0
        total = np.cumsum(distance, dtype=np.float64)
        if total[-1] <= 0.0:
            chosen.append(int(rng.integers(len(points))))
            continue
        place = int(np.searchsorted(total, rng.random() * total[-1], side="right"))
        chosen.append(min(place, len(points) - 1))
    return points[chosen].copy()


def _lloyd(points: Vectors, centres: Vectors) -> Vectors:
    from scipy.sparse import csr_matrix

    before = np.full(len(points), -1, dtype=np.int64)
    for _ in range(ROUNDS):
        label, _ = nearest(points, centres)
        if (label == before).all():
            break
        before = label
        count = np.bincount(label, minlength=len(centres))
        member = csr_matrix(
            (np.ones(len(points), np.float32), (label, np.arange(len(points)))),
            shape=(len(centres), len(points)),
        )
        filled = count > 0
        centres[filled] = (member @ points)[filled] / count[filled, None]
    return centres
