"""What a reply settles on, under the rules a README may set; all else is read as `gumption.answers` does.

First the part that counts (`region`), then what it says (`choice`, `yes_no`, `number`, `points`, `text`).
Nothing here looks at the right answer, and nothing is guessed: what is left open is read as nothing.
"""

from __future__ import annotations

from typing import Literal

from gumption.answers import passage_of, refuses
from gumption.answers._coordinates import bare_pairs, places
from gumption.answers._evidence import plain
from gumption.answers._reply import lower
from gumption.answers.point import read_point
from gumption.records import Reading
from gumption.synthesis.recipes._numbers_read import number
from gumption.synthesis.recipes._options_read import choice, choices, label, yes_no
from gumption.synthesis.recipes._region import Region, Several, nothing, read_part, region

__all__ = ["Region", "Several", "choice", "choices", "label", "number", "points", "region", "text", "yes_no"]

_MOST_POINTS = 1000


def points(
    part: Region,
    *,
    order: Literal["xy", "yx"] = "xy",
    every: bool = False,
    several: Literal["all", "none"] = "all",
) -> Reading:
    """Points as a list of (x, y), as they are written but x first; named coordinates are taken by name.

    `every`: whether all points of the part count, and not only those that it settles on; `several`: whether
    different points are an answer at all.
    """
    # On a picture of 1000 by 1000 per mille are what is written.
    convention: Literal["per_mille_yx", "pixel_xy"] = "per_mille_yx" if order == "yx" else "pixel_xy"
    if every:
        said = lower(plain(passage_of(part.text).text))
        found = [
            (one.second, one.first) if order == "yx" and not one.named else (one.first, one.second)
            for one in (bare_pairs(said) or places(said))[:_MOST_POINTS]
        ]
        read = Reading("answered", found, "every") if found else nothing(part.text, [])
    else:
        read = read_part(part, lambda passage: read_point(passage, convention, (1000, 1000)))
    if several == "none" and read.outcome == "answered" and len({tuple(one) for one in read.value}) > 1:
        return Reading("ambiguous", [], "several")
    return read


def text(part: Region, *, whole: bool = False) -> Reading:
    """The part itself. Where the `whole` is compared, a refusal in words is read as one."""
    if not part.text:
        return Reading("unanswered")
    if whole and not part.marked and refuses(part.text):
        return Reading("refused", rule="refusal")
    return Reading("answered", part.text, "marked" if part.marked else "whole")
