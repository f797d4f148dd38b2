"""Rank intervals of a hundred models by a million scores, with gaps and clusters, and how they grow.

Beside the plain loop: one resample of items after another, each model's mean by indexing. Every line is
measured in a process of its own, whose peak memory includes the matrix (.8 GB for a million scores each).
"""

from __future__ import annotations

import multiprocessing
import resource
from time import perf_counter

import numpy as np

from benches._table import show
from gumption.ranking import rank

MODELS, RESAMPLES = 100, 1000
LOOPED, OF_MODELS = 20, 5
"""Resamples and models of the plain loop, whose time is scaled up."""
CASES = (
    (10_000, ""),
    (100_000, ""),
    (1_000_000, ""),
    (1_000_000, "2 % missing, 50,000 clusters"),
    (1_000_000, "2 % missing, 50,000 clusters, 8 strata"),
)


def main() -> None:
    context = multiprocessing.get_context("spawn")
    rows = []
    for items, kind in CASES:
        with context.Pool(1) as pool:
            seconds, peak, loop = pool.apply(one, (items, kind))
        rows.append((f"{items:,}", kind, f"{seconds:.2f} s", f"{loop / seconds:.0f} x", f"{peak:.2f} GB"))
    show(
        f"Rank intervals of {MODELS} models, {RESAMPLES:,} resamples",
        ("items", "", "time", "plain loop", "peak memory"),
        rows,
    )


def one(items: int, kind: str) -> tuple[float, float, float]:
    """Seconds of `rank`, its peak memory in GB, and seconds of the plain loop."""
    rng = np.random.default_rng(0)
    hard = rng.random(items, dtype=np.float32)
    matrix = np.empty((MODELS, items))
    for model, row in enumerate(matrix):
        row[:] = rng.random(items, dtype=np.float32) + 1e-4 * model < hard
        if "missing" in kind:
            row[rng.random(items, dtype=np.float32) < 0.02] = np.nan
    clusters = rng.integers(0, 50_000, items) if "clusters" in kind else None
    strata = rng.integers(0, 8, items) if "strata" in kind else None
    start = perf_counter()
    rank(matrix, clusters=clusters, strata=strata, resamples=RESAMPLES)
    seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    start = perf_counter()
    for _ in range(LOOPED):
        drawn = rng.integers(0, items, items)
        for row in matrix[:OF_MODELS]:
            np.nanmean(row[drawn])
    loop = (perf_counter() - start) * RESAMPLES / LOOPED * MODELS / OF_MODELS
    return seconds, peak, loop
