"""Piles seen from straight ahead. The piles share the width of the picture equally, from left to right."""

from __future__ import annotations

from gumption.grounding.render._canvas import Canvas, Colour, ink_on, shaded
from gumption.grounding.render._looks import Look, Room
from gumption.grounding.render._piles import Piles
from gumption.grounding.render._world import check_legible

__all__ = ["STEEL", "WOOD", "draw_name", "draw_sprites"]

STEEL: Colour = (96, 106, 116)
WOOD: Colour = (160, 118, 72)
_STRIP = 44
"""The table with the labels, in pixels."""
_TOP = 10


def draw_sprites(piles: Piles, room: Room, size: tuple[int, int]) -> bytes:
    """Squares or flat discs, one on another; the robot's hand above them."""
    canvas = Canvas(size, room.wall)
    floor = canvas.height - _STRIP
    canvas.box((0, floor, canvas.width, canvas.height), room.table, None)
    canvas.line(((0, floor), (canvas.width, floor)), shaded(room.table, 0.6))
    share = canvas.width / len(piles.piles)
    levels = len(piles.widths) + (1.9 if piles.gripper is not None else 0.4)
    height = min((floor - _TOP) / levels, (0.84 if piles.kind == "blocks" else 0.2) * share)
    check_legible(height)
    for number, pile in enumerate(piles.piles):
        x = (number + 0.5) * share
        if piles.kind == "discs":
            _draw_peg(canvas, x, floor, share, height * (len(piles.widths) + 0.4))
        if pile.label:
            plate = x - share * 0.44, floor + 6, x + share * 0.44, floor + 14
            canvas.box(plate, shaded(room.table, 0.75), None, radius=3)
            canvas.words(x, floor + 29, pile.label, 18, room=share * 0.9)
        for level, thing in enumerate(pile.things):
            half = height / 2 if piles.kind == "blocks" else 0.46 * share * piles.widths[thing]
            bottom = floor - level * height
            _draw_thing(canvas, (x - half, bottom - height, x + half, bottom), piles.looks[thing], piles.kind)
    if piles.gripper is not None:
        _draw_gripper(canvas, piles, share, height)
    return canvas.png()


def _draw_thing(canvas: Canvas, box: tuple[float, float, float, float], look: Look, kind: str) -> None:
    left, top, right, bottom = box
    canvas.box(box, look.fill, radius=3 if kind == "blocks" else (bottom - top) * 0.3)
    if look.label:
        size = min(0.5 if kind == "blocks" else 0.72, 22 / (bottom - top)) * (bottom - top)
        middle = (left + right) / 2, (top + bottom) / 2
        canvas.words(*middle, look.label, size, ink_on(look.fill), room=0.86 * (right - left))


def _draw_peg(canvas: Canvas, x: float, floor: float, share: float, height: float) -> None:
    canvas.box((x - 4, floor - height, x + 4, floor), WOOD, shaded(WOOD, 0.6), radius=3)
    canvas.box((x - share * 0.47, floor, x + share * 0.47, floor + 6), WOOD, shaded(WOOD, 0.6), radius=2)


def _draw_gripper(canvas: Canvas, piles: Piles, share: float, height: float) -> None:
    """An arm from above with two fingers, closed around what it holds."""
    x, palm = (piles.hand + 0.5) * share, _TOP + 0.3 * height
    canvas.box((x - 0.12 * height, 0, x + 0.12 * height, palm), STEEL)
    spread = 0.62 if piles.held else 0.7
    for side in (-1, 1):
        outer, inner = x + side * spread * height, x + side * (spread - 0.12) * height
        canvas.box((min(outer, inner), palm, max(outer, inner), palm + 0.75 * height), STEEL)
    canvas.box((x - spread * height, palm - 0.05 * height, x + spread * height, palm + 0.1 * height), STEEL)
    if piles.held:
        half = height / 2
        top = palm + 0.1 * height
        _draw_thing(canvas, (x - half, top, x + half, top + height), piles.looks[piles.held], piles.kind)
    if piles.gripper:
        draw_name(canvas, x, 0.2 * height, piles.gripper)


def draw_name(canvas: Canvas, x: float, away: float, name: str) -> None:
    """A hand's name beside its arm, on the side where there is more room."""
    if x < canvas.width / 2:
        canvas.tag(x + away, _TOP, name, 11, anchor="l")
    else:
        canvas.tag(x - away, _TOP, name, 11, anchor="r")
