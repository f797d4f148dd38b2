"""A room from above: furniture, what lies where, the agent, and a list of what differs from the start."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.facts import ENCLOSING
from gumption.planning.worlds.scenes import Box, Point, SceneObject
from gumption.planning.worlds.world import Thing

__all__ = ["top_view"]

_MARGIN, _PANEL, _LINE = 26, 330, 17
_INK, _FAINT, _WALL, _FLOOR = "#222222", "#8a8a8a", "#555555", "#f7f4ee"
_FURNITURE, _SHUT, _ON, _CHANGED, _AGENT = "#e3dac9", "#c9c2b8", "#ffe08a", "#c2410c", "#1d4ed8"
_UNDRAWN = frozenset({"Floor", "Window", "Painting", "Poster", "Curtains", "Blinds", "Mirror"})
"""On the wall or everywhere: nothing to follow an episode by."""
_STACKED = frozenset({"Cabinet", "Drawer", "Shelf"})
"""Below and above other furniture: outlines only."""
_NAMELESS = _STACKED | {"SinkBasin", "BathtubBasin", "StoveKnob"}


def top_view(world: Household, *, note: str = "", width: int = 960) -> Image.Image:
    """Draw the present state of a household, seen from above with +z up.

    note: a line above it, such as the step that was just taken. width: of the picture in pixels, 600 or more.
    Things that are not as they were in the beginning are orange and named; what hides in closed containers is
    in the list. Blue is the agent, where it last went; in the hand is what it holds.
    """
    return _View(world, max(width, 600)).drawn(note)


class _View:
    def __init__(self, world: Household, width: int) -> None:
        self._world = world
        self._start = world.beginning()
        x0, x1, z0, z1 = _extent(world.scene.objects)
        self._scale = (width - _PANEL - 2 * _MARGIN) / max(x1 - x0, 0.5)
        height = max(round((z1 - z0) * self._scale), 420) + 3 * _MARGIN
        self._corner = x0, z1
        self._room = x0, x1, z0, z1
        self._image = Image.new("RGB", (width, height), "white")
        self._draw = ImageDraw.Draw(self._image)
        self._small, self._plain = ImageFont.load_default(11), ImageFont.load_default(13)
        self._names: list[tuple[float, float, float, float]] = []
        self._later: list[tuple[tuple[float, float], str]] = []

    def drawn(self, note: str) -> Image.Image:
        x0, x1, z0, z1 = self._room
        self._draw.text((_MARGIN, 8), note or self._world.name, _INK, self._plain)
        self._draw.rectangle((*self._at(x0, z1), *self._at(x1, z0)), _FLOOR, _WALL, 3)
        things = self._world.objects()
        furniture = [one for one in self._world.scene.objects if not one.pickupable]
        drawn = [one for one in furniture if one.object_type not in _UNDRAWN]
        for one in sorted(drawn, key=lambda one: (-_area(one), one.object_id)):
            self._furniture(one, things[one.object_id])
        carried = sorted(things.values(), key=lambda thing: (not self._news(thing), thing.id))
        self._agent()
        # What is different gets its name first; a name that would cover another is left out.
        for number, thing in enumerate(carried):
            self._carried(thing, number)
        for one in sorted(
            drawn, key=lambda one: (one.object_type == "CounterTop", -_area(one), one.object_id)
        ):
            if one.object_type not in _NAMELESS or self._news(things[one.object_id]):
                center = _box(one).center
                self._name(self._at(center.x, center.z), one.object_type, _INK, "mm")
        for at, words in self._later:
            self._name((at[0] + 6, at[1]), words, _FAINT)
        self._list()
        return self._image

    def _at(self, x: float, z: float) -> tuple[float, float]:
        left, top = self._corner
        return _MARGIN + (x - left) * self._scale, 2 * _MARGIN + (top - z) * self._scale

    def _furniture(self, one: SceneObject, thing: Thing) -> None:
        box, different = _box(one), bool(self._news(thing))
        shut = one.openable and not thing.open and thing.type in ENCLOSING
        fill = _ON if thing.on else _SHUT if shut else _FURNITURE
        corners = (
            *self._at(box.center.x - box.size.x / 2, box.center.z + box.size.z / 2),
            *self._at(box.center.x + box.size.x / 2, box.center.z - box.size.z / 2),
        )
        outline = _CHANGED if different else _FAINT
        self._draw.rectangle(
            corners, None if thing.type in _STACKED else fill, outline, 3 if different else 1
        )
        if thing.open:
            self._draw.line(corners, outline, 1)

    def _carried(self, thing: Thing, number: int) -> None:
        about = self._world.about[thing.id]
        if not about.pickupable or not thing.parents or self._world.shut_in(thing):
            return
        start = self._start.get(thing.id)
        if start is not None and start.parents == thing.parents:
            x, z = _box(about).center.x, _box(about).center.z
        else:
            # It was put somewhere: where on the receptacle nobody knows.
            box = _box(self._world.about[self._root(thing)])
            x = box.center.x + box.size.x * (number % 5 - 2) / 7
            z = box.center.z + box.size.z * (number % 3 - 1) / 5
        at = self._at(x, z)
        different = bool(self._news(thing))
        self._draw.circle(at, 5 if different else 3, _CHANGED if different else _FAINT)
        if different:
            self._name((at[0] + 8, at[1]), thing.type, _CHANGED)
        else:
            self._later.append((at, thing.type))

    def _root(self, thing: Thing) -> str:
        while thing.parents:
            thing = self._world.objects()[thing.parents[0]]
        return thing.id

    def _agent(self) -> None:
        about = self._world.about.get(self._world.agent.at)
        center = _box(about).center if about else Point(sum(self._room[:2]) / 2, 0, sum(self._room[2:]) / 2)
        at = self._at(center.x, center.z)
        held = self._world.held
        self._draw.circle(at, 11, None, _AGENT, 4)
        self._name(
            (at[0] + 15, at[1] + 13), f"holds {_short(self._world, held)}" if held else "agent", _AGENT
        )

    def _name(self, at: tuple[float, float], words: str, colour: str, anchor: str = "lm") -> None:
        """Write a name inside the plan, unless it would cover another."""
        font = self._small if colour in (_FAINT, _INK) else self._plain
        right = self._image.width - _PANEL - _MARGIN - 3
        length = self._draw.textlength(words, font)
        if anchor == "mm":
            x = max(_MARGIN + 3, min(at[0] - length / 2, right - length))
        else:
            x = at[0] if at[0] + length < right else at[0] - length - 16
        box = x, at[1] - 7, x + length, at[1] + 7
        if any(_overlap(box, other) for other in self._names):
            return
        self._names.append(box)
        self._draw.text((x, at[1]), words, colour, font, "lm", stroke_width=1, stroke_fill="white")

    def _list(self) -> None:
        left, top = self._image.width - _PANEL, 2 * _MARGIN
        room = int((self._image.height - top - _MARGIN) / _LINE)
        lines = list(self._lines())
        if len(lines) > room:
            lines = [*lines[: room - 1], (f"and {len(lines) - room + 1} more", _FAINT)]
        for number, (text, colour) in enumerate(lines):
            fitted = text
            while self._draw.textlength(fitted, self._plain) > _PANEL - 8 and len(fitted) > 8:
                fitted = f"{fitted[:-4].rstrip(', ')}…"
            self._draw.text((left, top + number * _LINE), fitted, colour, self._plain)

    def _lines(self) -> Sequence[tuple[str, str]]:
        """What differs from the start, and then what closed containers hide."""
        world, things = self._world, self._world.objects()
        held = _short(world, world.held) if world.held else "nothing"
        lines = [(f"in the hand: {held}", _AGENT), ("", _INK), ("different from the start:", _INK)]
        changed = [
            (f"  {_short(world, thing.id)}: {self._news(thing)}", _CHANGED)
            for thing in things.values()
            if self._news(thing)
        ]
        lines += sorted(changed) or [("  nothing", _FAINT)]
        lines += [("", _INK), ("shut in:", _INK)]
        inside: dict[str, list[str]] = {}
        for thing in things.values():
            if thing.parents and world.shut_in(thing):
                inside.setdefault(_short(world, thing.parents[0]), []).append(thing.type)
        lines += [(f"  {name}: {', '.join(sorted(kinds))}", _FAINT) for name, kinds in sorted(inside.items())]
        return lines

    def _news(self, thing: Thing) -> str:
        start = self._start.get(thing.id, Thing(thing.id, thing.type))
        words = []
        if thing.parents != start.parents and thing.parents:
            words.append(f"in {_short(self._world, thing.parents[0])}")
        for field, yes, no in (
            ("open", "open", "closed"),
            ("on", "on", "off"),
            ("cleaned", "washed", ""),
            ("heated", "heated", ""),
            ("cooled", "cooled", ""),
            ("cooked", "cooked", ""),
            ("sliced", "cut up", ""),
            ("broken", "broken", ""),
            ("dirty", "dirty", ""),
        ):
            if getattr(thing, field) != getattr(start, field):
                words.append(yes if getattr(thing, field) else no)
        if thing.liquid != start.liquid:
            words.append(f"full of {thing.liquid}" if thing.liquid else "empty")
        if thing.id == self._world.held:
            words.append("in the hand")
        return ", ".join(word for word in words if word)


def _short(world: Household, name: str) -> str:
    """The type, with a number where the room has several: by order of ids."""
    kind = world.about[name].object_type
    same = sorted(other for other in world.objects() if world.about[other].object_type == kind)
    return f"{kind} {same.index(name) + 1}" if len(same) > 1 else kind


def _box(one: SceneObject) -> Box:
    return one.axis_aligned_bounding_box or Box(one.position, Point(0.1, 0.1, 0.1))


def _area(one: SceneObject) -> float:
    return _box(one).size.x * _box(one).size.z


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _extent(objects: Sequence[SceneObject]) -> tuple[float, float, float, float]:
    """Of everything that is drawn, and 10 cm: AI2-THOR's floors are larger or smaller than rooms."""
    boxes = [_box(one) for one in objects if one.object_type not in _UNDRAWN] or [Box()]
    return (
        min(box.center.x - box.size.x / 2 for box in boxes) - 0.1,
        max(box.center.x + box.size.x / 2 for box in boxes) + 0.1,
        min(box.center.z - box.size.z / 2 for box in boxes) - 0.1,
        max(box.center.z + box.size.z / 2 for box in boxes) + 0.1,
    )
