"""Giving out tasks and showing them. Every function runs inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from gumption.rating._tables import assignments, drafts, outputs, raters, ratings, scenarios, units
from gumption.rating.assignment import (
    Unit,
    left_behind,
    next_check,
    next_kind,
    next_repeat,
    next_unit,
    swap_sides,
)
from gumption.rating.study import Output, Scenario, Shown, Study, Task, TaskLine, new_id

__all__ = ["give", "lines", "show"]

_first, _second = outputs.alias("first_output"), outputs.alias("second_output")
_submitted = ratings.alias("submitted")


def give(connection: Connection, study: Study, key: int, rater: Row[Any], now: float) -> str | None:
    """Id of the task that the rater is to see, new or taken up again; None where nothing is left for them.

    The study's row must be locked: the counts read here must hold until the assignment is written.
    """
    taken = _taken(connection, key, now)
    theirs = _theirs(connection, rater.key)
    for row in (row for row in theirs if not row.revision):
        free = row.expected is not None or row.repeat or taken.get(row.unit, 0) < study.raters_wanted
        if row.leased_until > now or row.draft or free:
            renewed = assignments.update().where(assignments.c.key == row.key)
            connection.execute(renewed.values(leased_until=now + study.lease_s))
            return str(row.id)
        connection.execute(assignments.delete().where(assignments.c.key == row.key))
    theirs = [row for row in theirs if row.revision]
    number = max((row.number for row in theirs), default=0) + 1
    chosen = _chosen(connection, study, key, rater.number, number, theirs, taken)
    if chosen is None:
        return None
    unit, repeat = chosen
    id = new_id()
    connection.execute(
        assignments.insert().values(
            id=id,
            rater=rater.key,
            unit=unit,
            repeat=repeat,
            swapped=study.kind == "pairwise" and _swapped(connection, study, rater, unit, theirs),
            number=number,
            leased_until=now + study.lease_s,
        )
    )
    return id


def show(connection: Connection, study: Study, rater: int, task: str) -> Task | None:
    """The task as its rater sees it; None where this rater has no such task."""
    theirs = _theirs(connection, rater)
    row = next((row for row in theirs if row.id == task), None)
    if row is None:
        return None
    content = connection.execute(
        sa.select(scenarios.c.content, _first.c.content.label("first"), _second.c.content.label("second"))
        .select_from(units)
        .join(scenarios, scenarios.c.key == units.c.scenario)
        .outerjoin(_first, _first.c.key == units.c.first)
        .outerjoin(_second, _second.c.key == units.c.second)
        .where(units.c.key == row.unit)
    ).one()
    scenario = msgspec.json.decode(content.content, type=Scenario)
    shown = [msgspec.json.decode(data, type=Output) for data in (content.first, content.second) if data]
    saved = _saved(connection, row)
    block = study.tasks_per_rater
    made = study.attention_share + study.duplicate_share
    return Task(
        id=task,
        kind=study.kind,
        parts=scenario.parts,
        sub_tasks=scenario.sub_tasks,
        outputs=tuple(
            Shown(output.id, output.text, output.steps, output.outcome)
            for output in (reversed(shown) if row.swapped else shown)
        ),
        number=row.number,
        done=sum(row.revision > 0 for row in theirs),
        total=None if block is None else round(block / (1 - made)) if made < 1 else block,
        values=saved.marks if saved else {},
        comment=saved.comment if saved else "",
        seconds=saved.seconds if saved else 0.0,
        revision=row.revision,
        draft=bool(row.draft),
    )


def lines(connection: Connection, rater: int) -> tuple[TaskLine, ...]:
    return tuple(
        TaskLine(row.id, row.number, row.revision, bool(row.draft)) for row in _theirs(connection, rater)
    )


def _theirs(connection: Connection, rater: int) -> Sequence[Row[Any]]:
    """The rater's assignments in the order given out, with the revision (0: not submitted) of each."""
    revision = (
        sa.select(sa.func.coalesce(sa.func.max(ratings.c.revision), 0))
        .where(ratings.c.assignment == assignments.c.key)
        .scalar_subquery()
        .label("revision")
    )
    draft = sa.exists().where(drafts.c.assignment == assignments.c.key).label("draft")
    return connection.execute(
        sa.select(assignments, units.c.expected, units.c.first, units.c.second, revision, draft)
        .join(units, units.c.key == assignments.c.unit)
        .where(assignments.c.rater == rater)
        .order_by(assignments.c.number)
    ).all()


def _taken(connection: Connection, study: int, now: float) -> dict[int, int]:
    """Unit to the people who have judged it or hold it now."""
    rows = connection.execute(
        sa.select(assignments.c.unit, sa.func.count())
        .join(units, units.c.key == assignments.c.unit)
        .outerjoin(_submitted, (_submitted.c.assignment == assignments.c.key) & (_submitted.c.revision == 1))
        .where(units.c.study == study, sa.not_(assignments.c.repeat))
        .where(_submitted.c.assignment.is_not(None) | (assignments.c.leased_until > now))
        .group_by(assignments.c.unit)
    )
    return dict(rows.all())


def _chosen(
    connection: Connection,
    study: Study,
    key: int,
    rater: int,
    number: int,
    theirs: Sequence[Row[Any]],
    taken: Mapping[int, int],
) -> tuple[int, bool] | None:
    """Key of the unit to be shown next and whether it is a repeat."""
    judged = [row.unit for row in theirs if row.expected is None and not row.repeat]
    block = study.tasks_per_rater
    full = block is not None and len(judged) >= block
    every = connection.execute(
        sa.select(
            units.c.key, units.c.scenario, units.c.expected, _first.c.model, _second.c.model.label("other")
        )
        .outerjoin(_first, _first.c.key == units.c.first)
        .outerjoin(_second, _second.c.key == units.c.second)
        .where(units.c.study == key)
        .order_by(units.c.key)
    ).all()
    choosable = [
        Unit(row.key, row.scenario, tuple(model for model in (row.model, row.other) if model is not None))
        for row in every
        if row.expected is None
    ]
    seed, wanted = study.seed, study.raters_wanted
    if full and block is not None:
        choosable = left_behind(choosable, taken, _seen(connection, key), wanted, block)
        unit = next_unit(choosable, taken, set(judged), wanted, seed=seed, rater=rater)
        return None if unit is None else (unit.key, False)
    kind = next_kind(
        number,
        checks=sum(row.expected is not None for row in theirs),
        repeats=sum(row.repeat for row in theirs),
        check_share=study.attention_share,
        repeat_share=study.duplicate_share,
        seed=seed,
        rater=rater,
    )
    made: int | None = None
    if kind == "check":
        checks = [row.key for row in every if row.expected is not None]
        made = next_check(checks, {row.unit for row in theirs}, seed=seed, rater=rater)
    elif kind == "repeat":
        repeated = {row.unit for row in theirs if row.repeat}
        made = next_repeat(judged, repeated, seed=seed, rater=rater)
    if made is not None:
        return made, kind == "repeat"
    unit = next_unit(choosable, taken, set(judged), wanted, seed=seed, rater=rater)
    return None if unit is None else (unit.key, False)


def _seen(connection: Connection, study: int) -> dict[int, set[int]]:
    """Each rater of the study to the units they were given, checks and repeats left out."""
    seen: dict[int, set[int]] = {
        key: set() for (key,) in connection.execute(sa.select(raters.c.key).where(raters.c.study == study))
    }
    given = connection.execute(
        sa.select(assignments.c.rater, assignments.c.unit)
        .join(units, units.c.key == assignments.c.unit)
        .where(units.c.study == study, units.c.expected.is_(None), sa.not_(assignments.c.repeat))
    )
    for rater, unit in given:
        seen[rater].add(unit)
    return seen


def _swapped(
    connection: Connection, study: Study, rater: Row[Any], unit: int, theirs: Sequence[Row[Any]]
) -> bool:
    shown, swapped = connection.execute(
        sa.select(sa.func.count(), sa.func.count().filter(assignments.c.swapped)).where(
            assignments.c.unit == unit
        )
    ).one()
    keys = {key for row in theirs for key in (row.first, row.second)}
    pair = connection.execute(sa.select(units.c.first, units.c.second).where(units.c.key == unit)).one()
    named = sa.select(outputs.c.key, outputs.c.model).where(outputs.c.key.in_(keys | set(pair)))
    models = dict(connection.execute(named).all())
    sides: Counter[str] = Counter()
    for row in theirs:
        sides[models[row.first]] += -1 if row.swapped else 1
        sides[models[row.second]] += 1 if row.swapped else -1
    left = sides[models[pair.first]] - sides[models[pair.second]]
    return swap_sides(shown, swapped, left, seed=study.seed, rater=rater.number, unit=unit)


def _saved(connection: Connection, row: Row[Any]) -> Row[Any] | None:
    """The draft, else the newest revision, else None."""
    if row.draft:
        return connection.execute(sa.select(drafts).where(drafts.c.assignment == row.key)).one()
    return connection.execute(
        sa.select(ratings).where(ratings.c.assignment == row.key, ratings.c.revision == row.revision)
    ).one_or_none()
