"""What selectors are given, checked once: embeddings, labels, responses, sizes."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gumption.ranking.intervals import unit_scores
from gumption.records import GumptionError

__all__ = ["Floats", "Ints", "Vectors", "labels_of", "source_responses", "vectors_of", "wanted"]

Vectors: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

_ROWS = 2**14
"""Rows that are looked at together: no copy of a large array is made."""


def vectors_of(embeddings: npt.ArrayLike) -> Vectors:
    """n x d float32; the array itself where it is that already.

    Raises GumptionError for another shape, an empty pool, and a value that is NaN or infinite.
    """
    try:
        vectors = np.asarray(embeddings, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise GumptionError(
            f"not a rectangular array of numbers ({error})",
            where="embeddings",
            remedy="give items x dimensions",
        ) from error
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise GumptionError(
            f"shape {vectors.shape}",
            where="embeddings",
            remedy="give items x dimensions, one vector per item",
        )
    if not len(vectors):
        raise GumptionError("the pool is empty", where="embeddings", remedy="give one item at least")
    for start in range(0, len(vectors), _ROWS):
        bad = np.flatnonzero(~np.isfinite(vectors[start : start + _ROWS]).all(axis=1))
        if len(bad):
            raise GumptionError(
                "the vector is not finite",
                where=f"embeddings, row {start + int(bad[0])}",
                remedy="leave items without a vector out of the pool, or embed them again",
            )
    return vectors


def labels_of(labels: npt.ArrayLike | None, n: int, where: str) -> Ints:
    """n labels (strings or integers) as numbers from 0 in the labels' own order; None is one label for all.

    Raises GumptionError for another number of labels.
    """
    if labels is None:
        return np.zeros(n, dtype=np.int64)
    array: npt.NDArray[Any] = np.asarray(labels)
    if array.shape != (n,):
        raise GumptionError(
            f"labels of shape {array.shape} for {n} items", where=where, remedy="give one label per item"
        )
    if array.dtype == object:
        array = array.astype(str)
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def source_responses(responses: npt.ArrayLike) -> Floats:
    """Source models x items in [0, 1] with the gaps filled: a missing answer stands at its item's mean.

    An item that no model answered stands at the mean of all. Raises GumptionError for another shape, an
    empty matrix, and a value outside [0, 1].
    """
    scores = unit_scores(responses, "responses")
    if scores.ndim != 2 or not scores.size:
        raise GumptionError(
            f"shape {scores.shape}",
            where="responses",
            remedy="give source models x items, at least one of each; None where there are no past results",
        )
    missing = np.isnan(scores)
    if not missing.any():
        return scores
    if missing.all():
        raise GumptionError("no answer is scored", where="responses", remedy="give None instead")
    seen = (~missing).sum(axis=0)
    sums = np.where(missing, 0.0, scores).sum(axis=0)
    means = np.where(seen > 0, sums / np.maximum(seen, 1), sums.sum() / seen.sum())
    filled: Floats = np.where(missing, means, scores)
    return filled


def wanted(k: int) -> int:
    """A size of a suite. Raises GumptionError for less than one item."""
    if k < 1:
        raise GumptionError(f"k = {k}", where="k", remedy="ask for one item at least")
    return int(k)
