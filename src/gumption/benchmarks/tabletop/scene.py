"""The scene graph: what is where. Every question's gold is computed from it, every picture drawn from it.

Coordinates are pixels of the front view, x to the right and y down. A thing is known by its foot, the middle
of its lower edge; on the table a larger y is nearer to the viewer.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from gumption.benchmarks.tabletop.looks import HEIGHT, REACH, outline

__all__ = ["SIZE", "Box", "Gripper", "Shelf", "Table", "Thing", "meet", "room"]

SIZE = (480, 320)

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def meet(a: Box, b: Box, gap: int = 0) -> bool:
    """Whether two boxes overlap or come closer than `gap`."""
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


@dataclass(frozen=True)
class Thing:
    """One coloured shape."""

    colour: str
    shape: str
    x: int
    y: int
    radius: int
    fill: str
    """The colour it is drawn in: its colour's own, or a shade of it."""
    on: str = "table"
    """What it stands on: the table (the tray and the mats lie there), or the shelf's upper or lower board."""
    label: str = ""
    striped: bool = False
    covered_by: int | None = None
    """The number of the thing in front of it that hides a part of it."""

    @property
    def name(self) -> str:
        return f"{self.colour} {self.shape}"

    @property
    def centre(self) -> tuple[int, int]:
        return self.x, self.y - self.radius

    @property
    def box(self) -> Box:
        """Holds the outline whatever the shape."""
        return room(self.x, self.y, self.radius)

    @property
    def outline(self) -> list[tuple[float, float]]:
        return outline(self.shape, self.x, self.y, self.radius)


def room(x: int, y: int, radius: int) -> Box:
    """The box that any shape of this radius with its foot at (x, y) stays in."""
    across = round(REACH * radius)
    return x - across, y - round(HEIGHT * radius), x + across, y


@dataclass(frozen=True)
class Shelf:
    """Two boards on the wall."""

    left: int
    right: int
    upper: int
    lower: int
    """Heights (y) of the boards' upper edges."""


@dataclass(frozen=True)
class Gripper:
    """A gripper on the table, with the radius that it reaches to."""

    x: int
    y: int
    reach: int


@dataclass(frozen=True)
class Table:
    """Things on a table, with what furniture there is."""

    kind: str
    difficulty: float
    counted: str
    """The shape whose number is drawn evenly."""
    things: tuple[Thing, ...]
    horizon: int
    """Where the wall ends and the table begins."""
    tray: Box | None = None
    mats: tuple[Box, ...] = ()
    gripper: Gripper | None = None
    shelf: Shelf | None = None
    crumbs: tuple[tuple[int, int, int], ...] = field(default=())
    """Clutter that nobody asks about: x, y and radius."""

    @property
    def on_table(self) -> list[Thing]:
        return [thing for thing in self.things if thing.on == "table"]

    @property
    def whole(self) -> list[Thing]:
        """Things that nothing hides a part of."""
        return [thing for thing in self.things if thing.covered_by is None]

    @property
    def in_tray(self) -> list[Thing]:
        if self.tray is None:
            return []
        left, top, right, bottom = self.tray
        return [one for one in self.on_table if left < one.x < right and top < one.y < bottom]

    def graph(self) -> dict[str, Any]:
        """The scene as JSON can keep it; what is not there is left out, clutter too."""
        plain = asdict(self)
        del plain["crumbs"]
        plain["things"] = [_present(thing) for thing in plain["things"]]
        plain["mats"] = [list(mat) for mat in plain["mats"]]
        return _present(plain)


def _present(plain: dict[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in plain.items()
        if not (value is None or value is False or value in ("", [], ()))
    }
