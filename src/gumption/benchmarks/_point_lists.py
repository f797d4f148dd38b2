"""How the published scorers of Where2Place and RefSpatial-Bench find points in a reply, quirks and all.

Where2Place: `wentaoyuan/RoboPoint`, robopoint/eval/summarize_vqa.py. RefSpatial-Bench: `Zhoues/RoboRefer`,
Evaluation/summarize_acc.py, which has one reader for each family of models. Each reader returns whole pixels,
or None where the published code fails and leaves the item out of its mean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from gumption.benchmarks._regions import Box

__all__ = ["bracketed", "fenced_json", "numbered_xml", "pixel_bracketed", "robopoint"]

# Quantifiers that never give back keep long runs of digits linear; what matches is the same.
_NUMBER = r"[-+]?\d++(?:\.\d*+)?"
_LIST = re.compile(rf"\(({_NUMBER}(?:,\s*+{_NUMBER})*+)\)")
_XML = re.compile(r'(?:x\d++)="(-?\d++(?:\.\d*+)?)"\s++(?:y\d++)="(-?\d++(?:\.\d*+)?)"')
_FENCE = re.compile(r"```(?:\w++)?\n(.*?)```", re.DOTALL)
_GRID = (640, 480)
"""Width and height that Where2Place's scorer takes every picture to have."""


def robopoint(text: str) -> list[Box] | None:
    """Where2Place: pairs and boxes in round brackets.

    A pair with a dot in either number is scaled by 640 and 480 and cut to whole numbers, whatever the size
    of the picture; a box by the dot in its first number. All pixels of a box inside 640 x 480 are points;
    indices below 0 count from the far side, as slices do.
    """
    width, height = _GRID
    try:
        found = []
        for numbers in _lists(text):
            if len(numbers) == 2:
                found.append(_pixel(*_scaled(numbers, any(isinstance(n, float) for n in numbers), _GRID)))
            elif len(numbers) == 4:
                x0, y0, x1, y1 = _scaled(numbers, isinstance(numbers[0], float), _GRID)
                if not all(isinstance(edge, int) for edge in (x0, y0, x1, y1)):
                    return None  # a slice cannot be cut at a fraction
                xs, ys = range(width)[int(x0) : int(x1)], range(height)[int(y0) : int(y1)]
                found.append(Box(xs.start, ys.start, max(xs.stop, xs.start), max(ys.stop, ys.start)))
    except (ValueError, OverflowError):
        return None
    return found


def bracketed(text: str, size: tuple[int, int]) -> list[Box] | None:
    """RefSpatial for RoboPoint, RoboRefer, GPT-4o and Claude: as Where2Place with the size of the picture.

    A box is scaled even where its numbers are whole, and one that ends before it starts fails.
    """
    try:
        found = []
        for numbers in _lists(text):
            if len(numbers) == 2:
                found.append(_pixel(*_scaled(numbers, any(isinstance(n, float) for n in numbers), size)))
            elif len(numbers) == 4:
                found.append(_filled(_scaled(numbers, True, size)))
    except (ValueError, OverflowError):
        return None
    return found


def pixel_bracketed(text: str) -> list[Box] | None:
    """RefSpatial for RoboBrain and Qwen: pixels as they are.

    Numbers with a dot are no pixels there: the published code stops at them, so the item has no score.
    """
    try:
        found = []
        for numbers in _lists(text):
            if len(numbers) in {2, 4}:
                whole = [number for number in numbers if isinstance(number, int)]
                if len(whole) < len(numbers):
                    return None
                found.append(_pixel(*whole) if len(whole) == 2 else _filled(whole))
    except ValueError:
        return None
    return found


def numbered_xml(text: str, size: tuple[int, int]) -> list[Box] | None:
    """RefSpatial for Molmo: x1="..." y1="..." from 0 to 100. A tag with plain x and y is not read."""
    try:
        return [
            _pixel(int(float(x) / 100 * size[0]), int(float(y) / 100 * size[1]))
            for x, y in _XML.findall(text)
        ]
    except OverflowError:
        return None


def fenced_json(text: str, size: tuple[int, int]) -> list[Box] | None:
    """RefSpatial for Gemini: {"point": [y, x]} from 0 to 1000 in the first fenced block.

    No block, or one that is no JSON, is no point; JSON of another shape fails.
    """
    block = _FENCE.search(text)
    if not block:
        return []
    try:
        data = json.loads(block[1].strip())
    except json.JSONDecodeError:
        return []
    except (ValueError, RecursionError):
        return None
    try:
        found = []
        for entry in data:
            if "point" in entry and isinstance(entry["point"], list) and len(entry["point"]) == 2:
                y, x = entry["point"]
                found.append(_pixel(int(x / 1000 * size[0]), int(y / 1000 * size[1])))
    except (TypeError, ValueError, OverflowError):
        return None
    return found


def _lists(text: str) -> list[list[int | float]]:
    """The numbers of each list in round brackets, a float where there is a dot."""
    return [
        [float(number) if "." in number else int(number) for number in match.split(",")]
        for match in _LIST.findall(text)
    ]


def _scaled(numbers: list[int | float], scale: bool, size: tuple[int, int]) -> list[int | float]:
    """Shares of width and height, in turn, cut to whole pixels toward zero."""
    return [int(number * size[at % 2]) for at, number in enumerate(numbers)] if scale else numbers


def _pixel(x: float, y: float) -> Box:
    return Box(int(x), int(y), int(x) + 1, int(y) + 1)


def _filled(edges: Sequence[float]) -> Box:
    x0, y0, x1, y1 = map(int, edges)
    if x1 < x0 or y1 < y0:
        raise ValueError("a box that ends before it starts")
    return Box(x0, y0, x1, y1)
