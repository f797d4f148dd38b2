"""A household task and the file it stands in: docs/formats.md, "Household tasks"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from gumption.lines import decode, read_lines
from gumption.planning.goals import Goal, check
from gumption.planning.plansim import carry_out
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene
from gumption.records import GumptionError
from gumption.suites import Rejected

__all__ = ["Task", "read_tasks", "verify"]


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be done in a room."""

    id: str
    scene: str
    """The name of a room: "kitchen" and the like, which come with the package, or "FloorPlan9"."""
    instruction: str
    goal: Goal | None = None
    """When it is done. Without one only completion is counted."""
    plan: tuple[tuple[str, ...], ...] = ()
    """A plan that does it: verb, object, place."""
    feasible: bool = True
    why: str = ""
    """Of a task that is not feasible: why not."""
    category: str = ""


def read_tasks(path: Path, scene_of: Callable[[str], Scene]) -> Iterator[Task | Rejected]:
    """The tasks of a JSONL file, in their order; a line that is no task, or whose plan fails, is rejected.

    Raises GumptionError where the file cannot be read or a room is not there.
    """
    for number, line in read_lines(path):
        try:
            task = msgspec.json.decode(decode(line), type=Task)
        except (msgspec.MsgspecError, RecursionError, GumptionError) as error:
            remedy = "see docs/formats.md, Household tasks"
            yield Rejected(str(path), number, "", f"not a task: {error}", remedy)
            continue
        scene = scene_of(task.scene)
        try:
            verify(task, scene)
        except GumptionError as error:
            yield Rejected(str(path), number, task.id, error.problem, error.remedy)
            continue
        yield task


def verify(task: Task, scene: Scene) -> None:
    """Raises GumptionError where a task cannot serve: its plan does not execute to completion or misses its
    goal, its goal holds from the start, or it is infeasible and has a plan."""
    if not task.feasible:
        if task.plan or task.goal:
            raise GumptionError("an infeasible task has no plan and no goal", remedy="leave them out")
        return
    if not task.plan:
        raise GumptionError("a feasible task has a plan that does it", remedy="write one, or feasible: false")
    if task.goal is not None and check(task.goal, Household(scene)).met:
        raise GumptionError("its goal holds from the start", remedy="ask for something else")
    done = carry_out(Household(scene), scene, task.plan, task.goal)
    if not done.execution.completed or done.execution.success is False:
        wrong = "; ".join(error.detail for error in done.errors[:3]) or "it changes nothing"
        raise GumptionError(f"its own plan fails: {wrong}", remedy="mend the plan or the goal")
