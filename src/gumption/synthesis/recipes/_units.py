"""Units of length, mass, volume and time in texts, and quantities brought from one to another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gumption.answers._amounts import UNIT

__all__ = ["has_other_unit", "in_unit", "unit_of"]

_NAMES = {
    "length": {
        "mm|millimet(?:er|re)s?": 0.001,
        "cm|centimet(?:er|re)s?": 0.01,
        "dm|decimet(?:er|re)s?": 0.1,
        "m|met(?:er|re)s?": 1.0,
        "km|kilomet(?:er|re)s?": 1000.0,
        "inch(?:es)?": 0.0254,
        "ft|feet|foot": 0.3048,
        "yards?|yds?": 0.9144,
        "miles?": 1609.344,
    },
    "mass": {
        "mg|milligram(?:me)?s?": 0.001,
        "g|grams?|grammes?": 1.0,
        "kg|kilos?|kilogram(?:me)?s?": 1000.0,
        "t|tons?|tonnes?": 1e6,
        "oz|ounces?": 28.349523125,
        "lbs?|pounds?": 453.59237,
    },
    "volume": {
        "ml|millilit(?:er|re)s?": 0.001,
        "cl|centilit(?:er|re)s?": 0.01,
        "dl|decilit(?:er|re)s?": 0.1,
        "l|lit(?:er|re)s?": 1.0,
    },
    "time": {
        "ms|milliseconds?": 0.001,
        "s|secs?|seconds?": 1.0,
        "min|mins|minutes?": 60.0,
        "h|hrs?|hours?": 3600.0,
        "days?": 86400.0,
        "weeks?": 604800.0,
    },
}
_KNOWN = [(re.compile(names), kind, size) for kind, units in _NAMES.items() for names, size in units.items()]
_UNIT = "|".join(names for units in _NAMES.values() for names in units)
_QUANTITY = re.compile(
    rf"(?<![\w.,])(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?"
    rf"|\d+(?:\.\d+)?)(?P<gap>[ \t]?)(?P<unit>{_UNIT})(?![\w/^\u00b2\u00b3])",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:,| and|, and)? ?")


def _known(unit: str) -> tuple[str, float] | None:
    """What kind of unit it is and how large, in the first of its kind."""
    low = unit.strip().rstrip(".").lower()
    return next(((kind, size) for names, kind, size in _KNOWN if names.fullmatch(low)), None)


def unit_of(text: str) -> str:
    """The unit behind the number of a text, or a text that is one; "" where it has none that is known."""
    if _known(text):
        return text.strip()
    found = _QUANTITY.search(text)
    return found["unit"] if found else ""


def in_unit(text: str, unit: str) -> str:
    """The text with its quantities in `unit`, where they are of the same kind: "1 h 30 min" is 90 min."""
    wanted = _known(unit)
    if wanted is None:
        return text
    made: list[str] = []
    at, total = 0, 0.0
    smallest = 0.0
    for match in _QUANTITY.finditer(text):
        kind, size = _known(match["unit"]) or ("", 0.0)
        if kind != wanted[0]:
            continue
        value = float(match["number"].replace(",", "")) * size / wanted[1]
        if made and size < smallest and _JOINED.fullmatch(text, at, match.start()):
            made.pop()
            value += total
        else:
            made.append(text[at : match.start()])
        made.append(f"{value:.12g} {unit}")
        at, total, smallest = match.end(), value, size
    return "".join([*made, text[at:]])


_WRITTEN = re.compile(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\d)|(?<![\w.])\.\d+")
_BEHIND = re.compile(UNIT)
_SIGNS = "$\u20ac\u00a3\u00a5\u20b9"
_ENDS = r"(?!\w|\s?/\s?\w|\s?per\b|\s?[\u00b2\u00b3^])"
"""A unit is not one that is part of another: km is none in km/h."""
_NO_UNIT = re.compile(
    r"(?:in|on|at|or|and|of|to|by|is|are|was|as|if|for|from|because|since|so|with|exactly|altogether|total"
    r"|overall|each|here|now|too|then|there|i|it|we|this|that|the|an?|maybe|perhaps|probably|approximately"
    r"|about|roughly)\b"
)
"""What goes on behind a number without being its unit."""


def has_other_unit(text: str, value: float, accepted: Sequence[str]) -> bool:
    """Whether the number in a text stands with a unit that is none of the accepted ones, in whatever case."""
    low = " ".join(re.sub(r"[*_`]", "", text).lower().split())
    known = sorted((" ".join(unit.lower().split()) for unit in accepted), key=len, reverse=True)
    found = [one for one in _WRITTEN.finditer(low) if float(one[0].replace(",", "")) == abs(value)]
    if not found:
        return False
    before, behind = low[: found[-1].start()].rstrip(" +-"), low[found[-1].end() :].lstrip(" -)")
    if before[-1:] in _SIGNS and before:
        return before[-1] not in known
    if any(unit and re.match(re.escape(unit) + _ENDS, behind) for unit in known):
        return False
    if not behind[:1] or (_NO_UNIT.match(behind) and behind.strip(" .") not in ("in", "at")):
        return False
    # Of a word that is no known unit it can be told only where it ends the text.
    ends_there = re.fullmatch(r"[^\W\d_]+(?:[ /-][^\W\d_]+){0,2}\W*", behind)
    return bool(_BEHIND.match(behind) or ends_there)
