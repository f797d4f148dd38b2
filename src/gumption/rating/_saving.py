"""Saving what raters say, and reading it back for the organiser."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from gumption.rating._tables import assignments, drafts, outputs, raters, ratings, scenarios, units
from gumption.rating.errors import StaleError
from gumption.rating.record import Judged, Record
from gumption.rating.study import Kind, Rating, Values

__all__ = ["judged", "records", "save_draft", "submit"]

_first, _second = outputs.alias("first_output"), outputs.alias("second_output")


def save_draft(
    connection: Connection,
    assignment: int,
    values: Values,
    comment: str,
    seconds: float,
    now: float,
    leased_until: float,
) -> None:
    """Put this draft in the place of any earlier one. Its rater is at it, so the task stays theirs longer.

    The assignment's row must be locked.
    """
    kept = {"marks": values, "comment": comment, "seconds": seconds, "saved": now}
    found = connection.execute(drafts.update().where(drafts.c.assignment == assignment).values(**kept))
    if not found.rowcount:
        connection.execute(drafts.insert().values(assignment=assignment, **kept))
    renewed = assignments.update().where(assignments.c.key == assignment)
    connection.execute(renewed.values(leased_until=leased_until))


def submit(
    connection: Connection,
    assignment: Row[Any],
    values: Values,
    comment: str,
    seconds: float,
    base: int | None,
    now: float,
) -> Rating:
    """Add a revision and drop the draft. The assignment's row must be locked.

    The same words again add nothing: a browser that never saw the answer may send them twice.
    """
    newest = connection.execute(
        sa.select(ratings)
        .where(ratings.c.assignment == assignment.key)
        .order_by(ratings.c.revision.desc())
        .limit(1)
    ).one_or_none()
    connection.execute(drafts.delete().where(drafts.c.assignment == assignment.key))
    if newest is not None and (newest.marks, newest.comment) == (values, comment):
        return Rating(assignment.id, values, comment, newest.seconds, newest.revision, newest.submitted)
    revision = newest.revision if newest is not None else 0
    if base is not None and base != revision:
        raise StaleError(
            f"revision {revision} was saved elsewhere, this page is of revision {base}",
            where="rating",
            remedy="load the page again and look at what was saved",
        )
    connection.execute(
        ratings.insert().values(
            assignment=assignment.key,
            revision=revision + 1,
            marks=values,
            comment=comment,
            seconds=seconds,
            submitted=now,
        )
    )
    return Rating(assignment.id, values, comment, seconds, revision + 1, now)


def judged(connection: Connection, study: int) -> tuple[Judged, ...]:
    """Everything that is to be judged, attention checks not among it."""
    rows = connection.execute(
        sa.select(scenarios.c.name, _first.c.id.label("first"), _first.c.model, _second.c.id, _second.c.model)
        .select_from(units)
        .join(scenarios, scenarios.c.key == units.c.scenario)
        .outerjoin(_first, _first.c.key == units.c.first)
        .outerjoin(_second, _second.c.key == units.c.second)
        .where(units.c.study == study, units.c.expected.is_(None))
        .order_by(units.c.key)
    )
    return tuple(
        Judged(name, _there(model, other), _there(first, second))
        for name, first, model, second, other in rows
    )


def _there(*names: str | None) -> tuple[str, ...]:
    return tuple(name for name in names if name)


def records(
    connection: Connection, study: int, kind: Kind, now: float, *, history: bool
) -> tuple[Record, ...]:
    """Every task that was given out, by rater and number; with `history` a line for every revision."""
    newest = (
        sa.select(ratings.c.assignment, sa.func.max(ratings.c.revision).label("revision"))
        .group_by(ratings.c.assignment)
        .subquery()
    )
    current = (ratings.c.assignment == newest.c.assignment) & (ratings.c.revision == newest.c.revision)
    said = ratings if history else sa.select(ratings).join(newest, current).subquery()
    rows = connection.execute(
        sa.select(
            assignments,
            raters.c.id.label("rater_id"),
            scenarios.c.name,
            scenarios.c.label,
            units.c.expected,
            _first.c.id.label("first"),
            _first.c.model,
            _second.c.id.label("second"),
            _second.c.model.label("other"),
            *(said.c[name] for name in ("revision", "marks", "comment", "seconds", "submitted")),
        )
        .select_from(assignments)
        .join(raters, raters.c.key == assignments.c.rater)
        .join(units, units.c.key == assignments.c.unit)
        .join(scenarios, scenarios.c.key == units.c.scenario)
        .outerjoin(_first, _first.c.key == units.c.first)
        .outerjoin(_second, _second.c.key == units.c.second)
        .outerjoin(said, said.c.assignment == assignments.c.key)
        .where(units.c.study == study)
        .order_by(raters.c.number, assignments.c.number, said.c.revision)
    )
    return tuple(_record(row, kind, now) for row in rows)


def _record(row: Row[Any], kind: Kind, now: float) -> Record:
    marks: Values = row.marks or {}
    return Record(
        task=row.id,
        rater=row.rater_id,
        number=row.number,
        scenario=row.name,
        models=_there(row.model, row.other),
        outputs=_there(row.first, row.second),
        label=row.label,
        repeat=row.repeat,
        expected=row.expected,
        live=row.revision is None and row.leased_until > now,
        values={name: -mark for name, mark in marks.items()} if row.swapped and kind == "pairwise" else marks,
        comment=row.comment or "",
        seconds=row.seconds or 0.0,
        revision=row.revision or 0,
        submitted=row.submitted or 0.0,
    )
