"""The pixels of a PNG and the size of any common picture, read without a library of pictures."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import numpy as np

from gumption.records import GumptionError

__all__ = ["grey", "size_of"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_PIXELS, _LONGEST_SIDE = 2**24, 2**14
"""Of a mask: one of 4,096 by 4,096 grey pixels takes about a second where it is packed in the dearest way."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_ADAM7 = 1
_ROWS = 1024
"""Lines of a picture that are undone side by side."""


def size_of(data: bytes, where: str) -> tuple[int, int]:
    """Width and height of a PNG, JPEG, GIF, BMP or WebP, from its head. Raises GumptionError for no such."""
    if data[:8] == _SIGNATURE and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
    elif data[:2] == b"\xff\xd8":
        width, height = _jpeg(data, where)
    elif data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
    elif data[:2] == b"BM" and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        height = abs(height)
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        width, height = _webp(data, where)
    else:
        raise _refused("it is no picture of a known kind", where)
    if not (0 < width < 2**17 and 0 < height < 2**17):
        raise _refused(f"it is {width} by {height}", where)
    return int(width), int(height)


def _jpeg(data: bytes, where: str) -> tuple[int, int]:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            break
        kind = data[at + 1]
        if kind == 0xFF:
            at += 1
        elif 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        else:
            at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    raise _refused("its size is not told", where)


def _webp(data: bytes, where: str) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8 " and len(data) >= 30:
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    raise _refused("its size is not told", where)


def grey(data: bytes, where: str) -> np.ndarray:
    """Brightness of a PNG's pixels from 0 to 1 as rows by columns; what is see-through is dark.

    Raises GumptionError for what is no PNG, too large, interlaced or damaged.
    """
    if data[:8] != _SIGNATURE:
        raise _refused("it is no PNG", where)
    chunks = _chunks(data, where)
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"][:13])
    if colour not in _CHANNELS or depth not in (1, 2, 4, 8, 16) or interlaced == _ADAM7:
        raise _refused("it is a PNG of an uncommon kind", where)
    if not 0 < width * height <= _MOST_PIXELS or max(width, height) > _LONGEST_SIDE:
        raise _refused(f"it is {width} by {height} pixels", where)
    channels = _CHANNELS[colour]
    wide = (width * depth * channels + 7) // 8
    inflate = zlib.decompressobj()
    try:
        raw = inflate.decompress(chunks[b"IDAT"], height * (wide + 1))
    except zlib.error as error:
        raise _refused(f"its pixels are damaged ({error})", where) from error
    if len(raw) != height * (wide + 1):
        raise _refused("pixels are missing", where)
    lines = np.frombuffer(raw, np.uint8).reshape(height, wide + 1)
    plain = _unfiltered(lines, max(1, depth * channels // 8), where)
    values = _values(plain, width, depth, channels)
    if colour == 3:
        palette = np.frombuffer(chunks.get(b"PLTE", b""), np.uint8).reshape(-1, 3)
        if not len(palette) or values.max() >= len(palette):
            raise _refused("a colour is not in its palette", where)
        return np.asarray(palette[values[..., 0]].max(axis=2) / 255.0)
    brightest = float(2**depth - 1)
    light = (values[..., :3].max(axis=2) if colour in (2, 6) else values[..., 0]) / brightest
    return np.asarray(light * (values[..., -1] / brightest) if colour in (4, 6) else light)


def _chunks(data: bytes, where: str) -> dict[bytes, bytes]:
    found: dict[bytes, list[bytes]] = {}
    at = 8
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        found.setdefault(kind, []).append(data[at + 8 : at + 8 + length])
        at += 12 + length
    if b"IHDR" not in found or b"IDAT" not in found or len(found[b"IHDR"][0]) < 13:
        raise _refused("it is no whole PNG", where)
    return {kind: b"".join(parts) for kind, parts in found.items()}


def _unfiltered(lines: np.ndarray, step: int, where: str) -> np.ndarray:
    """Undoes the prediction of each line from its neighbours (PNG specification, section 9)."""
    hows, coded = lines[:, 0], lines[:, 1:]
    if hows.max() > 4:
        raise _refused("its pixels are damaged", where)
    if hows.max() >= 3:
        return _by_diagonals(hows, coded, step)
    out = np.zeros((len(lines) + 1, coded.shape[1]), np.uint8)
    for n, (how, line) in enumerate(zip(hows, coded, strict=True)):
        if how == 1:
            out[n + 1] = np.cumsum(line.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)
        else:
            out[n + 1] = line + out[n] if how == 2 else line
    return out[1:]


def _by_diagonals(hows: np.ndarray, coded: np.ndarray, step: int) -> np.ndarray:
    """The same where a pixel is predicted from left and above together: what lies on a diagonal, from the
    upper right to the lower left, needs none of the others on it. `_ROWS` lines at a time."""
    wide = coded.shape[1] // step
    out = np.empty_like(coded)
    above = np.zeros((wide + 1, step), np.int16)  # the line before, behind a column of zeros
    for begin in range(0, len(coded), _ROWS):
        how = hows[begin : begin + _ROWS, None]
        high = len(how)
        # Diagonal d holds line n's pixel d - n at n + 1; outside of the picture all is zero.
        skewed = np.zeros((wide + high, high, step), np.uint8)
        place = np.arange(high)
        given = coded[begin : begin + high].reshape(high, wide, step)
        for n in place:
            skewed[n : n + wide, n] = given[n]
        guesses = [(guess, (how == kind) * np.int16(1)) for kind, guess in _GUESSES if (how == kind).any()]
        made = np.zeros((wide + high + 2, high + 1, step), np.int16)
        made[: wide + 1, 0] = above
        for d in range(wide + high - 1):
            first, last = max(0, d - wide + 1), min(high, d + 1)
            left, up = made[d + 1, 1 + first : 1 + last], made[d + 1, first:last]
            corner = made[d, first:last]
            pixel = skewed[d, first:last].astype(np.int16)
            for guess, told in guesses:
                pixel += guess(left, up, corner) * told[first:last]
            made[d + 2, 1 + first : 1 + last] = pixel & 255
        for n in place:
            out[begin + n] = made[n + 2 : n + 2 + wide, n + 1].reshape(-1)
        above[1:] = made[high + 1 : high + 1 + wide, high]
    return out


def _paeth(left: np.ndarray, up: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Of the three, the one nearest to left + up - corner."""
    below, beside = up - corner, left - corner
    to_left, to_up, to_corner = np.abs(below), np.abs(beside), np.abs(below + beside)
    nearer = np.where(to_up <= to_corner, up, corner)
    return np.where(to_left <= np.minimum(to_up, to_corner), left, nearer)


_GUESSES: tuple[tuple[int, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]], ...] = (
    (1, lambda left, _up, _corner: left),
    (2, lambda _left, up, _corner: up),
    (3, lambda left, up, _corner: (left + up) >> 1),
    (4, _paeth),
)
"""What a line's pixels are predicted by, by its number; 0 is nothing."""


def _values(plain: np.ndarray, width: int, depth: int, channels: int) -> np.ndarray:
    height = len(plain)
    if depth == 8:
        return plain.reshape(height, width, channels)
    if depth == 16:
        return np.ascontiguousarray(plain).view(">u2").reshape(height, width, channels)
    bits = np.unpackbits(plain, axis=1).reshape(height, -1, depth)
    weights = 1 << np.arange(depth)[::-1]
    return np.asarray((bits * weights).sum(axis=2)[:, :width, None])


def _refused(problem: str, where: str) -> GumptionError:
    return GumptionError(problem, where=where, remedy="save the mask as a plain PNG")
