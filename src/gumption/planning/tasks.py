"""Plans to be executed, read from a file of JSON lines, each with its room and what it is to reach."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from gumption.lines import read_rows
from gumption.planning.goals import Goal
from gumption.planning.reader import read_plan
from gumption.planning.worlds.scenes import Scene
from gumption.records import GumptionError

__all__ = ["Row", "Task", "actions_of", "read_tasks", "task_of"]

Plan: TypeAlias = str | list[list[str]]
"""A reply as a model wrote it, or a list of actions."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a line says. Other keys are left alone, so that what `gumption plan generate --json` draws is such
    a line, with its own plan in it."""

    plan: Plan | None
    """None or nothing that can be read is an empty plan; the latter is a mistake of its own."""
    id: str = ""
    seed: str = ""
    """The name of a drawn task, where there is no id."""
    room: str = ""
    scene: Scene | None = None
    """The room itself, in place of its name."""
    goal: Goal | None = None
    gold: Plan | None = None
    """In place of the goal: the plan whose effects are wanted."""
    feasible: bool = True
    """False: the plan is right to refuse."""


class Task(msgspec.Struct, frozen=True):
    """A row that was found good, as it travels to who executes it."""

    id: str
    room: str
    """Its name."""
    line: bytes
    """The row in JSON: many tasks take a tenth of the room that their things would."""
    where: str
    """For errors: file and line."""

    @property
    def row(self) -> Row:
        return msgspec.json.decode(self.line, type=Row)


def read_tasks(path: Path, room: str) -> list[Task]:
    """The tasks of a .jsonl file, by `id`, else `seed`, else their number. room: of lines that name
    none and hold none.

    Raises GumptionError naming the line for what is no task, for an id that is there twice, and for a file
    without any.
    """
    tasks: dict[str, Task] = {}
    keys = "its keys are plan, id, room or scene, goal or gold, feasible"
    for number, (where, row) in enumerate(read_rows(path, Row, "a task", keys), start=1):
        if row.goal is not None and row.gold is not None:
            raise GumptionError("a goal and a gold plan", where=where, remedy="give one of them")
        names = [one.object_id for one in row.scene.objects] if row.scene is not None else []
        if len(set(names)) < len(names):
            raise GumptionError("two objects have the same objectId", where=where, remedy="make them differ")
        task = task_of(row, room, where=where, id=row.id or row.seed or str(number))
        if task.id in tasks:
            raise GumptionError(f"the id {task.id!r} is there twice", where=where, remedy="make them differ")
        tasks[task.id] = task
    if not tasks:
        raise GumptionError("there is no task in it", where=str(path), remedy="give a line for each plan")
    return list(tasks.values())


def task_of(row: Row, room: str, *, where: str, id: str) -> Task:
    """The row as a task; `room` where it names none and holds none."""
    name = row.scene.name if row.scene is not None else row.room or room
    kept = msgspec.structs.replace(row, room="" if row.scene is not None else name)
    return Task(id, name, msgspec.json.encode(kept), where)


def actions_of(plan: Plan | None) -> tuple[Sequence[Sequence[str]], bool, str]:
    """The actions of a plan, whether it refuses, and why it cannot be read, "" where it can."""
    if not isinstance(plan, str):
        return [action for action in plan or () if action], False, ""
    reading = read_plan(plan)
    return reading.actions or [], reading.refused, reading.error if reading.actions is None else ""
