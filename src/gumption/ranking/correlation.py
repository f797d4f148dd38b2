"""Do two rankings of the same models agree? Three rank correlations, each with an honest p for few models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, permutations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats, Ints
from gumption.ranking._weighted_tau import weighted_tau
from gumption.ranking.fidelity import spearman, tau_b
from gumption.records import GumptionError

__all__ = ["STATISTICS", "Correlation", "RankCorrelation", "rank_correlation", "two_scores"]

EXACT = 9
"""Models up to which all orders are tried: 9! = 362,880."""
BLOCK = 40_000
"""Orders that are tried at a time."""
SAME = 1e-10
"""A correlation this close to the one found counts as one as extreme."""
STATISTICS = {"spearman": spearman, "tau_b": tau_b, "weighted_tau": weighted_tau}


class Correlation(Struct, frozen=True):
    """One correlation in [-1, 1]."""

    value: float | None
    """None where one side ties all models, or fewer than two are known."""
    p: float | None
    """Two-sided, of no relation: twice the share of orders of the models as extreme on the side found."""
    method: str
    """How p was made: "exact" (all orders), "permutation" (random orders), "" if there is none."""


class RankCorrelation(Struct, frozen=True):
    """Three correlations of the same two rankings."""

    spearman: Correlation
    tau_b: Correlation
    weighted_tau: Correlation
    """Vigna (2015): the top of the rankings counts most."""
    models: int
    """Known on both sides."""
    pairs: int


def rank_correlation(
    x: npt.ArrayLike, y: npt.ArrayLike, *, resamples: int = 9999, seed: int = 0
) -> RankCorrelation:
    """Spearman's rho, Kendall's tau-b and the weighted tau of two scores per model, NaN = unknown.

    Models that one side does not know are left out. The usual formulas for p are wrong for a dozen models or
    with ties; so p is by permutation of the models: exact up to nine models, else by `resamples` random
    orders, (1 + as extreme) / (1 + resamples) per side, as in SciPy's permutation_test.

    Raises GumptionError for two arrays that do not fit or an infinite score.
    """
    one, other = two_scores(x, y)
    both = ~np.isnan(one + other)
    one, other = one[both], other[both]
    models = len(one)
    value = {
        name: float(statistic(one, other)) if models > 1 else float("nan")
        for name, statistic in STATISTICS.items()
    }
    known = {name: v for name, v in value.items() if not np.isnan(v)}
    p = _p_values(one, other, known, resamples, seed)
    method = "exact" if models <= EXACT else "permutation"
    found = {
        name: Correlation(value[name], p[name], method) if name in known else Correlation(None, None, "")
        for name in STATISTICS
    }
    return RankCorrelation(**found, models=models, pairs=models * (models - 1) // 2)


def two_scores(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Two flat arrays of as many numbers, NaN = unknown. Raises GumptionError for anything else."""
    one, other = _scores(x, "x"), _scores(y, "y")
    if one.shape != other.shape:
        raise GumptionError(
            f"{len(one)} and {len(other)} models",
            where="x and y",
            remedy="give the same models in the same order, NaN where a score is unknown",
        )
    return one, other


def _scores(values: npt.ArrayLike, where: str) -> Floats:
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise GumptionError(
            f"not an array of numbers ({error})", where=where, remedy="give one score per model"
        ) from error
    if scores.ndim != 1 or np.isinf(scores).any():
        raise GumptionError(
            f"shape {scores.shape}{', an infinite score' if np.isinf(scores).any() else ''}",
            where=where,
            remedy="give one finite score per model, NaN where it is unknown",
        )
    return scores


def _p_values(
    one: Floats, other: Floats, observed: Mapping[str, float], resamples: int, seed: int
) -> dict[str, float]:
    """By name; all correlations are taken over the same orders."""
    at_least, at_most = dict.fromkeys(observed, 0), dict.fromkeys(observed, 0)
    exact = len(one) <= EXACT
    itself = 0 if exact else 1  # The order that was found is among all orders, not among random ones.
    tried = itself
    blocks = _every_order(len(one)) if exact else _random_orders(len(one), resamples, seed)
    for orders in blocks if observed else ():
        tried += len(orders)
        for name, value in observed.items():
            drawn = STATISTICS[name](one, other[orders])
            at_least[name] += int((drawn >= value - SAME).sum())
            at_most[name] += int((drawn <= value + SAME).sum())
    return {name: min(1.0, 2 * (min(at_least[name], at_most[name]) + itself) / tried) for name in observed}


def _every_order(models: int) -> Iterator[Ints]:
    orders = permutations(range(models))
    while block := list(islice(orders, BLOCK)):
        yield np.array(block, dtype=np.int64)


def _random_orders(models: int, resamples: int, seed: int) -> Iterator[Ints]:
    rng = np.random.default_rng(seed)
    for first in range(0, resamples, BLOCK):
        rows = min(BLOCK, resamples - first)
        yield rng.permuted(np.tile(np.arange(models), (rows, 1)), axis=1)
