"""A picture in coordinates of its own pixels, drawn at twice the size and reduced: smooth edges."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw, ImageFont

__all__ = ["Canvas", "Colour", "Point", "ink_on", "shaded"]

Colour: TypeAlias = tuple[int, int, int]
Point: TypeAlias = tuple[float, float]

_SCALE = 2
_LINE: Colour = (45, 45, 50)
_INK: Colour = (20, 20, 20)
_PAPER: Colour = (255, 255, 255)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def shaded(colour: Colour, factor: float) -> Colour:
    """Darker below 1, lighter above it; the hue stays."""
    if factor <= 1:
        red, green, blue = (round(part * factor) for part in colour)
    else:
        red, green, blue = (round(part + (255 - part) * (factor - 1)) for part in colour)
    return red, green, blue


def ink_on(colour: Colour) -> Colour:
    """Black or white, whichever can be read on that colour."""
    red, green, blue = colour
    return _INK if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else _PAPER


class Canvas:
    """What everything is drawn on. size: width and height in pixels."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.width, self.height = size
        self._picture = Image.new("RGB", (size[0] * _SCALE, size[1] * _SCALE), ground)
        self._draw = ImageDraw.Draw(self._picture)

    def polygon(self, corners: Iterable[Point], fill: Colour, line: Colour | None = _LINE) -> None:
        scaled = [(x * _SCALE, y * _SCALE) for x, y in corners]
        self._draw.polygon(scaled, fill)
        if line:
            self._draw.line([*scaled, scaled[0], scaled[1]], line, 3, joint="curve")

    def box(
        self, box: Sequence[float], fill: Colour, line: Colour | None = _LINE, *, radius: float = 0
    ) -> None:
        """A rectangle from (left, top) to (right, bottom), with round corners if wanted."""
        left, top, right, bottom = self._scaled(box)
        self._draw.rounded_rectangle((left, top, right - 1, bottom - 1), radius * _SCALE, fill, line, 3)

    def ellipse(
        self, x: float, y: float, across: float, down: float, fill: Colour, line: Colour | None = _LINE
    ) -> None:
        """By its middle and its half axes."""
        self._draw.ellipse(self._scaled((x - across, y - down, x + across, y + down)), fill, line, 3)

    def line(self, corners: Iterable[Point], fill: Colour = _LINE, width: float = 2) -> None:
        scaled = [(x * _SCALE, y * _SCALE) for x, y in corners]
        self._draw.line(scaled, fill, round(width * _SCALE), joint="curve")

    def words(
        self, x: float, y: float, text: str, size: float, fill: Colour = _INK, *, room: float | None = None
    ) -> None:
        """Text around a point, made smaller until it fits into `room` pixels across."""
        points = max(round(size * _SCALE), 8)
        while room is not None and points > 8 and self._draw.textlength(text, _font(points)) > room * _SCALE:
            points -= 1
        self._draw.text((x * _SCALE, y * _SCALE), text, fill, _font(points), "mm")

    def tag(
        self, x: float, y: float, text: str, size: float, *, anchor: Literal["m", "l", "r"] = "m"
    ) -> None:
        """Text on a small white plate that begins, has its middle or ends at x, and stays in the picture."""
        font = _font(round(size * _SCALE))
        width = self._draw.textlength(text, font) / _SCALE + 6
        left = x - {"l": 0.0, "m": width / 2, "r": width}[anchor]
        left = min(max(left, 1), self.width - width - 1)
        self.box((left, y - size * 0.75, left + width, y + size * 0.75), _PAPER, (120, 120, 120), radius=3)
        self._draw.text(((left + width / 2) * _SCALE, y * _SCALE), text, _INK, font, "mm")

    def png(self) -> bytes:
        """The finished picture."""
        buffer = io.BytesIO()
        self._picture.reduce(_SCALE).save(buffer, "PNG", compress_level=4)
        return buffer.getvalue()

    def _scaled(self, values: Sequence[float]) -> list[float]:
        return [value * _SCALE for value in values]
