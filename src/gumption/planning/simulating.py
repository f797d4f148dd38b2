"""Executing many plans, by whoever is there to do it: here one after another, or by processes of their own.

What is done with a shard is `simulating`: tasks in, a record each out. A simulator that fails is no error of
a plan: such a task is an `infra_error`, without an execution, and so is one that kills its process three
times.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gumption import __version__
from gumption.executors import Executor, LostShardError
from gumption.executors.batch import batch
from gumption.executors.results import results
from gumption.planning._derive import derive
from gumption.planning.execution import Execution
from gumption.planning.goals import Goal
from gumption.planning.plansim import carry_out, instructions, resolve_steps
from gumption.planning.resolve import ResolvedStep
from gumption.planning.tasks import Row, Task, actions_of
from gumption.planning.worlds.ai2thor import SimulatorError, Thor
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene, load_scene
from gumption.planning.worlds.world import World
from gumption.records import ErrorKind, GumptionError, Mistake

__all__ = ["Executed", "WorldName", "execute_tasks", "simulating"]

WorldName: TypeAlias = Literal["household", "ai2thor"]

_MOST = 32
"""Tasks of a shard: the household takes some milliseconds for each."""
_LONGEST = 1000
"""Actions of a gold plan."""


class Executed(Struct, frozen=True, omit_defaults=True):
    """What became of a task: a line of the file of results."""

    id: str
    task: str
    """Hash of the task, the world and its data."""
    status: Literal["ok", "infra_error"]
    execution: Execution | None = None
    """As in `plansim.CarriedOut`, and so are the next two. None where the simulator failed."""
    errors: tuple[Mistake, ...] = ()
    steps: tuple[ResolvedStep, ...] = ()
    error: str = ""
    """What failed, where the simulator did."""
    remedy: str = ""


def execute_tasks(
    tasks: Sequence[Task],
    executor: Executor,
    *,
    world: WorldName = "household",
    data: Path | None = None,
    unity: Path | None = None,
    out: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Executed]:
    """What became of each task, in their order; the same whoever executes them.

    data: a file of object metadata, as for `load_scene`; unity: a Unity build, as for `Thor`; both as seen by
    the workers. out: file of the results (`executors.results`); what it has is not executed again, failures
    of the simulator excepted.

    Raises GumptionError for a room, a goal or a gold plan that is none, naming the task's line;
    SimulatorError where there is no simulator at all; and what `results` raises.
    """
    start = partial(simulating, world, data and data.absolute(), unity and unity.absolute())
    settings = f"{__version__} {world} {unity or ''} {_sha256(data) if data else ''}"
    hashes = [hashlib.sha256(f"{settings} {one.id} ".encode() + one.line).hexdigest()[:16] for one in tasks]

    def do(places: Sequence[int]) -> Iterator[tuple[int, Executed]]:
        # Those of one room together: a simulator takes long to open another.
        order = sorted(places, key=lambda place: tasks[place].room)
        wanted = [tasks[place] for place in order]
        for number, one in batch(executor, start, wanted, most=_MOST, lost=_lost, kept=True):
            yield order[number], replace(one, task=hashes[order[number]])

    return results(out, Executed, hashes, do, again=_failed, progress=progress)


def simulating(
    world: WorldName, data: Path | None, unity: Path | None
) -> Callable[[tuple[Task, ...]], list[Executed]]:
    """What executes a shard, with a simulator that stays open for as long as the room is the same."""
    rooms = _Rooms(world, data, unity)
    return lambda shard: [_executed(task, rooms) for task in shard]


class _Rooms:
    """The room that is open, to be entered again by the next task."""

    def __init__(self, world: WorldName, data: Path | None, unity: Path | None) -> None:
        self._world, self._data, self._unity = world, data, unity
        self._scene: Scene | None = None
        self._thor: Thor | None = None

    def enter(self, row: Row) -> tuple[World, Scene]:
        """The room of a task, in the state that it begins in, and what is in it."""
        if self._world == "household":
            if row.scene is not None:
                return Household(row.scene), row.scene
            if self._scene is None or self._scene.name != row.room:
                self._scene = load_scene(row.room, self._data)
            return Household(self._scene), self._scene
        if row.scene is not None:
            raise GumptionError("AI2-THOR has no room that was drawn", remedy="give its room by name")
        if self._thor is None or self._thor.name != row.room:
            self.close()
            self._thor = Thor(row.room, executable=self._unity)
        return self._thor, self._thor.scene

    def close(self) -> None:
        """End the simulator: after a failure the next task gets a new one."""
        if self._thor is not None:
            self._thor.close()
        self._thor = None


def _executed(task: Task, rooms: _Rooms) -> Executed:
    row = task.row
    actions, refused, unread = actions_of(row.plan)
    try:
        world, scene = rooms.enter(row)
        goal = _goal(row, scene)
        done = carry_out(world, scene, actions, goal, refused=refused, feasible=row.feasible)
    except SimulatorError as error:
        rooms.close()
        if error.kind == "missing":
            raise
        return Executed(task.id, "", "infra_error", error=str(error), remedy=error.remedy)
    except GumptionError as error:
        raise GumptionError(str(error), where=task.where, remedy=error.remedy) from error
    errors = (Mistake(ErrorKind.UNREADABLE, unread), *done.errors) if unread else done.errors
    return Executed(task.id, "", "ok", done.execution, errors, done.steps)


def _goal(row: Row, scene: Scene) -> Goal | None:
    """The goal, else what the gold plan reaches by the household's rules."""
    if row.gold is None:
        return row.goal
    actions, _, unread = actions_of(row.gold)
    if len(actions) > _LONGEST:
        raise GumptionError(f"a gold plan of more than {_LONGEST} actions", remedy="leave it out")
    steps = instructions(resolve_steps(actions, scene))
    missed = [step for step in steps if isinstance(step, Mistake)]
    if missed or unread:
        why = f"step {(missed[0].step or 0) + 1}: {missed[0].detail}" if missed else f"no plan: {unread}"
        raise GumptionError(why, remedy="a gold plan names things that the room has")
    return derive(Household(scene), [step for step in steps if not isinstance(step, Mistake)])


def _lost(task: Task, error: LostShardError) -> Executed:
    return Executed(task.id, "", "infra_error", error=error.problem, remedy=error.remedy)


def _failed(result: Executed) -> bool:
    return result.status == "infra_error"


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise GumptionError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="name a file of object metadata"
        ) from error
