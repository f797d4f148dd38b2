"""What a plan's reading and execution become in a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gumption.planning.goals import Goal
from gumption.planning.plansim import CarriedOut
from gumption.planning.reader import PlanReading, read_plan
from gumption.planning.worlds.scenes import Scene, SceneObject
from gumption.records import Answer, ErrorKind, Item, Mistake, Reading, Reply

__all__ = ["asked_gold", "goal_of", "parts", "plan_of", "reading_of", "scene_meta", "scene_of", "unreadable"]

_REFUSAL = "<response>Error: this cannot be done in this room.</response><actions></actions>"
_PLAIN = msgspec.to_builtins(SceneObject("", ""))


def plan_of(reply: Reply) -> PlanReading:
    """What a reply plans. A refusal by the server is one, but says nothing about the task."""
    return PlanReading([], refused=True) if reply.status == "refused" else read_plan(reply.text)


def reading_of(reply: Reply, plan: PlanReading) -> Reading:
    """The plan as a reading: the actions as they were read."""
    if reply.status == "refused":
        return Reading("refused", rule="status")
    if plan.actions is None:
        return Reading("unanswered", rule="plan")
    return Reading("refused" if plan.refused else "answered", plan.actions, "plan", plan.repairs)


def unreadable(plan: PlanReading) -> tuple[Mistake, ...]:
    return (Mistake(ErrorKind.UNREADABLE, plan.error),) if plan.actions is None else ()


def parts(plan: PlanReading, done: CarriedOut) -> dict[str, float]:
    """Named figures of a plan on a feasible task; counts are of steps and of arguments.

    `executes`: to completion, with a step that changes something. `goal_reached`: what holds at the end,
    whether or not some step failed. `success`: both.
    """
    execution = done.execution
    found: dict[str, float] = {
        "executes": execution.completed,
        "steps": len(plan.actions or ()),
        "executed": execution.executed,
        "redundant": len(execution.redundant),
        "unresolved": done.unreached(ErrorKind.UNRESOLVED) + done.unreached(ErrorKind.AMBIGUOUS),
        "absent_in_scene": done.unreached(ErrorKind.ABSENT_IN_SCENE),
        "format_score": plan.format_score,
        "repaired": plan.repaired,
        "refused": plan.refused,
        "from_prose": "prose_steps" in plan.repairs,
    }
    if execution.goal is not None:
        found |= {
            "goal_reached": execution.goal.met,
            "success": bool(execution.success),
            "progress": execution.goal.progress,
            "conditions": execution.goal.conditions,
            "satisfied": execution.goal.satisfied,
            "recoverable": bool(execution.recoverable),
        }
    return {name: float(value) for name, value in found.items()}


# ── what an item keeps ───────────────────────────────────────────────────────────────────────────────


def scene_meta(scene: Scene) -> dict[str, Any]:
    """A scene for `Item.meta`, defaults left out: a run is scored again without the files of the rooms."""
    objects = [
        {name: value for name, value in msgspec.to_builtins(one).items() if value != _PLAIN[name]}
        for one in scene.objects
    ]
    return {"name": scene.name, "objects": objects}


def scene_of(item: Item) -> Scene:
    return msgspec.convert(item.meta["scene"], Scene)


def goal_of(item: Item) -> Goal | None:
    found = item.meta.get("goal")
    return None if found is None else msgspec.convert(found, Goal)


def asked_gold(
    actions: Sequence[Sequence[str]], ignored: Sequence[str] = ("find", "search", "navigate")
) -> Answer:
    """What the question wants, for the oracle: the plan's steps that change something.

    Walking and looking are left out, so that a plan with its steps out of order is a wrong one. Where
    nothing can be done the right reply says so: a single key, since oracles answer in JSON.
    """
    steps = [list(action) for action in actions if action[0].casefold() not in ignored]
    return Answer("actions", gold={"actions" if steps else _REFUSAL: steps})
