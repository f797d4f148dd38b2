"""Scores counted from what guessing is worth, so that two, four and no options can be averaged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from gumption.ranking._design import Floats, Weights
from gumption.ranking._official import read_official
from gumption.ranking.intervals import unit_scores
from gumption.ranking.rank import Ranking, rank, with_stops
from gumption.records import GumptionError, Interval

__all__ = ["adjust_for_chance", "rank_adjusted", "rank_runs_adjusted"]


def adjust_for_chance(values: npt.ArrayLike, chance: npt.ArrayLike) -> Floats:
    """(value - chance) / (1 - chance) of each score in [0, 1], NaN kept: 1 is right, 0 as good as guessing.

    `chance`: the expected score of guessing in [0, 1), a number or one per item (last axis). Scores below
    chance are negative and stay so: cut at 0, a guesser's mean would be above it.

    Raises GumptionError for what does not fit, and where guessing is always right.
    """
    scores, guess = unit_scores(values, "values"), unit_scores(chance, "chance")
    sure = np.argwhere(~(guess < 1.0))
    if len(sure):
        raise GumptionError(
            "the expected score of guessing is missing or 1",
            where=f"chance, position {', '.join(map(str, sure[0]))}",
            remedy="give one below 1 for each item; leave out items that guessing always gets right",
        )
    if guess.ndim and (guess.ndim != 1 or guess.shape != scores.shape[-1:]):
        raise GumptionError(
            f"chance of shape {guess.shape} for scores of shape {scores.shape}",
            where="chance",
            remedy="give one number, or one per item",
        )
    adjusted: Floats = (scores - guess) / (1.0 - guess)
    return adjusted


def rank_adjusted(
    matrix: npt.ArrayLike,
    chance: npt.ArrayLike,
    *,
    models: Sequence[str] | None = None,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    weights: Weights | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Ranking:
    """`rank` by means of chance-adjusted item scores; `chance` as for `adjust_for_chance`, the rest as there.

    Scores and intervals are in adjusted units, at most 1. Intervals are those of `rank` on the adjusted
    scores, brought to [0, 1] by one linear map for all items and back: the bootstrap and t do not see such a
    map, and Wilson's formula takes the lowest possible score for its 0. Chance itself counts as known.

    The mean over items is ranked. A scorecard's `adjusted` is (sum x - sum c) / (n - sum c), which weighs
    items by 1 - c and so ranks full runs as the plain mean does; with one chance for all both are the same.
    """
    adjusted = adjust_for_chance(matrix, chance)
    guess = np.asarray(chance, dtype=np.float64)
    lowest = float((guess / (1.0 - guess)).max(initial=0.0))
    ranking = rank(
        np.clip((adjusted + lowest) / (1.0 + lowest), 0.0, 1.0),
        models=models,
        clusters=clusters,
        strata=strata,
        weights=weights,
        resamples=resamples,
        seed=seed,
    )
    return replace(
        ranking,
        models=tuple(replace(line, score=_back(line.score, lowest)) for line in ranking.models),
        aggregate=f"{ranking.aggregate}, chance-adjusted",
    )


def rank_runs_adjusted(
    paths: Iterable[str | Path], force: bool = False, *, resamples: int = 1000, seed: int = 0
) -> Ranking:
    """`rank_runs` by chance-adjusted item scores, with the official aggregate's strata and weights.

    For suites that mix answer kinds. With items of one chance the order of full runs is that of `rank_runs`.
    Raises GumptionError as `rank_runs` does, and where the aggregate is of a part of the scores, whose chance
    is not known.
    """
    runs = read_official(paths, force)
    if runs.aggregate.part:
        raise GumptionError(
            f"{runs.aggregate.name} averages the part {runs.aggregate.part}, and its chance is not known",
            where="rank",
            remedy="rank without adjusting for chance",
        )
    ranking = rank_adjusted(
        runs.values,
        runs.chance,
        models=runs.models,
        clusters=runs.clusters,
        strata=runs.strata,
        weights=runs.weights,
        resamples=resamples,
        seed=seed,
    )
    aggregate = f"{runs.aggregate.name}, chance-adjusted"
    return with_stops(replace(ranking, aggregate=aggregate, differences=runs.differences), runs)


def _back(score: Interval, lowest: float) -> Interval:
    mean, low, high = (
        None if end is None else end * (1.0 + lowest) - lowest for end in (score.mean, score.low, score.high)
    )
    return Interval(mean, low, high, score.method, f"{score.name}, chance-adjusted")
