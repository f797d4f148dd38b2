"""One question for a plan: VLM-PlanSim-99's pipeline, from the model's reply to what became of the plan."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from gumption.benchmarks.plansim.outcome import (
    asked_gold,
    goal_of,
    parts,
    plan_of,
    reading_of,
    scene_of,
    unreadable,
)
from gumption.planning.plansim import carry_out
from gumption.planning.reader import PlanReading
from gumption.planning.worlds.household import Household
from gumption.records import Aggregate, Episode, ErrorKind, Item, Mistake, Reading, Reply, Score

__all__ = ["EXECUTED", "episode"]

EXECUTED = (
    Aggregate("executed to completion, of feasible tasks", part="executes"),
    Aggregate("goal reached at the end", part="goal_reached"),
    Aggregate("success: both", part="success"),
)
"""Numbers of a plan's execution, each over the feasible tasks."""


def episode(item: Item, *, worth: Literal["completion", "success", "goal"] = "completion") -> Episode:
    """Ask for the plan and carry it out.

    A feasible task is worth 1 where the plan executes to completion, as the paper counts, else 0; one that is
    not feasible is worth 1 where the model says so. Parts hold the rest, success among them.
    worth: in place of completion, "success" asks for the goal too, and "goal" for the goal whether or not all
    steps could be executed, as ALFRED does.
    """
    (reply,) = yield (replace(item, answer=asked_gold(item.meta["plan"])),)
    plan = plan_of(reply)
    reading = reading_of(reply, plan)
    if not item.meta["feasible"]:
        return _infeasible(item, reply, plan, reading)
    scene = scene_of(item)
    done = carry_out(Household(scene), scene, plan.actions or [], goal_of(item), refused=plan.refused)
    errors = [*unreadable(plan), *done.errors]
    reached = done.execution.goal is not None and done.execution.goal.met
    if done.execution.executable and not done.execution.completed:
        why = "the reply says that it cannot be done" if plan.refused else "no step changes anything"
        errors.insert(0, Mistake(ErrorKind.MISSING_STEP, why))
    completed = done.execution.completed
    value = {"completion": completed, "success": completed and reached, "goal": reached}[worth]
    return Score(float(value), parts(plan, done), tuple(errors), reading)


def _infeasible(item: Item, reply: Reply, plan: PlanReading, reading: Reading) -> Score:
    # What a server's filter blocks, the model has not judged.
    right = plan.refused and reply.status != "refused"
    why = f"{item.meta['why'] or 'the task cannot be done'}; the reply does not say so"
    errors = () if right else (*unreadable(plan), Mistake(ErrorKind.ABSENT_IN_SCENE, why, static=True))
    if right:
        reading = Reading("answered", "cannot be done", "refusal")
    return Score(
        float(right),
        {
            "refusal_right": float(right),
            "steps": float(len(plan.actions or ())),
            "format_score": plan.format_score,
            "repaired": float(plan.repaired),
        },
        errors,
        reading,
    )
