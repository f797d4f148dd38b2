"""Executing a plan, instruction by instruction: how far it gets, what it reaches, all that is wrong with it.

VLM-PlanSim-99 (arXiv 2510.20578) counts plans that *execute to completion*. An empty or an irrelevant plan
does that too, so the goal is checked beside it, and completion asks for a step that changes something.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from gumption.planning._instructions import meaning
from gumption.planning._recovery import recoverable
from gumption.planning.goals import Goal, GoalCheck, GoalWatch
from gumption.planning.worlds.world import Action, Fault, World
from gumption.records import ErrorKind, Mistake

__all__ = ["Execution", "Taken", "execute"]


class Taken(Struct, frozen=True):
    """An instruction and what became of it."""

    action: Action
    """As the plan has it."""
    changed: bool = False
    faults: tuple[Fault, ...] = ()

    @property
    def ok(self) -> bool:
        return not any(fault.fatal for fault in self.faults)


class Execution(Struct, frozen=True):
    """What became of a plan."""

    steps: tuple[Taken, ...]
    """The instructions that were tried."""
    executable: bool
    """All instructions of the plan could be executed, within the bounds. True of an empty plan."""
    completed: bool
    """Executable, and at least one step changed something: the paper's *executes to completion*."""
    success: bool | None
    """Completed with the goal met; of a task that is not feasible, refused without a plan. None: no goal."""
    goal: GoalCheck | None
    """What holds at the end, whether or not all steps could be executed."""
    refused: bool = False
    errors: tuple[Mistake, ...] = ()
    """Everything that is wrong, in order, with the step's place from 0. Those after the first that broke the
    plan are `secondary`: they may only follow from it."""
    recoverable: bool | None = None
    """Whether the goal can still be reached from the end: nothing it needs is cut up or broken. None without
    goal."""

    @property
    def first(self) -> Mistake | None:
        return self.errors[0] if self.errors else None

    @property
    def executed(self) -> int:
        """How many instructions were executed before the first that could not be."""
        return next((place for place, step in enumerate(self.steps) if not step.ok), len(self.steps))

    @property
    def redundant(self) -> tuple[int, ...]:
        """The steps whose effect already held."""
        kind = ErrorKind.REDUNDANT_STEP
        return tuple(one.step for one in self.errors if one.kind is kind and one.step is not None)

    @property
    def progress(self) -> float | None:
        """Satisfied conditions of all conditions of the goal."""
        return self.goal.progress if self.goal else None


def execute(
    world: World,
    actions: Iterable[Sequence[str] | Mistake],
    goal: Goal | None = None,
    *,
    mode: Literal["strict", "continue"] = "strict",
    on_failure: Literal["repair", "skip"] = "repair",
    max_steps: int = 100,
    max_invalid: int = 10,
    refused: bool = False,
    feasible: bool = True,
) -> Execution:
    """Execute a plan in a world from the state that the world is in. The caller resets it.

    actions: (verb, objectId, objectId of the target), the verb as plans write it, in any case. They are taken
    one at a time, so that a generator may look at the world to resolve the next one. A Mistake stands for an
    instruction that could not be resolved.
    mode: "strict" stops at the first instruction that cannot be executed; "continue" goes on, so that all
    errors are known, with the failed step left out ("skip") or, where only the state forbids it, with its
    effects all the same ("repair").
    max_steps, max_invalid: bounds on the instructions tried and on those that fail (EmbodiedBench: 30, 10).
    refused: the reply refuses the task. feasible: whether the task can be done at all.
    Raises GumptionError for a goal that is not well formed; never for what a plan says.
    """
    watch = GoalWatch(goal, world) if goal is not None else None
    steps: list[Taken] = []
    errors: list[Mistake] = []
    force = mode == "continue" and on_failure == "repair"
    whole, changed, invalid = True, False, 0
    for words in actions:
        place = len(steps)
        if place >= max_steps or invalid >= max_invalid:
            bound = f"{max_steps} steps" if place >= max_steps else f"{max_invalid} invalid steps"
            errors.append(
                Mistake(ErrorKind.BUDGET_EXCEEDED, f"the plan goes on after {bound}", place, False, not whole)
            )
            whole = False
            break
        if isinstance(words, Mistake):
            taken = Taken(Action("", ""), False, (Fault("unresolved", words.kind, words.detail),))
        else:
            taken = _take(world, words, force=force)
        steps.append(taken)
        if taken.changed:
            changed = True
            if watch is not None:
                watch.look()
        if taken.faults:
            errors += [
                Mistake(fault.kind, fault.detail, place, fault.static, secondary=not whole)
                for fault in taken.faults
            ]
            if not taken.ok:
                whole, invalid = False, invalid + 1
                if mode == "strict":
                    break
    reached = watch.check() if watch is not None else None
    if reached is not None and feasible:
        errors += [
            Mistake(ErrorKind.GOAL_UNREACHED, sentence, secondary=not whole) for sentence in reached.unmet
        ]
    completed = whole and changed
    return Execution(
        steps=tuple(steps),
        executable=whole,
        completed=completed,
        success=_success(completed, reached, refused=refused and not steps, feasible=feasible),
        goal=reached,
        refused=refused,
        errors=tuple(errors),
        recoverable=recoverable(goal, reached, world) if goal is not None and reached is not None else None,
    )


def _success(completed: bool, reached: GoalCheck | None, *, refused: bool, feasible: bool) -> bool | None:
    if not feasible:
        return refused
    return completed and reached.met if reached is not None else None


def _take(world: World, words: Sequence[str], *, force: bool) -> Taken:
    """One instruction: the actions that its verb stands for, up to the first that fails."""
    action = Action(*words[:3]) if words else Action("")
    meant = meaning(action.verb)
    if len(meant) == 1:
        outcome = world.step(Action(meant[0], action.object, action.target), force=force)
        return Taken(action, outcome.changed, outcome.faults)
    changed = False
    faults: tuple[Fault, ...] = ()
    for name in meant:
        outcome = world.step(Action(name, action.object, action.target), force=force)
        changed, faults = changed or outcome.changed, (*faults, *outcome.faults)
        if not outcome.ok and not force:
            break
    return Taken(action, changed, faults)
