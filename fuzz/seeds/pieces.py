"""What seeds are made of: lines of JSON, pictures, archives, folders read back."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

from fuzz.mutating import Link

__all__ = ["as_folder", "huge", "lines", "picture", "png", "zipped"]


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def picture(format: str = "PNG", side: int = 24) -> bytes:
    from PIL import Image

    made = io.BytesIO()
    Image.effect_mandelbrot((side, side), (-2, -1.5, 1, 1.5), 50).convert("RGB").save(made, format)
    return made.getvalue()


def png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG of black and white that says what size it likes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def huge() -> bytes:
    """100,000 x 100,000 pixels, of which only the first rows are there."""
    return png(100_000, 100_000, zlib.compress(bytes(12_501 * 4)))


def zipped(members: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return made.getvalue()


def as_folder(root: Path) -> dict[str, bytes | Link]:
    return {one.relative_to(root).as_posix(): one.read_bytes() for one in root.rglob("*") if one.is_file()}
