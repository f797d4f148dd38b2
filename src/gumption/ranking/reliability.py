"""How far one half of the items of a part would rank the models as the other half does.

Half a part is noisier than the part itself: Spearman and Brown's formula (both 1910) says what two parts as
long as the whole would agree at.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gumption.ranking._design import Floats
from gumption.ranking._resampling import halves, model_matrix, weighted_means
from gumption.ranking.noise import Draws
from gumption.records import GumptionError

__all__ = ["reliability", "spearman_brown"]


def spearman_brown(correlation: npt.ArrayLike, length: float = 2.0) -> Floats:
    """The correlation that two tests `length` times as long would have, in [-1, 1]: 2r / (1 + r) for two.

    The formula knows no test that disagrees with itself: a negative correlation stays as it is.
    """
    r = np.asarray(correlation, dtype=np.float64)
    longer: Floats = np.where(r > 0, length * r / (1 + (length - 1) * np.maximum(r, 0.0)), r)
    return longer


def reliability(matrix: npt.ArrayLike, *, draws: int = 100, seed: int = 0) -> Draws:
    """Split-half reliability of the models' mean scores, stepped up after Spearman and Brown.

    `matrix`: models x items in [0, 1], NaN = missing. For each of `draws` random splits of the items in two
    halves: Pearson's correlation of the models' means by one half and by the other, 0 where one half gives
    all models the same; then 2r / (1 + r). 1: the items tell the models apart without noise. 0: they say
    nothing of the models' order. Few models make it jump: look at the range.

    Raises GumptionError for a matrix that does not fit or has fewer than two items.
    """
    scores = model_matrix(matrix)
    if scores.shape[1] < 2:
        raise GumptionError("one item has no halves", where="matrix", remedy="give two items at least")
    rng = np.random.default_rng(seed)
    found = spearman_brown(
        np.concatenate(
            [
                _correlations(weighted_means(scores, one), weighted_means(scores, other))
                for one, other in halves(rng, draws, scores.shape[1])
            ]
        )
    )
    low, high = np.quantile(found, [0.05, 0.95])
    return Draws(float(found.mean()), float(low), float(high), len(found))


def _correlations(one: Floats, other: Floats) -> Floats:
    """Pearson's, row by row."""
    a, b = (side - side.mean(axis=1, keepdims=True) for side in (one, other))
    size = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    result: Floats = np.zeros(len(size))
    np.divide((a * b).sum(axis=1), size, out=result, where=size > 1e-12)
    return result
