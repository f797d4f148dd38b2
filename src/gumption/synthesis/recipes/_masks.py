"""Masks in rows: packed as text when a folder is loaded, unpacked when a reply is scored."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gumption.records import GumptionError
from gumption.synthesis.recipes._png import grey

__all__ = ["Mask", "mask_of", "on_mask", "packed"]


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """Which pixels are the target: rows by columns."""

    on: np.ndarray

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.on.shape
        return width, height


def packed(data: bytes, threshold: float, dark: bool, where: str) -> dict[str, Any]:
    """A PNG's pixels that are at least `threshold` of the brightest, or the others, as JSON holds them."""
    light = grey(data, where)
    brightest = light.max()
    on = light >= threshold * brightest if brightest > 0 else np.zeros(light.shape, bool)
    on = ~on if dark else on
    bits = base64.b64encode(zlib.compress(np.packbits(on).tobytes(), 6)).decode()
    return {"size": [light.shape[1], light.shape[0]], "bits": bits}


def mask_of(cell: Mapping[str, Any]) -> Mask:
    """The mask that `packed` made. Raises GumptionError for what is none."""
    try:
        width, height = (int(side) for side in cell["size"])
        return _unpacked(width, height, str(cell["bits"]))
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise GumptionError("the row has no mask", where="score", remedy="load the rows again") from error


@lru_cache(maxsize=64)
def _unpacked(width: int, height: int, bits: str) -> Mask:
    raw = zlib.decompressobj().decompress(base64.b64decode(bits), (width * height + 7) // 8)
    flat = np.unpackbits(np.frombuffer(raw, np.uint8))[: width * height]
    return Mask(flat.reshape(height, width).astype(bool))


def on_mask(mask: Mask, x: float, y: float) -> bool:
    """Whether the pixel that holds (x, y) is on; one outside the mask is not."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return False
    column, row = math.floor(x), math.floor(y)
    width, height = mask.size
    return bool(0 <= column < width and 0 <= row < height and mask.on[row, column])
