"""A kitchen: arms that carry things, places with things on them, vegetables whole or in slices."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from gumption.grounding.pddl import Domain
from gumption.grounding.render._canvas import Canvas, Colour, shaded
from gumption.grounding.render._food import Thing, draw_thing, things_of
from gumption.grounding.render._isometric import draw_slab
from gumption.grounding.render._looks import Room
from gumption.grounding.render._sprites import STEEL
from gumption.grounding.render._world import check_legible, of_place, undrawable
from gumption.grounding.states import State

__all__ = ["Kitchen", "draw_kitchen", "read_kitchen"]

PlaceKind: TypeAlias = Literal["board", "bowl", "counter"]

_BOARD: Colour = (200, 150, 96)
_BOWL: Colour = (226, 232, 240)
_COUNTER: Colour = (176, 184, 190)
_ARMS = 0.4
"""The upper part of the picture, where the arms are."""
_LABEL = 24


class Place(NamedTuple):
    """Somewhere to put things."""

    name: str
    kind: PlaceKind


class Kitchen(NamedTuple):
    """A scene."""

    places: tuple[Place, ...]
    """From left to right."""
    arms: dict[str, str | None]
    """Each robot with what it carries, from left to right."""
    things: dict[str, Thing]
    """In an order that decides where in a place each of them lies."""
    where: dict[str, str]
    """The place of each thing that no arm carries."""


def read_kitchen(domain: Domain, objects: Mapping[str, str], state: State, seed: int) -> Kitchen:
    """Work spaces are drawn as boards and tools that cut as knives, since no action changes these facts."""
    places = of_place(domain, objects, "at", 1)
    arms: dict[str, str | None] = dict.fromkeys(of_place(domain, objects, "carry", 0))
    names = sorted(set(objects) - set(places) - set(arms))
    if not places or not names:
        raise undrawable("there are no places, or no things")
    where: dict[str, str] = {}
    times: Counter[str] = Counter()
    for atom in sorted(state):
        if atom[0] == "carry":
            if arms[atom[1]]:
                raise undrawable(f"{atom[1]} carries two things")
            arms[atom[1]] = atom[2]
            times[atom[2]] += 1
        elif atom[0] == "at":
            where[atom[1]] = atom[2]
            times[atom[1]] += 1
    for name in names:
        if times[name] != 1:
            raise undrawable(f"{name} is in {times[name]} places")
    generator = Random(seed)
    generator.shuffle(names)
    generator.shuffle(places)
    kinds = tuple(Place(name, _kind(name, state)) for name in places)
    return Kitchen(kinds, arms, things_of(domain, objects, names, state, seed), where)


def _kind(place: str, state: State) -> PlaceKind:
    if ("is-workspace", place) in state:
        return "board"
    return "bowl" if "bowl" in place else "counter"


def draw_kitchen(kitchen: Kitchen, room: Room, size: tuple[int, int], *, isometric: bool) -> bytes:
    """The places side by side, from above or in isometric projection; the arms come from the upper edge."""
    canvas = Canvas(size, room.table if not isometric else room.wall)
    top = canvas.height * _ARMS
    if isometric:
        canvas.box((0, top + 0.08 * canvas.height, canvas.width, canvas.height), room.table, None)
    else:
        canvas.box((0, 0, canvas.width, top * 0.9), room.wall, None)
    share = canvas.width / len(kitchen.places)
    half = min(share * 0.46, (canvas.height - top - _LABEL) / 2)
    middle = (top + canvas.height - _LABEL) / 2
    across = math.ceil(math.sqrt(len(kitchen.things)))
    cell = 1.4 * half / across
    check_legible(cell / 2)
    for number, place in enumerate(kitchen.places):
        x = (number + 0.5) * share
        (_draw_slab if isometric else _draw_flat)(canvas, x, middle, half, place.kind)
        canvas.words(x, canvas.height - _LABEL / 2, place.name, 15, room=share * 0.95)
        lying = [
            (*_spot(x, middle, slot, across, cell, isometric=isometric), thing)
            for slot, (name, thing) in enumerate(kitchen.things.items())
            if kitchen.where.get(name) == place.name
        ]
        for left, low, thing in sorted(lying, key=lambda one: one[1]):
            draw_thing(canvas, left, low, cell * (0.85 if isometric else 1), thing)
        for left, low, thing in lying:
            if thing.label:
                canvas.tag(left, low + 0.4 * cell, thing.label, 10)
    _draw_arms(canvas, kitchen, 0.17 * canvas.height)
    return canvas.png()


def _spot(x: float, y: float, slot: int, across: int, cell: float, *, isometric: bool) -> tuple[float, float]:
    """Where the slot of a place around (x, y) is, of a square of slots row by row."""
    down, right = (one - (across - 1) / 2 for one in divmod(slot, across))
    if isometric:
        right, down = (right - down) * 0.7, (right + down) * 0.35 - 0.1
    return x + right * cell, y + down * cell


def _draw_flat(canvas: Canvas, x: float, y: float, half: float, kind: PlaceKind) -> None:
    if kind == "bowl":
        canvas.ellipse(x, y, half, half, _BOWL)
        canvas.ellipse(x, y, half * 0.9, half * 0.9, shaded(_BOWL, 0.94), shaded(_BOWL, 0.7))
        return
    fill = _BOARD if kind == "board" else _COUNTER
    canvas.box((x - half, y - half, x + half, y + half), fill, radius=14 if kind == "board" else 0)
    if kind == "board":
        for line in (-0.62, -0.2, 0.22, 0.64):
            canvas.line(
                ((x - half * 0.9, y + half * line), (x + half * 0.9, y + half * line)), shaded(fill, 0.9)
            )
        canvas.ellipse(x + half * 0.82, y - half * 0.82, half * 0.08, half * 0.08, shaded(fill, 0.5))


def _draw_slab(canvas: Canvas, x: float, y: float, half: float, kind: PlaceKind) -> None:
    if kind == "bowl":
        canvas.ellipse(x, y + half * 0.16, half * 0.5, half * 0.3, shaded(_BOWL, 0.75))
        canvas.ellipse(x, y, half, half * 0.5, shaded(_BOWL, 0.9))
        canvas.ellipse(x, y, half * 0.9, half * 0.43, shaded(_BOWL, 0.8), shaded(_BOWL, 0.6))
        return
    height = half * (0.1 if kind == "board" else 0.22)
    draw_slab(canvas, x, y + height, half / 0.866, height, _BOARD if kind == "board" else _COUNTER)


def _draw_arms(canvas: Canvas, kitchen: Kitchen, cell: float) -> None:
    share = canvas.width / max(len(kitchen.arms), 1)
    palm, reach = 0.09 * canvas.height, cell * 0.62
    for number, (name, carried) in enumerate(kitchen.arms.items()):
        x = (number + 0.5) * share
        canvas.box((x - 6, 0, x + 6, palm), STEEL)
        if carried:
            thing = kitchen.things[carried]
            draw_thing(canvas, x, palm + 0.55 * cell, cell, thing)
            if thing.label:
                canvas.tag(x, palm + cell, thing.label, 12)
        for side in (-1, 1):
            near, far = x + side * reach, x + side * (reach + 6)
            canvas.box((min(near, far), palm, max(near, far), palm + 0.7 * cell), STEEL)
        canvas.box((x - reach - 6, palm - 4, x + reach + 6, palm + 4), STEEL)
        canvas.tag(x + reach + 12, palm + 4, name, 13, anchor="l")
