"""From people's ratings of model outputs to a ranking of the models, and how far it can be trusted.

The human study of A2Eval (arXiv 2602.01640): 3 to 5 people rate every output, a model's plan for a scenario,
on eight dimensions of equal weight. With x the rating of rater r on dimension d for model m in scenario u,

    s(m, u, d) = mean over r of (x - low) / (high - low)
    y(m, u)    = mean over d of s(m, u, d)         the output's score
    score(m)   = mean over u of y(m, u)

each mean over what there is; what there is not is told. Scenarios are the clusters of every interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats
from gumption.ranking._rating_table import RatingTable
from gumption.ranking.fidelity import tau_b
from gumption.ranking.rank import Ranking, rank
from gumption.ranking.rater_agreement import Agreement, agreement
from gumption.ranking.raters import RaterRecord, rater_records
from gumption.records import GumptionError, Interval

__all__ = ["PeopleDimension", "PeopleRanking", "Ratings", "WithoutRaters", "rank_by_people"]


class Ratings(Struct, frozen=True):
    """Ratings, a line each, in the order in which they were given.

    The first rating that a rater gives to an output on a dimension counts; a later one shows how far raters
    agree with themselves, and counts for nothing else.
    """

    rater: Sequence[str]
    model: Sequence[str]
    scenario: Sequence[str]
    dimension: Sequence[str]
    value: npt.ArrayLike
    """Within low and high; NaN is a rating that was skipped."""
    low: float = 1.0
    high: float = 5.0


class PeopleDimension(Struct, frozen=True):
    """One dimension of the ratings."""

    name: str
    scores: tuple[float | None, ...]
    """Mean over scenarios of s(m, u, d), in the order of `PeopleRanking.models`; None without a rating."""
    agreement: Agreement | None
    """Of raters over outputs, ordinal. None with one rater."""
    missing: int
    """Outputs that have ratings and none on this dimension."""


class WithoutRaters(Struct, frozen=True):
    """The ranking without the raters who failed the attention checks, beside that with all."""

    raters: tuple[str, ...]
    ranking: Ranking
    tau: float | None
    """Kendall's tau-b of the two orders; None where one of them ties all models."""
    largest: float
    """The largest change of a model's score, in [0, 1]."""
    moved: tuple[str, ...]
    """Models of another rank."""


class PeopleRanking(Struct, frozen=True):
    """What people think of some models."""

    ranking: Ranking
    """Scores, intervals, rank intervals and tiers over the models x scenarios matrix; from best to worst."""
    models: tuple[str, ...]
    """In alphabetical order: the rows of `units`."""
    scenarios: tuple[str, ...]
    units: tuple[tuple[float | None, ...], ...]
    """y(m, u), models x scenarios, in [0, 1]; None where nobody rated."""
    dimensions: tuple[PeopleDimension, ...]
    agreement: Agreement | None
    """Of raters over outputs, by each rater's mean over the dimensions; ordinal. None with one rater."""
    raters: tuple[RaterRecord, ...]
    without: WithoutRaters | None
    """None where no rater is flagged, or where nobody is left."""
    notes: tuple[str, ...] = ()
    """What a reader has to know before using the scores: what is missing, which raters are flagged."""

    def matrix(self) -> Floats:
        """The outputs' scores y, models x scenarios as floats, NaN where nobody rated."""
        return np.array(self.units, dtype=np.float64)

    def score(self, model: str) -> Interval:
        """A model's score with its interval. Raises GumptionError for a model that was not rated."""
        for one in self.ranking.models:
            if one.model == model:
                return one.score
        known = ", ".join(self.models)
        raise GumptionError(f"no ratings of {model!r}", where="people", remedy=f"there are: {known}")


def rank_by_people(
    ratings: Ratings,
    *,
    dimensions: Sequence[str] | None = None,
    checks: Mapping[str, tuple[int, int]] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> PeopleRanking:
    """The ranking of the models by people's ratings.

    `dimensions`: those that were to be rated, None for those that were. `checks`: attention checks (passed,
    asked) by rater. Intervals and rank intervals are those of `rank` with each scenario a cluster, so
    Student's t for a study of eight; agreement is that of `agreement`, from 200 draws at most.

    Raises GumptionError for arrays that do not fit each other, a value outside the scale, a dimension that
    is not to be rated, and where there is no rating.
    """
    table = RatingTable.of(
        ratings.rater,
        ratings.model,
        ratings.scenario,
        ratings.dimension,
        ratings.value,
        scale=(ratings.low, ratings.high),
        dimensions=dimensions,
    )
    units = table.units()
    ranking = rank(units, models=table.models, resamples=resamples, seed=seed)
    records = rater_records(table, checks or {})
    flagged = [record.rater for record in records if record.flagged]
    cells = table.cells()
    parts = tuple(
        PeopleDimension(
            name,
            tuple(map(_known, _mean(cells[:, :, place], axis=1))),
            _agreement(table.by_rater(place), resamples, seed),
            int((np.isnan(cells[:, :, place]) & ~np.isnan(units)).sum()),
        )
        for place, name in enumerate(table.dimensions)
    )
    return PeopleRanking(
        ranking=ranking,
        models=table.models,
        scenarios=table.scenarios,
        units=tuple(tuple(map(_known, row)) for row in units),
        dimensions=parts,
        agreement=_agreement(table.by_rater(), resamples, seed),
        raters=records,
        without=_left_out(table, ranking, flagged, resamples, seed),
        notes=tuple(_notes(units, parts, flagged, len(records))),
    )


def _agreement(outputs: Floats, resamples: int, seed: int) -> Agreement | None:
    if len(outputs) < 2:
        return None
    return agreement(outputs, "ordinal", resamples=resamples, seed=seed)


def _left_out(
    table: RatingTable, ranking: Ranking, flagged: Sequence[str], resamples: int, seed: int
) -> WithoutRaters | None:
    if not flagged or len(flagged) == len(table.raters):
        return None
    units = table.without(flagged).units()
    if np.isnan(units).all():
        return None
    other = rank(units, models=table.models, resamples=resamples, seed=seed)
    before = {one.model: one for one in ranking.models}
    after = {one.model: one for one in other.models}
    both = [
        (one.score.mean, after[name].score.mean)
        for name, one in before.items()
        if one.score.mean is not None and after[name].score.mean is not None
    ]
    pairs = np.array(both, dtype=np.float64)
    return WithoutRaters(
        raters=tuple(flagged),
        ranking=other,
        tau=_known(tau_b(pairs[:, 0], pairs[:, 1])),
        largest=float(np.abs(pairs[:, 0] - pairs[:, 1]).max()),
        moved=tuple(name for name in table.models if before[name].rank != after[name].rank),
    )


def _notes(units: Floats, parts: Sequence[PeopleDimension], flagged: Sequence[str], raters: int) -> list[str]:
    outputs = int((~np.isnan(units)).sum())
    notes = []
    if outputs < units.size:
        notes.append(f"{units.size - outputs} of {units.size} outputs were rated by nobody.")
    for part in parts:
        if part.missing == outputs:
            notes.append(f"Nobody rated {part.name}: the scores are means over the other dimensions.")
        elif part.missing:
            notes.append(
                f"{part.missing} of {outputs} outputs have no rating of {part.name}: their scores are means "
                "over the other dimensions."
            )
    if raters == 1:
        notes.append("There is one rater, so nothing is known of agreement.")
    if flagged:
        notes.append(f"{len(flagged)} of {raters} raters failed the attention checks.")
    return notes


def _mean(values: Floats, axis: int) -> Floats:
    """Over what is not NaN; NaN where nothing is."""
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    result: Floats = np.full(count.shape, np.nan)
    np.divide(np.where(there, values, 0.0).sum(axis=axis), count, out=result, where=count > 0)
    return result


def _known(value: npt.ArrayLike) -> float | None:
    number = float(np.asarray(value).item())
    return None if np.isnan(number) else number
