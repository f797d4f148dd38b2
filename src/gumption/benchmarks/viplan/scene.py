"""How a world is shown and put into words: what differs between Blocksworld and Household."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from gumption.benchmarks.viplan.planning import Plan
from gumption.benchmarks.viplan.world import World
from gumption.grounding import Domain, Problem
from gumption.grounding.pddl import Atom
from gumption.grounding.render import Style
from gumption.records import Part

__all__ = ["Scene", "goal_words", "question_words"]


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One of ViPlan's two domains as a model meets it."""

    intro: str
    """What it is looking at."""
    shown: Callable[[World, Style], Part]
    """The present state: a picture, or words where there are no pictures."""
    sentence: Callable[[Atom], str]
    """What an atom says, as a sentence."""
    in_sight: Callable[[World], Collection[str]]
    """Objects that can be seen now. What concerns the others is not asked but told to the planner."""
    enumerates_first: bool
    """Whether the first state is asked for, or given to the planner as it is."""
    plan: Callable[[Domain, Problem], Plan | None]
    """The planner."""
    actions: str
    """What can be done, for the model as planner."""
    example: str
    """A reply of the wanted form."""
    named_parameters: bool
    """Whether a step's parameters are an object with a name for each, or a list."""


def question_words(scene: Scene, atom: Atom) -> str:
    """The yes/no question about one atom."""
    return f"{scene.intro}\nIs this true now? {scene.sentence(atom)}\nAnswer yes or no."


def goal_words(scene: Scene, world: World) -> str:
    """The goal, a line for each of its literals."""
    literals = sorted(world.problem.goal_literals or (), key=lambda one: (not one[0], one[1]))
    return "\n".join(
        f"- {'' if positive else 'It is not so that: '}{scene.sentence(atom)}" for positive, atom in literals
    )
