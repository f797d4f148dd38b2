"""Selection by embeddings: growth from 10,000 to 1,000,000 items, beside other programs.

384 dimensions, 8 groups, 500 items of each. scikit-learn's KMeans stands beside centroid, facility location
by submodlib (submodlib-py) and apricot (apricot-select), where they are installed, beside facility; these
keep all pairs of a group, and are left out above 100,000 items. Every line is measured in a process of its
own, whose peak memory includes the vectors (1.5 GB for a million). `python -m benches curation [--small]`.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benches._table import show
from gumption.curation._clusters import nearest
from gumption.curation.select import select

SIZES = (10_000, 100_000, 1_000_000)
DIMENSIONS, GROUPS, EACH = 384, 8, 500
METHODS = ("centroid", "facility", "kcenter", "stratified", "random")
LARGEST_OF_OTHERS = 100_000
ROUNDS = 12
"""Of scikit-learn's KMeans, as many as ours takes at most."""


def main() -> None:
    context = multiprocessing.get_context("spawn")
    others = [name for name in OTHERS if find_spec(name) is not None]
    rows = []
    for size in SIZES[:2] if "--small" in sys.argv else SIZES:
        for method in (*METHODS, *(others if size <= LARGEST_OF_OTHERS else ())):
            with context.Pool(1) as pool:
                wall, processor, peak, cosine = pool.apply(measure, (size, method))
            rows.append(
                (f"{size:,}", method, f"{wall:.1f}", f"{processor:.1f}", f"{peak:.2f}", f"{cosine:.3f}")
            )
    show(
        f"{EACH} items of each of {GROUPS} groups, {DIMENSIONS} dimensions",
        ("items", "method", "s", "CPU s", "peak GB", "mean cosine of an item to the nearest chosen one"),
        rows,
    )
    for name in sorted(OTHERS.keys() - set(others)):
        print(f"{name} is not installed: left out")


def measure(size: int, method: str) -> tuple[float, float, float, float]:
    points, group = vectors(size)
    start, used = perf_counter(), process_time()
    if method in OTHERS:
        chosen = np.concatenate(
            [
                rows[OTHERS[method](points[rows])]
                for rows in (np.flatnonzero(group == name) for name in range(GROUPS))
            ]
        )
    else:
        chosen = select(points, EACH, method, group)
    wall, processor = perf_counter() - start, process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    some = np.random.default_rng(1).choice(size, min(size, 20_000), replace=False)
    cosines = []
    for name in range(GROUPS):
        rows = some[group[some] == name]
        distance = nearest(points[rows], points[chosen[group[chosen] == name]])[1]
        cosines.append(1 - distance / 2)
    return wall, processor, peak, float(np.concatenate(cosines).mean())


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


def _kmeans(points: NDArray[np.float32]) -> NDArray[np.int64]:
    """The item nearest to each centroid of scikit-learn's KMeans."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import pairwise_distances_argmin

    found = KMeans(EACH, n_init=1, max_iter=ROUNDS, random_state=0).fit(points)
    return np.unique(pairwise_distances_argmin(found.cluster_centers_, points))


def _submodlib(points: NDArray[np.float32]) -> NDArray[np.int64]:
    library = import_module("submodlib")
    function = library.FacilityLocationFunction(n=len(points), mode="dense", data=points, metric="cosine")
    found = function.maximize(budget=EACH, optimizer="LazyGreedy", show_progress=False)
    return np.array([item for item, _ in found])


def _apricot(points: NDArray[np.float32]) -> NDArray[np.int64]:
    library = import_module("apricot")
    found = library.FacilityLocationSelection(EACH, metric="cosine", optimizer="lazy").fit(points)
    return np.asarray(found.ranking)


OTHERS: dict[str, Callable[[NDArray[np.float32]], NDArray[np.int64]]] = {
    "sklearn": _kmeans,
    "submodlib": _submodlib,
    "apricot": _apricot,
}
