"""An encoder of words for tests: texts that share words are near, others at right angles."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

WIDTH = 512


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """float32[n, 512]: the sum of a vector for each word, of length 1; zero for no word."""
    points = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in re.findall(r"\w+", text.lower()):
            points[row] += _point(word)
    size = np.linalg.norm(points, axis=1, keepdims=True)
    return np.where(size > 0, points / np.maximum(size, 1e-9), 0.0).astype(np.float32)


@cache
def _point(word: str) -> NDArray[np.float64]:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(WIDTH)
