"""The points written in a text: pairs in brackets, named coordinates, point tags, and boxes."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

__all__ = ["Place", "bare_pairs", "places"]


class Place(NamedTuple):
    """A point as it is written: from where to where, and its two numbers."""

    start: int
    end: int
    first: float
    second: float
    named: bool = False
    """The text says which number is x and which is y; `first` is x then."""
    box: bool = False
    """The centre of four numbers that are called a box."""


_N = r"[-+]?(?:\d{1,40}+(?:\.\d{0,40}+)?|\.\d{1,40}+)(?:e[-+]?\d{1,4}+)?"
_BLANK = r"\s{0,99}+"
_UNIT = r"\s?(?:%|px\b|pixels?\b)?[\"']?"
_APART = r"(?:\s{0,99}[,;]\s{0,99}+|\s{1,99}+)"
_PAIR = re.compile(
    rf"""[(\[>]{_BLANK}["']?({_N}){_UNIT}{_APART}["']?({_N}){_UNIT}{_BLANK}(?:\\right)?[)\]<]""", re.VERBOSE
)
_IS = r"(?:[-\s]?coord(?:inate)?)?[\"']?\s{0,20}(?:[:=]|\bis\b)\s{0,20}[\"']?"
_AND = r"[\s,;]{0,99}+(?:and\s)?[\"']?"
_NAMED = re.compile(
    rf"x(?<![a-z\d_].)(\d{{0,4}}){_IS}({_N}){_UNIT}{_AND}y\1{_IS}({_N})"
    rf"|y(?<![a-z\d_].)(\d{{0,4}}){_IS}({_N}){_UNIT}{_AND}x\4{_IS}({_N})"
)
"""Also the attributes of a point tag: <points x1="10" y1="20" x2="50" y2="50">."""
_BOX = re.compile(
    rf"""(?:b(?:ounding[_\ ]?box|box|ox)(?:_2d)?["']?\s{{0,20}}[:=]\s{{0,20}}[\[(]{{1,2}}
          | <\|?box(?:_start)?\|?>\s?[\[(]{{0,2}})
        {_BLANK}({_N}){_BLANK},{_BLANK}({_N}){_BLANK}\)?,\(?{_BLANK}({_N}){_BLANK},{_BLANK}({_N}){_BLANK}[)\]<]""",
    re.VERBOSE,
)
_BARE_PAIR = re.compile(rf"({_N}){_UNIT}{_APART}({_N}){_UNIT}")
_BARE = re.compile(
    rf"[\s*\"'`$]*+{_BARE_PAIR.pattern}(?:\s{{0,9}}[;\n]\s{{0,9}}{_BARE_PAIR.pattern})*+[\s*\"'`$.]*+"
)
_LONGEST_BARE = 2000


def places(text: str) -> list[Place]:
    """Every point in `text`, in order, and where there is none, the centre of every box. Lower case."""
    found = [_place(match, match[1], match[2]) for match in _PAIR.finditer(text)]
    for match in _NAMED.finditer(text):
        x, y = (match[2], match[3]) if match[2] else (match[6], match[5])
        found.append(_place(match, x, y, named=True))
    found += [_centre(match) for match in _BOX.finditer(text)]
    found = [place for place in sorted(found) if math.isfinite(place.first) and math.isfinite(place.second)]
    kept: list[Place] = []
    for place in found:
        if not kept or place.start >= kept[-1].end:  # the corners of a box are no points
            kept.append(place)
    return [place for place in kept if not place.box] or kept


def bare_pairs(text: str) -> list[Place]:
    """The points of a text that is nothing but pairs of numbers: "350, 280"."""
    if len(text) > _LONGEST_BARE or not _BARE.fullmatch(text):
        return []
    found = [_place(match, match[1], match[2]) for match in _BARE_PAIR.finditer(text)]
    return [place for place in found if math.isfinite(place.first) and math.isfinite(place.second)]


def _place(match: re.Match[str], first: str, second: str, *, named: bool = False) -> Place:
    return Place(match.start(), match.end(), float(first), float(second), named)


def _centre(match: re.Match[str]) -> Place:
    a, b, c, d = (float(number) for number in match.groups())
    return Place(match.start(), match.end(), (a + c) / 2, (b + d) / 2, box=True)
