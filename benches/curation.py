"""Selection by embeddings: growth from 10,000 to 1,000,000 items, beside scikit-learn's KMeans.

384 dimensions, 8 groups, 500 items of each. Every line is measured in a process of its own, whose peak
memory includes the vectors (1.5 GB for a million). `python -m benches curation [--small]`.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benches._table import show
from gumption.curation._clusters import nearest
from gumption.curation.select import select

SIZES = (10_000, 100_000, 1_000_000)
DIMENSIONS, GROUPS, EACH = 384, 8, 500
METHODS = ("centroid", "facility", "kcenter", "stratified", "random", "KMeans")
LARGEST_KMEANS = 100_000
ROUNDS = 12
"""Of scikit-learn's KMeans, as many as ours takes at most."""


def main() -> None:
    context = multiprocessing.get_context("spawn")
    rows = []
    for size in SIZES[:2] if "--small" in sys.argv else SIZES:
        for method in METHODS:
            if method == "KMeans" and size > LARGEST_KMEANS:
                continue
            with context.Pool(1) as pool:
                seconds, peak, cosine = pool.apply(measure, (size, method))
            rows.append((f"{size:,}", method, f"{seconds:.1f}", f"{peak:.2f}", f"{cosine:.3f}"))
    show(
        f"{EACH} items of each of {GROUPS} groups, {DIMENSIONS} dimensions",
        ("items", "method", "s", "peak GB", "mean cosine of an item to the nearest chosen one"),
        rows,
    )


def measure(size: int, method: str) -> tuple[float, float, float]:
    points, group = vectors(size)
    start = perf_counter()
    chosen = _kmeans(points, group) if method == "KMeans" else select(points, EACH, method, group)
    seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    some = np.random.default_rng(1).choice(size, min(size, 20_000), replace=False)
    cosines = []
    for name in range(GROUPS):
        rows = some[group[some] == name]
        distance = nearest(points[rows], points[chosen[group[chosen] == name]])[1]
        cosines.append(1 - distance / 2)
    return seconds, peak, float(np.concatenate(cosines).mean())


def vectors(size: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Unit vectors around 3,000 topics, made in blocks so that the peak is the array itself."""
    rng = np.random.default_rng(0)
    topics = rng.standard_normal((3000, DIMENSIONS), dtype=np.float32)
    points = np.empty((size, DIMENSIONS), dtype=np.float32)
    for start in range(0, size, 20_000):
        block = points[start : start + 20_000]
        rng.standard_normal(out=block, dtype=np.float32)
        block += topics[rng.integers(0, len(topics), len(block))]
        block /= np.linalg.norm(block, axis=1, keepdims=True)
    return points, rng.integers(0, GROUPS, size)


def _kmeans(points: NDArray[np.float32], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The item nearest to each centroid of scikit-learn's KMeans, group by group."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import pairwise_distances_argmin

    chosen = []
    for name in range(GROUPS):
        rows = np.flatnonzero(group == name)
        found = KMeans(EACH, n_init=1, max_iter=ROUNDS, random_state=0).fit(points[rows])
        chosen.append(rows[np.unique(pairwise_distances_argmin(found.cluster_centers_, points[rows]))])
    return np.concatenate(chosen)
