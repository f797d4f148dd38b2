"""How a README wants coordinates."""

from __future__ import annotations

import re

from gumption.records import Convention
from gumption.synthesis.offline._rules_point import point_rules
from gumption.synthesis.offline._statements import statements_of
from gumption.synthesis.offline._view import View

__all__ = ["COORDINATES", "convention_of"]

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
