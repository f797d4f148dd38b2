"""Which number a part of a reply settles on, in which unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from gumption.answers import refuses
from gumption.answers._amounts import amounts
from gumption.answers.number import read_number
from gumption.records import Reading
from gumption.synthesis.recipes._region import ESCAPES, Region, Several, read_part
from gumption.synthesis.recipes._settling import numbers_in
from gumption.synthesis.recipes._units import has_other_unit, in_unit

__all__ = ["number"]


def number(
    part: Region,
    *,
    several: Several = "none",
    words: bool = True,
    ranges: Literal["none", "middle", "wrong"] = "none",
    whole: bool = False,
    decimal: Literal[".", ","] = ".",
    unit: str = "",
    accepts: Sequence[str] = (),
) -> Reading:
    """The number, as a float; its unit is dropped, but for one of the same kind as `unit`, if that is given:
    such a quantity is converted. Where units are listed that are accepted, `accepts`, a number with any other
    is none.

    `words`: whether number words are numbers; `ranges`: whether one counts by its middle, or is no number
    even where the first or the last number counts; `whole`: whether nothing but the number and a unit may
    stand there; `decimal`: the sign before decimals.
    """
    read = _number(part, several=several, words=words, ranges=ranges, whole=whole, decimal=decimal, unit=unit)
    if read.outcome == "answered" and accepts:
        said = ESCAPES.sub("", part.text)
        said = _decimals(said) if decimal == "," else said
        if has_other_unit(said, read.value, accepts):
            return Reading("unanswered", rule="other_unit")
    return read


def _decimals(said: str) -> str:
    """With points before decimals instead of commas."""
    return re.sub(r"(?<=\d),(?=\d)", ".", re.sub(r"(?<=\d)\.(?=\d{3}(?!\d))", "", said))


def _number(
    part: Region, *, several: Several, words: bool, ranges: str, whole: bool, decimal: str, unit: str
) -> Reading:
    said = in_unit(ESCAPES.sub("", part.text), unit)
    if decimal == ",":
        said = _decimals(said)
    if not words and not re.search(r"\d", said):
        return Reading("refused" if refuses(said) else "unanswered")
    if several != "none" and ranges == "wrong":
        values = [one.value for one in amounts(said.lower())] or [None]
        value = values[0 if several == "first" else -1]
        if value is not None:
            return Reading("answered", value, several)
    elif several != "none" or ranges == "middle":
        told = numbers_in(said, ranges == "middle")
        if several != "none" and told:
            return Reading("answered", told[0 if several == "first" else -1].value, several)
        if len(told) == 1 and told[0].range:
            return Reading("answered", told[0].value, "middle")
    found = read_part(Region(said, part.marked), read_number)
    if whole and found.outcome == "answered" and not _at_most_two(said):
        return Reading("unanswered", rule="not_the_whole")
    return found


def _at_most_two(said: str) -> bool:
    """Whether a number and a unit may be all there is, signs before them aside."""
    words = said.split()
    first = next((n for n, word in enumerate(words) if any(sign.isalnum() for sign in word)), len(words))
    return 0 < len(words) - first <= 2
