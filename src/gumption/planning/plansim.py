"""From a plan in words to what became of it: resolution and execution, as VLM-PlanSim-99 puts them together.

EmbodiedBrain (arXiv 2510.20578) has a model plan (A), reads and resolves the plan (B) and executes it in
AI2-THOR (C). `read_plan` begins B; this is the rest of B, and C.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from gumption.planning.execution import Execution, execute
from gumption.planning.goals import Goal
from gumption.planning.resolve import Resolution, ResolvedStep, Resolver, follow
from gumption.planning.view import labels, relabelled
from gumption.planning.worlds.scenes import Scene
from gumption.planning.worlds.world import World
from gumption.records import ErrorKind, Mistake

__all__ = ["CarriedOut", "carry_out", "instructions", "resolve_steps"]


_LONGEST = 120
"""Characters of a step's words in an error."""


class CarriedOut(Struct, frozen=True):
    """What became of a plan."""

    steps: tuple[ResolvedStep, ...]
    execution: Execution
    """With the steps that failed left out: what a robot would have reached."""
    errors: tuple[Mistake, ...]
    """All that is wrong, each with its step's words. To find what is wrong behind the first failure, failed
    steps are taken to have had their effect; goals are those that the execution does not reach."""

    def unreached(self, kind: ErrorKind) -> int:
        """How many arguments were left without an object for that reason."""
        return sum(one.error is kind for step in self.steps for one in step.arguments)


def resolve_steps(actions: Iterable[Sequence[str]], scene: Scene) -> tuple[ResolvedStep, ...]:
    """The objects of a plan's steps in a room, each in the context of the steps before it."""
    resolver = Resolver(scene)
    return tuple([follow(resolver, action, place) for place, action in enumerate(actions)])


def instructions(steps: Iterable[ResolvedStep]) -> list[tuple[str, ...] | Mistake]:
    """The steps as `execute` takes them: verb and objectIds, or why there are none."""
    return [_instruction(step, place) for place, step in enumerate(steps)]


def carry_out(
    world: World,
    scene: Scene,
    actions: Sequence[Sequence[str]],
    goal: Goal | None = None,
    *,
    refused: bool = False,
    feasible: bool = True,
    max_steps: int = 100,
    max_invalid: int = 10,
) -> CarriedOut:
    """Resolve a plan in a room and execute it there from the beginning. The world is reset before.

    scene: the world's room as it is in the beginning. The bounds and flags are those of `execute`.
    """
    steps = resolve_steps(actions[: max_steps + 1], scene)
    taken = instructions(steps)

    def run(on_failure: Literal["skip", "repair"]) -> Execution:
        world.reset()
        return execute(
            world,
            taken,
            goal,
            mode="continue",
            on_failure=on_failure,
            max_steps=max_steps,
            max_invalid=max_invalid,
            refused=refused,
            feasible=feasible,
        )

    repaired = run("repair")
    skipped = run("skip") if not repaired.executable else repaired
    unmet = [error for error in skipped.errors if error.kind is ErrorKind.GOAL_UNREACHED]
    faults = [error for error in repaired.errors if error.kind is not ErrorKind.GOAL_UNREACHED]
    names = labels(scene.objects)
    errors = tuple([_told(error, actions, names) for error in (*faults, *unmet)])
    return CarriedOut(steps, skipped, errors)


def _instruction(step: ResolvedStep, place: int) -> tuple[str, ...] | Mistake:
    missed = [one for one in step.arguments if one.error is not None]
    if missed and missed[0].error is not None:
        return Mistake(missed[0].error, "; ".join(map(_missed, missed)), place)
    other = step.target or step.tool
    return (
        step.verb,
        (step.object.object_id if step.object else None) or "",
        (other.object_id if other else None) or "",
    )


def _missed(one: Resolution) -> str:
    match one.outcome:
        case "absent_in_scene":
            return f"the room has no {one.phrase!r}"
        case "ambiguous":
            return f"{one.phrase!r} may be {' or '.join(one.candidates[:4])}"
    return f"{one.phrase!r} is not the name of anything in the room"


def _told(error: Mistake, actions: Sequence[Sequence[str]], names: Mapping[str, str]) -> Mistake:
    """The error with the words of its step, as the plan has them, and short names for objectIds."""
    step = "" if error.step is None else f"{' '.join(actions[error.step])[:_LONGEST]}: "
    return replace(error, detail=step + relabelled(error.detail, names))
