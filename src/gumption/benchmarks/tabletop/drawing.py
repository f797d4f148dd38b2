"""From scene graphs to pictures: PNG bytes of 480 x 320 pixels, drawn at twice the size and reduced."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from functools import cache

from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from gumption.benchmarks.tabletop.scene import SIZE, Box, Gripper, Shelf, Table, Thing

__all__ = ["Canvas", "draw_plan", "draw_table", "room_with_table"]

WALL, WOOD, EDGE = "#b9c7cf", "#dcc5a0", "#8d7350"
_METAL, _RIM = "#c6cbd0", "#5b6772"
_MAT, _SEAM = "#a3bcae", "#5d7769"
_LINE = "#505050"
_CRUMB = "#a58e69"
_PLAN, _DISC = "#efe6d4", "#8f9499"


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


class Canvas:
    """A picture drawn in the coordinates of the scene."""

    _SCALE = 2

    def __init__(self, ground: str) -> None:
        self._picture = Pillow.new("RGB", (SIZE[0] * self._SCALE, SIZE[1] * self._SCALE), ground)
        self._draw = ImageDraw.Draw(self._picture)

    def box(self, box: Sequence[float], fill: str | None, line: str | None = None, width: int = 2) -> None:
        left, top, right, bottom = self._scaled(box)
        self._draw.rectangle((left, top, right - 1, bottom - 1), fill, line, width)

    def polygon(self, corners: Iterable[tuple[float, float]], fill: str, striped: bool = False) -> None:
        scaled = [(x * self._SCALE, y * self._SCALE) for x, y in corners]
        self._draw.polygon(scaled, fill)
        if striped:
            self._stripes(scaled)
        self._draw.line([*scaled, scaled[0], scaled[1]], _LINE, 3, joint="curve")

    def _stripes(self, corners: Sequence[tuple[float, float]]) -> None:
        """Level lines across an outline that any level line enters and leaves once."""
        heights = [y for _, y in corners]
        for y in range(round(min(heights)) + 12, round(max(heights)) - 4, 16):
            edges = zip(corners, [*corners[1:], corners[0]], strict=True)
            xs = [a + (y - b) * (c - a) / (d - b) for (a, b), (c, d) in edges if (b > y) != (d > y)]
            self._draw.line((min(xs), y, max(xs), y), _LINE, 4)

    def disc(self, x: float, y: float, radius: float, fill: str, line: str | None = None) -> None:
        self._draw.ellipse(self._scaled((x - radius, y - radius, x + radius, y + radius)), fill, line, 2)

    def line(self, *corners: float, fill: str = _LINE, width: int = 2) -> None:
        self._draw.line(self._scaled(corners), fill, width)

    def dashed_circle(self, x: float, y: float, radius: float) -> None:
        box = self._scaled((x - radius, y - radius, x + radius, y + radius))
        dashes = round(radius / 3)
        for dash in range(dashes):
            start = 360 * dash / dashes
            self._draw.arc(box, start, start + 180 / dashes, "#a0252f", 4)

    def words(self, x: float, y: float, text: str, size: int, fill: str = "#111111") -> None:
        place = (x * self._SCALE, y * self._SCALE)
        self._draw.text(place, text, fill, _font(size * self._SCALE), "mm")

    def png(self) -> bytes:
        buffer = io.BytesIO()
        self._picture.reduce(self._SCALE).save(buffer, "PNG", compress_level=4)
        return buffer.getvalue()

    def _scaled(self, values: Sequence[float]) -> list[float]:
        return [value * self._SCALE for value in values]


def draw_table(table: Table) -> bytes:
    """The front view: the wall, the table, and the things on it from the farthest to the nearest."""
    canvas = room_with_table(table.horizon, table.crumbs)
    if table.tray:
        canvas.box(table.tray, _METAL, _RIM, 6)
    for mat in table.mats:
        canvas.box(mat, _MAT, _SEAM, 3)
    if table.shelf:
        _draw_shelf(canvas, table.shelf)
    if table.gripper:
        _draw_gripper(canvas, table.gripper)
    for thing in sorted(table.things, key=lambda thing: thing.y):
        _draw_thing(canvas, thing)
    return canvas.png()


def room_with_table(horizon: int, crumbs: Iterable[tuple[int, int, int]]) -> Canvas:
    """A wall, a table, and what lies about on it."""
    canvas = Canvas(WALL)
    canvas.box((0, horizon, *SIZE), WOOD)
    canvas.box((0, horizon, SIZE[0], horizon + 3), EDGE)
    for x, y, radius in crumbs:
        canvas.disc(x, y, radius, _CRUMB)
    return canvas


def draw_plan(feet: Sequence[tuple[int, int]], turned: bool, horizon: int) -> bytes:
    """The table from above, a numbered disc for each foot; turned, the viewer's side is at the top."""
    canvas = Canvas(_PLAN)
    frame: Box = (10, 24, SIZE[0] - 10, SIZE[1] - 24)
    canvas.box(frame, WOOD, EDGE, 6)
    for number, (x, y) in enumerate(feet, 1):
        across, along = x / SIZE[0], (y - horizon) / (SIZE[1] - horizon)
        if turned:
            across, along = 1 - across, 1 - along
        place = frame[0] + across * (frame[2] - frame[0]), frame[1] + along * (frame[3] - frame[1])
        canvas.disc(*place, 11, _DISC, _LINE)
        canvas.words(*place, str(number), 13)
    canvas.words(SIZE[0] / 2, 12 if turned else SIZE[1] - 12, "viewer's side", 13)
    return canvas.png()


def _draw_shelf(canvas: Canvas, shelf: Shelf) -> None:
    for x in (shelf.left, shelf.right - 5):
        canvas.box((x, 4, x + 5, shelf.lower + 5), EDGE)
    for y in (shelf.upper, shelf.lower):
        canvas.box((shelf.left, y, shelf.right, y + 5), EDGE)


def _draw_gripper(canvas: Canvas, gripper: Gripper) -> None:
    """A round base with two fingers, and the dashed line as far as it reaches."""
    x, y = gripper.x, gripper.y
    canvas.dashed_circle(x, y, gripper.reach)
    towards = math.copysign(1, SIZE[0] / 2 - x)
    for finger in (-8, 8):
        canvas.line(
            x, y, x + towards * 12, y + 1.6 * finger, x + towards * 21, y + finger, fill=_RIM, width=9
        )
    canvas.disc(x, y, 10, _RIM, _LINE)


def _draw_thing(canvas: Canvas, thing: Thing) -> None:
    canvas.polygon(thing.outline, thing.fill, thing.striped)
    if thing.label:
        x, y = thing.x, thing.y - (0.72 if thing.shape == "triangle" else 1.0) * thing.radius
        canvas.box((x - 11, y - 8, x + 11, y + 8), "#ffffff", _LINE, 2)
        canvas.words(x, y, thing.label, 14)
