"""What a verb asks of the things it is done to and with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Literal, TypeAlias

from gumption.planning.resolve._words import VERBS
from gumption.planning.worlds.household.facts import KNIVES
from gumption.planning.worlds.scenes import SceneObject

__all__ = [
    "CLOSES",
    "CUTS",
    "OPENS",
    "PLACES",
    "SWITCHES",
    "TAKES",
    "Affordances",
    "Role",
    "plain_verb",
]

Role = Literal["object", "target"]
_Test: TypeAlias = Callable[[SceneObject], bool]

TAKES = frozenset({"pick", "grasp", "lift", "catch", "pick and place", "pinch"})
PLACES = frozenset(
    {"place", "insert", "pick and place", "throw", "hang", "stack", "release", "grasp and release"}
)
CUTS = frozenset({"cut", "chop", "peel"})
OPENS, CLOSES = frozenset({"open"}), frozenset({"close"})
SWITCHES = frozenset({"turn on", "turn off", "turn", "twist", "press", "screw", "unscrew"})
_WASHES = frozenset({"wash", "rinse"})
_POURS = frozenset({"pour"})
_SHIFTS = frozenset({"push", "pull", "slide", "drag"})


def plain_verb(verb: str) -> str:
    """The verb in lower case, its everyday forms ("Pick up", "Put") as the verb of plans they mean."""
    words = " ".join(verb.lower().replace("_", " ").split())
    return VERBS.get(words, words).lower()


class Affordances:
    """Which of some objects a verb can be done to. `objects` are all that the room holds."""

    def __init__(self, objects: Iterable[SceneObject]) -> None:
        self._objects = objects

    @cached_property
    def controlled(self) -> frozenset[str]:
        """The ids of what is switched through something else: burners through their knobs."""
        return frozenset(one for thing in self._objects for one in thing.controlled_objects or ())

    def fits(self, verb: str, role: Role, thing: SceneObject) -> bool:
        """Whether the thing has the property that the verb asks for; of a verb that asks none, True.

        verb: as `plain_verb` gives it.
        """
        test = self._test(verb, role)
        return test is None or test(thing)

    def asks(self, verb: str, role: Role) -> bool:
        """Whether the verb asks anything of that role."""
        return self._test(verb, role) is not None

    def _test(self, verb: str, role: Role) -> _Test | None:
        if verb in CUTS:
            return lambda thing: thing.sliceable or thing.object_type in KNIVES
        if role == "target":
            if verb in PLACES or verb in TAKES:
                return lambda thing: thing.receptacle
            if verb in _POURS:
                return lambda thing: thing.can_fill_with_liquid or thing.receptacle
            if verb in _WASHES:
                return lambda thing: thing.receptacle or thing.object_type == "Faucet"
            return None
        if verb in TAKES or verb in PLACES:
            return lambda thing: thing.pickupable
        if verb in OPENS or verb in CLOSES:
            return lambda thing: thing.openable
        if verb in SWITCHES:
            return lambda thing: thing.toggleable or thing.object_id in self.controlled
        if verb in _WASHES:
            return lambda thing: thing.pickupable or thing.dirtyable
        if verb in _SHIFTS:
            return lambda thing: thing.pickupable or thing.moveable or thing.openable
        return None
