"""How far raters agree beyond chance: Krippendorff's alpha, Fleiss' and Cohen's kappa, Gwet's AC1.

Kappas fall where nearly all units are of one category, however well raters agree (Feinstein and Cicchetti
1990); AC1 does not. So all four stand together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy import sparse

from gumption.ranking._design import Floats, Ints
from gumption.records import GumptionError, Interval

__all__ = ["Agreement", "Level", "agreement"]

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]

CELLS = 2**22
"""Cells of one block of draws x units: 32 MiB."""


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
    once = table.coefficients(np.ones((1, table.units)))
    rng = np.random.default_rng(seed)
    drawn = [table.coefficients(times) for times in _draws(rng, resamples, table.units, table.widest)]
    found = {}
    for name, (value,) in once.items():
        values = np.concatenate([coefficients[name] for coefficients in drawn]) if drawn else np.empty(0)
        values = values[~np.isnan(values)]
        if np.isnan(value) or not len(values):
            found[name] = Interval(None if np.isnan(value) else float(value), None, None, name=name)
            continue
        low, high = np.quantile(values, [0.025, 0.975])
        found[name] = Interval(
            float(value), min(float(low), float(value)), max(float(high), float(value)), "bootstrap", name
        )
    return Agreement(
        **found, level=level, raters=table.raters, units=table.units, categories=len(table.values)
    )


def _draws(rng: np.random.Generator, resamples: int, units: int, widest: int) -> Iterator[Floats]:
    """Blocks of draws x units: how often each unit is drawn, with replacement."""
    rows = max(1, CELLS // max(widest, 1))
    for first in range(0, resamples if units else 0, rows):
        here = min(rows, resamples - first)
        cells = rng.integers(0, units, (here, units)) + np.arange(here)[:, None] * units
        yield np.bincount(cells.ravel(), minlength=here * units).reshape(here, units).astype(np.float64)


@dataclass(frozen=True, slots=True)
class _Table:
    """The ratings of the units that have two at least, one line per rating."""

    codes: Ints
    """raters x units: number of the category, -1 = missing."""
    values: Floats
    """The categories, ascending."""
    level: Level
    counts: sparse.csr_array
    """Units x categories: ratings."""
    size: Floats
    """Ratings of each unit."""

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
        shape = (table.shape[1], len(values))
        counts = sparse.csr_array((np.ones(len(code)), (unit, code)), shape=shape)
        return cls(codes, values, level, counts, np.bincount(unit, minlength=shape[0]).astype(np.float64))

    @property
    def raters(self) -> int:
        return int(self.codes.shape[0])

    @property
    def units(self) -> int:
        return int(self.codes.shape[1])

    @property
    def widest(self) -> int:
        """Columns of the widest matrix per draw."""
        return max(self.units, len(self.values))

    def coefficients(self, times: Floats) -> dict[str, Floats]:
        """Each coefficient for each row of draws x units, a unit counted `times`; NaN where not defined."""
        if not self.units:
            return {name: np.full(len(times), np.nan) for name in ("alpha", "fleiss", "cohen", "ac1")}
        with np.errstate(invalid="ignore", divide="ignore"):
            share, agree = self._shares(times), self._agreement(times)
            return {
                "alpha": self._alpha(times),
                "fleiss": self._fleiss(share, agree),
                "cohen": self._cohen(times),
                "ac1": self._ac1(share, agree),
            }

    def _alpha(self, times: Floats) -> Floats:
        """1 - observed / expected distance.

        Krippendorff's ordinal distance is the squared difference of the categories' mid-ranks.
        """
        counts = (self.counts.T @ times.T).T
        n = counts.sum(axis=1)
        scale = np.cumsum(counts, axis=1) - counts / 2 if self.level == "ordinal" else self.values[None, :]
        if self.level == "ordinal":
            apart = self._distances(scale)
            observed = (times / (self.size - 1) * apart).sum(axis=1) / n
        else:
            observed = times / (self.size - 1) @ self._distances(scale)[0] / n
        expected = self._spread(counts, scale) / (n * (n - 1))
        alpha: Floats = np.where(expected > 0, 1 - observed / expected, np.nan)
        return alpha

    def _fleiss(self, share: Floats, agree: Floats) -> Floats:
        return _beyond(agree, 1 - self._spread(share, self._weight_scale()) / self._farthest())

    def _ac1(self, share: Floats, agree: Floats) -> Floats:
        """Chance agreement as if a share of the ratings that is hard to give were guessed."""
        q = len(self.values)
        if q == 1:
            return np.ones(len(agree))
        # The sum of the q x q agreement weights.
        weights = q * q - self._spread(np.ones((1, q)), self._weight_scale())[0] / self._farthest()
        return _beyond(agree, weights * (share * (1 - share)).sum(axis=1) / (q * (q - 1)))

    def _cohen(self, times: Floats) -> Floats:
        """Mean over the pairs of raters that have a unit in common, of those for which it is defined."""
        scale = self._weight_scale()[0]
        scale = scale - scale.mean()  # far from 0 the squares would lose their last digits
        total, known = np.zeros(len(times)), np.zeros(len(times))
        for first, second in combinations(self.codes, 2):
            both = np.flatnonzero((first >= 0) & (second >= 0))
            if not len(both):
                continue
            weight, a, b = times[:, both], first[both], second[both]
            n = weight.sum(axis=1)
            if self.level == "nominal":
                agree = weight @ (a == b) / n
                chance = (self._margins(weight, a) * self._margins(weight, b)).sum(axis=1) / n**2
            else:
                x, y = scale[a], scale[b]
                one, other, squares, apart = (weight @ of / n for of in (x, y, x**2 + y**2, (x - y) ** 2))
                agree = 1 - apart / self._farthest()
                chance = 1 - (squares - 2 * one * other) / self._farthest()
            kappa = _beyond(agree, chance)
            there = ~np.isnan(kappa)
            total[there] += kappa[there]
            known += there
        mean: Floats = total / np.where(known, known, np.nan)
        return mean

    def _margins(self, weight: Floats, codes: Ints) -> Floats:
        """Draws x categories: how much weight one rater's ratings give to each."""
        shape = (len(codes), len(self.values))
        chosen = sparse.csr_array((np.ones(len(codes)), (np.arange(len(codes)), codes)), shape=shape)
        margins: Floats = (chosen.T @ weight.T).T
        return margins

    def _weight_scale(self) -> Floats:
        """1 x categories: where each stands."""
        ranks = np.arange(len(self.values), dtype=np.float64)
        return (ranks if self.level == "ordinal" else self.values)[None, :]

    def _farthest(self) -> float:
        """The largest distance of two categories."""
        if self.level == "nominal":
            return 1.0
        scale = self._weight_scale()[0]
        return float((scale[-1] - scale[0]) ** 2) or 1.0

    def _shares(self, times: Floats) -> Floats:
        """Draws x categories: each category's share of a unit's ratings, averaged over units."""
        share: Floats = (self.counts.T @ (times / self.size).T).T / times.sum(axis=1)[:, None]
        return share

    def _agreement(self, times: Floats) -> Floats:
        """Mean over units of the agreement of two of its ratings."""
        apart = self._distances(self._weight_scale())[0] / (self.size * (self.size - 1)) / self._farthest()
        agree: Floats = 1 - times @ apart / times.sum(axis=1)
        return agree

    def _distances(self, scale: Floats) -> Floats:
        """Scales x units: the sum over a unit's ordered pairs of ratings of their distance.

        `scale`: where the categories stand, scales x categories.
        """
        if self.level == "nominal":
            apart: Floats = (self.size**2 - self.counts.power(2).sum(axis=1))[None, :]
            return apart
        where = scale - scale.mean(axis=1, keepdims=True)
        sums, squares = (self.counts @ where.T).T, (self.counts @ (where**2).T).T
        far: Floats = np.maximum(2 * (self.size * squares - sums**2), 0.0)
        return far

    def _spread(self, counts: Floats, scale: Floats) -> Floats:
        """Per row of draws x categories: the sum over ordered pairs of ratings of their distance."""
        total = counts.sum(axis=1)
        if self.level == "nominal":
            alike: Floats = total**2 - (counts**2).sum(axis=1)
            return alike
        where = scale - scale.mean(axis=1, keepdims=True)
        apart: Floats = 2 * (total * (counts * where**2).sum(axis=1) - (counts * where).sum(axis=1) ** 2)
        return apart


def _beyond(agree: Floats, chance: Floats) -> Floats:
    beyond: Floats = np.where(chance < 1 - 1e-12, (agree - chance) / (1 - chance), np.nan)
    return beyond
