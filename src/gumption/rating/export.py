"""Ratings out of a study: a table for CSV and Parquet, and `people.json` for `gumption rank --people`.

Only here do ratings stand beside models' names. Raters are pseudonyms; notes never leave the store.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from gumption.atomic import replacing
from gumption.ranking.bradley_terry import Strengths
from gumption.ranking.people import PeopleRanking, Ratings, rank_by_people
from gumption.ranking.people_file import write_people
from gumption.ranking.preferences import Preferences, strengths_by_people
from gumption.rating.record import Record
from gumption.rating.store import Store
from gumption.rating.study import Study
from gumption.records import GumptionError

__all__ = ["people", "people_json", "strengths", "table", "write_csv", "write_parquet"]

_FORMULA = re.compile(r"[=+\-@\t\r]")


def table(store: Store, study: str, *, history: bool = False) -> pa.Table:
    """A row for every submitted rating; with `history` a row for every revision of it.

    rater, task, number, scenario, model (and other_model in a comparison), output, repeat, check, passed, a
    column `mark:ID` (int8) for every dimension, comment, seconds, revision, submitted (UTC). In a comparison
    -1 is for `model` and 1 for `other_model`, whichever stood left. In labelling 1 is the main label and 2 a
    further one, and `machine_label` is what the item came with. Raises NotThereError.
    """
    form = store.study(study)
    records = [record for record in store.records(study, history=history) if record.revision]
    columns: dict[str, pa.Array] = {
        "rater": _texts(record.rater for record in records),
        "task": _texts(record.task for record in records),
        "number": pa.array([record.number for record in records], pa.int32()),
        "scenario": _texts(record.scenario for record in records),
    }
    if form.kind == "labels":
        columns["machine_label"] = _texts(record.label for record in records)
    else:
        columns["model"] = _texts(_at(record.models, 0) for record in records)
        columns["output"] = _texts(_at(record.outputs, 0) for record in records)
    if form.kind == "pairwise":
        columns["other_model"] = _texts(_at(record.models, 1) for record in records)
        columns["other_output"] = _texts(_at(record.outputs, 1) for record in records)
    columns["repeat"] = pa.array([record.repeat for record in records], pa.bool_())
    columns["check"] = pa.array([record.expected is not None for record in records], pa.bool_())
    columns["passed"] = pa.array([record.passed for record in records], pa.bool_())
    for dimension in form.dimensions:
        marks = [record.values.get(dimension.id) for record in records]
        columns[f"mark:{dimension.id}"] = pa.array(marks, pa.int8())
    columns["comment"] = _texts(record.comment for record in records)
    columns["seconds"] = pa.array([record.seconds for record in records], pa.float64())
    columns["revision"] = pa.array([record.revision for record in records], pa.int32())
    times = [round(record.submitted * 1000) for record in records]
    columns["submitted"] = pa.array(times, pa.timestamp("ms", tz="UTC"))
    return pa.table(columns)


def write_parquet(ratings: pa.Table, path: Path | str) -> None:
    """Whole or not at all. Raises GumptionError where it cannot be written."""
    _written(path, lambda temporary: pyarrow.parquet.write_table(ratings, temporary))


def write_csv(ratings: pa.Table, path: Path | str) -> None:
    """Whole or not at all, in UTF-8.

    A text that a spreadsheet would run as a formula gets an apostrophe before it; Parquet has it untouched.

    Raises GumptionError where it cannot be written.
    """
    for place, field in enumerate(ratings.schema):
        if pa.types.is_string(field.type):
            safe = (
                f"'{text}" if _FORMULA.match(text) else text for text in ratings.column(place).to_pylist()
            )
            ratings = ratings.set_column(place, field.name, _texts(safe))
    _written(path, lambda temporary: pyarrow.csv.write_csv(ratings, temporary))


def people(store: Store, study: str, *, resamples: int = 1000, seed: int = 0) -> PeopleRanking:
    """The ranking of the models by a study of ratings; checks and repeats tell of the raters only.

    Marks of dimensions with different scales are brought to [0, 1] first. Raises GumptionError for a study of
    another kind and where there is no rating.
    """
    form = store.study(study)
    if form.kind != "rating":
        raise GumptionError(
            f"a study of kind {form.kind}", where=form.name, remedy="a ranking by people is made of ratings"
        )
    records = [record for record in store.records(study) if record.revision]
    rated = [record for record in records if record.expected is None]
    rows = [
        (record.rater, record.models[0], record.scenario, dimension.title, _unit(form, dimension.id, record))
        for record in sorted(rated, key=lambda record: record.repeat)
        for dimension in form.dimensions
    ]
    if not rows:
        raise GumptionError("there is no rating yet", where=form.name, remedy="collect ratings first")
    raters, models, scenarios, dimensions, values = zip(*rows, strict=True)
    known = set(raters)
    answered = [record for record in records if record.expected is not None and record.rater in known]
    asked = Counter(record.rater for record in answered)
    passed = Counter(record.rater for record in answered if record.passed)
    return rank_by_people(
        Ratings(raters, models, scenarios, dimensions, values, low=0.0, high=1.0),
        dimensions=[dimension.title for dimension in form.dimensions],
        checks={rater: (passed[rater], count) for rater, count in asked.items()},
        resamples=resamples,
        seed=seed,
    )


def people_json(
    store: Store, study: str, path: Path | str, *, resamples: int = 1000, seed: int = 0
) -> PeopleRanking:
    """Write `people` to a people.json, which `gumption rank --people` reads."""
    ranking = people(store, study, resamples=resamples, seed=seed)
    write_people(path, ranking)
    return ranking


def strengths(store: Store, study: str, *, resamples: int = 1000, seed: int = 0) -> dict[str, Strengths]:
    """The strengths of the models by a study of comparisons, by dimension id; checks and repeats left out.

    Raises GumptionError for a study of another kind and where there is no comparison.
    """
    form = store.study(study)
    if form.kind != "pairwise":
        raise GumptionError(
            f"a study of kind {form.kind}", where=form.name, remedy="strengths are made of comparisons"
        )
    judged = [
        record
        for record in store.records(study)
        if record.revision and record.expected is None and not record.repeat
    ]
    if not judged:
        raise GumptionError("there is no comparison yet", where=form.name, remedy="collect some first")
    raters = [record.rater for record in judged]
    firsts, seconds = zip(*(record.models for record in judged), strict=True)
    return {
        dimension.id: strengths_by_people(
            Preferences(raters, firsts, seconds, [record.values[dimension.id] for record in judged]),
            resamples=resamples,
            seed=seed,
        )
        for dimension in form.dimensions
    }


def _unit(form: Study, dimension: str, record: Record) -> float:
    """The mark as a share of its scale."""
    scale = next(one for one in form.dimensions if one.id == dimension)
    return (record.values[dimension] - scale.low) / (scale.high - scale.low)


def _at(names: tuple[str, ...], place: int) -> str:
    """Checks have no model."""
    return names[place] if place < len(names) else ""


def _texts(texts: Iterable[str]) -> pa.Array:
    return pa.array(list(texts), pa.string())


def _written(path: Path | str, write: Callable[[Path], Any]) -> None:
    try:
        with replacing(Path(path)) as temporary:
            write(temporary)
    except OSError as error:
        raise GumptionError(
            f"cannot be written: {error.strerror}", where=str(path), remedy="name another place"
        ) from error
