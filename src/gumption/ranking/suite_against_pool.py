"""What a suite says of models beside what the whole pool says: each score's error, and the order.

Both sides were asked and scored: two runs of every model, or one matrix of past results and the items
chosen of it. The pool contains the suite, so errors and tau are flattered a little; what a suite keeps of
models that had no part in choosing it is for a certificate to say (`curation.certify`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats, Ints, Weights, resample_rows
from gumption.ranking._official import OfficialMatrix, read_official
from gumption.ranking._resampling import model_matrix
from gumption.ranking.fidelity import around, item_rows, order_of_pairs, tau_b
from gumption.ranking.intervals import interval
from gumption.ranking.pairs import model_names
from gumption.ranking.weightings import places_of
from gumption.records import GumptionError, Interval

__all__ = ["BesidePool", "SuiteAgainstPool", "suite_against_pool", "suite_against_pool_of_runs"]


class BesidePool(Struct, frozen=True):
    """One model by the pool and by the suite; scores in [0, 1]."""

    model: str
    pool: Interval
    suite: Interval
    error: float
    """suite - pool."""
    pool_place: int
    """From 1; models that tie share the better place."""
    suite_place: int


class SuiteAgainstPool(Struct, frozen=True):
    """A suite's scores and ranking beside its pool's."""

    models: tuple[BesidePool, ...]
    """Best on the pool first."""
    pool_items: int
    suite_items: int
    aggregate: str
    """Which mean is compared."""
    mean_error: float
    """Mean over the models of |suite - pool|."""
    largest_error: float
    within: int
    """Models whose score on the pool lies in the suite's 95 % interval."""
    tau: Interval
    """Kendall's tau-b of the two orders; the interval is +- 1.96 standard errors of a bootstrap over the
    suite's clusters. A side that ties all models counts as 0."""
    pairs: int
    swapped: int
    """Pairs of models that the two sides put in opposite orders."""
    differences: tuple[str, ...] = ()
    """What the runs' protocols differ in, where that was allowed."""


@dataclass(frozen=True)
class _Side:
    """Models x items and how they become one score a model."""

    values: Floats
    clusters: Ints | None = None
    strata: Ints | None = None
    weights: Weights | None = None

    @classmethod
    def of(cls, runs: OfficialMatrix) -> _Side:
        return cls(runs.values, runs.clusters, runs.strata, runs.weights)

    def scores(self, name: str) -> list[Interval]:
        return [
            interval(row, clusters=self.clusters, strata=self.strata, weights=self.weights, name=name)
            for row in self.values
        ]

    def drawn(self, resamples: int, seed: int) -> Floats:
        """Resamples x models."""
        return resample_rows(
            self.values,
            clusters=self.clusters,
            strata=self.strata,
            weights=self.weights,
            resamples=resamples,
            seed=seed,
        )[2]


def suite_against_pool(
    matrix: npt.ArrayLike,
    chosen: npt.ArrayLike,
    *,
    models: Sequence[str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> SuiteAgainstPool:
    """Past results of models x items in [0, 1], NaN = missing, and the items `chosen` (column numbers); plain
    means over items.

    Raises GumptionError for a matrix, item numbers or names that do not fit, and for a model without any
    result on the chosen items.
    """
    scores = model_matrix(matrix)
    kept = model_matrix(scores[:, item_rows(chosen, scores.shape[1])], "chosen")
    names = model_names(models, len(scores))
    return _compared(names, _Side(scores), _Side(kept), "mean over items", (), resamples, seed)


def suite_against_pool_of_runs(
    pool_runs: Iterable[str | Path],
    suite_runs: Iterable[str | Path],
    *,
    force: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> SuiteAgainstPool:
    """Two run folders of each model, over the pool and over the suite, both sides in the same order of
    models and each under its own official aggregate.

    Raises GumptionError where the sides are not the same models, where a model has no score, and for runs
    of one side whose protocols differ in more than the model, unless `force`.
    """
    pool, suite = (read_official(runs, force) for runs in (pool_runs, suite_runs))
    named = [[head.name for head in side.heads] for side in (pool, suite)]
    if named[0] != named[1]:
        raise GumptionError(
            f"{', '.join(named[0])} on the pool and {', '.join(named[1])} on the suite",
            where="suite and pool",
            remedy="give one run of every model on each side, in the same order",
        )
    model_matrix(pool.values, "pool"), model_matrix(suite.values, "suite")
    told = tuple(dict.fromkeys((*pool.differences, *suite.differences)))
    return _compared(
        pool.models, _Side.of(pool), _Side.of(suite), suite.aggregate.name, told, resamples, seed
    )


def _compared(
    models: Sequence[str],
    pool: _Side,
    suite: _Side,
    aggregate: str,
    differences: tuple[str, ...],
    resamples: int,
    seed: int,
) -> SuiteAgainstPool:
    by_pool, by_suite = pool.scores(aggregate), suite.scores(aggregate)
    whole, part = (np.array([one.mean for one in side], dtype=np.float64) for side in (by_pool, by_suite))
    places, own_places = places_of(whole), places_of(part)
    upper = np.triu_indices(len(models), 1)
    orders = [order_of_pairs(side[None, :], upper)[0] for side in (whole, part)]
    error = part - whole
    lines = [
        BesidePool(
            models[row],
            by_pool[row],
            by_suite[row],
            float(error[row]),
            int(places[row]),
            int(own_places[row]),
        )
        for row in np.argsort(-whole, kind="stable").tolist()
    ]
    return SuiteAgainstPool(
        models=tuple(lines),
        pool_items=pool.values.shape[1],
        suite_items=suite.values.shape[1],
        aggregate=aggregate,
        mean_error=float(np.abs(error).mean()),
        largest_error=float(np.abs(error).max()),
        within=sum(_holds(one.suite, one.pool.mean) for one in lines),
        tau=around(float(tau_b(part, whole)), tau_b(suite.drawn(resamples, seed), whole), "tau-b"),
        pairs=len(upper[0]),
        swapped=int((orders[0] * orders[1] < 0).sum()),
        differences=differences,
    )


def _holds(interval: Interval, value: float | None) -> bool:
    low, high = interval.low, interval.high
    return value is not None and low is not None and high is not None and low <= value <= high
