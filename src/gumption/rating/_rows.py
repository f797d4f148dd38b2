"""Rows by their public id, locked where the caller is going to rely on them."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from gumption.rating._tables import assignments, raters, studies
from gumption.rating.errors import ClosedError, NotThereError
from gumption.rating.study import ID, Study

__all__ = ["no_task", "open_study", "own_task", "public_id", "rater_row", "study_of", "study_row"]


def public_id(text: str) -> str:
    """The id as it is, or one that nothing has: browsers send any text, and not every database takes any."""
    return text if re.fullmatch(ID, text) else ""


def study_of(row: Row[Any]) -> Study:
    study = msgspec.json.decode(row.form, type=Study)
    return msgspec.structs.replace(study, closed=row.closed)


def open_study(row: Row[Any]) -> Study:
    study = study_of(row)
    if study.closed:
        raise ClosedError(
            "the study is closed", where=study.name, remedy="ask its organiser to open it again"
        )
    return study


def study_row(connection: Connection, study: str, *, lock: bool = False) -> Row[Any]:
    query = sa.select(studies).where(studies.c.id == public_id(study))
    # Keys that point at the study stay free; SQLite has its one lock already and ignores this.
    row = connection.execute(query.with_for_update(key_share=True) if lock else query).one_or_none()
    if row is None:
        raise NotThereError("no such study", remedy="see which studies the folder or database holds")
    return row


def rater_row(connection: Connection, rater: str) -> Row[Any]:
    row = connection.execute(
        sa.select(raters, studies.c.id.label("study_id"))
        .join(studies, studies.c.key == raters.c.study)
        .where(raters.c.id == public_id(rater))
    ).one_or_none()
    if row is None:
        raise NotThereError("no such rater", remedy="open the personal link again")
    return row


def own_task(connection: Connection, rater: str, task: str) -> tuple[Study, Row[Any]]:
    """The study, open, and the assignment, locked."""
    row = rater_row(connection, rater)
    study = open_study(study_row(connection, row.study_id))
    assignment = connection.execute(
        sa.select(assignments)
        .where(assignments.c.id == public_id(task), assignments.c.rater == row.key)
        .with_for_update(key_share=True)
    ).one_or_none()
    if assignment is None:
        raise no_task()
    return study, assignment


def no_task() -> NotThereError:
    return NotThereError(
        "no such task", remedy="load the page again: a task left alone for long goes to others"
    )
