"""The household that AI2-THOR's metadata show."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gumption.planning.worlds._thor_process import Event
from gumption.planning.worlds.household import Agent, Household, Options
from gumption.planning.worlds.scenes import Scene
from gumption.planning.worlds.world import Thing

__all__ = ["read_household"]

_MARKS = ("cleaned", "heated", "cooled", "washed", "poured")


def read_household(
    scene: str, event: Event, options: Options, marks: Mapping[str, Thing], at: str
) -> Household:
    """The state after an event, with what the simulator does not keep.

    marks: things with the events that took place; a slice takes over those of its whole. at: where the agent
    has gone to.
    """
    known = {one.object_id for one in event.objects}
    objects = tuple(
        one
        if known.issuperset(one.parents)
        else replace(one, parent_receptacles=tuple(name for name in one.parents if name in known))
        for one in event.objects
    )
    household = Household(Scene(scene, objects), options)
    state = household.state()
    for thing in state.things.values():
        mark = marks.get(thing.id) or marks.get(thing.id.rpartition("|")[0])
        for field in _MARKS if mark else ():
            setattr(thing, field, getattr(mark, field))
        if thing.sliced:
            # AI2-THOR goes on to report the whole, where it was cut.
            thing.parents = ()
    state.agent = Agent(event.held[0] if event.held else "", at)
    household.restore(state)
    return household
