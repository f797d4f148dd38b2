"""Which pairs of models are told apart, corrected for looking at all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from gumption.ranking._design import Floats, Weights
from gumption.ranking._official import read_official
from gumption.ranking._paired import SAME, exact_mcnemar, gap_blocks, gap_intervals, gap_tests
from gumption.ranking.intervals import unit_scores
from gumption.records import GumptionError, Interval

__all__ = ["Pair", "Pairs", "all_pairs", "all_pairs_of_runs", "holm", "model_names"]


class Pair(Struct, frozen=True):
    """Two models on the items scored in both."""

    a: str
    b: str
    difference: Interval
    """Mean of a - b with its 95 % interval (for this pair alone, not corrected)."""
    p_better: float | None
    """P(a is better than b), as in `compare`."""
    p: float | None
    """Two-sided, by t on the clustered standard error; None without a common item."""
    p_holm: float | None
    """p after Holm's correction for all pairs."""
    mcnemar: float | None
    """Exact two-sided p of McNemar's test, which knows neither clusters nor weights: only where all scores
    of the pair are 0 or 1, each item is its own cluster and there is one stratum."""
    n: int
    """Items scored in both."""
    apart: bool
    """p_holm is below the level."""


class Pairs(Struct, frozen=True):
    """All pairs of some models."""

    models: tuple[str, ...]
    pairs: tuple[Pair, ...]
    """(0, 1), (0, 2), ..., (1, 2), ... in the order of `models`."""
    apart: int
    """How many pairs are told apart."""
    level: float
    """The probability of telling any two equal models apart is at most this (Holm 1979)."""
    aggregate: str
    differences: tuple[str, ...] = ()
    """What the runs' protocols differ in (only with force=True)."""


def all_pairs(
    matrix: npt.ArrayLike,
    *,
    models: Sequence[str] | None = None,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    weights: Weights | None = None,
    level: float = 0.05,
    resamples: int = 2000,
    seed: int = 0,
) -> Pairs:
    """Compares every pair of rows of a models x items matrix of scores in [0, 1], NaN = missing.

    Names, labels and weights as for `rank`; each pair as in `compare`, over the items that both scored.
    p-values are by t, not by draws: 2,000 draws cannot show a p below .001, and 13 models make 78 pairs.

    Raises GumptionError for a matrix, names, labels, weights or a level that do not fit.
    """
    scores = unit_scores(matrix, "matrix")
    if scores.ndim != 2 or not scores.size:
        raise GumptionError(
            f"shape {scores.shape}", where="matrix", remedy="give models x items, at least one of each"
        )
    if not 0 < level < 1:
        raise GumptionError(f"level {level}", where="all_pairs", remedy="give a level such as 0.05")
    names = model_names(models, len(scores))
    found: list[Pair] = []
    for block in gap_blocks(scores, clusters, strata, weights):
        alone = block.design.clusters == int((~np.isnan(block.gaps)).any(axis=0).sum()) and strata is None
        tests = gap_tests(block.design)
        intervals = gap_intervals(block.design, tests, resamples, seed)
        for i, j, gap, test, (difference, p_better) in zip(
            block.first, block.second, block.gaps, tests, intervals, strict=True
        ):
            found.append(
                Pair(
                    a=names[i],
                    b=names[j],
                    difference=difference,
                    p_better=p_better,
                    p=test.p if test else None,
                    p_holm=None,
                    mcnemar=_mcnemar(scores[i], scores[j]) if alone and test else None,
                    n=int((~np.isnan(gap)).sum()),
                    apart=False,
                )
            )
    corrected = holm([pair.p for pair in found])
    pairs = tuple(
        replace(pair, p_holm=p, apart=p is not None and p < level)
        for pair, p in zip(found, corrected, strict=True)
    )
    return Pairs(
        models=tuple(names),
        pairs=pairs,
        apart=sum(pair.apart for pair in pairs),
        level=level,
        aggregate="micro" if strata is None else "macro" if weights is None else "weighted",
    )


def all_pairs_of_runs(
    paths: Iterable[str | Path],
    force: bool = False,
    *,
    level: float = 0.05,
    resamples: int = 2000,
    seed: int = 0,
) -> Pairs:
    """All pairs of run folders by their official aggregate, joined and refused as in `rank_runs`."""
    runs = read_official(paths, force)
    one = len(np.unique(runs.strata)) < 2
    pairs = all_pairs(
        runs.values,
        models=runs.models,
        clusters=runs.clusters,
        strata=None if one else runs.strata,
        weights=None if one else runs.weights,
        level=level,
        resamples=resamples,
        seed=seed,
    )
    return replace(pairs, aggregate=runs.aggregate.name, differences=runs.differences)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values after Holm's (1979) step-down correction: the smallest times their number, the next times one
    less, never below one before it, at most 1. None is no test and stays None."""
    known = [place for place, p in enumerate(p_values) if p is not None]
    p: Floats = np.array([p_values[place] for place in known], dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    corrected: list[float | None] = [None] * len(p_values)
    for place, value in zip(order, stepped, strict=True):
        corrected[known[place]] = float(value)
    return corrected


def model_names(models: Sequence[str] | None, rows: int) -> list[str]:
    """A distinct name per row: "0", "1", ... if none is given. Raises GumptionError where they do not fit."""
    names = [str(row) for row in range(rows)] if models is None else list(map(str, models))
    if len(names) != rows or len(set(names)) != len(names):
        raise GumptionError(
            f"{len(names)} names, {len(set(names))} of them distinct, for {rows} rows",
            where="models",
            remedy="give each row its own name",
        )
    return names


def _mcnemar(a: Floats, b: Floats) -> float | None:
    both = ~np.isnan(a + b)
    if not np.isin(np.r_[a[both], b[both]], (0.0, 1.0)).all():
        return None
    gap = a[both] - b[both]
    return exact_mcnemar(int((gap > SAME).sum()), int((gap < -SAME).sum()))
