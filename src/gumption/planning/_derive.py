"""The goal that a gold plan reaches, where nobody has written it down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from gumption.planning._instructions import meaning
from gumption.planning.execution import execute
from gumption.planning.goals import Goal, Proposition, Slot, holders
from gumption.planning.worlds.household.facts import BASINS, KNIVES
from gumption.planning.worlds.world import Action, Thing, World

__all__ = ["derive"]

_SEARCHING = {("find",), ("navigate",)}
_EVENTS = {"heated": "heated", "cooled": "cooled", "cooked": "cooked", "filled": "poured"}


class _Brought(Struct, frozen=True):
    """Something that the plan brought about, and at which step."""

    predicate: str
    thing: str
    target: str
    step: int


def derive(world: World, plan: Iterable[Sequence[str]], *, by: Literal["type", "id"] = "type") -> Goal:
    """The goal that a gold plan reaches: how the things it handles differ at its end.

    The plan is executed with its failed steps repaired; the world is reset before and after. A goal says of
    the things that the plan names where they were put last, what was washed, filled, heated, cooled, cooked
    or cut, and what is open or on now; a washing before the last placing has to come before it. Means are
    left out: knives that cut, faucets, a basin that a thing was only washed in, and what the hand holds,
    unless it is all that the plan leads to. Things under the tap count as washed only if no step says "wash".
    by: whether any object of the type will do that is not as wanted from the start, or only that one.
    An empty plan has an empty goal.
    """
    world.reset()
    named: dict[str, None] = {}
    history = [_snapshot(world)]

    def watched() -> Iterator[Sequence[str]]:
        for words in plan:
            action = Action(*words[:3])
            if meaning(action.verb) not in _SEARCHING:
                named.update(dict.fromkeys(name for name in action[1:] if name))
            yield words
            history.append(_snapshot(world))

    execute(world, watched(), mode="continue")
    held, end = world.held, _snapshot(world)
    history.append(end)
    cuts = any(thing.sliced for thing in end.values())
    told = any(thing.washed for thing in end.values())
    brought = [
        one
        for name in named
        if name in end and not (cuts and end[name].type in KNIVES)
        for one in _brought(name, history, {"clean": "washed" if told else "cleaned"} | _EVENTS)
    ]
    if not brought and held:
        brought = [_Brought("held", held, "", len(history))]
    world.reset()
    return _goal(brought, world, {name: thing.type for name, thing in end.items()}, by)


def _snapshot(world: World) -> dict[str, Thing]:
    return {name: copy(thing) for name, thing in world.objects().items()}


def _brought(name: str, history: list[dict[str, Thing]], events: Mapping[str, str]) -> Iterator[_Brought]:
    """What became of one thing. A slice was before what its whole was."""
    past = [moment[name] for moment in history if name in moment]
    start = len(history) - len(past)
    last = past[-1]
    first = history[0].get(name) or history[0].get(name.rpartition("|")[0], past[0])

    def since(field: str) -> int:
        """The step from which the field has been as it is at the end."""
        value = getattr(last, field)
        return start + max((at + 1 for at, one in enumerate(past) if getattr(one, field) != value), default=0)

    if last.sliced and not first.sliced:
        slices = [one for one in history[-1] if one.startswith(f"{name}|")]
        if not any(_moved(one, history) for one in slices):
            yield _Brought("exists", slices[0], "", since("sliced"))
    if last.sliced:
        return
    happened = [
        _Brought(predicate, name, "", since(field))
        for predicate, field in events.items()
        if getattr(last, field)
        and not getattr(first, field)
        # What was filled was not washed by the way.
        and not (predicate == "clean" and last.poured and not last.washed)
    ]
    yield from happened
    if last.parents and _moved(name, history):
        placed = since("parents")
        basin = history[-1][last.parents[0]].type in BASINS
        if not (
            basin and any(one.predicate in ("clean", "filled") and one.step > placed for one in happened)
        ):
            yield _Brought("in", name, last.parents[0], placed)
    if last.open != first.open:
        yield _Brought("open" if last.open else "closed", name, "", since("open"))
    if last.on != first.on and last.type != "Faucet":
        yield _Brought("on" if last.on else "off", name, "", since("on"))


def _moved(name: str, history: list[dict[str, Thing]]) -> bool:
    return len({moment[name].parents for moment in history if name in moment}) > 1


def _goal(
    brought: Sequence[_Brought], world: World, types: Mapping[str, str], by: Literal["type", "id"]
) -> Goal:
    def handle(name: str) -> str:
        return types[name] if by == "type" and name else name

    # Things that cannot be told apart are counted in one proposition.
    merged: dict[tuple[str, str, str], list[_Brought]] = {}
    for one in brought:
        merged.setdefault((one.predicate, handle(one.thing), handle(one.target)), []).append(one)
    places = {id(one): place for place, group in enumerate(merged.values()) for one in group}
    propositions = []
    for (predicate, thing, target), group in merged.items():
        before = {
            places[id(event)]
            for placing in group
            if placing.predicate == "in"
            for event in brought
            if event.predicate in ("clean", *_EVENTS)
            and event.thing == placing.thing
            and event.step < placing.step
        }
        plain = Proposition(predicate, (thing,), (target,) if target else (), number=len(group))
        objects = _wanted(plain, group, world)
        propositions.append(replace(plain, objects=objects, after=tuple(sorted(before))))
    same: dict[tuple[Slot, ...], None] = {}
    for name in dict.fromkeys(one.thing for one in brought):
        slots = {Slot(places[id(one)]): None for one in brought if one.thing == name}
        slots |= {Slot(places[id(one)], "target"): None for one in brought if one.target == name}
        if len(slots) > 1:
            same[tuple(slots)] = None
    return Goal(tuple(propositions), tuple(same))


def _wanted(one: Proposition, group: Sequence[_Brought], world: World) -> tuple[str, ...]:
    """The type; where something of it is as wanted from the start, those that are not, and those brought."""
    holding = {name for name, _ in holders(one, world)} - {brought.thing for brought in group}
    of_type = [thing.id for thing in world.objects().values() if thing.type in one.objects]
    return tuple(name for name in of_type if name not in holding) if holding else one.objects
