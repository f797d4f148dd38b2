"""The state in which a room begins."""

from __future__ import annotations

from collections.abc import Iterator

from gumption.planning.worlds.household._links import Links
from gumption.planning.worlds.household._state import Agent, State
from gumption.planning.worlds.household.facts import BASINS
from gumption.planning.worlds.scenes import Scene, SceneObject
from gumption.planning.worlds.world import Thing
from gumption.records import GumptionError

__all__ = ["beginning"]

_DEEPEST = 12
"""How deep things may be in each other."""


def beginning(scene: Scene, links: Links) -> State:
    """Everything as the scene has it. Raises GumptionError where things are in each other, in something that
    is not there, or deeper in each other than rooms have it."""
    things = {one.object_id: _thing(one, links) for one in scene.objects}
    settled: set[str] = set()
    for name in things:
        _settle(name, things, settled, scene.name)
    return State(scene.name, things, Agent())


def _thing(one: SceneObject, links: Links) -> Thing:
    places: tuple[str, ...] = ()
    if one.pickupable:
        places = one.parents
    elif one.object_type in BASINS and one.object_id in links.sink:
        places = (links.sink[one.object_id],)
    return Thing(
        one.object_id,
        one.object_type,
        parents=places,
        open=one.is_open,
        on=one.is_toggled,
        dirty=one.is_dirty,
        # The metadata leave open what a full bottle holds.
        liquid=(one.fill_liquid or "liquid") if one.is_filled_with_liquid else "",
        sliced=one.is_sliced,
        cooked=one.is_cooked,
        broken=one.is_broken,
        temperature=one.temperature,
    )


def _settle(name: str, things: dict[str, Thing], settled: set[str], where: str) -> None:
    """Follow everything that a thing is in, without recursion: the file may be anybody's."""
    path: list[tuple[str, Iterator[str]]] = [(name, iter(things[name].parents))]
    while path:
        inner, rest = path[-1]
        outer = next(rest, None)
        problem = ""
        if outer is None:
            settled.add(inner)
            path.pop()
        elif outer not in things:
            problem = f"{inner} is in {outer}, which is not there"
        elif any(outer == one for one, _ in path):
            problem = f"{inner} is in {outer}, which is inside it"
        elif len(path) == _DEEPEST:
            problem = f"{name} is more than {_DEEPEST} deep in other things"
        elif outer not in settled:
            path.append((outer, iter(things[outer].parents)))
        if problem:
            raise GumptionError(problem, where=where, remedy="mend parentReceptacles")
