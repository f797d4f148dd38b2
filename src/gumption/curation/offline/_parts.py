"""Clusters that are apart: as many as the items themselves show."""

from __future__ import annotations

import numpy as np

from gumption.curation._clusters import cells
from gumption.curation._inputs import Ints, Vectors

__all__ = ["parts", "silhouette"]

SEPARATE = 0.12
"""Mean silhouette above which clusters are apart."""


def parts(points: Vectors, most: int, seed: int) -> Ints:
    """The number of each point's k-means cluster, from 0 without gaps: as many clusters, from 2 to `most`, as
    have the highest silhouette; one where none are apart. points: of length 1, a few thousand at most."""
    best, parted = SEPARATE, np.zeros(len(points), dtype=np.int64)
    for count in range(2, min(most, len(points) - 1) + 1):
        label = cells(points, count, np.random.default_rng(seed))
        label = np.unique(label, return_inverse=True)[1].astype(np.int64)
        apart = silhouette(points, label)
        if apart > best:
            best, parted = apart, label
    return parted


def silhouette(points: Vectors, label: Ints) -> float:
    """The mean over points of (b - a) / max(a, b): a is the mean distance (1 - cosine) to the others of its
    cluster, b that to the nearest other cluster; 0 for a point alone (Rousseeuw 1987). 0 for one cluster."""
    size = np.bincount(label)
    if len(size) < 2:
        return 0.0
    member = np.zeros((len(points), len(size)))
    rows = np.arange(len(points))
    member[rows, label] = 1
    # Sums of distances to clusters, from sums of points: no matrix of all pairs.
    sums = size - points.astype(np.float64) @ (points.T.astype(np.float64) @ member)
    inside = sums[rows, label] / np.maximum(size[label] - 1, 1)
    means = sums / size
    means[rows, label] = np.inf
    outside = means.min(axis=1)
    widest = np.maximum(np.maximum(inside, outside), 1e-12)
    return float(np.where(size[label] > 1, (outside - inside) / widest, 0.0).mean())
