"""How far a study is: people per output, tasks per person, and how well they agree so far."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking.rater_agreement import Agreement, Level, agreement
from gumption.rating.record import Record
from gumption.rating.store import Store
from gumption.rating.study import MAIN, Study, Values

__all__ = [
    "Agreements",
    "Progress",
    "RaterProgress",
    "UnitProgress",
    "live_agreement",
    "main_label",
    "progress",
]

_RESAMPLES = 200
"""For intervals that are looked at while the study runs; the export has its own."""


class UnitProgress(Struct, frozen=True):
    """One output, pair or item."""

    scenario: str
    models: tuple[str, ...]
    done: int
    """People who have judged it."""
    live: int
    """People who have it before them now."""


class RaterProgress(Struct, frozen=True):
    """One rater."""

    rater: str
    note: str
    done: int
    """Tasks submitted, checks and repeats included."""
    given: int
    seconds: float | None
    """Median time on a submitted task."""
    last: float | None
    """Unix time of the last submission."""
    checks: int
    """Attention checks answered."""
    passed: int
    repeats: int
    """Marks given a second time."""
    same: int
    """Of these, the ones that say the same again."""


class Progress(Struct, frozen=True):
    """A study as its organiser sees it."""

    study: Study
    wanted: int
    """People per unit."""
    units: tuple[UnitProgress, ...]
    """By scenario and model, those that nobody was given included."""
    raters: tuple[RaterProgress, ...]
    """By number."""
    deleted: int
    """Raters whose data were removed on request."""

    @property
    def complete(self) -> int:
        """Units that as many people as wanted have judged."""
        return sum(unit.done >= self.wanted for unit in self.units)

    @property
    def share(self) -> float:
        """Of the ratings wanted, those that are there; more on one unit make up for no other."""
        return sum(min(unit.done, self.wanted) for unit in self.units) / (self.wanted * len(self.units))


class Agreements(Struct, frozen=True):
    """Agreement beyond chance; a dimension is left out where fewer than two people have rated one unit."""

    people: dict[str, Agreement]
    """By dimension; "label" in a study of labels, where the main label counts."""
    machine: Agreement | None = None
    """In a study of labels: people against the labels that the items came with, each person's judgement of an
    item a unit of its own. `cohen` of it is the kappa of the paper's comparison with humans."""


def progress(store: Store, study: str) -> Progress:
    """Counts only, no statistics. Raises NotThereError."""
    form = store.study(study)
    records = store.records(study)
    theirs: dict[str, list[Record]] = defaultdict(list)
    done: Counter[tuple[str, tuple[str, ...]]] = Counter()
    live: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for record in records:
        theirs[record.rater].append(record)
        if record.expected is None and not record.repeat:
            done[record.unit] += record.revision > 0
            live[record.unit] += record.live
    units = tuple(
        UnitProgress(unit.scenario, unit.models, done[unit.key], live[unit.key])
        for unit in store.units(study)
    )
    raters = tuple(_rater(rater.id, rater.note, theirs[rater.id]) for rater in store.raters(study))
    return Progress(form, form.raters_wanted, units, raters, store.raters_deleted(study))


def live_agreement(store: Store, study: str) -> Agreements:
    """Agreement of what is there now: ordinal for marks, nominal for comparisons and labels."""
    form = store.study(study)
    counted = [
        record
        for record in store.records(study)
        if record.revision and record.expected is None and not record.repeat
    ]
    if form.kind == "labels":
        places = {dimension.id: place for place, dimension in enumerate(form.dimensions)}
        said = [(record, places[main_label(record.values)]) for record in counted]
        beside = [(places[record.label], place) for record, place in said if record.label in places]
        machine = agreement(np.array(beside, dtype=float).T, resamples=_RESAMPLES) if beside else None
        return Agreements(_agreements({"label": said}, "nominal"), machine)
    by_dimension = {
        dimension.id: [(record, record.values[dimension.id]) for record in counted]
        for dimension in form.dimensions
    }
    return Agreements(_agreements(by_dimension, "ordinal" if form.kind == "rating" else "nominal"))


def main_label(values: Values) -> str:
    """The label that counts."""
    return next(label for label, mark in values.items() if mark == MAIN)


def _agreements(said: dict[str, list[tuple[Record, int]]], level: Level) -> dict[str, Agreement]:
    tables = {name: _table(marks) for name, marks in said.items()}
    return {
        name: agreement(table, level, resamples=_RESAMPLES)
        for name, table in tables.items()
        if table is not None
    }


def _table(marks: Sequence[tuple[Record, int]]) -> npt.NDArray[np.float64] | None:
    """Raters x units with NaN where a rater has not judged a unit; None where no unit has two ratings."""
    raters = {rater: place for place, rater in enumerate(dict.fromkeys(record.rater for record, _ in marks))}
    units = {unit: place for place, unit in enumerate(dict.fromkeys(record.unit for record, _ in marks))}
    if len(units) == len(marks):
        return None
    table = np.full((len(raters), len(units)), np.nan)
    for record, mark in marks:
        table[raters[record.rater], units[record.unit]] = mark
    return table


def _rater(rater: str, note: str, records: Sequence[Record]) -> RaterProgress:
    done = [record for record in records if record.revision]
    first = {record.unit: record.values for record in done if not record.repeat}
    again = [(first[record.unit], record.values) for record in done if record.repeat]
    same = [before.get(name) == mark for before, values in again for name, mark in values.items()]
    passed = [record.passed for record in done if record.expected is not None]
    return RaterProgress(
        rater=rater,
        note=note,
        done=len(done),
        given=len(records),
        seconds=statistics.median(record.seconds for record in done) if done else None,
        last=max((record.submitted for record in done), default=None),
        checks=len(passed),
        passed=sum(map(bool, passed)),
        repeats=len(same),
        same=sum(same),
    )
