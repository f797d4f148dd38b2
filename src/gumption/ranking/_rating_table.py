"""Ratings as arrays: checked, numbered, the first of each rater on each cell apart from the later ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gumption.ranking._design import Floats, Ints
from gumption.records import GumptionError

__all__ = ["RatingTable", "means"]

_LARGEST_TABLE = 50_000_000
"""Cells: raters x models x scenarios x dimensions."""


@dataclass(frozen=True, slots=True)
class RatingTable:
    """One line per rating that counts. An output is a model in a scenario, a cell one of its dimensions."""

    raters: tuple[str, ...]
    models: tuple[str, ...]
    scenarios: tuple[str, ...]
    dimensions: tuple[str, ...]
    low: float
    high: float
    rater: Ints
    cell: Ints
    """Number of the cell: (model, scenario, dimension), the last one fastest."""
    value: Floats
    first: Ints
    """Lines whose rater rated the same cell again."""
    again: Floats
    """What was said then."""

    @classmethod
    def of(
        cls,
        rater: Sequence[str],
        model: Sequence[str],
        scenario: Sequence[str],
        dimension: Sequence[str],
        value: npt.ArrayLike,
        *,
        scale: tuple[float, float],
        dimensions: Sequence[str] | None,
    ) -> RatingTable:
        low, high = scale
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise GumptionError(f"a scale from {low} to {high}", where="ratings", remedy="low is below high")
        values = _values(value, low, high)
        columns = {"rater": rater, "model": model, "scenario": scenario, "dimension": dimension}
        lengths = {name: len(column) for name, column in columns.items()} | {"value": len(values)}
        if len(set(lengths.values())) > 1:
            raise GumptionError(f"columns of {lengths} lines", where="ratings", remedy="give them one length")
        there = ~np.isnan(values)
        if not there.any():
            raise GumptionError("there is no rating", where="ratings", remedy="collect some first")
        # Whoever was only ever skipped stays in the table: that it has no ratings is told.
        raters, who = _numbered(rater, "rater")
        models, what = _numbered(model, "model")
        scenarios, where = _numbered(scenario, "scenario")
        aspects, about = _numbered(dimension, "dimension", dimensions)
        if len(raters) * len(models) * len(scenarios) * len(aspects) > _LARGEST_TABLE:
            problem = f"{len(raters)} raters x {len(models)} models x {len(scenarios)} scenarios"
            raise GumptionError(f"{problem} are too many", where="ratings", remedy="rank a part of the study")
        cell = (what * len(scenarios) + where) * len(aspects) + about
        lines = np.flatnonzero(there)
        key = who[lines] * (len(models) * len(scenarios) * len(aspects)) + cell[lines]
        order = np.argsort(key, kind="stable")
        lines, key = lines[order], key[order]
        new = np.r_[True, key[1:] != key[:-1]]
        group = np.cumsum(new) - 1
        counted = lines[new]
        return cls(
            raters=raters,
            models=models,
            scenarios=scenarios,
            dimensions=aspects,
            low=float(low),
            high=float(high),
            rater=who[counted],
            cell=cell[counted],
            value=values[counted],
            first=group[~new],
            again=values[lines[~new]],
        )

    def without(self, raters: Collection[str]) -> RatingTable:
        """The same table without the ratings of some raters."""
        gone = np.isin(self.rater, [place for place, name in enumerate(self.raters) if name in raters])
        return replace(
            self,
            rater=self.rater[~gone],
            cell=self.cell[~gone],
            value=self.value[~gone],
            first=np.empty(0, np.int64),
            again=np.empty(0),
        )

    def cells(self) -> Floats:
        """s: the mean over raters, from 0 to 1; models x scenarios x dimensions, NaN where nobody rated."""
        shape = len(self.models), len(self.scenarios), len(self.dimensions)
        unit = (self.value - self.low) / (self.high - self.low)
        return means(unit, self.cell, int(np.prod(shape))).reshape(shape)

    def units(self) -> Floats:
        """y: the mean over dimensions of s; models x scenarios, NaN where nobody rated."""
        cells = self.cells().reshape(-1, len(self.dimensions))
        output, _ = np.nonzero(~np.isnan(cells))
        units = means(cells[~np.isnan(cells)], output, len(cells))
        return units.reshape(len(self.models), len(self.scenarios))

    def by_rater(self, dimension: int | None = None) -> Floats:
        """Raters x outputs: ratings on one dimension, else each rater's mean over an output's dimensions."""
        outputs = len(self.models) * len(self.scenarios)
        of = np.ones(len(self.cell), bool)
        if dimension is not None:
            of = self.cell % len(self.dimensions) == dimension
        place = self.rater[of] * outputs + self.cell[of] // len(self.dimensions)
        return means(self.value[of], place, len(self.raters) * outputs).reshape(-1, outputs)


def means(values: Floats, place: Ints, places: int) -> Floats:
    """The mean of the values at each place; NaN where there is none."""
    count = np.bincount(place, minlength=places)
    result: Floats = np.full(places, np.nan)
    np.divide(np.bincount(place, values, places), count, out=result, where=count > 0)
    return result


def _values(value: npt.ArrayLike, low: float, high: float) -> Floats:
    try:
        values = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        problem, remedy = f"not numbers ({error})", "NaN is a rating that was skipped"
        raise GumptionError(problem, where="ratings", remedy=remedy) from error
    if values.ndim != 1:
        raise GumptionError(f"values of shape {values.shape}", where="ratings", remedy="give a flat array")
    outside = np.flatnonzero((values < low) | (values > high))
    if len(outside):
        problem = f"{values[outside[0]]:g} is not within {low:g} and {high:g}"
        remedy = "mend the rating, or say the scale"
        raise GumptionError(problem, where=f"ratings, line {outside[0] + 1}", remedy=remedy)
    return values


def _numbered(
    column: Sequence[str], name: str, known: Sequence[str] | None = None
) -> tuple[tuple[str, ...], Ints]:
    """The distinct names in alphabetical order, or those known in theirs, and each line's number."""
    for line, value in enumerate(column, 1):
        if not isinstance(value, str) or not value:
            problem = f"{value!r} names no {name}"
            raise GumptionError(problem, where=f"ratings, line {line}", remedy="give a text")
        if known is not None and value not in known:
            remedy = f"there are: {', '.join(known)}"
            raise GumptionError(f"no {name} {value!r}", where=f"ratings, line {line}", remedy=remedy)
    names = tuple(sorted(set(column)) if known is None else dict.fromkeys(known))
    places = {one: place for place, one in enumerate(names)}
    return names, np.array([places[value] for value in column], dtype=np.int64)
