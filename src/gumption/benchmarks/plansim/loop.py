"""The closed loop: a room is shown, a plan is carried out as far as it goes, and the model is asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gumption.benchmarks.plansim.asking import Asked, question_of
from gumption.benchmarks.plansim.outcome import asked_gold, goal_of, plan_of, reading_of, scene_of
from gumption.benchmarks.plansim.picture import picture_of
from gumption.models.drawn import drawn
from gumption.planning.execution import Execution, execute
from gumption.planning.goals import Goal, check
from gumption.planning.plansim import instructions
from gumption.planning.resolve import Resolver, follow
from gumption.planning.view import labels, present, relabelled
from gumption.planning.worlds.household import Household
from gumption.records import Answer, Episode, ErrorKind, Image, Item, Mistake, Part, Reading, Score

__all__ = ["Budget", "loop"]


_PLACES = ("CounterTop", "DiningTable", "Desk", "Bed", "SideTable", "Dresser", "Sofa", "Floor")
"""Where the oracle puts down what it holds."""


class Budget(Struct, frozen=True):
    """How long a loop goes on, in counts."""

    turns: int = 5
    """How often the model is asked at most."""
    steps: int = 60
    """Instructions tried in all turns together."""
    invalid: int = 10
    """Instructions that failed, in all turns together (EmbodiedBench)."""


class _Told(Struct):
    """What was tried, as it was written and as it was executed; no words where no plan could be read."""

    turn: int
    words: tuple[str, ...]
    instruction: tuple[str, ...] | Mistake
    outcome: str

    @property
    def line(self) -> str:
        return f"{' '.join(self.words)}: {self.outcome}" if self.words else self.outcome


def loop(item: Item) -> Episode:
    """Show the room, ask for a plan, carry it out up to its first step that fails, and show what came of it.

    It ends when the goal is reached, when the model says that nothing is left or that it cannot be done, or
    when the budget in `item.meta["budget"]` is used up. Worth 1 where the goal is reached at the end.
    """
    scene, goal = scene_of(item), goal_of(item) or Goal(())
    budget = Budget(**item.meta["budget"])
    asked = Asked(item.meta["form"], item.meta["shown"])
    world = Household(scene)
    told: list[_Told] = []
    turns, ended = 0, Reading("answered", rule="loop")
    execution = execute(world, (), goal)
    while turns < budget.turns and not _over(execution, told, budget):
        question = replace(
            item,
            id=f"{item.id}/turn/{turns}",
            parts=_shown(item, world, asked, told),
            answer=_gold(item, world, goal, told),
        )
        (reply,) = yield (question,)
        turns += 1
        plan = plan_of(reply)
        if plan.actions is None:
            fault = Mistake(ErrorKind.UNREADABLE, plan.error)
            told.append(_Told(turns, (), fault, "no plan could be read in your reply"))
            continue
        if not plan.actions:
            ended = reading_of(reply, plan)
            break
        told += _carried_out(world, plan.actions, budget, told, turns)
        tried = [one.instruction for one in told if one.words]
        world.reset()
        execution = execute(
            world,
            tried,
            goal,
            mode="continue",
            on_failure="skip",
            max_steps=budget.steps,
            max_invalid=budget.invalid + 1,
        )
    names = labels(present(world).objects)
    used_up = ended.rule == "loop" and (turns == budget.turns or _over(execution, told, budget))
    return _score(execution, told, turns, ended, names, used_up=used_up)


def _score(
    execution: Execution,
    told: Sequence[_Told],
    turns: int,
    ended: Reading,
    names: Mapping[str, str],
    *,
    used_up: bool,
) -> Score:
    """What came of it. The reading's value is all that was done, by turn; its outcome says how it ended."""
    tried = [one.words for one in told if one.words]
    unread = [one.instruction for one in told if isinstance(one.instruction, Mistake) and not one.words]
    reached = execution.goal is not None and execution.goal.met
    failed = sum(not step.ok for step in execution.steps)
    errors = [*unread]
    for error in execution.errors:
        words = "" if error.step is None else f"{' '.join(tried[error.step])}: "
        # A step that failed was seen to fail before the next was planned: nothing follows from it.
        errors.append(replace(error, detail=words + relabelled(error.detail, names), secondary=False))
    if used_up and not reached:
        spent = f"{turns} turns, {len(tried)} steps of which {failed} failed"
        errors.append(Mistake(ErrorKind.BUDGET_EXCEEDED, f"the budget is used up: {spent}"))
    done: dict[str, list[str]] = {}
    for one in told:
        done.setdefault(f"turn {one.turn}", []).append(one.line)
    outcome = "unanswered" if told and not tried else ended.outcome
    return Score(
        float(reached),
        {
            "goal_reached": float(reached),
            "progress": execution.progress or 0.0,
            "recoverable": float(bool(execution.recoverable)),
            "turns": float(turns),
            "unread": float(len(unread)),
            "steps": float(len(tried)),
            "failed": float(failed),
            "redundant": float(len(execution.redundant)),
        },
        tuple(errors),
        replace(ended, outcome=outcome, value=done),
    )


def _over(execution: Execution, told: Sequence[_Told], budget: Budget) -> bool:
    tried = [one for one in told if one.words]
    failed = sum(not step.ok for step in execution.steps)
    reached = execution.goal is not None and execution.goal.met
    return reached or len(tried) >= budget.steps or failed >= budget.invalid


def _carried_out(
    world: Household, actions: Sequence[Sequence[str]], budget: Budget, told: Sequence[_Told], turn: int
) -> list[_Told]:
    """The steps of a plan from the present state on, up to the first that fails."""
    resolver = Resolver(present(world))
    resolver.context.held = world.held or None
    names = labels(world.scene.objects)
    found: list[_Told] = []
    for action in actions[: budget.steps - sum(bool(one.words) for one in told)]:
        (instruction,) = instructions([follow(resolver, action)])
        instruction = _in_sight(world, instruction, names)
        done = execute(world, [instruction])
        why = "; ".join(relabelled(error.detail, names) for error in done.errors)
        outcome = f"{'done' if done.executable else 'failed'}{f', {why}' if why else ''}"
        found.append(_Told(turn, tuple(action), instruction, outcome))
        if not done.executable:
            break
    return found


def _in_sight(
    world: Household, instruction: tuple[str, ...] | Mistake, names: Mapping[str, str]
) -> tuple[str, ...] | Mistake:
    """The instruction; a mistake in place of one about a thing in a closed container, for the world would say
    in which, and walking to it would show."""
    if isinstance(instruction, Mistake):
        return instruction
    things = world.objects()
    for name in instruction[1:]:
        if name in things and world.shut_in(things[name]):
            return Mistake(ErrorKind.MISSING_STEP, f"{names.get(name, name)} is not in sight")
    return instruction


def _shown(item: Item, world: Household, asked: Asked, told: Sequence[_Told]) -> tuple[Part, ...]:
    """The room as it is now, the task, and what was done so far."""
    names = labels(present(world).objects)
    lines = "\n".join(f"{number}. {one.line}" for number, one in enumerate(told, 1))
    hand = names.get(world.held, "nothing")
    so_far = (
        f"What was done so far:\n{lines or 'nothing yet'}\nIn the hand: {hand}.\n\n"
        "Plan from here on. The plan is carried out up to its first step that fails; then you see the room "
        "and are asked again.\n"
    )
    pictures: list[Part] = []
    if asked.shown == "picture":
        own = [part for part in item.parts if isinstance(part, Image)]
        pictures = [drawn(*picture_of(world))] if told else [*own]
    return question_of(world, item.meta["instruction"], asked, pictures, so_far=so_far)


def _gold(item: Item, world: Household, goal: Goal, told: Sequence[_Told]) -> Answer:
    """For the oracle: the gold plan at first, then its first rest that leads from here to the goal."""
    plan: list[list[str]] = item.meta["plan"]
    if not told or not plan:
        return asked_gold(plan)
    rests = [plan[place:] for place in range(len(plan))]
    put_down = [["Place", "it", place] for place in _PLACES] if world.held else []
    candidates = [*rests, *([first, *rest] for first in put_down for rest in rests)]
    found = next((one for one in candidates if _leads(world.copy(), goal, one)), plan)
    return asked_gold(found)


def _leads(world: Household, goal: Goal, plan: list[list[str]]) -> bool:
    _carried_out(world, plan, Budget(steps=len(plan)), (), 0)
    return check(goal, world).met
