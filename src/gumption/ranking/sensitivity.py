"""How much the order of the models depends on how the parts (dimensions) are weighed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats
from gumption.ranking._parting import part_codes
from gumption.ranking._resampling import weighted_means
from gumption.ranking.fidelity import DIGITS, tau_b
from gumption.ranking.noise import Draws
from gumption.ranking.pairs import model_names
from gumption.ranking.weightings import Weighting, Weightings, part_means, places_of, under_weights
from gumption.records import GumptionError

__all__ = ["Sensitivity", "WeighedModel", "sensitivity"]


class WeighedModel(Struct, frozen=True):
    """One model under random weights of the parts."""

    model: str
    best: int
    """The best of its places; models that tie share the better place."""
    worst: int
    place_low: int
    """2.5 % of the draws give it a better place."""
    place_high: int
    """2.5 % of the draws give it a worse place."""
    shares: tuple[float, ...]
    """Of the draws on each place, from 1."""
    first: float
    """Share of the draws in which it is first, split evenly where several are."""


class Sensitivity(Struct, frozen=True):
    """The same models under equal, proportional and random weights."""

    parts: tuple[str, ...]
    sizes: tuple[int, ...]
    """Items of each part."""
    named: Weightings
    """Under "equal" weights and weights "proportional" to the parts' items."""
    models: tuple[WeighedModel, ...]
    """In the order of the matrix."""
    tau: Draws
    """Of the order under random weights with the order under equal ones. A draw that ties all models counts
    as 0."""
    concentration: float


def sensitivity(
    matrix: npt.ArrayLike,
    parts: npt.ArrayLike,
    *,
    models: Sequence[str] | None = None,
    draws: int = 2000,
    concentration: float = 1.0,
    seed: int = 0,
) -> Sensitivity:
    """The order of the rows of a models x items matrix in [0, 1] (NaN = missing) under weights of its parts.

    `parts`: a label (string or integer) per item, such as its dimension. A model's score is the weighted mean
    of its means by part, over the parts it has a scored item of. Random weights are Dirichlet(concentration):
    1 makes all weightings equally likely, more keeps them nearer to equal. This is not sampling error: the
    items stay as they are (see `rank`).

    Raises GumptionError for a matrix, labels or names that do not fit, and for fewer than two models.
    """
    names, codes = part_codes(parts, np.shape(matrix)[-1] if np.ndim(matrix) else 0)
    means = part_means(matrix, codes, len(names))
    if not (np.isfinite(concentration) and concentration > 0 and draws > 0):
        raise GumptionError(
            f"concentration {concentration}, {draws} draws",
            where="sensitivity",
            remedy="give a concentration above 0 and a draw at least",
        )
    sizes = np.bincount(codes, minlength=len(names))
    labels = tuple(model_names(models, len(means)))
    named = under_weights(means, {"equal": np.ones(len(names)), "proportional": sizes}, labels)
    rng = np.random.default_rng(seed)
    drawn = weighted_means(means, rng.dirichlet(np.full(len(names), concentration), draws))
    return Sensitivity(
        parts=names,
        sizes=tuple(sizes.tolist()),
        named=named,
        models=_weighed(labels, drawn),
        tau=_taus(drawn, named.found[0]),
        concentration=concentration,
    )


def _weighed(models: tuple[str, ...], drawn: Floats) -> tuple[WeighedModel, ...]:
    places = np.array([places_of(scores) for scores in drawn])
    rounded = np.round(drawn, DIGITS)
    top = rounded == rounded.max(axis=1, keepdims=True)
    first = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    low, high = np.quantile(places, [0.025, 0.975], axis=0, method="inverted_cdf")
    return tuple(
        WeighedModel(
            model=model,
            best=int(own.min()),
            worst=int(own.max()),
            place_low=int(low[row]),
            place_high=int(high[row]),
            shares=tuple((np.bincount(own - 1, minlength=len(models)) / len(own)).tolist()),
            first=float(first[row]),
        )
        for row, (model, own) in enumerate(zip(models, places.T, strict=True))
    )


def _taus(drawn: Floats, equal: Weighting) -> Draws:
    taus = np.nan_to_num(tau_b(drawn, np.array(equal.score)))
    low, high = np.quantile(taus, [0.05, 0.95])
    return Draws(float(taus.mean()), float(low), float(high), len(taus))
