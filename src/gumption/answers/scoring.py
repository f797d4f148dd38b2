"""What an answered item is worth where its benchmark has no rule of its own, and what a blind guess is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gumption.records import Answer, GumptionError, Reading, Score

__all__ = ["guess", "inside", "score"]

_RELATIVE = 1e-9
"""Numbers that differ by less than this share of the gold are the same number."""

_AROUND = " .,;:!?'\"()[]{}<>*_`~…“”‘’。，！？；：、"
"""Signs that do not belong to a text; a sign that changes a value (-, %, $) does."""


def score(answer: Answer, reading: Reading) -> Score:
    """The worth of a reading in [0, 1]; None where the answer has no gold.

    A reading that is not `answered` scores 0 whatever its kind: nothing is guessed. Choice and yes/no:
    equality. Number: |value - gold| at most `tolerance`, or 1e-9 of the gold. Text: equality with one of
    the accepted strings, case, blanks and surrounding punctuation aside. Point: the share of the points
    inside the gold region, points outside the picture counted, as in the public scorers of Where2Place and
    RefSpatial-Bench. Raises GumptionError for a kind without a default
    rule and for a gold that does not fit its kind.
    """
    if answer.gold is None:
        return Score(None, reading=reading)
    if reading.outcome != "answered":
        return Score(0.0, reading=reading)
    if answer.kind in {"choice", "yes_no"}:
        value = float(_folded(reading.value) == _folded(answer.gold))
    elif answer.kind == "number":
        value = float(_is_close(reading.value, answer.gold, answer.tolerance))
    elif answer.kind == "text":
        accepted = [answer.gold] if isinstance(answer.gold, str) else answer.gold
        value = float(_folded(reading.value) in {_folded(text) for text in accepted})
    elif answer.kind == "point":
        hits = [inside(answer.gold, x, y, answer.tolerance) for x, y in reading.value]
        value = sum(hits) / len(hits) if hits else 0.0
    else:
        raise GumptionError(
            f"answers of kind {answer.kind!r} have no default score",
            remedy="score them with the rule of their benchmark",
        )
    return Score(value, reading=reading)


def guess(answer: Answer) -> float:
    """Expected score of one blind uniform guess.

    Choice: 1 / number of choices (0 where the choices are not known). Yes/no: 1/2. Point: the area of a box
    or a polygon, as far as it lies in the picture, over the picture's (0 where `size` is not known or the
    gold is a list of points). Number and text: 0, as for open items in SITE's chance-adjusted accuracy.
    Actions, atoms and problem: 0, for there is no uniform guess to be made.
    """
    if answer.kind == "choice":
        return 1 / len(answer.choices) if answer.choices else 0.0
    if answer.kind == "yes_no":
        return 0.5
    if answer.kind != "point" or answer.gold is None or answer.size is None:
        return 0.0
    width, height = answer.size
    name, region = _region(answer.gold)
    if name == "points" or not width * height:
        return 0.0
    corners = _corners(region) if name == "box" else [(float(x), float(y)) for x, y in region]
    return _area(_clipped(corners, width, height)) / (width * height)


def inside(region: dict[str, Any], x: float, y: float, tolerance: float = 0.0) -> bool:
    """Whether pixel (x, y) lies in a region.

    {"box": [x0, y0, x1, y1]}: edges inside. {"polygon": [[x, y], ...]}: even-odd ray casting, an edge
    counts when exactly one end lies above y (as in RoboSpatial-Eval). {"points": [[x, y], ...]}:
    within `tolerance` pixels of one of them. Raises GumptionError for any other region.
    """
    name, places = _region(region)
    if name == "box":
        x0, y0, x1, y1 = places
        return bool(min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1))
    if name == "points":
        return any(math.hypot(x - px, y - py) <= tolerance for px, py in places)
    crossings = 0
    for (ax, ay), (bx, by) in zip(places, [*places[1:], *places[:1]], strict=True):
        crossings += bool((ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay))
    return crossings % 2 == 1


def _folded(text: object) -> str:
    """Case, blanks, and the punctuation around a text do not matter."""
    words = " ".join(str(text).casefold().split())
    return words.strip(_AROUND) or words


def _is_close(value: float, gold: object, tolerance: float) -> bool:
    try:
        target = float(gold)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise GumptionError(f"the gold of a number is {gold!r}", remedy="give the gold as a number") from None
    return abs(value - target) <= max(tolerance, _RELATIVE * abs(target))


def _region(region: object) -> tuple[str, Sequence[Any]]:
    if isinstance(region, dict) and len(region) == 1:
        name, places = next(iter(region.items()))
        if name in {"box", "polygon", "points"} and len(places) and (name != "box" or len(places) == 4):
            return name, places
    raise GumptionError(
        f"this is no region: {region!r}",
        remedy='give {"box": [x0, y0, x1, y1]}, {"polygon": [[x, y], ...]} or {"points": [[x, y], ...]}',
    )


def _corners(box: Sequence[float]) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = box
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _area(corners: list[tuple[float, float]]) -> float:
    """Shoelace formula."""
    ahead = [*corners[1:], *corners[:1]]
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(corners, ahead, strict=True))) / 2


def _clipped(corners: list[tuple[float, float]], width: float, height: float) -> list[tuple[float, float]]:
    """The part of a polygon inside the picture (Sutherland and Hodgman, 1974)."""
    for axis, limit, sign in ((0, 0.0, 1), (0, width, -1), (1, 0.0, 1), (1, height, -1)):
        kept: list[tuple[float, float]] = []
        for here, ahead in zip(corners, [*corners[1:], *corners[:1]], strict=True):
            depth, depth_ahead = sign * (here[axis] - limit), sign * (ahead[axis] - limit)
            if depth >= 0:
                kept.append(here)
            if (depth > 0 > depth_ahead) or (depth < 0 < depth_ahead):
                share = depth / (depth - depth_ahead)
                kept.append((here[0] + share * (ahead[0] - here[0]), here[1] + share * (ahead[1] - here[1])))
        corners = kept
    return corners
