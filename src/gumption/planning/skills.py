"""Parts of generated tasks, drawn by lot: what is wanted, in words and as a goal, and the steps for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec import Struct, field

from gumption.planning import chores
from gumption.planning.chores import UnfitError, Work
from gumption.planning.goals import Proposition, Slot
from gumption.planning.view import labels
from gumption.planning.worlds.household.facts import ENCLOSING, KNIVES, PLACEMENT, SLICES
from gumption.planning.worlds.world import Thing

__all__ = ["SKILLS", "Draw", "Part", "spoken"]

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SAID = {
    "CD": "CD",
    "CounterTop": "counter",
    "GarbageCan": "garbage can",
    "SinkBasin": "sink",
    "StoveBurner": "stove burner",
    "TVStand": "TV stand",
}
_INTO = ENCLOSING | {"GarbageCan", "SinkBasin", "BathtubBasin", "Bowl", "Pot", "Mug", "Cup", "Toaster"}
_HEATED = ("Potato", "Bread", "Egg", "Apple", "Tomato", "Mug", "Plate")
_COOLED = ("Apple", "Tomato", "Potato", "Bread", "Lettuce", "WineBottle", "Cup", "Mug", "Bowl", "Plate")
_FILLED = ("Mug", "Cup", "Bowl", "Pot", "Kettle", "WateringCan")
_CUT = ("Apple", "Bread", "Lettuce", "Potato", "Tomato")
_VESSELS = ("Bowl", "Plate", "Pot", "Pan", "Box", "Mug", "Cup")
_DEVICES = (
    "DeskLamp",
    "FloorLamp",
    "Television",
    "Laptop",
    "LightSwitch",
    "CoffeeMachine",
    "Candle",
    "Toaster",
)


class Part(NamedTuple):
    """A part of a task."""

    words: str
    """In the imperative: "wash the mug and put it in the fridge"."""
    propositions: tuple[Proposition, ...]
    same: tuple[tuple[Slot, ...], ...] = ()
    """With places counted from this part's first proposition."""


class Draw(Struct):
    """Draws what parts are about, and takes their steps."""

    work: Work
    generator: Random
    shut: Mapping[str, str]
    """Of things in closed containers, by id, the container that the words are to name; "" where not."""
    used: set[str] = field(default_factory=set)
    """What a part of the task has to do with, by id: no other part may touch it."""

    def copy(self) -> Draw:
        return Draw(self.work.copy(), self.generator, self.shut, self.used.copy())

    def any(
        self, kinds: Sequence[str] | None = None, fits: Callable[[Thing], bool] = lambda _: True
    ) -> Thing:
        """A thing by lot that no other part has to do with: first of all what is in closed containers.

        Raises UnfitError where there is none.
        """
        found = [
            thing
            for thing in sorted(self.work.world.objects().values(), key=lambda thing: thing.id)
            if thing.id not in self.used and (kinds is None or thing.type in kinds) and fits(thing)
        ]
        if not found:
            raise UnfitError("nothing fits")
        chosen = self.generator.choice([thing for thing in found if thing.id in self.shut] or found)
        self.used.add(chosen.id)
        return chosen

    def carried(self, kinds: Sequence[str] | None = None) -> Thing:
        """Something that can be carried and goes somewhere."""
        about = self.work.world.about
        return self.any(kinds, lambda thing: about[thing.id].pickupable and thing.type in PLACEMENT)

    def in_sight(self, kinds: Sequence[str]) -> Thing:
        """Something that is in no closed container."""
        return self.any(kinds, lambda thing: not self.work.world.shut_in(thing))

    def place_for(self, thing: Thing, kind: str = "", *, but: Sequence[str] = ()) -> Thing:
        """A piece of furniture that a thing, or a piece of that kind of it, goes on or into and is not in.

        but: types that would not do.
        """
        things = self.work.world.objects()
        allowed = PLACEMENT[kind or thing.type] - {"Floor", "SinkBasin", *but}
        allowed -= {things[name].type for name in thing.parents}
        furniture = [
            other
            for other in sorted(things.values(), key=lambda other: other.id)
            if other.type in allowed
            and self.work.world.about[other.id].receptacle
            and not self.work.world.about[other.id].pickupable
        ]
        if not furniture:
            raise UnfitError("nowhere to put it")
        return self.generator.choice(furniture)

    def the(self, thing: Thing) -> str:
        """The thing in words, with the container to take it from where that is told."""
        where = self.shut.get(thing.id, "")
        if not where:
            return f"the {spoken(thing.type)}"
        named = spoken(labels(self.work.world.scene.objects)[where])
        return f"the {spoken(thing.type)} from {named if named[-1].isdigit() else f'the {named}'}"

    def where(self, place: Thing) -> str:
        """The place in words, such as "in a drawer": any of its type will do."""
        several = sum(one.type == place.type for one in self.work.world.objects().values()) > 1
        article = ("an" if place.type[0] in "AEIOU" else "a") if several else "the"
        return f"{'in' if place.type in _INTO else 'on'} {article} {spoken(place.type)}"


def spoken(kind: str) -> str:
    """A type in everyday words: "dining table"."""
    return _SAID.get(kind, _CAMEL.sub(" ", kind).lower())


def _in(kind: str, place: Thing) -> Proposition:
    return Proposition("in", (kind,), (place.type,))


def _put(draw: Draw) -> Part:
    thing = draw.carried()
    place = draw.place_for(thing)
    draw.work.fetch(thing)
    draw.work.put(thing, place.id)
    return Part(f"put {draw.the(thing)} {draw.where(place)}", (_in(thing.type, place),))


def _treated(
    draw: Draw,
    chore: Callable[[Work, Thing], None],
    event: str,
    words: str,
    kinds: Sequence[str] | None = None,
    but: str = "",
) -> Part:
    """Something is done with a thing, which is then put somewhere, not in what it was done with."""
    thing = draw.carried(kinds)
    if but and any(name.startswith(f"{but}|") for name in thing.parents):
        raise UnfitError("it is there already")
    place = draw.place_for(thing, but=("GarbageCan", but))
    draw.work.fetch(thing)
    chore(draw.work, thing)
    draw.work.put(thing, place.id)
    return Part(
        f"{words.format(draw.the(thing))} and put it {draw.where(place)}",
        (_in(thing.type, place), Proposition(event, (thing.type,))),
        ((Slot(0), Slot(1)),),
    )


def _clean(draw: Draw) -> Part:
    return _treated(draw, chores.wash, "clean", "wash {}")


def _heat(draw: Draw) -> Part:
    return _treated(draw, chores.heat, "heated", "heat {}", _HEATED, "Microwave")


def _cool(draw: Draw) -> Part:
    return _treated(draw, chores.cool, "cooled", "cool {}", _COOLED, "Fridge")


def _fill(draw: Draw) -> Part:
    return _treated(draw, chores.fill, "filled", "fill {} with water", _FILLED)


def _slice(draw: Draw) -> Part:
    knife = draw.carried(tuple(KNIVES))
    whole = draw.in_sight(_CUT)
    kind = SLICES[whole.type]
    place = draw.place_for(whole, kind, but=("GarbageCan",))
    piece = chores.cut(draw.work, whole, knife, draw.place_for(knife).id)
    draw.work.put(piece, place.id)
    words = f"cut {draw.the(whole)} with {draw.the(knife)} and put a slice of it {draw.where(place)}"
    return Part(words, (_in(kind, place),))


def _stack(draw: Draw) -> Part:
    vessel = draw.in_sight(_VESSELS)
    thing = draw.carried([kind for kind, places in PLACEMENT.items() if vessel.type in places])
    place = draw.place_for(vessel)
    draw.work.fetch(thing)
    draw.work.put(thing, vessel.id)
    draw.work.fetch(vessel)
    draw.work.put(vessel, place.id)
    words = (
        f"put {draw.the(thing)} {draw.where(vessel)}, then put the {spoken(vessel.type)} {draw.where(place)}"
    )
    return Part(words, (_in(thing.type, vessel), _in(vessel.type, place)), ((Slot(0, "target"), Slot(1)),))


def _switch(draw: Draw) -> Part:
    device = draw.in_sight(_DEVICES)
    verb = "off" if device.on else "on"
    draw.work.do(f"Turn {verb}", device.id)
    return Part(f"turn {verb} the {spoken(device.type)}", (Proposition(verb, (device.type,)),))


SKILLS: Mapping[str, Callable[[Draw], Part]] = {
    "put": _put,
    "clean": _clean,
    "heat": _heat,
    "cool": _cool,
    "slice": _slice,
    "fill": _fill,
    "stack": _stack,
    "switch": _switch,
}
"""By name. Each draws its things, takes its steps, and says what it was for; UnfitError where it cannot."""
