"""Targets of points among the columns: boxes, polygons and points, in one cell or in several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from gumption.records import GumptionError
from gumption.synthesis._profile import Column
from gumption.synthesis.recipes._cells import listed, text_of
from gumption.synthesis.recipes.scoring import gold_region
from gumption.synthesis.spec import Gold

__all__ = ["Found", "gathered", "numbers_of", "region_found"]

_WIDTH_HEIGHT = re.compile(
    r"\bx, ?y, ?w(?:idth)?, ?h(?:eight)?\b|width(?: and|,| &) ?height|\bxywh\b|\bcoco\b|left, top, width"
)

_SIDES_LISTED = re.compile(
    r"\b(?:x\d?|left|x_?min)\b\W{1,4}(?:y\d?|top"
    r"|y_?min)\b\W{1,4}(?:and )?\W{0,2}w(?:idth)?\b\W{1,4}(?:and )?\W{0,2}"
    r"h(?:eight)?\b"
)
_CORNERS_LISTED = re.compile(r"\b(?:left\W{1,4}top\W{1,4}right|x_?(?:0|1|min)\W{1,4}y_?(?:0|1|min)\W{1,4}x)")
"""How the four numbers of a box are listed, wherever that stands."""


class Found(Struct):
    """A column that may hold the right answers."""

    kind: str
    gold: Gold
    weight: float
    several: bool = False
    """Options: whether a row may have more than one right."""
    words: dict[str, str] = {}
    """yes_no: what the words mean that stand for yes and no, where others do."""
    labels: tuple[str, ...] = ()
    """text: the few answers that there are, where replies have to be one of them."""
    gather: dict[str, tuple[str, ...]] = {}
    open: bool = False
    """Options: whether the place of the first is neither told nor to be seen."""
    doubts: tuple[str, ...] = ()
    unfit: int = 0
    """Options: rows of which it names none."""


def numbers_of(cell: Any) -> list[Any] | None:
    """A cell's list of numbers or of pairs of them."""
    found = listed(cell)
    if found is None and re.fullmatch(r"[\s\d.,;()\[\]-]+", text_of(cell)):
        found = [one for one in re.split(r"[\s,;()\[\]]+", text_of(cell)) if one]
    values = list(found.values()) if isinstance(found, dict) else found
    if not values:
        return None
    flat = [
        two
        for one in values
        for two in (one.values() if isinstance(one, dict) else one if isinstance(one, list) else [one])
    ]
    try:
        return values if all(float(one) == float(one) for one in flat) and len(flat) > 1 else None
    except (TypeError, ValueError):
        return None


def region_found(column: Column, values: list[Any], note: str, readme: str) -> Found | None:
    """The column as targets; how a box is written may be told anywhere in the README."""
    rows = [numbers_of(value) for value in values]
    if not all(rows):
        return None
    form = _form(column, [row for row in rows if row], note, readme)
    if form is None:
        return None
    try:
        for value in values:
            gold_region(value, form)
    except GumptionError:
        return None
    return Found("point", Gold(column.name, form), 1.5)  # type: ignore[arg-type]


def _boxes(row: list[Any]) -> list[list[Any]] | None:
    """A row's boxes of four numbers each, of which it may have one or a list; None where it has others."""
    inner = [list(one.values()) if isinstance(one, dict) else one for one in row]
    boxes = inner if all(isinstance(one, list) for one in inner) else [inner]
    return boxes if all(len(box) == 4 for box in boxes) else None


def _form(column: Column, rows: list[list[Any]], note: str, readme: str) -> str | None:
    nested = all(isinstance(row[0], list | dict) for row in rows)
    lengths = {len(row) for row in rows}
    name = column.name.lower()
    about = f"{name} {note}"
    boxes = [_boxes(row) for row in rows]
    if all(boxes) and not re.search(r"polygon|outline|contour", about):
        flat = [[float(one) for one in box] for several in boxes for box in several or ()]
        ordered = all(box[2] > box[0] and box[3] > box[1] for box in flat)
        keys = {str(key).lower() for row in rows for one in row if isinstance(one, dict) for key in one}
        listed_so = _SIDES_LISTED.search(readme) and not _CORNERS_LISTED.search(f"{note} {readme}")
        sides = bool(_WIDTH_HEIGHT.search(note) or "xywh" in name or keys & {"w", "width"} or listed_so)
        if not sides and ordered:
            return "box_xyxy"
        return "box_xywh"
    if not nested and lengths == {2}:
        return "points"
    if _width(rows) == {3}:
        return "circle" if re.search(r"circle|\bradius\b|\bdis[ck]\b", about) else None
    pointlike = re.search(r"\bpoints?\b|\bcent(?:er|re)\b|\bclick", about) and not re.search(
        r"polygon|outline|contour|corner", about
    )
    if nested and (pointlike or max(lengths) < 3):
        return "points"
    if nested or min(lengths) >= 6:
        return "polygon"
    return None


def _width(rows: list[list[Any]]) -> set[int]:
    """How many numbers cells hold in all, where a pair and a number may stand together."""
    return {sum(len(one) if isinstance(one, list | dict) else 1 for one in row) for row in rows}


def gathered(columns: Sequence[Column], taken: frozenset[str]) -> list[Found]:
    """A box whose edges stand in columns of their own, or a point, or a circle."""
    free = [one for one in columns if one.name not in taken]
    numeric = {_plain(one.name): one.name for one in free if one.holds in ("integer", "number")}
    spots = {_plain(one.name): one.name for one in free if _is_spot(one)}
    for parts, form in _PARTED:
        known = spots | numeric if parts[0] in _SPOTS else numeric
        for before in sorted({name.removesuffix(parts[0]) for name in known if name.endswith(parts[0])}):
            names = tuple(known.get(before + part, "") for part in parts)
            if all(names):
                name = "@target"
                return [Found("point", Gold(name, form), 3.5, gather={name: names})]  # type: ignore[arg-type]
    return []


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _is_spot(column: Column) -> bool:
    """Whether cells are pairs of numbers."""
    return bool(column.examples) and all(len(numbers_of(text) or ()) == 2 for text in column.examples)


_SPOTS = ("centre", "center", "middle", "mid", "point", "position", "xy", "at")
_PARTED = (
    (("x0", "y0", "x1", "y1"), "box_xyxy"), (("x1", "y1", "x2", "y2"), "box_xyxy"),
    (("xmin", "ymin", "xmax", "ymax"), "box_xyxy"), (("minx", "miny", "maxx", "maxy"), "box_xyxy"),
    (("left", "top", "right", "bottom"), "box_xyxy"), (("x", "y", "w", "h"), "box_xywh"),
    (("x", "y", "width", "height"), "box_xywh"), (("left", "top", "width", "height"), "box_xywh"),
    *(((spot, radius), "circle") for spot in _SPOTS for radius in ("radius", "rad", "r")),
    *(((x, y, radius), "circle") for x, y in (("cx", "cy"), ("x", "y"))
      for radius in ("radius", "rad", "r")),
    (("cx", "cy"), "points"), (("x", "y"), "points"),
)  # fmt: skip
"""The parts of a target that have a column each, as they are called behind what they share."""
