"""Kendall's tau with more weight on the top of the rankings, for many rankings at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gumption.ranking._design import Floats, Ints
from gumption.ranking.fidelity import DIGITS, order_of_pairs

__all__ = ["weighted_tau"]

PAIRS = 2**21
"""Cells of one block of rankings x pairs."""


def weighted_tau(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    """Vigna's (2015, doi 10.1145/2736277.2741088) weighted tau along the last axis, as in SciPy.

    A pair counts 1/(r + 1) + 1/(s + 1), r and s being its models' ranks from 0: once by `first`, ties broken
    by `second`, once the other way round, and the mean of both is taken. Scores equal to ten digits are tied.
    The other axes broadcast. NaN where one side ties all models.
    """
    one, other = np.broadcast_arrays(
        np.atleast_1d(np.asarray(first, np.float64)), np.atleast_1d(np.asarray(second, np.float64))
    )
    shape, models = one.shape[:-1], one.shape[-1]
    left, right = (np.round(x.reshape(-1, models), DIGITS) for x in (one, other))
    upper = np.triu_indices(models, 1)
    result = np.full(len(left), np.nan)
    rows = max(1, PAIRS // max(len(upper[0]), 1))
    for start in range(0, len(left), rows):
        x, y = left[start : start + rows], right[start : start + rows]
        a, b = order_of_pairs(x, upper), order_of_pairs(y, upper)
        ordered = (a != 0).any(axis=1) & (b != 0).any(axis=1)
        halves = [_of_ranks(a, b, _ranks(*sides), upper, ordered) for sides in ((x, y), (y, x))]
        result[start : start + rows] = (halves[0] + halves[1]) / 2
    return result.reshape(shape)


def _ranks(by: Floats, then: Floats) -> Ints:
    """Rank from 0, the highest score first."""
    order = np.lexsort((-then, -by), axis=-1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(order.shape[1])[None, :], axis=1)
    return ranks


def _of_ranks(
    a: npt.NDArray[np.int8],
    b: npt.NDArray[np.int8],
    ranks: Ints,
    upper: tuple[Ints, Ints],
    ordered: npt.NDArray[np.bool_],
) -> Floats:
    worth = 1.0 / (ranks + 1.0)
    weight = worth[:, upper[0]] + worth[:, upper[1]]
    size = np.sqrt((weight * np.abs(a)).sum(axis=1) * (weight * np.abs(b)).sum(axis=1))
    tau: Floats = np.full(len(a), np.nan)
    np.divide((weight * (a * b)).sum(axis=1), size, out=tau, where=ordered)
    return tau
