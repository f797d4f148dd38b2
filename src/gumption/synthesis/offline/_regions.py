"""How the place is written that a point must hit, and how a README wants coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gumption.records import Convention
from gumption.synthesis._profile import Column
from gumption.synthesis.offline._rules_point import point_rules
from gumption.synthesis.offline._statements import statements_of
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
_SCALES = {None: "pixel", 1.0: "unit", 100.0: "percent", 1000.0: "per_mille", 999.0: "per_mille"}
_GOLD = (
    ("per_mille", r"\b0\s*(?:-|\u2013|to|and|\.\.+)\s*1[ ,]?000\b|\bper mille\b"),
    (
        "unit",
        r"\b0(?:\.0)?\s*(?:-|\u2013|to|and|\.\.+)\s*1(?:\.0)?\b(?![,\d])|\bfractions\b|\bnormali[sz]ed\b",
    ),
    ("percent", r"\bper ?cent\b|%"),
    ("pixel", r"\bpixels?\b"),
)
"""What is said of the target's own coordinates, where those of replies are said to be the same."""
_SAME = re.compile(r"(?i)\bsame (?:fractions?|scale|units?|coordinates?|convention|range|pixels?|way|form)\b")
_UNTOLD = re.compile(r"in what the points are given|coordinates are said to run")


def convention_of(view: View, form: str) -> Convention | None:
    """How points are to be written: as they will be read. None with a doubt where the README does not say.

    `form`: that of the right answers.
    """
    told, _, doubts = point_rules(statements_of(view.readme), form)
    untold = [one for one in doubts if _UNTOLD.search(one)]
    scale = told["scale"][0] if "scale" in told else None
    written = _SCALES.get(scale, "")
    if untold and _SAME.search(view.readme):
        written = next((name for name, said in _GOLD if re.search(said, view.readme)), "")
        untold = []
    name = f"{written}_{told.get('order', 'xy')}"
    found = next((known for known in COORDINATES if known == name), None)
    if found is None:
        untold.append(f"points as {told.get('order', 'xy')} up to {scale:g} are not known")
    view.doubts += untold
    return None if untold else found


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
