"""Small clips for tests: every frame has a grey of its own."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from gumption.records import Image, Item
from gumption.suites import Suite

__all__ = ["greys", "write_clip"]

STEP = 10


def write_clip(path: Path, frames: int = 21, *, first: int = 0) -> None:
    """Frame k is of the grey first + 10 k."""
    import av

    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as clip:
        stream = clip.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        for number in range(frames):
            pixels = np.full((32, 32, 3), first + STEP * number, np.uint8)
            clip.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        clip.mux(stream.encode())


def greys(suite: Suite, item: Item) -> list[int]:
    """The number of each frame that an item shows, by its grey."""
    shown = [part for part in item.parts if isinstance(part, Image)]
    means = [np.asarray(Pillow.open(io.BytesIO(suite.media.read(one.sha256)))).mean() for one in shown]
    return [round(mean / STEP) for mean in means]
