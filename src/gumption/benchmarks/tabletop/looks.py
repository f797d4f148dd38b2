"""What things look like: their colours and outlines."""

from __future__ import annotations

import math

__all__ = ["COLOURS", "HEIGHT", "REACH", "SHAPES", "outline"]

COLOURS = {
    "blue": "#0b62b8",
    "yellow": "#f7e03c",
    "red": "#d3301f",
    "green": "#0f9e6e",
    "black": "#1c1c1c",
    "white": "#fafafa",
    "orange": "#f28e1c",
    "purple": "#7a2f96",
    "pink": "#f29cc4",
    "brown": "#875527",
}
"""Basic colour names, the six easiest to tell apart first; lightness differs where hue may not be seen."""

_CIRCLE = tuple((math.sin(turn * math.pi / 20), -1 - math.cos(turn * math.pi / 20)) for turn in range(40))
_ARM, _END = 0.42, 1.05
SHAPES = {
    "circle": _CIRCLE,
    "square": ((-0.88, -1.76), (0.88, -1.76), (0.88, 0), (-0.88, 0)),
    "triangle": ((0, -2.05), (1.15, 0), (-1.15, 0)),
    "diamond": ((0, -2.3), (1.15, -1.15), (0, 0), (-1.15, -1.15)),
    "cross": tuple(
        (x, y - _END)
        for x, y in (
            (-_ARM, -_END), (_ARM, -_END), (_ARM, -_ARM), (_END, -_ARM), (_END, _ARM), (_ARM, _ARM),
            (_ARM, _END), (-_ARM, _END), (-_ARM, _ARM), (-_END, _ARM), (-_END, -_ARM), (-_ARM, -_ARM),
        )
    ),
}  # fmt: skip
"""Outlines in units of a thing's radius, y downwards, the foot at (0, 0)."""

REACH = 1.15
"""How far any outline goes to the left and right of its foot."""
HEIGHT = 2.3
"""How far any outline goes up."""


def outline(shape: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The corners of a shape of that radius whose foot stands at (x, y), in pixels."""
    return [(x + radius * dx, y + radius * dy) for dx, dy in SHAPES[shape]]
