"""What a task wants of a room: propositions, when they count, and which of their objects are the same.

A small part of the language of PARTNR (facebookresearch/partnr-planner). ALFRED's task types compile to it
(`alfred_goal`), and `derive` makes a goal out of what a gold plan brings about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from gumption.planning.worlds.world import Thing, World
from gumption.records import GumptionError

__all__ = ["PREDICATES", "Goal", "GoalCheck", "GoalWatch", "Proposition", "Slot", "check", "holders", "say"]

Pair: TypeAlias = tuple[str, str]
"""The objectIds that a proposition holds of: an object, and the receptacle or ""."""


class Proposition(Struct, frozen=True):
    """Something that is to hold."""

    predicate: str
    """One of PREDICATES."""
    objects: tuple[str, ...]
    """Types or objectIds; any of them will do."""
    targets: tuple[str, ...] = ()
    """Of "in", the receptacles, as types or objectIds; any of them will do."""
    number: int = 1
    """Of how many different objects it is to hold. Each counts as a condition of its own."""
    together: bool = False
    """All of them in the same receptacle."""
    after: tuple[int, ...] = ()
    """Propositions, by their places in the goal, that have to have held by the time this one comes to hold:
    of the same object, where the goal says that the objects are the same."""


class Slot(Struct, frozen=True):
    """One side of a proposition."""

    proposition: int
    side: Literal["object", "target"] = "object"


class Goal(Struct, frozen=True):
    """What a task wants: all of it, at the end."""

    propositions: tuple[Proposition, ...]
    same: tuple[tuple[Slot, ...], ...] = ()
    """Sides that have to be the same object. Each group counts as a condition, as ALFRED counts them."""


class GoalCheck(Struct, frozen=True):
    """How much of a goal holds."""

    met: bool
    satisfied: int
    conditions: int
    unmet: tuple[str, ...]
    """A sentence for each condition that does not hold."""
    holding: tuple[int, ...]
    """Of how many objects each proposition holds, at most as many as it asks for."""

    @property
    def progress(self) -> float:
        """Satisfied conditions of all, s / ts in ALFRED. A goal of no conditions is never met: 0."""
        return self.satisfied / self.conditions if self.conditions else 0.0


PREDICATES: Mapping[str, Callable[[Thing], bool]] = {
    "open": lambda thing: thing.open,
    "closed": lambda thing: not thing.open,
    "on": lambda thing: thing.on,
    "off": lambda thing: not thing.on,
    "clean": lambda thing: thing.cleaned,
    "dirty": lambda thing: thing.dirty,
    "heated": lambda thing: thing.heated,
    "cooled": lambda thing: thing.cooled,
    "cooked": lambda thing: thing.cooked,
    "filled": lambda thing: thing.liquid != "",
    "empty": lambda thing: thing.liquid == "",
    "sliced": lambda thing: thing.sliced,
    "broken": lambda thing: thing.broken,
    "exists": lambda thing: not thing.sliced,
    "held": lambda thing: not thing.sliced,
    "in": lambda thing: not thing.sliced,
}
"""Of an object; "held" also asks for the hand, "in" for the receptacle, at any depth. "clean", "heated" and
"cooled" are ALFRED's event sets: that it was washed, not that it is not dirty."""


def check(goal: Goal, world: World) -> GoalCheck:
    """How much of a goal holds now. What has to come `after` something else needs a GoalWatch.

    Raises GumptionError for a goal that is not well formed or that the world cannot tell.
    """
    watch = GoalWatch(goal, world)
    return watch.check(ordered=False)


class GoalWatch:
    """Follows a world from its present state on, so that it knows what came to hold when."""

    def __init__(self, goal: Goal, world: World) -> None:
        _check_form(goal, world)
        self._goal, self._world = goal, world
        self._ordered = any(one.after for one in goal.propositions)
        self._since: list[dict[Pair, int]] = [{} for _ in goal.propositions]
        """Of every pair that holds, since when."""
        self._first: list[dict[Pair, int]] = [{} for _ in goal.propositions]
        """Of every pair that ever held, when it first did."""
        self._time = 0
        self._candidates: list[list[Thing]] = []
        self._known = -1
        self.look()

    def look(self) -> None:
        """To be called after every step that changes something. Costs nothing where no order is asked for."""
        if not self._ordered:
            return
        for place, now in enumerate(self._holders()):
            since, first = self._since[place], self._first[place]
            self._since[place] = {pair: since.get(pair, self._time) for pair in now}
            for pair in now:
                first.setdefault(pair, self._time)
        self._time += 1

    def check(self, *, ordered: bool = True) -> GoalCheck:
        """How much of the goal holds now."""
        goal = self._goal
        pairs = self._holders()
        late = [False] * len(pairs)
        if ordered and self._ordered:
            for place in range(len(pairs)):
                timely = {pair for pair in pairs[place] if self._in_order(place, pair)}
                late[place] = timely != pairs[place]
                pairs[place] = timely
        counts = [_count(one, found) for one, found in zip(goal.propositions, pairs, strict=True)]
        groups = _same(goal, pairs)
        unmet = [
            say(one) + (", but not in the order that was asked for" if late[place] else "")
            for place, one in enumerate(goal.propositions)
            if counts[place] < one.number
        ]
        unmet += [
            f"the same object: {' and '.join(say(goal.propositions[slot.proposition]) for slot in group)}"
            for group, holds in zip(goal.same, groups, strict=True)
            if not holds
        ]
        conditions = sum(one.number for one in goal.propositions) + len(groups)
        satisfied = sum(counts) + sum(groups)
        return GoalCheck(0 < conditions == satisfied, satisfied, conditions, tuple(unmet), tuple(counts))

    def _holders(self) -> list[set[Pair]]:
        """Of what each proposition holds now. Which objects it is about changes only as slices come to be."""
        things = self._world.objects()
        if len(things) != self._known:
            self._known = len(things)
            self._candidates = [_candidates(one, things) for one in self._goal.propositions]
        return [
            _holders(one, candidates, self._world)
            for one, candidates in zip(self._goal.propositions, self._candidates, strict=True)
        ]

    def _in_order(self, place: int, pair: Pair) -> bool:
        since = self._since[place].get(pair, self._time)
        for before in self._goal.propositions[place].after:
            linked = self._linked(place, before)
            if not any(
                time <= since and (not linked or any(pair[mine] == other[its] for mine, its in linked))
                for other, time in self._first[before].items()
            ):
                return False
        return True

    def _linked(self, place: int, other: int) -> list[tuple[int, int]]:
        """Which sides of two propositions have to be the same, 0 for the object and 1 for the target."""
        return [
            (int(mine.side == "target"), int(its.side == "target"))
            for group in self._goal.same
            for mine in group
            for its in group
            if mine.proposition == place and its.proposition == other
        ]


def say(one: Proposition) -> str:
    """The proposition in words, such as "2 of Tomato or TomatoSliced in Fridge"."""
    what = " or ".join(one.objects)
    number = f"{one.number} of {what}" if one.number > 1 else what
    where = f" {' or '.join(one.targets)}" if one.targets else ""
    return f"{number} {one.predicate}{where}{' together' if one.together else ''}"


def _check_form(goal: Goal, world: World) -> None:
    known = world.goals()
    last = len(goal.propositions)
    for place, one in enumerate(goal.propositions):
        where = f"proposition {place}"
        if one.predicate not in PREDICATES or one.predicate not in known:
            wanted = ", ".join(sorted(known & PREDICATES.keys()))
            raise GumptionError(
                f"no predicate {one.predicate!r}", where=where, remedy=f"take one of {wanted}"
            )
        if (one.predicate == "in") != bool(one.targets) or not one.objects or one.number < 1:
            raise GumptionError(
                "is not well formed",
                where=where,
                remedy='name objects, and targets for "in" and nothing else',
            )
        if not all(0 <= other < last and other != place for other in one.after):
            raise GumptionError("comes after no proposition", where=where, remedy="places count from 0")
    if not all(0 <= slot.proposition < last for group in goal.same for slot in group):
        raise GumptionError("`same` names no proposition", remedy="places count from 0")


def holders(one: Proposition, world: World) -> set[Pair]:
    """Of which objects, and in which receptacles, the proposition holds now."""
    return _holders(one, _candidates(one, world.objects()), world)


def _candidates(one: Proposition, things: Mapping[str, Thing]) -> list[Thing]:
    return [thing for thing in things.values() if thing.type in one.objects or thing.id in one.objects]


def _holders(one: Proposition, candidates: Iterable[Thing], world: World) -> set[Pair]:
    holds = PREDICATES[one.predicate]
    found = [thing for thing in candidates if holds(thing)]
    if one.predicate == "held":
        return {(thing.id, "") for thing in found if thing.id == world.held}
    if one.predicate != "in":
        return {(thing.id, "") for thing in found}
    things = world.objects()
    return {
        (thing.id, name)
        for thing in found
        for name in _around(thing, things)
        if name in one.targets or things[name].type in one.targets
    }


def _around(thing: Thing, things: Mapping[str, Thing]) -> Iterable[str]:
    waiting = list(thing.parents)
    for name in waiting:
        waiting += things[name].parents
    return waiting


def _count(one: Proposition, pairs: set[Pair]) -> int:
    if one.together:
        targets = {target for _, target in pairs}
        most = max((len({name for name, at in pairs if at == target}) for target in targets), default=0)
    else:
        most = len({name for name, _ in pairs})
    return min(most, one.number)


def _same(goal: Goal, pairs: list[set[Pair]]) -> list[bool]:
    """Which groups have an object that fills all their sides, while the other groups have theirs."""
    left = [set(found) for found in pairs]
    holds = [True] * len(goal.same)
    changed = True
    while changed:
        changed = False
        for number, group in enumerate(goal.same):
            sides = [(slot.proposition, int(slot.side == "target")) for slot in group]
            shared = set.intersection(*({pair[side] for pair in left[place]} for place, side in sides))
            needed = max(goal.propositions[place].number for place, _ in sides)
            holds[number] = len(shared) >= needed
            for place, side in sides:
                kept = {pair for pair in left[place] if pair[side] in shared}
                changed |= kept != left[place]
                left[place] = kept
    return holds
