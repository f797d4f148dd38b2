"""The pipeline as an episode: from a task's picture and instruction to a plan, and what that is worth."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias, TypeVar

from gumption.grounding.pipeline.attempt import attempt
from gumption.grounding.pipeline.direct import ask_problem, read_reply
from gumption.grounding.pipeline.goals import ask_goal, read_goal
from gumption.grounding.pipeline.objects import ask_objects, read_objects
from gumption.grounding.pipeline.predicates import ask_predicates, read_predicates
from gumption.grounding.pipeline.reading import Found
from gumption.grounding.pipeline.retries import refine
from gumption.grounding.pipeline.schema import Literal
from gumption.grounding.pipeline.task import Task
from gumption.grounding.pipeline.to_pddl import write_problem
from gumption.records import Episode, Item, Mistake, Outcome, Reading, Reply, Score

__all__ = ["direct", "staged"]

_Written: TypeAlias = Generator[tuple[Item, ...], tuple[Reply, ...], tuple[str, list[Reading], list[Mistake]]]
T = TypeVar("T")


def staged(task: Task) -> Episode:
    """Objects from the picture; then, side by side, predicates from the picture and the goal from the text,
    both over the objects of the first stage; then planning, with retries where the options want them.

    The value is 1 where the plan that was found in the model's own problem is valid in the gold problem, and
    all replies that it rests on could be read. parts: see `attempt`; `shots` shown; with retries, `retries`
    asked, and the parts after each round under retry0_, retry1_, .... An unreadable stage is an empty
    prediction: an empty goal, not the gold one.
    """
    text, readings, mistakes = yield from _stages(task)
    return (yield from _judged(task, text, readings, mistakes))


def direct(task: Task) -> Episode:
    """The whole problem in one reply, then as `staged`."""
    (reply,) = yield (ask_problem(task),)
    reading = read_reply(reply, task)
    return (yield from _judged(task, reading.value or "", [reading], []))


def _stages(task: Task) -> _Written:
    """The problem's text, the replies' readings and what was wrong with them. A stage in which nothing can be
    said, since there are no objects for it, is not asked."""
    readings: list[Reading] = []
    mistakes: list[Mistake] = []

    def taken(found: Found[T]) -> T:
        readings.append(found.reading)
        mistakes.extend(found.mistakes)
        return found.value

    objects, atoms, goal = task.gold.objects, task.gold.init, frozenset[Literal]()
    if task.options.oracle == "none":
        (reply,) = yield (ask_objects(task),)
        objects = taken(read_objects(reply, task.domain))
    of_state = None
    if task.options.oracle != "objects_predicates":
        of_state, atoms = ask_predicates(task, objects), frozenset()
    of_goal = ask_goal(task, objects)
    asked = tuple(question for question in (of_state, of_goal) if question is not None)
    replies = iter((yield asked) if asked else ())
    if of_state is not None:
        atoms = taken(read_predicates(next(replies)))
    if of_goal is not None:
        goal = taken(read_goal(next(replies)))
    return write_problem("predicted", task.domain.name, objects, atoms, goal), readings, mistakes


def _judged(
    task: Task, text: str, readings: Sequence[Reading], mistakes: Sequence[Mistake]
) -> Generator[tuple[Item, ...], tuple[Reply, ...], Score]:
    first = attempt(task, text)
    if _together(readings, "").outcome != "answered":
        # A problem put together from stages can always be read; what counts is whether their replies could.
        first = replace(first, parts={**first.parts, "readable": 0.0})
    later, retried = yield from refine(task, first)
    last = later[-1] if later else first
    parts = {**last.parts, "shots": float(len(task.examples))}
    if later:
        parts["retries"] = float(sum(one is not before for before, one in pairwise([first, *later])))
        for number, one in enumerate([first, *later]):
            parts |= {f"retry{number}_{name}": value for name, value in one.parts.items()}
    found = [*(mistakes if last is first else ()), *last.mistakes]
    reading = _together([retried] if retried else readings, last.text)
    return Score(parts["plan_gold"] * parts["readable"], parts, tuple(found), reading)


def _together(readings: Sequence[Reading], value: str) -> Reading:
    """Several readings as one: answered where all of them are; its value is the problem that came of them."""
    outcomes = {one.outcome for one in readings}
    outcome: Outcome = "answered"
    if "refused" in outcomes:
        outcome = "refused"
    elif outcomes - {"answered"}:
        outcome = "unanswered"
    repairs = tuple(dict.fromkeys(repair for one in readings for repair in one.repairs))
    return Reading(outcome, value, "pddl" if value else "", repairs)
