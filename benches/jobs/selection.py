"""Choosing items by their embeddings."""

from __future__ import annotations

from pathlib import Path

from benches.curation import DIMENSIONS, GROUPS, ROUNDS, vectors
from benches.jobs._job import Job, Work
from gumption.curation.select import select

_EACH = 50


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    from sklearn.cluster import KMeans

    points, group = vectors(size)

    def theirs() -> None:
        for name in range(GROUPS):
            KMeans(_EACH, n_init=1, max_iter=ROUNDS, random_state=0).fit(points[group == name])

    return lambda: select(points, _EACH, "centroid", group), theirs


JOB = Job(
    f"choosing {_EACH} items of each of {GROUPS} groups, centroid, {DIMENSIONS} dimensions",
    "items",
    (4_000, 40_000),
    "scikit-learn's KMeans",
    _prepared,
)
