"""Vegetables whole and in slices, and tools."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from gumption.grounding.pddl import Domain
from gumption.grounding.render._canvas import Canvas, Colour, Point, shaded
from gumption.grounding.render._looks import looks
from gumption.grounding.render._world import of_place
from gumption.grounding.states import State

__all__ = ["VEGETABLES", "Thing", "draw_thing", "things_of"]

Form: TypeAlias = Literal["round", "long", "cone", "knife", "spoon"]

_LEAF: Colour = (60, 150, 60)


class Thing(NamedTuple):
    """Something to pick up."""

    form: Form
    skin: Colour
    flesh: Colour
    sliced: bool = False
    leafy: bool = False
    label: str = ""


VEGETABLES: dict[str, Thing] = {
    "tomato": Thing("round", (214, 44, 38), (240, 120, 100), leafy=True),
    "potato": Thing("round", (176, 132, 82), (244, 228, 170)),
    "onion": Thing("round", (170, 92, 140), (246, 232, 244)),
    "cucumber": Thing("long", (44, 130, 58), (206, 236, 180)),
    "eggplant": Thing("long", (88, 44, 120), (240, 230, 200), leafy=True),
    "carrot": Thing("cone", (240, 128, 30), (252, 176, 96), leafy=True),
}
"""What is known by sight. All others are round and labelled."""


def things_of(
    domain: Domain, objects: Mapping[str, str], names: Sequence[str], state: State, seed: int
) -> dict[str, Thing]:
    """Vegetables and tools, with labels on what cannot be told by sight."""
    kinds = {name: re.sub(r"[\W_\d]+$", "", name) for name in names}
    often = Counter(kinds.values())
    vegetables = set(of_place(domain, objects, "is-whole", 0))
    others = looks(names, seed)
    found = {}
    for name in names:
        kind, sliced = kinds[name], ("is-sliced", name) in state
        if name in vegetables:
            known = VEGETABLES.get(kind)
            fill = others[name].fill
            thing = known or Thing("round", fill, shaded(fill, 1.7))
            label = "" if known and often[kind] == 1 else name
        else:
            cuts = ("can-cut", name) in state
            thing = Thing("knife" if cuts else "spoon", (110, 70, 40), (214, 220, 226))
            label = "" if cuts and kind == "knife" and often[kind] == 1 else name
        found[name] = thing._replace(sliced=sliced, label=label)
    return found


def draw_thing(canvas: Canvas, x: float, y: float, size: float, thing: Thing) -> None:
    """In a square of that size around a point."""
    if thing.sliced:
        _draw_slices(canvas, x, y, size, thing)
    elif thing.form == "round":
        _draw_round(canvas, x, y, size, thing)
    elif thing.form == "long":
        _draw_long(canvas, x, y, size, thing)
    elif thing.form == "cone":
        _draw_cone(canvas, x, y, size, thing)
    else:
        _draw_tool(canvas, x, y, size, thing)


def _draw_slices(canvas: Canvas, x: float, y: float, size: float, thing: Thing) -> None:
    """A row of discs that show the flesh."""
    radii = {"round": (0.23, 0.23, 0.23), "cone": (0.18, 0.16, 0.13, 0.1)}.get(thing.form, (0.17,) * 4)
    step = 0.66 * size / (len(radii) - 1)
    for number, radius in enumerate(radii):
        at = x - 0.33 * size + number * step
        tilt = 0.1 * size * (number % 2) - 0.05 * size
        canvas.ellipse(at, y + tilt, radius * size, radius * size, thing.skin)
        canvas.ellipse(at, y + tilt, radius * size * 0.66, radius * size * 0.66, thing.flesh, None)
        for seed in (-0.35, 0, 0.35):
            dot = 0.11 * radius * size
            height = y + tilt + (0.18 if seed else -0.3) * radius * size
            canvas.ellipse(at + seed * radius * size, height, dot, dot, shaded(thing.flesh, 0.7), None)


def _draw_round(canvas: Canvas, x: float, y: float, size: float, thing: Thing) -> None:
    canvas.ellipse(x, y, 0.36 * size, 0.33 * size, thing.skin)
    shine = shaded(thing.skin, 1.45)
    canvas.ellipse(x - 0.14 * size, y - 0.1 * size, 0.07 * size, 0.05 * size, shine, None)
    if thing.leafy:
        star = ((-0.16, -0.28), (-0.05, -0.3), (0, -0.42), (0.05, -0.3), (0.16, -0.28), (0, -0.2))
        canvas.polygon(_placed(star, x, y, size), _LEAF)


def _draw_long(canvas: Canvas, x: float, y: float, size: float, thing: Thing) -> None:
    low, high = (x - 0.32 * size, y + 0.16 * size), (x + 0.32 * size, y - 0.16 * size)
    for width, fill in ((0.3, (45, 45, 50)), (0.26, thing.skin)):
        canvas.line((low, high), fill, width * size)
        for end in (low, high):
            canvas.ellipse(*end, width * size / 2, width * size / 2, fill, None)
    shine = shaded(thing.skin, 1.3)
    canvas.line(((x - 0.24 * size, y + 0.05 * size), (x + 0.2 * size, y - 0.17 * size)), shine, 0.03 * size)
    if thing.leafy:
        canvas.ellipse(*high, 0.12 * size, 0.12 * size, _LEAF)


def _draw_cone(canvas: Canvas, x: float, y: float, size: float, thing: Thing) -> None:
    for leaf in ((0.42, -0.26), (0.44, -0.14), (0.34, -0.34)):
        canvas.line(_placed(((0.22, -0.14), leaf), x, y, size), _LEAF, 0.07 * size)
    outline = ((0.3, -0.02), (0.17, -0.27), (0.05, -0.2), (-0.42, 0.28), (0.24, 0.08))
    canvas.polygon(_placed(outline, x, y, size), thing.skin)
    for start, end in (((0.0, -0.08), (0.06, -0.02)), ((-0.16, 0.08), (-0.1, 0.14))):
        canvas.line(_placed((start, end), x, y, size), shaded(thing.skin, 0.7), 0.03 * size)


def _draw_tool(canvas: Canvas, x: float, y: float, size: float, thing: Thing) -> None:
    """A knife's blade or a spoon's bowl at the end of a handle."""
    canvas.line(_placed(((-0.42, 0.12), (-0.1, 0.02)), x, y, size), thing.skin, 0.12 * size)
    if thing.form == "knife":
        blade = ((-0.13, -0.05), (0.4, -0.24), (0.44, -0.14), (0.3, 0.0), (-0.09, 0.12))
        canvas.polygon(_placed(blade, x, y, size), thing.flesh)
    else:
        canvas.line(_placed(((-0.1, 0.02), (0.2, -0.07)), x, y, size), (120, 126, 132), 0.05 * size)
        canvas.ellipse(x + 0.28 * size, y - 0.1 * size, 0.15 * size, 0.11 * size, thing.flesh)


def _placed(corners: Sequence[Point], x: float, y: float, size: float) -> list[Point]:
    return [(x + across * size, y + down * size) for across, down in corners]
