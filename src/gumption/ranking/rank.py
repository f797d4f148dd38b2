"""Which model is best, and how sure is the order? One draw of clusters is shared by all models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from gumption.ranking._design import Ints, Weights, resample_rows
from gumption.ranking._official import OfficialMatrix, read_official
from gumption.ranking.intervals import clipped, expanded, unit_numbers, without_draws
from gumption.records import GumptionError, Interval, Stopped

__all__ = ["RankedModel", "Ranking", "rank", "rank_runs", "with_stops"]

ENOUGH_COVERAGE = 0.95
BEATEN = 0.975
DIGITS = 12
"""Means that agree to this many digits are a tie: sums in another order differ by rounding."""


class RankedModel(Struct, frozen=True):
    """One line of a ranking."""

    model: str
    row: int
    """Its row in the matrix, or its place among the runs that were named, from 0."""
    score: Interval
    rank: int
    """1 + the number of models with a higher mean; models without a score stand last."""
    rank_low: int
    """Best rank of the 95 % interval. Ties take the best rank here and the worst in `rank_high`."""
    rank_high: int
    tier: int
    """Models of one tier are not told apart from its best."""
    n: int
    """Scored items."""
    coverage: float
    """n / items."""
    flagged: bool
    """Coverage below .95: the mean may rest on easier or harder items than the others'."""


class Ranking(Struct, frozen=True):
    """Models from best to worst."""

    models: tuple[RankedModel, ...]
    beats: tuple[tuple[float, ...], ...]
    """P(model i beats model j), ties halved, in the order of `models`; .5 where nothing is known."""
    aggregate: str
    items: int
    clusters: int
    differences: tuple[str, ...] = ()
    """What the runs' protocols differ in (only with force=True)."""
    notes: tuple[str, ...] = ()
    """What a reader must know before using the order."""


def rank(
    matrix: npt.ArrayLike,
    *,
    models: Sequence[str] | None = None,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    weights: Weights | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Ranking:
    """Ranks the rows of a models x items matrix of scores in [0, 1], NaN = missing.

    `models`: a name per row, else "0", "1", ...; `clusters`, `strata`, `weights` as for `interval`. A model's
    mean is over its own scored items. Rank intervals and P(i beats j) come from `resamples` draws of whole
    clusters, each shared by all models (Goldstein and Spiegelhalter 1996 on rank intervals).

    Tiers: going down the ranking, a new tier starts at the first model that the best of the current tier
    beats with P >= .975.

    Raises GumptionError for a matrix, names, labels or weights that do not fit.
    """
    scores = unit_numbers(matrix, "matrix")
    if scores.ndim != 2 or not scores.size:
        raise GumptionError(
            f"shape {scores.shape}", where="matrix", remedy="give models x items, at least one of each"
        )
    names = [str(row) for row in range(len(scores))] if models is None else list(models)
    if len(names) != len(scores) or len(set(names)) != len(names):
        raise GumptionError(
            f"{len(names)} names, {len(set(names))} of them distinct, for {len(scores)} rows",
            where="models",
            remedy="give each row its own name",
        )
    means, spreads, drawn, drawn_from = resample_rows(
        scores, clusters=clusters, strata=strata, weights=weights, resamples=resamples, seed=seed
    )
    means = np.round(means, DIGITS)
    order = np.argsort(-means, kind="stable")
    known = int((~np.isnan(means)).sum())
    if not known:
        raise GumptionError("no model has a score", where="matrix", remedy="score the runs first")
    order, unknown = order[:known], order[known:]
    drawn = np.round(drawn[:, order], DIGITS)
    beats = np.full((len(names), len(names)), 0.5)
    n = [int((~np.isnan(row)).sum()) for row in scores]
    aggregate = "micro" if strata is None else "macro" if weights is None else "weighted"

    ranked: list[RankedModel] = []
    leader, tier = 0, 1
    for place, row in enumerate(order):
        here = drawn[:, [place]]
        above, below = drawn > here, drawn < here
        beats[place, :known] = (below + 0.5 * (drawn == here)).mean(axis=0)
        if beats[leader, place] >= BEATEN:
            leader, tier = place, tier + 1
        at = 1 + int((means > means[row]).sum())
        spread = spreads[row]
        assert spread is not None  # as its mean is known
        score = without_draws(spread, aggregate)
        ranked.append(
            RankedModel(
                model=names[row],
                row=int(row),
                score=score
                or clipped(spread.mean, *expanded(spread, drawn[:, place]), "bootstrap", aggregate),
                rank=at,
                rank_low=min(at, _rank_quantile(1 + above.sum(axis=1), 0.025)),
                rank_high=max(at, _rank_quantile(known - below.sum(axis=1), 0.975)),
                tier=tier,
                n=int(n[row]),
                coverage=float(n[row] / scores.shape[1]),
                flagged=bool(n[row] / scores.shape[1] < ENOUGH_COVERAGE),
            )
        )
    nothing = Interval(None, None, None, name=aggregate)
    ranked += [
        RankedModel(names[row], int(row), nothing, known + 1, 1, len(names), tier + 1, int(n[row]), 0.0, True)
        for row in unknown
    ]
    return Ranking(
        models=tuple(ranked),
        beats=tuple(map(tuple, beats.tolist())),
        aggregate=aggregate,
        items=scores.shape[1],
        clusters=drawn_from,
    )


def rank_runs(
    paths: Iterable[str | Path], force: bool = False, *, resamples: int = 1000, seed: int = 0
) -> Ranking:
    """Ranks run folders by their official aggregate (micro if none), joined by benchmark and item_id.

    An item's score is the mean of its scored epochs; items are the union over the runs, so a run that
    misses some loses coverage. Raises GumptionError for runs whose protocols or official aggregates differ
    in more than the model, unless `force`: then the first run's aggregate holds, and the differences are
    listed in the result. A run that was stopped early on purpose is covered in full up to there.
    """
    runs = read_official(paths, force)
    ranking = rank(
        runs.values,
        models=runs.models,
        clusters=runs.clusters,
        strata=runs.strata,
        weights=runs.weights,
        resamples=resamples,
        seed=seed,
    )
    ranking = replace(ranking, aggregate=runs.aggregate.name, differences=runs.differences)
    return with_stops(ranking, runs)


def with_stops(ranking: Ranking, runs: OfficialMatrix) -> Ranking:
    """The ranking of runs with what there is to know of those that were stopped early: their coverage is of
    what they were going to ask up to there."""
    lines = [_within(line, runs.heads[line.row].file.stopped_early) for line in ranking.models]
    early: dict[str, list[str]] = {}
    for line in lines:
        file = runs.heads[line.row].file
        if file.stop and file.stopped_early:
            early.setdefault(file.stop.order, []).append(line.model)
    said = {
        "random": "in random order: places and tiers are as for runs of that size. What was settled, with "
        "its error rate, is in each run's stopped_early.",
        "information": "on items chosen to tell models apart: exploratory, the mean is not the suite's.",
    }
    notes = [f"{', '.join(models)} stopped early, {said[order]}" for order, models in early.items()]
    return replace(ranking, models=tuple(lines), notes=tuple(notes))


def _within(line: RankedModel, stopped: Stopped | None) -> RankedModel:
    if stopped is None:
        return line
    coverage = min(1.0, line.n / stopped.asked)
    return replace(line, coverage=coverage, flagged=coverage < ENOUGH_COVERAGE)


def _rank_quantile(ranks: Ints, share: float) -> int:
    return int(np.quantile(ranks, share, method="inverted_cdf"))
