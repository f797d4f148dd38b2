"""Gold regions and read points as the pages draw them: checked, bounded, and fit to stand in an SVG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gumption.records import Answer

__all__ = ["POINTS_SHOWN", "points_row", "target_row"]

POINTS_SHOWN = 50
"""Read points of one score that are handed to the page."""
CORNERS_SHOWN = 1_000
"""Corners of a gold polygon, or gold points; a polygon of more is not drawn, since a part of it misleads."""
_FARTHEST = 1e9
"""Pixels: what lies farther out is no region of a picture, and browsers would not draw it right."""


def target_row(answer: Answer) -> dict[str, Any]:
    """What the points of an answer of kind "point" refer to.

    `size` (width and height in pixels, or None), `tolerance`, and of the gold, where it is a region as
    `Answer` has it, `box`, `polygon` or `points`. `more` is the number of corners or points left out.
    """
    row: dict[str, Any] = {"size": answer.size, "tolerance": answer.tolerance}
    match answer.gold:
        case {"box": [_, _, _, _] as box} if _are_pixels(box):
            row["box"] = box
        case {"polygon": [_, _, _, *_] as corners} if len(corners) > CORNERS_SHOWN:
            row |= {"polygon": [], "more": len(corners)}
        case {"polygon": [_, _, _, *_] as corners} if all(map(_is_place, corners)):
            row["polygon"] = corners
        case {"points": [_, *_] as places} if all(map(_is_place, places[:CORNERS_SHOWN])):
            row["points"] = places[:CORNERS_SHOWN]
            if len(places) > CORNERS_SHOWN:
                row["more"] = len(places) - CORNERS_SHOWN
    return row


def points_row(read: str) -> dict[str, Any] | None:
    """Of a reading's value in JSON, the first `points` in pixels to one decimal, and how many `more` it has.

    None where the value is no list of points.
    """
    try:
        points = msgspec.json.decode(read, type=list[tuple[float, float]])
    except msgspec.DecodeError:
        return None
    row: dict[str, Any] = {"points": [[round(x, 1), round(y, 1)] for x, y in points[:POINTS_SHOWN]]}
    if len(points) > POINTS_SHOWN:
        row["more"] = len(points) - POINTS_SHOWN
    return row


def _is_place(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and _are_pixels(value)


def _are_pixels(values: Iterable[Any]) -> bool:
    return all(
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _FARTHEST
        for value in values
    )
