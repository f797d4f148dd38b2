"""How things look that the state says nothing about: colours by name, by seed where the name tells none."""

from __future__ import annotations

import colorsys
import re
from collections import Counter
from collections.abc import Collection
from random import Random
from typing import NamedTuple

from gumption.grounding.render._canvas import Colour

__all__ = ["COLOURS", "Look", "Room", "furnish", "looks", "natural", "short"]

COLOURS: dict[str, Colour] = {
    "red": (214, 40, 40),
    "orange": (245, 130, 20),
    "yellow": (246, 212, 40),
    "green": (44, 160, 62),
    "blue": (40, 98, 210),
    "purple": (122, 56, 172),
    "pink": (246, 142, 196),
    "cyan": (60, 205, 225),
    "teal": (0, 128, 128),
    "brown": (122, 76, 40),
    "grey": (140, 140, 140),
    "black": (30, 30, 30),
    "white": (250, 250, 250),
}
_SAME = {"gray": "grey", "violet": "purple"}
_LETTERS = {"r": "red", "o": "orange", "y": "yellow", "g": "green", "b": "blue", "p": "purple"}
"""ViPlan names its blocks by the first letter of their colour."""
_KINDS = {"block", "disc", "disk"}
_SEPARATOR = re.compile(r"[\W_]+|(?<=\d)(?=\D)|(?<=\D)(?=\d)")
_WALLS: tuple[Colour, ...] = ((232, 238, 242), (240, 236, 228), (229, 238, 230), (238, 232, 240))
_TABLES: tuple[Colour, ...] = ((214, 190, 152), (198, 172, 140), (200, 203, 205), (222, 206, 176))


class Look(NamedTuple):
    """What a thing looks like."""

    fill: Colour
    label: str
    """What is written on it; "" where its colour tells it from all others."""


class Room(NamedTuple):
    """What stands behind and under the things."""

    wall: Colour
    table: Colour


def furnish(seed: int) -> Room:
    """A wall and a table, by seed."""
    generator = Random(seed)
    return Room(generator.choice(_WALLS), generator.choice(_TABLES))


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts c2 before c10."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name))


def looks(names: Collection[str], seed: int) -> dict[str, Look]:
    """A look for each thing.

    A colour in the name is the thing's colour. Things of one colour, and things whose names tell none, have
    what is special about their name written on them; the latter get pale hues by seed.
    """
    told = {name: _told(name, names) for name in names}
    often = Counter(colour for colour in told.values() if colour)
    start = Random(seed).random()
    found = {}
    for number, name in enumerate(sorted(names, key=natural)):
        colour = told[name]
        if colour:
            found[name] = Look(COLOURS[colour], short(name) if often[colour] > 1 else "")
        else:
            found[name] = Look(_pale(start + number / len(names)), short(name))
    return found


def short(name: str) -> str:
    """A name without its colour and without words like block: disk2 is "2", a stays "a"."""
    rest = [part for part in _parts(name) if part not in _KINDS and _SAME.get(part, part) not in COLOURS]
    return "".join(rest) or name


def _told(name: str, names: Collection[str]) -> str | None:
    """The colour that a name tells. Single letters tell one only where all names do."""
    if name in _LETTERS and all(other in _LETTERS for other in names):
        return _LETTERS[name]
    words = [_SAME.get(part, part) for part in _parts(name)]
    return next((word for word in words if word in COLOURS), None)


def _parts(name: str) -> list[str]:
    return [part for part in _SEPARATOR.split(name) if part]


def _pale(hue: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, 0.35, 0.9)
    return round(red * 255), round(green * 255), round(blue * 255)
