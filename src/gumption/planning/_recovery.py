"""Whether a goal can still be reached, as far as what cannot be undone decides it."""

from __future__ import annotations

from gumption.planning.goals import Goal, GoalCheck, Proposition
from gumption.planning.worlds.household.facts import PIECES, SLICES
from gumption.planning.worlds.world import Thing, World

__all__ = ["recoverable"]


def recoverable(goal: Goal, reached: GoalCheck, world: World) -> bool:
    """Whether there are still enough objects that each proposition could hold of.

    What is cut up or broken stays so, and nothing gets dirty again; everything else can be done and undone.
    This is necessary for the goal to be reachable, not sufficient: no search is made.
    """
    return all(
        holding >= one.number or _candidates(one, world) >= one.number
        for one, holding in zip(goal.propositions, reached.holding, strict=True)
    )


def _candidates(one: Proposition, world: World) -> int:
    things = world.objects()
    if one.targets and not any(
        not target.broken and (target.id in one.targets or target.type in one.targets)
        for target in things.values()
    ):
        return 0
    found = sum(
        _possible(one.predicate, thing)
        for thing in things.values()
        if thing.id in one.objects or thing.type in one.objects
    )
    uncut = (thing for thing in things.values() if thing.type in SLICES and not thing.sliced)
    return found + sum(PIECES[SLICES[thing.type]] for thing in uncut if SLICES[thing.type] in one.objects)


def _possible(predicate: str, thing: Thing) -> bool:
    if predicate == "sliced":
        return True
    if predicate == "dirty":
        return thing.dirty
    return not thing.sliced and (not thing.broken or predicate in ("broken", "exists"))
