"""How a picture looks, in numbers that survive another encoding or size. Nothing learnt.

Four parts of equal weight, each of length 1: a perceptual hash (signs of the 64 lowest frequencies of a
cosine transform about their median, as in pHash by Zauner 2010), a colour histogram (4 x 4 x 4 bins, square
roots), histograms of gradients (4 x 4 cells of 8 directions, after Dalal and Triggs, CVPR 2005) and the
colours of 8 x 8 cells. Beside them the mean colours of 32 x 32 cells, by which copies are told from pictures
that only look alike.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageOps, UnidentifiedImageError
from scipy.fft import dctn

from gumption.curation._inputs import Vectors
from gumption.records import GumptionError

__all__ = ["CELLS", "FEATURES", "ID", "Cells", "Fingerprint", "decoded", "fingerprint", "first_frames"]

Cells: TypeAlias = npt.NDArray[np.uint8]

ID = "looks-1"
"""To be raised when a number here changes: vectors are kept under it."""
CELLS = 32
FEATURES = 64 + 64 + 128 + 192
MAX_PIXELS = 100_000_000
"""Of a picture that is decoded."""
SMALL = 64
"""Pixels a side of what is looked at."""
DRAFT = 512
"""JPEG pictures are decoded at an eighth, a quarter or half of their size down to this."""
FRAMES = 4
"""Of a clip, from its start."""
LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Of one picture."""

    features: Vectors
    """float32[FEATURES], of length 1."""
    cells: Cells
    """uint8[CELLS, CELLS, 3]: mean colours."""

    def to_bytes(self) -> bytes:
        return self.features.tobytes() + self.cells.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> tuple[Fingerprint, bytes]:
        """The fingerprint that the bytes begin with, and what follows it."""
        edge, end = 4 * FEATURES, 4 * FEATURES + 3 * CELLS**2
        cells = np.frombuffer(data[edge:end], dtype=np.uint8).reshape(CELLS, CELLS, 3)
        return cls(np.frombuffer(data[:edge], dtype=np.float32), cells), data[end:]


def decoded(data: bytes) -> Pillow.Image:
    """The picture upright, in RGB, on white where it is transparent; of one that moves the first frame.

    A JPEG picture may come smaller than it is, though never below 512 pixels a side. Raises
    GumptionError for more than 100 megapixels, which are not decoded, and for bytes that are no whole PNG,
    JPEG, WebP, GIF or BMP picture.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of sizes and of harmless metadata
        try:
            with Pillow.open(io.BytesIO(data), formats=_FORMATS) as picture:
                width, height = picture.size
                if width * height > MAX_PIXELS:
                    raise Pillow.DecompressionBombError(f"{width} x {height} pixels")
                picture.draft("RGB", (DRAFT, DRAFT))
                upright = ImageOps.exif_transpose(picture)
                if upright.has_transparency_data:
                    white = Pillow.new("RGBA", upright.size, "white")
                    upright = Pillow.alpha_composite(white, upright.convert("RGBA"))
                return upright.convert("RGB")
        except Pillow.DecompressionBombError as error:
            raise GumptionError(f"too large a picture: {error}", remedy="scale it down") from error
        except UnidentifiedImageError as error:
            # Pillow's own words name a place in memory, another one each time.
            raise GumptionError(
                f"not a whole picture, none of {', '.join(_FORMATS)}", remedy="fetch it again or leave it out"
            ) from error
        except Exception as error:  # decoders raise whatever they please on damaged bytes
            raise GumptionError(
                f"not a whole picture: {error}", remedy="fetch it again or leave it out"
            ) from error


def first_frames(path: Path) -> list[Pillow.Image]:
    """The first frames of a clip. Raises GumptionError where it is none, and where `av` is not installed."""
    try:
        import av
    except ImportError as error:
        raise GumptionError("clips need the package av", remedy="pip install 'gumption[video]'") from error
    try:
        with av.open(path) as clip:
            stream = next(iter(clip.streams.video), None)
            if stream is None or stream.width * stream.height > MAX_PIXELS:
                raise GumptionError("no video in it, or too large", where=str(path), remedy="leave it out")
            frames = [
                Pillow.fromarray(frame.to_ndarray(format="rgb24"))
                for frame in islice(clip.decode(stream), FRAMES)
            ]
    except (av.FFmpegError, OSError) as error:
        raise GumptionError(f"no clip: {error}", where=str(path), remedy="fetch it again") from error
    if not frames:
        raise GumptionError("a clip without frames", where=str(path), remedy="fetch it again")
    return frames


def fingerprint(picture: Pillow.Image) -> Fingerprint:
    """How an RGB picture looks."""
    # Means over boxes: a copy of another size has the same ones.
    small = picture.resize((SMALL, SMALL), Pillow.Resampling.BOX)
    cells = np.asarray(picture.resize((CELLS, CELLS), Pillow.Resampling.BOX))
    pixels = np.asarray(small, dtype=np.float32)
    grey = pixels @ LUMA
    parts = (_signs(grey), _colours(pixels), _gradients(grey), _layout(pixels))
    features = np.concatenate([_unit(part) for part in parts])
    return Fingerprint(_unit(features), cells)


def _signs(grey: Vectors) -> Vectors:
    low = dctn(grey, norm="ortho")[:8, :8].ravel()
    # What is left of a plain picture are rounding errors, whose signs say nothing.
    low[np.abs(low) < 1.0] = 0.0
    middle = np.median(low[1:])
    signs = np.where(low > middle, 1.0, -1.0) if np.any(low[1:]) else np.zeros(64)
    signs[0] = 0.0
    return signs.astype(np.float32)


def _colours(pixels: Vectors) -> Vectors:
    bins = (pixels.reshape(-1, 3) // 64).astype(np.int64) @ np.array([16, 4, 1])
    counts = np.bincount(bins, minlength=64).astype(np.float32)
    return np.sqrt(counts)


def _gradients(grey: Vectors) -> Vectors:
    down, across = np.gradient(grey)
    size = np.hypot(down, across)
    size[size < 2.0] = 0.0
    turn = ((np.arctan2(down, across) + np.pi) / (2 * np.pi) * 8).astype(np.int64) % 8
    side = SMALL // 4
    row, column = np.indices(grey.shape) // side
    sums = np.bincount(((row * 4 + column) * 8 + turn).ravel(), size.ravel(), minlength=128)
    return np.sqrt(sums).astype(np.float32)


def _layout(pixels: Vectors) -> Vectors:
    side = SMALL // 8
    means = pixels.reshape(8, side, 8, side, 3).mean(axis=(1, 3))
    layout: Vectors = (means - np.float32(127.5)).ravel()
    return layout


def _unit(part: Vectors) -> Vectors:
    size = float(np.linalg.norm(part))
    return (part / size).astype(np.float32) if size else part.astype(np.float32)
