"""How the place is written that a point must hit, and how a README wants coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gumption.records import Convention
from gumption.synthesis._profile import Column
from gumption.synthesis.offline._view import View
from gumption.synthesis.recipes._cells import listed

__all__ = ["COORDINATES", "convention_of", "region_form"]

COORDINATES: dict[Convention, tuple[str, str]] = {
    "unit_xy": (
        "(x, y)",
        ", with x and y between 0 and 1: shares of the picture's width and height from its top left",
    ),
    "pixel_xy": ("(x, y)", " in pixels of the picture, counted from its top left corner"),
    "percent_xy": (
        "(x, y)",
        ", with x and y from 0 to 100: percent of the picture's width and height from its top left",
    ),
    "per_mille_xy": (
        "(x, y)",
        ", with x and y from 0 to 1000 over the picture's width and height from its top left",
    ),
    "per_mille_yx": (
        "[y, x]",
        ", y before x, from 0 to 1000 over the picture's height and width from its top left",
    ),
}
"""A point, and what a model is told of it, by convention."""
_SCALES = (
    (
        "per_mille",
        r"\b0\s*(?:-|–|to|and|\.\.+)\s*(?:1[ ,]?000|999)\b|\bper mille\b|\bthousandths\b|\[0, ?1000\]",
    ),
    (
        "unit",
        r"\b0(?:\.0)?\s*(?:-|–|to|and|\.\.+)\s*1(?:\.0)?\b(?![,\d])|\[0, ?1\]|\b(?:fractions?|shares?) of\b|"
        r"\b(?:as|in) fractions\b|\bfractions only\b|\b0 is (?:the )?(?:left|top)\b.{0,30}\b1 is\b",
    ),
    ("percent", r"\bpercent(?:ages?)?\b|\b0\s*(?:-|–|to|and)\s*100\b|%"),
    ("pixel", r"\bpixels?\b"),
    ("unit", r"\bnormali[sz]ed\b|\brelative\b"),
)
_YX = re.compile(
    r"(?i)[\[(]\s*y\s*,\s*x\s*[\])]|\brow first\b|\(?\brow, ?col|\by (?:comes )?(?:first|before)\b"
)
_XY = re.compile(r"(?i)[\[(]\s*x\s*,\s*y\s*[\])]")
_ABOUT = re.compile(
    r"(?i)\bcoordinates?\b|\bpoints?\b|\banswers?\b|\bmodels?\b|\bpredict|\(x, ?y\)|\[y, ?x\]"
)


_SAME = re.compile(r"(?i)\bsame (?:fractions?|scale|units?|coordinates?|convention|range|pixels?|way|form)\b")


def convention_of(view: View) -> Convention | None:
    """How the README tells a model to write points. None with a doubt where it does not say."""
    # What is said of the gold's own coordinates is not said of replies.
    about = [one for one in view.sentences if _ABOUT.search(one) and not _of_gold(view, one)]
    if any(_SAME.search(one) for one in about):  # then it is
        about += [one for one in view.sentences if _of_gold(view, one)]
    for scale, pattern in _SCALES:
        told = [one for one in about if re.search(pattern, one, re.IGNORECASE)]
        if not told:
            continue
        reply = " ".join(told if any(_YX.search(one) or _XY.search(one) for one in told) else about)
        axes = "yx" if _YX.search(reply) else "xy"
        name = f"{scale}_{axes}"
        for known in COORDINATES:
            if known == name:
                return known
        view.doubts.append(f"points as {name} are not known")
        return None
    view.doubts.append("the README does not say how points are to be written")
    return None


def _of_gold(view: View, sentence: str) -> bool:
    """Whether a sentence describes a column."""
    begins = re.match(r"[\s*+|-]*`([^`]{1,40})`\s*,", sentence) or re.match(
        r"[\s*+|-]*`?([^`:|]{1,40}?)`?\s*(?:[:|(]|is\b|are\b|  )", sentence
    )
    return bool(begins) and begins is not None and begins.group(1).strip() in view.columns


def region_form(view: View) -> Callable[[Column], str]:
    """By column: mask, box_xyxy, box_xywh, polygon or points; "" for what is no place."""

    def form(column: Column) -> str:
        if column.holds == "path":
            return "mask" if column.masks else ""
        if column.holds != "list":
            return ""
        cells = [
            found for cell in view.cells(column.name) if isinstance(found := listed(cell), list) and found
        ]
        if len(cells) < 0.9 * len(view.rows):
            return ""
        if all(_numbers(cell) and len(cell) == 4 for cell in cells):
            return _box(view, column, cells)
        if all(_numbers(cell) and len(cell) == 2 for cell in cells):
            return "points" if not _is_size(column) else ""
        if all(
            all(isinstance(one, list) and len(one) == 2 and _numbers(one) for one in cell) for cell in cells
        ):
            words = f"{column.name} {view.note(column.name)} {view.readme}".lower()
            outlined = re.search(r"polygon|outline|contour|around|region|hull", words)
            return "polygon" if outlined and all(len(cell) >= 3 for cell in cells) else "points"
        return ""

    return form


def _numbers(cell: Any) -> bool:
    return isinstance(cell, list) and all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in cell
    )


def _is_size(column: Column) -> bool:
    return bool(re.search(r"(?i)size|canvas|resolution|shape|dim|width", column.name)) or column.distinct == 1


def _box(view: View, column: Column, cells: list[Any]) -> str:
    """Corners or corner and size, by the README's words and by what the numbers allow."""
    note = f"{column.name} {view.note(column.name)}".lower()
    corners = all(x1 > x0 and y1 > y0 for x0, y0, x1, y1 in cells)
    if not corners or re.search(r"\bw\b.{0,3}\bh\b|width|xywh|, ?w, ?h", note):
        return "box_xywh"
    if not re.search(r"max|xyxy|x1|x2|right|corner|end", note):
        view.doubts.append(f"{column.name} is taken for the corners of a box, which the README does not say")
    return "box_xyxy"
