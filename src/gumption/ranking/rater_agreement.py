"""How far raters agree beyond chance: Krippendorff's alpha, Fleiss' and Cohen's kappa, Gwet's AC1.

Kappas fall where nearly all units are of one category, however well raters agree (Feinstein and Cicchetti
1990); AC1 does not. So all four stand together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats, Ints
from gumption.records import GumptionError, Interval

__all__ = ["Agreement", "Level", "agreement"]

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]


class Agreement(Struct, frozen=True):
    """Four coefficients, 1 = perfect, 0 = as by chance, each as mean (the coefficient), low and high.

    None where a coefficient is not defined: no unit with two ratings, or nothing but one category.
    """

    alpha: Interval
    """Krippendorff (2019)."""
    fleiss: Interval
    """Fleiss (1971); with missing ratings and weights in the form of Gwet (2014)."""
    cohen: Interval
    """Cohen (1960, weighted 1968); for more than two raters the mean over their pairs (Light 1971)."""
    ac1: Interval
    """Gwet (2008); AC2 where the level gives weights."""
    level: Level
    raters: int
    units: int
    """Units with two ratings at least; the others tell nothing of agreement."""
    categories: int


def agreement(
    ratings: npt.ArrayLike, level: Level = "nominal", *, resamples: int = 1000, seed: int = 0
) -> Agreement:
    """Agreement of a raters x units table of numbers, NaN = missing.

    `level`: nominal (categories are same or not), ordinal (their order counts) or interval (their distance
    counts). Alpha takes Krippendorff's distances of the level; the kappas and AC1 take no weights (nominal),
    or quadratic ones over the categories' ranks (ordinal) or values (interval). Categories are the values
    that occur. Intervals are percentiles of `resamples` draws of units with replacement; draws in which a
    coefficient is not defined are left out of it.

    Raises GumptionError for a table that is not one, an infinite value and an unknown level.
    """
    if level not in get_args(Level):
        raise GumptionError(
            f"level {level!r}", where="agreement", remedy=f"one of {', '.join(get_args(Level))}"
        )
    table = _Table.of(ratings, level)
    coefficients: dict[str, Callable[[Floats], float]] = {
        "alpha": table.alpha,
        "fleiss": table.fleiss,
        "cohen": table.cohen,
        "ac1": table.ac1,
    }
    rng = np.random.default_rng(seed)
    units = table.units
    draws = [
        np.bincount(rng.integers(0, units, units), minlength=units).astype(np.float64)
        for _ in range(resamples if units else 0)
    ]
    found = {}
    for name, coefficient in coefficients.items():
        value = coefficient(np.ones(units)) if units else np.nan
        drawn = np.array([coefficient(times) for times in draws]) if not np.isnan(value) else np.empty(0)
        drawn = drawn[~np.isnan(drawn)]
        if not len(drawn):
            found[name] = Interval(None if np.isnan(value) else float(value), None, None, name=name)
            continue
        low, high = np.quantile(drawn, [0.025, 0.975])
        found[name] = Interval(
            float(value), min(float(low), float(value)), max(float(high), float(value)), "bootstrap", name
        )
    return Agreement(**found, level=level, raters=table.raters, units=units, categories=len(table.values))


@dataclass(frozen=True, slots=True)
class _Table:
    """The ratings of the units that have two at least, one line per rating."""

    codes: Ints
    """raters x units: number of the category, -1 = missing."""
    values: Floats
    """The categories, ascending."""
    level: Level
    unit: Ints
    code: Ints
    size: Floats
    """Ratings of each unit."""
    cell_unit: Ints
    """The distinct (unit, category) pairs."""
    cell_count: Floats

    @classmethod
    def of(cls, ratings: npt.ArrayLike, level: Level) -> _Table:
        try:
            table = np.asarray(ratings, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise GumptionError(
                f"not a table of numbers ({error})",
                where="ratings",
                remedy="give raters x units, a number per category and NaN where a rating is missing",
            ) from error
        if table.ndim != 2 or table.shape[0] < 2:
            raise GumptionError(
                f"shape {table.shape}", where="ratings", remedy="give raters x units, two raters at least"
            )
        if np.isinf(table).any():
            raise GumptionError("an infinite rating", where="ratings", remedy="NaN stands for a missing one")
        table = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
        values, unit = np.unique(table[~np.isnan(table)]), np.nonzero(~np.isnan(table.T))[0]
        codes = np.where(np.isnan(table), -1, np.searchsorted(values, table)).astype(np.int64)
        code = codes.T[codes.T >= 0]
        cells, counts = np.unique(unit * max(len(values), 1) + code, return_counts=True)
        return cls(
            codes=codes,
            values=values,
            level=level,
            unit=unit,
            code=code,
            size=np.bincount(unit, minlength=table.shape[1]).astype(np.float64),
            cell_unit=cells // max(len(values), 1),
            cell_count=counts.astype(np.float64),
        )

    @property
    def raters(self) -> int:
        return int(self.codes.shape[0])

    @property
    def units(self) -> int:
        return int(self.codes.shape[1])

    def alpha(self, times: Floats) -> float:
        """1 - observed / expected distance, each unit counted `times`.

        Krippendorff's ordinal distance is the squared difference of the categories' mid-ranks.
        """
        counts: Floats = np.bincount(self.code, times[self.unit], len(self.values)).astype(np.float64)
        n = counts.sum()
        if n < 2:
            return float("nan")
        ends = np.cumsum(counts)
        scale = ends - counts / 2 if self.level == "ordinal" else self.values
        observed = float((times / (self.size - 1)) @ self._distances(scale)) / n
        expected = self._spread(counts, scale) / (n * (n - 1))
        return float(1 - observed / expected) if expected > 0 else float("nan")

    def fleiss(self, times: Floats) -> float:
        share, agree = self._shares(times), self._agreement(times)
        chance = 1 - self._spread(share, self._weight_scale()) / self._farthest()
        return _beyond(agree, chance)

    def ac1(self, times: Floats) -> float:
        """Chance agreement as if a share of the ratings that is hard to give were guessed."""
        q = len(self.values)
        if q == 1:
            return 1.0
        share, agree = self._shares(times), self._agreement(times)
        # The sum of the q x q agreement weights.
        weights = q * q - self._spread(np.ones(q), self._weight_scale()) / self._farthest()
        chance = weights * float((share * (1 - share)).sum()) / (q * (q - 1))
        return _beyond(agree, chance)

    def cohen(self, times: Floats) -> float:
        q, scale, found = len(self.values), self._weight_scale(), []
        for first, second in combinations(self.codes, 2):
            both = (first >= 0) & (second >= 0)
            weight = times * both
            n = weight.sum()
            if not n:
                continue
            a, b = first[both], second[both]
            one, other = (np.bincount(x, weight[both], q) / n for x in (a, b))
            if self.level == "nominal":
                agree, chance = weight[both] @ (a == b) / n, float(one @ other)
            else:
                agree = 1 - weight[both] @ (scale[a] - scale[b]) ** 2 / n / self._farthest()
                apart = one @ scale**2 + other @ scale**2 - 2 * (one @ scale) * (other @ scale)
                chance = 1 - float(apart) / self._farthest()
            found.append(_beyond(float(agree), chance))
        known = [kappa for kappa in found if not np.isnan(kappa)]
        return float(np.mean(known)) if known else float("nan")

    def _weight_scale(self) -> Floats:
        return np.arange(len(self.values), dtype=np.float64) if self.level == "ordinal" else self.values

    def _farthest(self) -> float:
        """The largest distance of two categories."""
        scale = self._weight_scale()
        return float((scale[-1] - scale[0]) ** 2) or 1.0 if self.level != "nominal" else 1.0

    def _shares(self, times: Floats) -> Floats:
        """Each category's share of a unit's ratings, averaged over units."""
        share = np.bincount(self.code, (times / self.size)[self.unit], len(self.values))
        result: Floats = share / times.sum()
        return result

    def _agreement(self, times: Floats) -> float:
        """Mean over units of the agreement of two of its ratings."""
        apart = self._distances(self._weight_scale()) / (self.size * (self.size - 1)) / self._farthest()
        return float(1 - times @ apart / times.sum())

    def _distances(self, scale: Floats) -> Floats:
        """Per unit: the sum over its ordered pairs of ratings of their distance (0 or 1 if nominal)."""
        if self.level == "nominal":
            same = np.bincount(self.cell_unit, self.cell_count**2, self.units)
            apart: Floats = self.size**2 - same
            return apart
        where = scale - scale.mean()
        sums = np.bincount(self.unit, where[self.code], self.units)
        squares = np.bincount(self.unit, where[self.code] ** 2, self.units)
        return np.maximum(2 * (self.size * squares - sums**2), 0.0)

    def _spread(self, counts: Floats, scale: Floats) -> float:
        """The sum over ordered pairs of ratings of their distance, where `counts` ratings fall in each
        category."""
        if self.level == "nominal":
            return float(counts.sum() ** 2 - (counts**2).sum())
        where = scale - scale.mean()
        return float(2 * (counts.sum() * (counts @ where**2) - (counts @ where) ** 2))


def _beyond(agree: float, chance: float) -> float:
    return (agree - chance) / (1 - chance) if chance < 1 - 1e-12 else float("nan")
