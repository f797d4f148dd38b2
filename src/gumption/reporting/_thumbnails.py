"""Small copies of the pictures that a model was shown, each picture once, named by the hash of its bytes."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import PIL.ExifTags
import PIL.Image
import PIL.ImageOps
from msgspec import Struct

from gumption.records import GumptionError

__all__ = ["Thumbnail", "make_thumbnails"]

SIDE = 480
"""Pixels of the longer side, at most."""
PIXELS_LIMIT = 50_000_000
# Formats that Pillow reads in its own process: no PostScript, which it would hand to another program.
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Thumbnail(Struct, frozen=True, omit_defaults=True):
    """A file in the folder of thumbnails, or why there is none."""

    file: str = ""
    width: int = 0
    height: int = 0
    turned: bool = False
    """The file asks to be turned or mirrored (EXIF), and was: its pixels are not where the file has them."""
    missing: str = ""


def make_thumbnails(
    pictures: Iterable[str],
    media: Callable[[str], bytes | None],
    folder: Path,
    done: Callable[[], None],
) -> dict[str, Thumbnail]:
    """Write `folder/<sha256>.jpg` (`.png` if it has transparency) for every picture; SHA-256 to thumbnail.

    `media` gives the bytes of a picture or None and is called from several threads; `done` is called
    after each picture. Raises GumptionError for a name that is not a SHA-256, since it would name a file.
    """
    names = list(dict.fromkeys(pictures))
    for name in names:
        if not _SHA256.fullmatch(name):
            raise GumptionError(
                f"{name[:80]!r} is not the SHA-256 of a picture",
                where="a picture of the suite",
                remedy="Write the suite again, so that its media are named by their hashes.",
            )

    def made(name: str) -> Thumbnail:
        data = media(name)
        return (
            _shrink(data, folder / name)
            if data is not None
            else Thumbnail(missing="picture not stored with this run")
        )

    thumbnails = {}
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as threads:
        for name, thumbnail in zip(names, threads.map(made, names), strict=True):
            thumbnails[name] = thumbnail
            done()
    return thumbnails


def _shrink(data: bytes, stem: Path) -> Thumbnail:
    try:
        image = PIL.Image.open(io.BytesIO(data), formats=_FORMATS)
        if image.width * image.height > PIXELS_LIMIT:
            return Thumbnail(missing="picture too large to draw")
        image.draft("RGB", (SIDE, SIDE))
        turned = image.getexif().get(PIL.ExifTags.Base.Orientation, 1) in range(2, 9)
        small = _eight_bit(PIL.ImageOps.exif_transpose(image))
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as unreadable:
        return Thumbnail(missing=f"picture unreadable ({type(unreadable).__name__})")
    small.thumbnail((SIDE, SIDE))
    path = stem.with_suffix(".png" if small.mode == "RGBA" else ".jpg")
    small.save(path, quality=80, optimize=True)
    return Thumbnail(path.name, small.width, small.height, turned)


def _eight_bit(image: PIL.Image.Image) -> PIL.Image.Image:
    """The picture as RGB or RGBA; depth maps, whose values pass 255, are stretched to their range."""
    if image.mode.startswith("I") or image.mode == "F":
        low, high = image.getextrema()
        scale = 255 / ((high - low) or 1)  # type: ignore[operator]
        image = image.convert("F").point(lambda value: value * scale - low * scale).convert("L")  # type: ignore
    return image.convert("RGBA" if image.has_transparency_data else "RGB")
