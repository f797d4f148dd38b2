"""Regions in pictures: masks, their outlines, and how much of what was pointed at lies in them.

A mask is an array of one byte a pixel, height x width; pixel (i, j) is the square [i, i + 1) x [j, j + 1).
Items keep the published file of the mask and, for reading, guessing and drawing, its outline as a polygon;
the two agree at every point.
"""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from gumption.records import GumptionError

__all__ = ["Box", "Mask", "Polygon", "mask_of", "outline", "share"]

Mask: TypeAlias = NDArray[np.uint8]
Polygon: TypeAlias = list[list[float]]

MAX_PIXELS = 50_000_000


class Box(NamedTuple):
    """Whole pixels, from (x0, y0) up to but without (x1, y1): a box that was named, or one pixel."""

    x0: int
    y0: int
    x1: int
    y1: int


def mask_of(data: bytes | str) -> Mask:
    """The mask in a picture file, or in one as base64; of colours the first channel, as its bytes are.

    Raises GumptionError for what is no picture, and for one over 50 megapixels.
    """
    try:
        with Pillow.open(io.BytesIO(b64decode(data) if isinstance(data, str) else data)) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise GumptionError("a mask of over 50 megapixels", remedy="fetch the data again")
            pixels = np.asarray(picture)
    except (OSError, ValueError, Pillow.DecompressionBombError) as error:
        raise GumptionError(f"no mask: {error}", remedy="fetch the data again") from error
    plane = pixels if pixels.ndim == 2 else pixels[:, :, 0]
    if plane.dtype == np.bool_:
        plane = plane * np.uint8(255)
    if plane.dtype != np.uint8:
        raise GumptionError(f"a mask of {plane.dtype}", remedy="masks have one byte a pixel")
    return plane


def share(mask: Mask, boxes: Sequence[Box], full: int) -> float:
    """Mean over all pixels of all boxes of the mask's value / full; pixels outside the mask count as 0.

    0 for no pixel at all.
    """
    height, width = mask.shape
    sums = np.zeros((height + 1, width + 1), np.int64)
    sums[1:, 1:] = mask.cumsum(0, np.int64).cumsum(1)
    total, pixels = 0, 0
    for box in boxes:
        pixels += (box.x1 - box.x0) * (box.y1 - box.y0)
        x0, x1 = (min(max(x, 0), width) for x in (box.x0, box.x1))
        y0, y1 = (min(max(y, 0), height) for y in (box.y0, box.y1))
        total += int(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0])
    return total / (full * pixels) if pixels else 0.0


def outline(mask: NDArray[np.bool_]) -> Polygon:
    """The outline of all that is set, as one polygon [[x, y], ...] for even-odd ray casting.

    Islands and holes hang on a line that is walked there and back, which changes no crossing. Raises
    GumptionError for an empty mask.
    """
    loops = _loops(mask)
    if not loops:
        raise GumptionError("nothing is marked in the mask", remedy="fetch the data again")
    first, *others = loops
    polygon = list(first)
    for loop in others:
        polygon += [first[0], *loop, loop[0]]
    if others:
        polygon.append(first[0])
    return [[float(x), float(y)] for x, y in polygon]


def _loops(mask: NDArray[np.bool_]) -> list[list[tuple[int, int]]]:
    """Closed walks along the edges of pixels, what is set on the right hand; corners only."""
    padded = np.pad(mask, 1)
    ahead: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for dx, dy, from_x, from_y in ((1, 0, 0, 0), (0, 1, 1, 0), (-1, 0, 1, 1), (0, -1, 0, 1)):
        # The neighbour across the edge that is walked in direction (dx, dy) lies to the left of it.
        beyond = np.roll(padded, (dx, -dy), (0, 1))
        for y, x in np.argwhere(padded & ~beyond) - 1:
            start = int(x) + from_x, int(y) + from_y
            ahead.setdefault(start, []).append((start[0] + dx, start[1] + dy))
    loops = []
    for start in list(ahead):
        while ahead[start]:
            walk = [start]
            while ahead[walk[-1]]:
                walk.append(ahead[walk[-1]].pop())
            loops.append(_corners(walk[:-1]))
    return loops


def _corners(walk: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without the places where a closed walk goes straight on."""
    steps = zip([walk[-1], *walk[:-1]], walk, [*walk[1:], walk[0]], strict=True)
    return [here for back, here, on in steps if not (back[0] == on[0] or back[1] == on[1])]
