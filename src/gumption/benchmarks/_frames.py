"""Frames of clips, evenly from the first to the last, taken once and kept by the clip's hash.

The places are those that most authors' code takes: `numpy.linspace(0, frames - 1, count)` cut to whole
numbers, and all frames of a clip that has fewer.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from PIL import Image as Pillow

from gumption.atomic import replacing
from gumption.benchmarks._hub import Shelf
from gumption.records import GumptionError, Image
from gumption.suites.media import media_name, store_folder

if TYPE_CHECKING:
    from av.container import InputContainer

__all__ = ["count_at", "frames_of", "places", "seconds_of"]

_QUALITY = 95
"""Of the JPEG pictures that frames are kept as."""
_MOST_FRAMES = 1_000_000
"""Of a clip."""
_FEWEST, _MOST_TAKEN = 4, 768
"""Frames that are taken of a clip where their number goes by time."""
_REMEDY = "fetch the clip again"


def places(total: int, count: int) -> list[int]:
    """Which of `total` frames are taken."""
    return list(range(total)) if total <= count else np.linspace(0, total - 1, count, dtype=int).tolist()


def count_at(path: Path, fps: int) -> int:
    """How many frames a clip has at so many a second, as qwen_vl_utils counts them: even, from 4 to 768."""
    total = _length(path)
    wanted = min(max(int(total / _rate(path) * fps), _FEWEST), _MOST_TAKEN, total)
    return max(wanted - wanted % 2, 1)


def seconds_of(path: Path) -> float:
    """How long a clip is, by its frames and their rate. Raises as `frames_of`."""
    return float(_length(path) / _rate(path))


def frames_of(shelf: Shelf, path: str | Path, count: int) -> tuple[Image, ...]:
    """`count` frames of the clip at `path` in the shelf's folder, as pictures on the shelf.

    Which pictures they are is kept beside the store, so that a clip is taken apart once. Raises GumptionError
    for a clip that cannot be read, and where the package `av` is missing.
    """
    clip = shelf.file(path)
    kept = store_folder().parent / "frames" / f"{clip.sha256}-{count}-q{_QUALITY}.json"
    known = _known(kept)
    if known is not None:
        return tuple(shelf.image(data) for data in known)
    frames = tuple(shelf.image(data) for data in _taken(shelf.path(path), count))
    with replacing(kept) as temporary:
        temporary.write_bytes(msgspec.json.encode([frame.sha256 for frame in frames]))
    return frames


def _known(kept: Path) -> list[bytes] | None:
    """The pictures that were taken before, where all of them are still there."""
    if not kept.is_file():
        return None
    files = [
        store_folder() / media_name(name, "image/jpeg")
        for name in msgspec.json.decode(kept.read_bytes(), type=list[str])
    ]
    return [file.read_bytes() for file in files] if all(file.is_file() for file in files) else None


def _taken(path: Path, count: int) -> Iterator[bytes]:
    """The frames as JPEG files."""
    wanted = places(_length(path), count)
    left = iter(wanted)
    at = next(left, None)
    with _opened(path) as clip:
        for number, frame in enumerate(clip.decode(video=0)):
            if number == at:
                file = io.BytesIO()
                Pillow.fromarray(frame.to_ndarray(format="rgb24")).save(file, "JPEG", quality=_QUALITY)
                yield file.getvalue()
                at = next(left, None)
            if at is None:
                return
    raise GumptionError(f"frame {at} cannot be read", where=str(path), remedy=_REMEDY)


def _rate(path: Path) -> Fraction:
    with _opened(path) as clip:
        rate = clip.streams.video[0].average_rate
    if not rate:
        raise GumptionError("the clip does not say its frame rate", where=str(path), remedy=_REMEDY)
    return rate


def _length(path: Path) -> int:
    """Frames of the clip: its packets, since what a file says of its own length is often wrong."""
    with _opened(path) as clip:
        count = sum(1 for packet in clip.demux(video=0) if packet.size)
    if not 0 < count <= _MOST_FRAMES:
        raise GumptionError(f"a clip of {count:,} frames", where=str(path), remedy=_REMEDY)
    return count


@contextmanager
def _opened(path: Path) -> Iterator[InputContainer]:
    try:
        import av
    except ImportError as error:
        raise GumptionError("clips need the package av", remedy="pip install 'gumption[video]'") from error
    try:
        with av.open(path) as clip:
            if not clip.streams.video:
                raise GumptionError("there is no video in it", where=str(path), remedy=_REMEDY)
            yield clip
    except (av.FFmpegError, OSError) as error:
        raise GumptionError(f"no clip: {error}", where=str(path), remedy=_REMEDY) from error
