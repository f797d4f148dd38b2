"""The pixels of a PNG and the size of any common picture, read without a library of pictures."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from gumption.records import GumptionError

__all__ = ["grey", "size_of"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_PIXELS = 64 * 2**20
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_ADAM7 = 1


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
    if not 0 < width * height <= _MOST_PIXELS:
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
    shown = values / float(2**depth - 1)
    light = shown[..., :3].max(axis=2) if colour in (2, 6) else shown[..., 0]
    return np.asarray(light * shown[..., -1] if colour in (4, 6) else light)


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
    out = np.zeros((len(lines) + 1, lines.shape[1] - 1 + step), np.uint8)
    for n, line in enumerate(lines):
        how, now, above = int(line[0]), line[1:].astype(np.uint8), out[n]
        here = out[n + 1]
        if how == 0:
            here[step:] = now
        elif how == 2:
            here[step:] = now + above[step:]
        elif how == 1:
            for lane in range(step):
                here[step + lane :: step] = np.cumsum(now[lane::step], dtype=np.uint8)
        elif how in (3, 4):
            _predicted(here, now, above, step, how)
        else:
            raise _refused("its pixels are damaged", where)
    return out[1:, step:]


def _predicted(here: np.ndarray, now: np.ndarray, above: np.ndarray, step: int, how: int) -> None:
    left, up = [0] * step + [0] * len(now), above.tolist()
    for at, byte in enumerate(now.tolist(), step):
        a, b, c = left[at - step], up[at], up[at - step]
        if how == 3:
            guess = (a + b) // 2
        else:
            p = a + b - c
            near = (abs(p - a), abs(p - b), abs(p - c))
            guess = a if near[0] <= near[1] and near[0] <= near[2] else b if near[1] <= near[2] else c
        left[at] = (byte + guess) & 255
    here[:] = left


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
