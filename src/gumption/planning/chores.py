"""Steps taken in a room while they are written down: what generated plans are made of."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from gumption.planning.execution import execute
from gumption.planning.view import labels
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.facts import ENCLOSING
from gumption.planning.worlds.scenes import Scene
from gumption.planning.worlds.world import Thing

__all__ = ["UnfitError", "Work", "cool", "cut", "fill", "heat", "wash"]


class UnfitError(Exception):
    """What was drawn cannot be done in this room."""


class Work(Struct):
    """A room and the steps that were taken in it."""

    world: Household
    steps: list[tuple[str, ...]] = field(default_factory=list)
    """Verb and objectIds."""

    def copy(self) -> Work:
        """The same work, to be gone on with or given up."""
        return Work(self.world.copy(), self.steps.copy())

    def do(self, verb: str, thing: str, target: str = "") -> None:
        """Take a step and write it down. Raises UnfitError where it is not possible or changes nothing."""
        if not execute(self.world, [(verb, thing, target)]).completed:
            raise UnfitError(f"{verb} {thing} {target}")
        self.steps.append((verb, thing, target))

    def fetch(self, thing: Thing) -> None:
        """Take it in the hand, out of its container where it is in a closed one."""
        shut = [name for name in thing.parents if self._closed(name)]
        for name in shut:
            self.do("Open", name)
        self.do("Pick", thing.id)
        for name in shut:
            self.do("Close", name)

    def put(self, thing: Thing, target: str) -> None:
        """Put what is held somewhere; a closed container is opened before and closed behind."""
        shut = self._closed(target)
        if shut:
            self.do("Open", target)
        self.do("Place", thing.id, target)
        if shut:
            self.do("Close", target)

    def first(self, kinds: Sequence[str]) -> Thing:
        """The first thing of these types, by id. Raises UnfitError where there is none."""
        found = (one for one in self.world.objects().values() if one.type in kinds and not one.sliced)
        thing = min(found, key=lambda one: one.id, default=None)
        if thing is None:
            raise UnfitError(f"no {' or '.join(kinds)}")
        return thing

    def plan(self, scene: Scene) -> tuple[tuple[str, ...], ...]:
        """The steps with the names that things go by in a scene."""
        names = labels(scene.objects)
        slices = (name for name in self.world.objects() if name not in names)
        names |= {name: f"{name.partition('|')[0]} Slice" for name in slices}
        return tuple([(verb, *[names[name] for name in ids if name]) for verb, *ids in self.steps])

    def _closed(self, name: str) -> bool:
        thing = self.world.objects()[name]
        return thing.type in ENCLOSING and self.world.about[name].openable and not thing.open


# ── what is done with a held thing, which is held again at the end ───────────────────────────────────


def wash(work: Work, thing: Thing) -> None:
    faucet = _under_water(work, thing)
    work.do("Turn on", faucet)
    work.do("Wash", thing.id)
    work.do("Turn off", faucet)
    work.do("Pick", thing.id)


def fill(work: Work, thing: Thing) -> None:
    faucet = _under_water(work, thing)
    work.do("Turn on", faucet)
    work.do("Pour", faucet, thing.id)
    work.do("Turn off", faucet)
    work.do("Pick", thing.id)


def heat(work: Work, thing: Thing) -> None:
    oven = work.first(("Microwave",))
    work.put(thing, oven.id)
    work.do("Turn on", oven.id)
    work.do("Turn off", oven.id)
    work.fetch(thing)


def cool(work: Work, thing: Thing) -> None:
    fridge = work.first(("Fridge",))
    work.put(thing, fridge.id)
    work.fetch(thing)


def cut(work: Work, whole: Thing, knife: Thing, put_down: str) -> Thing:
    """Cut something up with a knife that is fetched and put down again; a slice of it is held at the end."""
    work.fetch(knife)
    work.do("Cut", whole.id)
    work.put(knife, put_down)
    piece = next(thing for name, thing in work.world.objects().items() if name.startswith(f"{whole.id}|"))
    work.do("Pick", piece.id)
    return piece


def _under_water(work: Work, thing: Thing) -> str:
    """Put it in the sink; the faucet of that."""
    basin = work.first(("SinkBasin",)).id
    work.do("Place", thing.id, basin)
    return work.world.links.faucets[basin][0]
