"""Pixels of PNGs whose lines are predicted in any way, against Pillow; and which are refused as too large."""

from __future__ import annotations

import io
import random
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from gumption.records import GumptionError
from gumption.synthesis.recipes import _png
from gumption.synthesis.recipes._png import grey

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def packed(width: int, height: int, colour: int, lines: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("colour", CHANNELS)
@pytest.mark.parametrize("filters", ["4", "3", "34", "01234", "0124"])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 17), (17, 1), (11, 9), (5, 31)])
def test_any_prediction_is_undone_as_pillow_does(
    colour: int, filters: str, width: int, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_png, "_ROWS", 4)  # so that there are several blocks
    source = random.Random(f"{colour} {filters} {width} {height}")
    wide = width * CHANNELS[colour]
    lines = b"".join(bytes([int(source.choice(filters))]) + source.randbytes(wide) for _ in range(height))
    data = packed(width, height, colour, lines)
    plain = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"), float) / 255
    wanted = plain[..., :3].max(axis=2) * plain[..., 3]
    assert np.abs(grey(data, "x") - wanted).max() < 1e-9


def test_an_unknown_prediction_is_damage() -> None:
    with pytest.raises(GumptionError, match="damaged"):
        grey(packed(2, 2, 0, b"\x04ab\x05cd"), "x")


@pytest.mark.parametrize("size", [(4097, 4096), (16_385, 1), (1, 16_385), (0, 5)])
def test_what_would_take_long_is_refused_by_its_head(size: tuple[int, int]) -> None:
    with pytest.raises(GumptionError, match=f"{size[0]} by {size[1]} pixels"):
        grey(packed(*size, 0, b""), "mask.png")
