"""One question for a plan: VLM-PlanSim-99's pipeline, from the model's reply to what became of the plan."""

from __future__ import annotations

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
from gumption.records import Episode, ErrorKind, Item, Mistake, Reading, Reply, Score

__all__ = ["episode"]


def episode(item: Item) -> Episode:
    """Ask for the plan and carry it out.

    A feasible task is worth 1 where the plan executes to completion, as the paper counts, and 0 elsewhere; one
    that is not feasible is worth 1 where the model says so. Parts hold the rest, success among them.
    """
    (reply,) = yield (replace(item, answer=asked_gold(item.meta["plan"])),)
    plan = plan_of(reply)
    reading = reading_of(reply, plan)
    if not item.meta["feasible"]:
        return _infeasible(item, reply, plan, reading)
    scene = scene_of(item)
    done = carry_out(Household(scene), scene, plan.actions or [], goal_of(item), refused=plan.refused)
    errors = [*unreadable(plan), *done.errors]
    if done.execution.executable and not done.execution.completed:
        why = "the reply says that it cannot be done" if plan.refused else "no step changes anything"
        errors.insert(0, Mistake(ErrorKind.MISSING_STEP, why))
    return Score(float(done.execution.completed), parts(plan, done), tuple(errors), reading)


def _infeasible(item: Item, reply: Reply, plan: PlanReading, reading: Reading) -> Score:
    # What a server's filter blocks, the model has not judged.
    right = plan.refused and reply.status != "refused"
    why = f"{item.meta['why'] or 'the task cannot be done'}; the reply does not say so"
    errors = () if right else (*unreadable(plan), Mistake(ErrorKind.ABSENT_IN_SCENE, why, static=True))
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
