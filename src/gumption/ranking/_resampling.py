"""Means of models over resampled items, as one product of item weights and scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from gumption.ranking._design import Floats
from gumption.ranking.intervals import unit_scores
from gumption.records import GumptionError

__all__ = ["CELLS", "bootstrap_counts", "halves", "model_matrix", "subset_flags", "weighted_means"]

CELLS = 2**22
"""Cells of one block of draws x items: 32 MiB."""


def model_matrix(matrix: npt.ArrayLike, where: str = "matrix") -> Floats:
    """A models x items matrix of scores in [0, 1] or NaN with at least two models and one item.

    Raises GumptionError for anything else, and for a model without any score.
    """
    scores = unit_scores(matrix, where)
    if scores.ndim != 2 or scores.shape[0] < 2 or not scores.shape[1]:
        raise GumptionError(
            f"shape {scores.shape}",
            where=where,
            remedy="give models x items: two models and an item at least",
        )
    silent = np.flatnonzero(np.isnan(scores).all(axis=1))
    if len(silent):
        raise GumptionError(
            "no item of it is scored", where=f"{where}, model {silent[0]}", remedy="leave the model out"
        )
    return scores


def weighted_means(scores: Floats, weights: Floats) -> Floats:
    """Draws x models: each model's mean over its own scored items, weighted by draws x items.

    A model with no scored item in a draw stands at the mean of the others, so that it ties with none by
    chance and no draw is lost.
    """
    missing = np.isnan(scores)
    sums = weights @ np.where(missing, 0.0, scores).T
    counts = weights @ (~missing).T.astype(np.float64) if missing.any() else weights.sum(axis=1)[:, None]
    counts = np.broadcast_to(counts, sums.shape)
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    if np.isnan(means).any():
        seen = ~np.isnan(means)
        others = np.where(seen, means, 0.0).sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
        means = np.where(seen, means, others[:, None])
    return means


def bootstrap_counts(rng: np.random.Generator, draws: int, items: int) -> Iterator[Floats]:
    """Blocks of draws x items: how often each item is drawn, with replacement."""
    rows = max(1, CELLS // items)
    for first in range(0, draws, rows):
        here = min(rows, draws - first)
        cells = rng.integers(0, items, size=(here, items)) + np.arange(here)[:, None] * items
        counts = np.bincount(cells.ravel(), minlength=here * items)
        yield counts.reshape(here, items).astype(np.float64)


def subset_flags(rng: np.random.Generator, draws: int, items: int, k: int) -> Iterator[Floats]:
    """Blocks of draws x items: 1 for the k items of a random subset, else 0."""
    rows = max(1, CELLS // items)
    for first in range(0, draws, rows):
        flags = np.zeros((min(rows, draws - first), items))
        for row in flags:
            row[rng.choice(items, size=k, replace=False)] = 1.0
        yield flags


def halves(rng: np.random.Generator, draws: int, items: int) -> Iterator[tuple[Floats, Floats]]:
    """Blocks of two disjoint halves of the items; an odd item stays out."""
    half = items // 2
    rows = max(1, CELLS // items)
    for first in range(0, draws, rows):
        one = np.zeros((min(rows, draws - first), items))
        other = np.zeros_like(one)
        for left, right in zip(one, other, strict=True):
            order = rng.permutation(items)
            left[order[:half]] = 1.0
            right[order[half : 2 * half]] = 1.0
        yield one, other
