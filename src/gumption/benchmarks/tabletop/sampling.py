"""Drawing a table scene by lot.

Places and sizes come first; looks (colour, shape) are dealt out afterwards and no later choice depends on
them. Names are therefore exchangeable: what a question names tells nothing about its answer. Counts that are
asked for are drawn before anything else (`Plan`), so that scenes given up for want of room cannot shift them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from gumption.benchmarks.tabletop.layout import Layout, Unaskable
from gumption.benchmarks.tabletop.looks import COLOURS, SHAPES
from gumption.benchmarks.tabletop.scene import SIZE, Box, Gripper, Shelf, Table, Thing, meet

__all__ = ["Plan", "few", "palette", "sample_table", "shade", "striped"]

_LABELLED = 25
"""Smallest radius that can bear a label."""
_LETTERS = "ACEFHKLMNPRTUVWXY"
_DIGITS = "2345679"
_EDGE = 10


def few(generator: Random) -> int:
    """A count from 0 to 5: one of three windows of four neighbouring counts by lot, then one count of it.

    Who is shown one of the windows that hold the count, each as likely as the others, can but guess in it.
    """
    return generator.randrange(3) + generator.randrange(4)


@dataclass(frozen=True)
class Plan:
    """What is settled about a scene before any place is drawn."""

    kind: str
    """open, tray, mats, gripper or shelf."""
    difficulty: float
    """From 0 to 1: more things, more of them partly hidden or striped, colours more alike, crumbs."""
    weights: bool
    """Labels are numbers from 10 to 99, else codes such as K7."""
    in_tray: int
    counted: str
    """The shape whose number is asked for."""
    count: int

    @classmethod
    def draw(cls, kind: str, difficulty: float, weights: bool, generator: Random) -> Plan:
        return cls(
            kind, difficulty, weights, 1 + few(generator), generator.choice(list(SHAPES)), few(generator)
        )


def palette(difficulty: float) -> tuple[str, ...]:
    """The colours to draw from: the six easiest, up to all ten, some of them alike."""
    return tuple(COLOURS)[: 6 + round(4 * difficulty)]


def shade(colour: str, difficulty: float, generator: Random) -> str:
    """The colour, or at greater difficulty a lighter, darker or slightly tinted one."""
    light = generator.uniform(-18, 18) * difficulty
    channels = (int(COLOURS[colour][start : start + 2], 16) for start in (1, 3, 5))
    shifted = [round(channel + light + generator.uniform(-6, 6) * difficulty) for channel in channels]
    return "#" + "".join(f"{min(255, max(0, channel)):02x}" for channel in shifted)


def striped(difficulty: float, generator: Random) -> bool:
    """Whether a thing has stripes: at difficulty 1 every second one."""
    return generator.random() < 0.5 * difficulty


def sample_table(plan: Plan, generator: Random) -> Table:
    """A scene as planned. Raises Unaskable if the things find no room."""
    table = _furnished(plan, generator)
    places = _furnish(table, plan, generator).places
    bearers = [
        number
        for number, place in enumerate(places)
        if place.radius >= _LABELLED and place.covered_by is None
    ]
    generator.shuffle(bearers)
    labels = dict(zip(bearers[: 3 + round(plan.difficulty)], _labels(plan, generator), strict=False))
    things = tuple(
        Thing(
            colour,
            shape,
            place.x,
            place.y,
            place.radius,
            shade(colour, plan.difficulty, generator),
            place.on,
            labels.get(number, ""),
            number not in labels and striped(plan.difficulty, generator),
            place.covered_by,
        )
        for number, (place, (colour, shape)) in enumerate(
            zip(places, _looks(len(places), plan, generator), strict=True)
        )
    )
    crumbs = tuple(
        (
            generator.randrange(SIZE[0]),
            generator.randrange(table.horizon + 4, SIZE[1]),
            generator.choice((1, 2)),
        )
        for _ in range(round(50 * plan.difficulty))
    )
    return replace(table, things=things, crumbs=crumbs)


def _furnished(plan: Plan, generator: Random) -> Table:
    """The table with its furniture and nothing on it."""
    table = Table(plan.kind, plan.difficulty, plan.counted, (), horizon=56)
    if plan.kind == "tray":
        left, top = generator.randrange(20, 220), generator.randrange(64, 168)
        return replace(table, tray=(left, top, left + 240, top + 140))
    if plan.kind == "mats":
        return replace(table, mats=_mats(4 + round(plan.difficulty), generator))
    if plan.kind == "gripper":
        x = generator.choice((generator.randrange(30, 90), generator.randrange(390, 450)))
        gripper = Gripper(x, generator.randrange(120, 290), generator.randrange(140, 240))
        return replace(table, gripper=gripper)
    if plan.kind == "shelf":
        left = generator.randrange(20, 160)
        return replace(table, shelf=Shelf(left, left + 300, 62, 126), horizon=146)
    return table


def _mats(count: int, generator: Random) -> tuple[Box, ...]:
    """Mats far enough from each other for things to stand on them."""
    mats: list[Box] = []
    while len(mats) < count:
        x, y = generator.randrange(_EDGE, SIZE[0] - 54 - _EDGE), generator.randrange(90, SIZE[1] - 36)
        mat = (x, y, x + 54, y + 28)
        if not any(meet(mat, other, 30) for other in mats):
            mats.append(mat)
    return tuple(mats)


def _furnish(table: Table, plan: Plan, generator: Random) -> Layout:
    """Places for the things: on the furniture first, then pairs that overlap, then the rest."""
    layout = Layout(generator, table.gripper)
    floor = (_EDGE, table.horizon - 4, SIZE[0] - _EDGE, SIZE[1] - _EDGE)
    most = 7 + round(5 * plan.difficulty)
    if table.gripper:
        x, y = table.gripper.x, table.gripper.y
        layout.kept_free.append((x - 22, y - 22, x + 22, y + 22))
    if table.shelf:
        for on, board in (("upper", table.shelf.upper), ("lower", table.shelf.lower)):
            for _ in range(12):
                x = generator.randrange(table.shelf.left + 28, table.shelf.right - 28)
                if sum(place.on == on for place in layout.places) < 3:
                    layout.stand(x, board, generator.choice((13, 16, 20, 25)), on)
    if table.mats:
        free, *others = table.mats
        layout.kept_free.append(free)
        for left, _top, right, bottom in others:
            if not layout.stand((left + right) // 2, bottom - 7, generator.choice((13, 16, 20))):
                raise Unaskable("no room")
        layout.kept_free += others
    if table.tray:
        left, top, right, bottom = table.tray
        layout.scatter((left + 5, top + 5, right - 5, bottom - 5), plan.in_tray)
        layout.kept_free.append(table.tray)
    if table.kind in ("open", "tray", "shelf"):
        for _ in range(1 + round(plan.difficulty * (2 if table.kind == "open" else 1))):
            layout.overlap(floor, plan.difficulty)
    left_over = max(2, most - len(layout.places))
    layout.scatter(floor, min(2, left_over), most=left_over)
    if len(layout.places) < 6:
        raise Unaskable("too few things")
    return layout


def _looks(count: int, plan: Plan, generator: Random) -> list[tuple[str, str]]:
    """Colours and shapes, no two things alike, the counted shape as often as planned."""
    others = [shape for shape in SHAPES if shape != plan.counted]
    shapes = [plan.counted] * plan.count + [generator.choice(others) for _ in range(count - plan.count)]
    decks = {shape: generator.sample(palette(plan.difficulty), 6) for shape in SHAPES}
    looks = []
    for shape in shapes:
        if not decks[shape]:
            raise Unaskable("one shape too often")
        looks.append((decks[shape].pop(), shape))
    generator.shuffle(looks)
    return looks


def _labels(plan: Plan, generator: Random) -> Iterator[str]:
    """Labels without end, no two alike."""
    seen: set[str] = set()
    while True:
        label = (
            str(generator.randint(10, 99))
            if plan.weights
            else generator.choice(_LETTERS) + generator.choice(_DIGITS)
        )
        if label not in seen:
            seen.add(label)
            yield label
