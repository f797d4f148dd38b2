"""Reading the points a reply settles on, in pixels. The convention is told, never inferred."""

from __future__ import annotations

import math
import re

from gumption.answers._coordinates import Place, bare_pairs, places
from gumption.answers._evidence import denied, explicit, first_line, plain, rejected, takes_back, unread
from gumption.answers._reply import Passage, lower
from gumption.records import Convention, GumptionError, Reading

__all__ = ["ConventionError", "read_point"]

_MOST = 1000
"""Points: a reply with more is cut."""
_SCALES: dict[Convention, float] = {
    "unit_xy": 1.0,
    "percent_xy": 100.0,
    "per_mille_xy": 1000.0,
    "per_mille_yx": 1000.0,
}
_CONVENTIONS = ("pixel_xy", *_SCALES)

_SENTENCE_END = re.compile(r"[.!?][\"')\]]{0,2}(?=\s|[\u4e00-\u9fff])|\n")
_SAME_LIST = re.compile(
    r""".{0,200}?\}\s*,?\s*\{.{0,200}
      | .{0,200}</?points?\b.{0,200}
      | [^\n]{0,200}\n\s*(?:[-*\u2022]|\(?\d{1,3}[.):])\s[^\n]{0,80}
      | [^\n]{0,20}\n\s*(?!first|initial|final|corrected|revised|second|better|actual)
        [^\n.!?]{1,40}[:=]\s?[\[(]?
      | [.!]\s(?:also|and|another|plus)\b[^.!?\n]{0,80}""",
    re.DOTALL | re.VERBOSE,
)
"""What may stand between two points of one list although a sentence or a line ends there."""
_WORDLESS = re.compile(r"[^a-z\u4e00-\u9fff]*")
_LIST_OPENS = re.compile(r"[^a-z\u4e00-\u9fff]*|[^\n]{0,200}[:=][\s\[({\"']*")
"""What stands before the first point of a list on its line."""
_NEGATION_GOES_ON = re.compile(r"[\s,;)\]]{0,6}(?:or|nor|and)?\s?(?:at\s)?[\[(]?")


class ConventionError(GumptionError, ValueError):
    """It is not said how coordinates are meant, or not enough to turn them into pixels."""


def read_point(passage: Passage, convention: Convention | None, size: tuple[int, int] | None) -> Reading:
    """Read points as a list of (x, y) in pixels of a picture of `size` (width, height); [] if none is read.

    `convention` says how the numbers are meant: `unit_xy` 0-1, `percent_xy` 0-100, `per_mille_xy` 0-1000,
    `per_mille_yx` 0-1000 with y first, `pixel_xy` pixels. Coordinates that are named (x=, y=) are taken by
    name. Points outside the picture are kept. Read are (x, y), [x, y], lists and JSON of them, x= y=,
    point tags, and "350, 280" where it is all of the answer. Four numbers are a point only where they are
    called a box: then the centre, with the repair `box_centre`. Numbers too large for a float are skipped,
    and points after the 1,000th are cut with the repair `too_many_points`.

    Where an answer mark stands the points after it count (`explicit`), in an answer tag all of them
    (`answer_tag`), else those of the last sentence that has any (`last_sentence`; a list or JSON is one
    sentence). A point that is denied ("not at (1, 2)") is no answer. The conventions are those of RoboPoint
    and RoboRefer (unit), RoboBrain (pixel), Molmo (percent), Qwen `point_2d` (per mille) and Gemini `point`
    (per mille, y first).

    Raises ConventionError (a ValueError) for a missing or unknown convention, and for a relative one
    without `size`.
    """
    if convention not in _CONVENTIONS:
        raise ConventionError(
            f"points need a convention, not {convention!r}",
            remedy=f"set Answer.convention to one of {', '.join(_CONVENTIONS)}",
        )
    if size is None and convention != "pixel_xy":
        raise ConventionError(
            f"{convention} needs the size of the picture",
            remedy="set Answer.size to (width, height) in pixels",
        )
    found, rule = _settled(passage)
    points = [_in_pixels(place, convention, size) for place in found]
    points = [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)]
    if not points:
        return unread(passage, several=False, value=[])
    repairs = ["box_centre"] if found[0].box else []
    if len(points) > _MOST:
        repairs.append("too_many_points")
    return passage.reading(points[:_MOST], rule, *repairs)


def _in_pixels(place: Place, convention: Convention, size: tuple[int, int] | None) -> tuple[float, float]:
    swapped = convention == "per_mille_yx" and not place.named
    x, y = (place.second, place.first) if swapped else (place.first, place.second)
    if convention == "pixel_xy" or size is None:
        return x, y
    scale = _SCALES[convention]
    return x * size[0] / scale, y * size[1] / scale


def _settled(passage: Passage) -> tuple[list[Place], str]:
    text = lower(plain(passage.text))
    for region in explicit(text):
        found = bare_pairs(first_line(region)) or _announced(region)
        if found:
            return found, "explicit" if passage.whole else "answer_tag"
    found = bare_pairs(text)
    if found:
        return found, "line" if passage.whole else "answer_tag"
    if not passage.whole:
        return [place for group in _sentences(text) for place in group], "answer_tag"
    return next((group for group in reversed(_sentences(text)) if group), []), "last_sentence"


def _announced(region: str) -> list[Place]:
    """The points after an answer mark: the list that stands right there, else all of them."""
    groups = _sentences(region)
    if groups and groups[0] and _WORDLESS.fullmatch(region, 0, groups[0][0].start):
        return groups[0]
    return [place for group in groups for place in group]


def _sentences(text: str) -> list[list[Place]]:
    """The points of each sentence that has any, less the denied ones (a group may be empty then)."""
    groups: list[list[Place]] = []
    last: Place | None = None
    opened = 0
    was_denied, denies = False, takes_back(text)
    for place in places(text):
        goes_on = last is not None and not _breaks(text, opened, last.end, place.start)
        if not goes_on:
            groups.append([])
            opened = place.start
        joined = last is not None and goes_on and _NEGATION_GOES_ON.fullmatch(text, last.end, place.start)
        was_denied = denies and (bool(was_denied and joined) or denied(text, place.start))
        if not was_denied and not (denies and rejected(text, place.end)):
            groups[-1].append(place)
        last = place
    return groups


def _breaks(text: str, opened: int, start: int, stop: int) -> bool:
    """True where a sentence ends between two points and they are not items of the list that `opened`."""
    if not _SENTENCE_END.search(text, start, stop):
        return False
    if _WORDLESS.fullmatch(text, start, stop):
        near = max(0, opened - 200)
        line = max(near, text.rfind("\n", near, opened) + 1)
        return not _LIST_OPENS.fullmatch(text, line, opened)
    return not _SAME_LIST.fullmatch(text, start, stop)
