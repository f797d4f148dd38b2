"""Seeing a drawn picture: patches of one colour, and the shapes of these. Plain geometry, nothing learnt."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

__all__ = ["Blob", "View", "see"]

Ints: TypeAlias = npt.NDArray[np.int64]

_COLOURS = {
    "blue": (11, 98, 184),
    "yellow": (247, 224, 60),
    "red": (211, 48, 31),
    "green": (15, 158, 110),
    "black": (28, 28, 28),
    "white": (250, 250, 250),
    "orange": (242, 142, 28),
    "purple": (122, 47, 150),
    "pink": (242, 156, 196),
    "brown": (135, 85, 39),
}
_SCENERY = {
    "wall": (185, 199, 207),
    "wood": (220, 197, 160),
    "board": (141, 115, 80),
    "crumb": (165, 142, 105),
    "tray": (198, 203, 208),
    "mat": (163, 188, 174),
    "seam": (93, 119, 105),
    "metal": (91, 103, 114),
    "line": (160, 37, 47),
    "outline": (80, 80, 80),
}
_NAMES = (*_COLOURS, *_SCENERY)
_REFERENCE = np.array([*_COLOURS.values(), *_SCENERY.values()])
_UNSEEN = tuple(_NAMES.index(name) for name in ("wall", "wood", "crumb", "seam", "outline"))
_SMALLEST = 60
"""Pixels; what is smaller is taken for dirt."""
_THIN = 6
"""Pixels; what is thinner is taken for the seam between two things."""


@dataclass(frozen=True)
class Blob:
    """A patch of one colour, by its box and the spans of its rows (holes count as filled)."""

    colour: str
    left: int
    top: int
    right: int
    bottom: int
    area: int
    """Pixels of its colour."""
    spans: tuple[int, ...]
    """Width of each row, from the top."""

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def shape(self) -> str:
        """The shape that fills its box like this; "" for any other, as of a thing that is partly hidden."""
        share = sum(self.spans) / (self.width * self.height)
        aspect = self.width / self.height
        if share > 0.92:
            return "block" if 1.6 < aspect < 2.4 else "square" if 0.88 < aspect < 1.14 else ""
        if not 0.85 < aspect < 1.25:
            return ""
        if 0.72 < share < 0.86:
            return "circle"
        if 0.5 < share < 0.72 and 0.3 < self.spans[2] / self.width < 0.6:
            return "cross"
        if 0.4 < share < 0.62:
            widest = float(np.mean(np.flatnonzero(np.array(self.spans) >= 0.95 * max(self.spans))))
            return (
                "triangle" if widest > 0.8 * self.height else "diamond" if widest < 0.65 * self.height else ""
            )
        return ""


@dataclass(frozen=True)
class View:
    """What there is to be seen in one picture."""

    things: tuple[Blob, ...]
    """Patches of the colours that things have."""
    scenery: tuple[Blob, ...]
    """Patches of furniture: tray, mat, board, metal and line, named in `colour`."""

    def find(self, name: str) -> Blob | None:
        """The thing of that colour and shape; None where none or several could be meant."""
        colour, shape = name.split()
        alike = [blob for blob in self.things if blob.colour == colour]
        found = [blob for blob in alike if blob.shape == shape]
        if not found:  # the only one of its colour whose shape cannot be made out
            found = [blob for blob in alike if not blob.shape]
        return found[0] if len(found) == 1 else None

    def largest(self, scenery: str) -> Blob | None:
        """The largest patch of a piece of furniture."""
        return max((b for b in self.scenery if b.colour == scenery), key=lambda b: b.area, default=None)


def see(data: bytes) -> View:
    """The patches of a PNG picture. Time grows linearly with its pixels."""
    with Pillow.open(io.BytesIO(data), formats=["PNG"]) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(np.int64)
    packed = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    colours, inverse = np.unique(packed, return_inverse=True)
    channels = np.stack((colours >> 16, colours >> 8 & 255, colours & 255), axis=1)
    nearest = ((channels[:, None] - _REFERENCE[None]) ** 2).sum(axis=2).argmin(axis=1)
    blobs = _blobs(nearest[inverse].reshape(packed.shape))
    things = [blob for blob in blobs if blob.colour in _COLOURS and min(blob.width, blob.height) >= _THIN]
    return View(
        tuple(blob for blob in things if not _is_tag(blob, things)),
        tuple(blob for blob in blobs if blob.colour in _SCENERY),
    )


def _is_tag(blob: Blob, things: list[Blob]) -> bool:
    """A white patch of a label's size inside another patch."""
    return (
        blob.colour == "white"
        and 18 <= blob.width <= 26
        and 10 <= blob.height <= 18
        and any(
            other.left < blob.left
            and blob.right < other.right
            and other.top < blob.top
            and blob.bottom < other.bottom
            for other in things
        )
    )


def _blobs(classes: Ints) -> list[Blob]:
    """Connected patches: the runs of each row, joined with those of the row above that they touch."""
    parent: list[int] = []
    runs: list[tuple[int, int, int, int]] = []

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    above: list[int] = []
    for row, line in enumerate(classes):
        edges = np.flatnonzero(np.diff(line)) + 1
        starts, ends = [0, *edges.tolist()], [*edges.tolist(), len(line)]
        here: list[int] = []
        for start, end in zip(starts, ends, strict=True):
            kind = int(line[start])
            if kind not in _UNSEEN:
                here.append(len(runs))
                parent.append(len(runs))
                runs.append((kind, row, start, end))
        first = 0
        for run in here:
            kind, _, start, end = runs[run]
            while first < len(above) and runs[above[first]][3] <= start:
                first += 1
            for other in above[first:]:
                if runs[other][2] >= end:
                    break
                if runs[other][0] == kind:
                    parent[root(run)] = root(other)
        above = here
    groups: dict[int, list[tuple[int, int, int, int]]] = {}
    for number, found in enumerate(runs):
        groups.setdefault(root(number), []).append(found)
    blobs = [_blob(group) for group in groups.values()]
    return [blob for blob in blobs if blob.area >= _SMALLEST or blob.colour == "line"]


def _blob(runs: list[tuple[int, int, int, int]]) -> Blob:
    rows: dict[int, list[int]] = {}
    for _, row, start, end in runs:
        span = rows.setdefault(row, [start, end])
        span[0], span[1] = min(span[0], start), max(span[1], end)
    return Blob(
        _NAMES[runs[0][0]],
        min(start for start, _ in rows.values()),
        min(rows),
        max(end for _, end in rows.values()),
        max(rows) + 1,
        sum(end - start for _, _, start, end in runs),
        tuple(end - start for _, (start, end) in sorted(rows.items())),
    )
