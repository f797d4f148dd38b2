"""Looking at picture bytes: what they are, and whether all of them can be shown to a model."""

from __future__ import annotations

import hashlib
import io
import warnings

from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from gumption.records import GumptionError, Image

MAX_PIXELS = 100_000_000

_MEDIA_TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",  # several JPEG pictures in one file, as many phones write them
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "BMP": "image/bmp",
}
_READABLE = ["PNG", "JPEG", "WEBP", "GIF", "BMP"]


def image_of(data: bytes) -> Image:
    """The picture that these bytes hold, with its SHA-256, media type, width and height in pixels.

    PNG, JPEG, WebP, GIF and BMP. The bytes are decoded once to see that nothing is missing, but only
    after the size in the header was found to be at most `MAX_PIXELS`.
    Raises GumptionError for any other format, a damaged file or a larger picture.
    """
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # Pillow warns of sizes and of harmless metadata; we have our own limit
        try:
            with Pillow.open(io.BytesIO(data), formats=_READABLE) as picture:
                format, (width, height) = picture.format, picture.size
                if width * height <= MAX_PIXELS:
                    picture.verify()
        except Pillow.DecompressionBombError as error:
            raise _too_large(str(error)) from error
        except Exception as error:  # decoders raise whatever they please on damaged bytes
            raise _unusable(error) from error
        if width * height > MAX_PIXELS:
            raise _too_large(f"{width} x {height} pixels")
        try:
            with Pillow.open(io.BytesIO(data), formats=_READABLE) as picture:
                picture.draft(None, (1, 1))  # JPEG: still reads every byte, at an eighth of the size
                picture.load()
        except Exception as error:
            raise _unusable(error) from error
    return Image(hashlib.sha256(data).hexdigest(), _MEDIA_TYPES[format or ""], width, height)


def _too_large(detail: str) -> GumptionError:
    problem = f"the picture is over {MAX_PIXELS // 10**6} megapixels ({detail})"
    return GumptionError(problem, remedy="scale it down")


def _unusable(error: Exception) -> GumptionError:
    known = "" if isinstance(error, UnidentifiedImageError) else f" ({error})"
    problem = f"not a whole PNG, JPEG, WebP, GIF or BMP picture{known}"
    return GumptionError(problem, remedy="convert the picture or fetch it again")
