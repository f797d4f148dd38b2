"""Selectors that cover the embedding space: facility location and k-center."""

from __future__ import annotations

import heapq

import numpy as np

from gumption.curation._inputs import Ints, Vectors

__all__ = ["facility", "kcenter"]

CANDIDATES = 2**14
"""Items of a larger pool among which facility location chooses, drawn at random."""
SERVED = 2**13
"""Items of a larger pool by which it judges a choice."""
MATRIX = 2**27
"""Cells of the candidates x served matrix at most: 512 MiB."""
FARTHEST = 2**16
"""Items of a larger pool among which k-center chooses, drawn at random."""


def facility(points: Vectors, k: int, rng: np.random.Generator) -> Ints:
    """Lazy greedy facility location: maximise the sum over items of their largest cosine with a chosen one.

    Within 1 - 1/e of the best (Nemhauser, Wolsey and Fisher 1978); lazy after Minoux (1978): a gain only
    falls as items are chosen, so an item is evaluated again only when it leads. Pools above 8,192 items are
    judged by, above 16,384 chosen among, a random sample.
    """
    n = len(points)
    candidates = _sample(n, max(CANDIDATES, k), rng)
    served = _sample(n, min(SERVED, MATRIX // len(candidates)), rng)
    unit, target = _unit(points[candidates]), _unit(points[served])
    # From 0 (opposite) to 1 (same), so that the gain of the first is a sum as well.
    similar = unit @ target.T
    similar += 1.0
    similar *= 0.5
    covered = np.zeros(len(target), dtype=np.float32)
    gain = similar.sum(axis=1, dtype=np.float64)
    # Equal gains in a random order, not in that of the pool.
    luck = rng.permutation(len(candidates))
    heap = [(-float(gain[c]), int(luck[c]), c, 0) for c in range(len(candidates))]
    heapq.heapify(heap)
    chosen: list[int] = []
    while len(chosen) < k:
        _, tie, candidate, seen = heap[0]
        if seen == len(chosen):
            heapq.heappop(heap)
            chosen.append(candidate)
            np.maximum(covered, similar[candidate], out=covered)
            continue
        more = float(np.maximum(similar[candidate] - covered, 0.0).sum(dtype=np.float64))
        heapq.heapreplace(heap, (-more, tie, candidate, len(chosen)))
    return candidates[chosen]


def kcenter(points: Vectors, k: int, rng: np.random.Generator) -> Ints:
    """Farthest-first traversal from a random item (Gonzalez 1985): within twice the smallest radius.

    Of a pool above 65,536 items, or above k where that is more, a random sample is traversed.
    """
    among = _sample(len(points), max(FARTHEST, k), rng)
    here = points if len(among) == len(points) else points[among]
    norms = (here * here).sum(axis=1)
    distance = np.full(len(here), np.inf, dtype=np.float32)
    chosen = [int(rng.integers(len(here)))]
    while len(chosen) < k:
        last = chosen[-1]
        np.minimum(distance, norms - 2 * (here @ here[last]) + norms[last], out=distance)
        distance[last] = -np.inf
        chosen.append(int(distance.argmax()))
    return among[chosen]


def _sample(n: int, most: int, rng: np.random.Generator) -> Ints:
    return np.arange(n) if n <= most else np.sort(rng.choice(n, most, replace=False))


def _unit(points: Vectors) -> Vectors:
    size = np.linalg.norm(points, axis=1, keepdims=True)
    unit: Vectors = points / np.maximum(size, np.float32(1e-12))
    return unit
