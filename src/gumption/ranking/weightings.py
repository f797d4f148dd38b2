"""What the order of the models owes to the weights of the parts: the same scores under several weightings."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats, Ints
from gumption.ranking._resampling import model_matrix, weighted_means
from gumption.ranking.fidelity import DIGITS, tau_b
from gumption.records import GumptionError

__all__ = ["Weighting", "Weightings", "part_means", "places_of", "under_weights"]


class Weighting(Struct, frozen=True):
    """The models under one weighting of the parts."""

    name: str
    score: tuple[float, ...]
    """Of each model, in [0, 1]."""
    place: tuple[int, ...]
    """Of each model, from 1; models that tie share the better place."""


class Weightings(Struct, frozen=True):
    """The same results under several weightings."""

    models: tuple[str, ...]
    found: tuple[Weighting, ...]
    tau: float | None
    """The lowest tau-b of two of them; None where one ties all models."""
    swapped: int
    """Pairs of models that some two of them put in opposite orders."""
    pairs: int
    farthest: int
    """The most places that a model moves between two of them."""


def part_means(matrix: npt.ArrayLike, parts: npt.ArrayLike, count: int) -> Floats:
    """models x parts: means over the items of each part (numbers from 0 to count - 1), NaN for a part that a
    model has no scored item of."""
    scores = model_matrix(matrix)
    label = np.asarray(parts, dtype=np.int64)
    if label.shape != (scores.shape[1],):
        raise GumptionError(
            f"parts of shape {label.shape} for {scores.shape[1]} items",
            where="parts",
            remedy="give one part per item",
        )
    means: Floats = np.full((len(scores), count), np.nan)
    for part in range(count):
        inside = scores[:, label == part]
        seen = (~np.isnan(inside)).sum(axis=1)
        np.divide(np.nansum(inside, axis=1), seen, out=means[:, part], where=seen > 0)
    return means


def under_weights(
    means: npt.ArrayLike, weights: Mapping[str, npt.ArrayLike], models: tuple[str, ...]
) -> Weightings:
    """The models' order under each weighting.

    `means`: models x parts, NaN = missing (the part is then left out of that model's mean). `weights`: by
    name, a weight from 0 for each part, one of them above 0. Raises GumptionError for what does not fit.
    """
    scores = model_matrix(means, "means")
    if not weights:
        raise GumptionError("no weighting is named", where="weights", remedy="name one at least")
    found = []
    for name, given in weights.items():
        weight = np.asarray(given, dtype=np.float64)
        if weight.shape != (scores.shape[1],) or not (weight >= 0).all() or not weight.sum():
            raise GumptionError(
                f"weights of shape {weight.shape} for {scores.shape[1]} parts, or negative, or all 0",
                where=name,
                remedy="give a weight from 0 for each part",
            )
        score = weighted_means(scores, weight[None])[0]
        found.append(Weighting(name, tuple(score.tolist()), tuple(places_of(score).tolist())))
    rounded = np.round([one.score for one in found], DIGITS)
    order = np.sign(rounded[:, :, None] - rounded[:, None, :])
    opposite = (order.max(axis=0) > 0) & (order.min(axis=0) < 0)
    taus = [float(tau_b(one, other)) for one, other in combinations(rounded, 2)]
    places = np.array([one.place for one in found])
    return Weightings(
        models=models,
        found=tuple(found),
        tau=None if not taus or np.isnan(taus).any() else min(taus),
        swapped=int(opposite.sum()) // 2,
        pairs=len(scores) * (len(scores) - 1) // 2,
        farthest=int((places.max(axis=0) - places.min(axis=0)).max()),
    )


def places_of(scores: Floats) -> Ints:
    """Each model's place from 1; equal scores share the better one."""
    rounded = np.round(scores, DIGITS)
    places: Ints = 1 + (rounded[None, :] > rounded[:, None]).sum(axis=1)
    return places
