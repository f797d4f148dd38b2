"""Piles in isometric projection, from left to right along a diagonal of the floor: a length along either
side of the floor runs 0.866 across and 0.5 down the picture."""

from __future__ import annotations

import math

from gumption.grounding.render._canvas import Canvas, Colour, Point, ink_on, shaded
from gumption.grounding.render._looks import Look, Room
from gumption.grounding.render._piles import Piles
from gumption.grounding.render._sprites import STEEL, WOOD, draw_name
from gumption.grounding.render._world import check_legible

__all__ = ["draw_cube", "draw_isometric", "draw_slab"]

_ACROSS, _DOWN = math.sqrt(3) / 2, 0.5
_LABELS = 34
"""Room for the labels below the floor's tiles, in pixels."""
_TOP = 8


def draw_isometric(piles: Piles, room: Room, size: tuple[int, int]) -> bytes:
    """Cubes or round discs, one on another; the robot's hand above them."""
    canvas = Canvas(size, room.wall)
    share = canvas.width / len(piles.piles)
    blocks = piles.kind == "blocks"
    labelled = _LABELS if any(pile.label for pile in piles.piles) else 10
    depth = 1.15 if blocks else 0.0
    levels = len(piles.widths) + depth + (2.0 if piles.gripper is not None else 0.3)
    if blocks:
        edge = min((canvas.height - labelled - _TOP) / levels, share * 0.42 / _ACROSS)
        half = 1.1 * edge
    else:
        half = share * 0.47 / _ACROSS
        edge = min((canvas.height - labelled - _TOP - 2 * half * _DOWN) / levels, share * 0.2)
    check_legible(edge)
    front = canvas.height - labelled
    ground = front - half * _DOWN
    _draw_floor(canvas, ground - half * _DOWN - 0.12 * canvas.height, room)
    for number, pile in enumerate(piles.piles):
        x = (number + 0.5) * share
        _draw_tile(canvas, x, ground, half, shaded(room.table, 0.85))
        if not blocks:
            _draw_pole(canvas, x, ground, ground - edge * (len(piles.widths) + 0.3))
        for level, thing in enumerate(pile.things):
            look = piles.looks[thing]
            if blocks:
                draw_cube(canvas, x, ground - level * edge, edge, look)
            else:
                radius = 0.44 * share * piles.widths[thing]
                _draw_disc(canvas, x, ground - level * edge, radius, edge, look)
        if not blocks:
            _draw_pole(canvas, x, ground - len(pile.things) * edge, ground - edge * (len(piles.widths) + 0.3))
        if pile.label:
            canvas.words(x, front + labelled * 0.5, pile.label, 18, room=share * 0.9)
    if piles.gripper is not None:
        _draw_gripper(canvas, piles, (piles.hand + 0.5) * share, edge)
    return canvas.png()


def draw_cube(canvas: Canvas, x: float, y: float, edge: float, look: Look) -> None:
    """A cube; (x, y) is the middle of its lower face. Its faces differ in lightness, not in hue."""
    draw_slab(canvas, x, y, edge, edge, look.fill)
    if look.label:
        ink = ink_on(shaded(look.fill, 0.97))
        room = edge * _ACROSS * 0.9
        canvas.words(
            x - edge * _ACROSS / 2,
            y + edge * (0.25 - 0.5),
            look.label,
            min(edge * 0.5, 20),
            ink,
            room=room,
        )


def draw_slab(canvas: Canvas, x: float, y: float, edge: float, height: float, fill: Colour) -> None:
    """A square slab; (x, y) is the middle of its lower face."""
    across, down = edge * _ACROSS, edge * _DOWN
    left, right = x - across, x + across
    near, top = y + down, y - height
    canvas.polygon(((left, y), (x, near), (x, near - height), (left, top)), shaded(fill, 0.9))
    canvas.polygon(((right, y), (x, near), (x, near - height), (right, top)), shaded(fill, 0.7))
    canvas.polygon(_tile(x, top, edge), shaded(fill, 1.12))


def _tile(x: float, y: float, half: float) -> tuple[Point, ...]:
    across, down = half * _ACROSS, half * _DOWN
    return (x - across, y), (x, y - down), (x + across, y), (x, y + down)


def _draw_tile(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    canvas.polygon(_tile(x, y, half), fill, shaded(fill, 0.7))


def _draw_floor(canvas: Canvas, horizon: float, room: Room) -> None:
    canvas.box((0, horizon, canvas.width, canvas.height), room.table, None)
    canvas.line(((0, horizon), (canvas.width, horizon)), shaded(room.table, 0.7))


def _draw_disc(canvas: Canvas, x: float, y: float, radius: float, height: float, look: Look) -> None:
    """A round disc; (x, y) is the middle of its lower face."""
    down = radius * _DOWN / _ACROSS
    side = shaded(look.fill, 0.85)
    canvas.ellipse(x, y, radius, down, side)
    canvas.box((x - radius, y - height, x + radius, y), side, None)
    for edge in (x - radius, x + radius):
        canvas.line(((edge, y - height), (edge, y)), width=1.5)
    canvas.ellipse(x, y - height, radius, down, shaded(look.fill, 1.1))
    if look.label:
        size = min(height * 0.72, 20)
        canvas.words(x, y + down - height * 0.5, look.label, size, ink_on(side), room=radius * 1.6)


def _draw_pole(canvas: Canvas, x: float, low: float, high: float) -> None:
    canvas.box((x - 4, high, x + 4, low + 2), WOOD, shaded(WOOD, 0.6), radius=3)


def _draw_gripper(canvas: Canvas, piles: Piles, x: float, edge: float) -> None:
    """An arm from above with two fingers, closed around what it holds."""
    palm = _TOP + 0.3 * edge
    canvas.box((x - 0.12 * edge, 0, x + 0.12 * edge, palm), STEEL)
    spread = 0.95 if piles.held else 1.05
    if piles.held:
        draw_cube(canvas, x, palm + 1.55 * edge, edge, piles.looks[piles.held])
    for side in (-1, 1):
        outer, inner = x + side * spread * edge, x + side * (spread - 0.12) * edge
        canvas.box((min(outer, inner), palm, max(outer, inner), palm + 1.0 * edge), STEEL)
    canvas.box((x - spread * edge, palm - 0.05 * edge, x + spread * edge, palm + 0.1 * edge), STEEL)
    if piles.gripper:
        draw_name(canvas, x, 0.2 * edge, piles.gripper)
