"""Targets of points, by Pillow and plain geometry: what is on them, and points on and off them."""

from __future__ import annotations

import base64
import io
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gumption.records import GumptionError
from gumption.synthesis.contract import Row
from gumption.synthesis.spec import Spec
from gumption.synthesis.validation._cells import numbers

__all__ = ["Target", "opened", "target_of"]

_LARGEST = 8_000_000
"""Pixels of a picture that is opened."""
_TRIES = 4000


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be pointed at."""

    size: tuple[float, float]
    """Width and height of what its coordinates run to."""
    holds: Callable[[float, float], bool]
    bounds: tuple[float, float, float, float]
    """A box around it: x from, y from, x to, y to."""

    def clear(self, x: float, y: float, margin: float) -> bool | None:
        """Whether a point and all around it is on the target, or off; None where that differs."""
        around = {self.holds(x + dx, y + dy) for dx in (-margin, 0, margin) for dy in (-margin, 0, margin)}
        return around.pop() if len(around) == 1 else None

    def points(self, on: bool, count: int, margin: float, seed: int) -> list[tuple[float, float]]:
        """Points well on the target or well off it, within the picture; fewer where there is no room."""
        draw = random.Random(f"{seed} {on}")
        x0, y0, x1, y1 = self.bounds if on else (0.0, 0.0, *self.size)
        found: list[tuple[float, float]] = []
        for _ in range(_TRIES):
            if len(found) == count:
                break
            x, y = draw.uniform(x0, x1), draw.uniform(y0, y1)
            if (
                self.clear(x, y, margin) is on
                and margin < x < self.size[0] - margin
                and margin < y < self.size[1] - margin
            ):
                found.append((x, y))
        return found


def target_of(row: Row, spec: Spec, folder: Path) -> Target:
    """The declared target of a row. Raises where it cannot be made out."""
    gold = spec.scoring.gold
    cell = row[gold.column]
    if gold.form == "mask":
        return _mask(folder, str(cell), gold.folder, gold.threshold, gold.dark)
    values = numbers(cell)
    size = _size(row, spec, folder)
    if gold.form in ("box_xyxy", "box_xywh"):
        ends = [(values[n + 2], values[n + 3]) for n in range(0, len(values), 4)]
        starts = [(values[n], values[n + 1]) for n in range(0, len(values), 4)]
        if gold.form == "box_xywh":
            ends = [(a + c, b + d) for (a, b), (c, d) in zip(starts, ends, strict=True)]
        boxes = [(*start, *end) for start, end in zip(starts, ends, strict=True)]
        return Target(
            size,
            lambda x, y: any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes),
            (
                min(x for x, _ in starts),
                min(y for _, y in starts),
                max(x for x, _ in ends),
                max(y for _, y in ends),
            ),
        )
    if gold.form == "circle":
        *values, radius = values
    pairs = list(zip(values[::2], values[1::2], strict=True))
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    if gold.form == "polygon":
        return Target(size, lambda x, y: _winding(pairs, x, y), (min(xs), min(ys), max(xs), max(ys)))
    if gold.form != "circle":
        told = spec.scoring.parameters.get("radius", 0.0)
        radius = numbers(row[told])[0] if isinstance(told, str) else float(told)
    if not radius:
        raise ValueError("points without a radius have no inside")
    near = (min(xs) - radius, min(ys) - radius, max(xs) + radius, max(ys) + radius)
    return Target(size, lambda x, y: any(math.hypot(x - a, y - b) <= radius for a, b in pairs), near)


def opened(data: bytes) -> Any:
    """A picture from its bytes. Raises GumptionError for what is none, or too large."""
    from PIL import Image, UnidentifiedImageError

    try:
        picture = Image.open(io.BytesIO(data))
        if picture.width * picture.height > _LARGEST:
            raise GumptionError(
                f"a picture of {picture.width} x {picture.height}", where="media", remedy="make it smaller"
            )
        picture.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise GumptionError(
            f"it is no picture: {type(error).__name__}", where="media", remedy="check the file"
        ) from error
    return picture


def _mask(folder: Path, said: str, prefix: str, threshold: float, dark: bool) -> Target:
    path = (folder / prefix / said).resolve()
    if path.is_relative_to(folder.resolve()) and path.is_file():
        data = path.read_bytes()
    else:
        data = base64.b64decode(said, validate=True)
    light = np.asarray(opened(data).convert("L"), dtype=np.float64)
    on: npt.NDArray[np.bool_] = (
        light >= threshold * light.max() if light.max() > 0 else np.zeros(light.shape, bool)
    )
    on = ~on if dark else on
    height, width = on.shape
    ys, xs = np.nonzero(on)
    if not len(xs) or on.all():
        raise ValueError("the mask has no inside or no outside")

    def holds(x: float, y: float) -> bool:
        return 0 <= x < width and 0 <= y < height and bool(on[math.floor(y), math.floor(x)])

    return Target((width, height), holds, (xs.min(), ys.min(), xs.max() + 1.0, ys.max() + 1.0))


def _size(row: Row, spec: Spec, folder: Path) -> tuple[float, float]:
    """What the target's coordinates run to."""
    told = spec.scoring.parameters.get("size")
    if isinstance(told, list | tuple):
        width, height = (float(row[side]) if isinstance(side, str) else float(side) for side in told)
        return width, height
    if isinstance(told, str) and told != "picture":
        width, height = numbers(row[told])
        return width, height
    scale = spec.scoring.parameters.get("scale")
    if told is None and scale is not None:
        raise ValueError("the size is not declared")
    if not spec.asking.images:
        raise ValueError("there is no picture")
    cell = row[spec.asking.images[0]]
    first = cell[0] if isinstance(cell, list) else cell
    if spec.asking.base64:
        data = base64.b64decode(str(first).partition("base64,")[2] or str(first))
    else:
        name = str(first) if "." in str(first).rpartition("/")[2] else f"{first}{spec.asking.image_suffix}"
        path = (folder / spec.asking.image_folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise ValueError("a picture outside of the folder")
        data = path.read_bytes()
    width, height = opened(data).size
    return width, height


def _winding(pairs: list[tuple[float, float]], x: float, y: float) -> bool:
    """Whether a point is inside a polygon, by the angle that its corners turn through as seen from there."""
    turned = 0.0
    seen = [(cx - x, cy - y) for cx, cy in pairs]
    for (ax, ay), (bx, by) in zip(seen, [*seen[1:], seen[0]], strict=True):
        turned += math.atan2(ax * by - ay * bx, ax * bx + ay * by)
    return abs(turned) > math.pi
