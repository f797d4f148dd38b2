"""Does the order of the models hang on one benchmark, one dimension or one model?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats, Ints
from gumption.ranking._parting import part_codes
from gumption.ranking._resampling import model_matrix, weighted_means
from gumption.ranking.fidelity import tau_b
from gumption.ranking.pairs import model_names
from gumption.ranking.weightings import part_means, places_of
from gumption.records import GumptionError

__all__ = ["LeftOut", "Move", "Stability", "leave_model_out", "leave_part_out"]


class Move(Struct, frozen=True):
    """A model that changes its place."""

    model: str
    before: int
    """Its place with everything in, from 1; models that tie share the better one."""
    after: int


class LeftOut(Struct, frozen=True):
    """The order without one part or model."""

    name: str
    """What was left out."""
    items: int
    """Items that remain."""
    tau: float | None
    """tau-b with the full order; None where one of the two ties all models."""
    moves: tuple[Move, ...]
    """Models with another place than before, in their order. Places are among the models that remain."""


class Stability(Struct, frozen=True):
    """The order without each part or model in turn."""

    models: tuple[str, ...]
    places: tuple[int, ...]
    """With everything in."""
    without: tuple[LeftOut, ...]
    lowest: float | None
    """The lowest tau; None where none is known."""


def leave_part_out(
    matrix: npt.ArrayLike,
    parts: npt.ArrayLike,
    *,
    models: Sequence[str] | None = None,
    mean: Literal["micro", "macro"] = "micro",
) -> Stability:
    """The order of the rows of a models x items matrix (NaN = missing) without each of its parts.

    `parts`: a label (string or integer) per item, such as its benchmark or dimension; two at least. `mean`:
    over items (micro), or over the parts' means (macro). A model without any scored item in what remains
    stands at the mean of the others.

    Raises GumptionError for a matrix, labels or names that do not fit.
    """
    scores = model_matrix(matrix)
    names, codes = part_codes(parts, scores.shape[1])
    if len(names) < 2:
        raise GumptionError(f"{len(names)} part", where="parts", remedy="give two parts at least")
    if mean == "macro":
        columns, part_of = part_means(scores, codes, len(names)), np.arange(len(names))
    else:
        columns, part_of = scores, codes
    weights = (part_of[None, :] != np.arange(len(names))[:, None]).astype(np.float64)
    full = weighted_means(columns, np.ones((1, columns.shape[1])))[0]
    rest = weighted_means(columns, weights)
    labels = model_names(models, len(scores))
    every = np.arange(len(scores))
    without = tuple(
        _left_out(name, int((codes != part).sum()), labels, every, full, rest[part])
        for part, name in enumerate(names)
    )
    return _stability(labels, full, without)


def leave_model_out(matrix: npt.ArrayLike, *, models: Sequence[str] | None = None) -> Stability:
    """The order of the rows of a models x items matrix (NaN = missing) without each of the models, by means
    over the items that all models in play have scored; three models at least.

    A mean owes nothing to other models: only the set of common items can change, so with nothing missing
    every tau is 1. A model whose failures cost many items shows here.

    Raises GumptionError for a matrix or names that do not fit, and where no item is scored by all models.
    """
    scores = model_matrix(matrix)
    labels = model_names(models, len(scores))
    if len(scores) < 3:
        raise GumptionError(f"{len(scores)} models", where="matrix", remedy="give three models at least")
    known = ~np.isnan(scores)
    if not known.all(axis=0).any():
        raise GumptionError(
            "no item is scored by all models", where="matrix", remedy="leave out models that miss most items"
        )
    full = scores[:, known.all(axis=0)].mean(axis=1)
    without = []
    for row, name in enumerate(labels):
        rest = np.delete(np.arange(len(scores)), row)
        common = known[rest].all(axis=0)
        own = scores[np.ix_(rest, common)].mean(axis=1)
        without.append(_left_out(name, int(common.sum()), labels, rest, full[rest], own))
    return _stability(labels, full, tuple(without))


def _left_out(name: str, items: int, models: list[str], rows: Ints, before: Floats, after: Floats) -> LeftOut:
    tau = float(tau_b(before, after))
    moves = tuple(
        Move(models[row], int(was), int(now))
        for row, was, now in zip(rows, places_of(before), places_of(after), strict=True)
        if was != now
    )
    return LeftOut(name, items, None if np.isnan(tau) else tau, moves)


def _stability(models: list[str], full: Floats, without: tuple[LeftOut, ...]) -> Stability:
    known = [one.tau for one in without if one.tau is not None]
    return Stability(tuple(models), tuple(places_of(full).tolist()), without, min(known, default=None))
