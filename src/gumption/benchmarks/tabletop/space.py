"""Questions about where things are: relation, distance, depth, viewpoint, reach, pointing."""

from __future__ import annotations

import math
from random import Random

from gumption.benchmarks.tabletop.drawing import draw_plan, draw_table
from gumption.benchmarks.tabletop.layout import Unaskable
from gumption.benchmarks.tabletop.question import Question, coin, options, pick, separated
from gumption.benchmarks.tabletop.scene import SIZE, Table, Thing
from gumption.records import Answer

__all__ = [
    "board", "free_mat", "in_front", "in_tray", "left_of", "nearest", "opposite", "point_at", "reachable",
    "top_view", "within_reach",
]  # fmt: skip

_ASIDE = 26
"""Pixels between two feet from which one is to the left of the other."""
_RATIO = 1.3
"""Ratio of distances from which one is the longer."""
_APART = 34
"""Pixels between feet that can be told apart from above."""


def _sided(table: Table, wanted: str, generator: Random) -> list[Thing]:
    """Two things of the table, the first clearly to the left of the second if yes is wanted, else right."""
    drawn = separated(table.on_table, lambda two: abs(two[0].x - two[1].x) >= _ASIDE, generator, 2)
    return sorted(drawn, key=lambda thing: thing.x, reverse=wanted == "no")


def left_of(table: Table, generator: Random) -> Question:
    wanted = coin(generator)
    a, b = _sided(table, wanted, generator)
    return Question("relation", f"Is the {a.name} to the left of the {b.name}?", Answer("yes_no", wanted))


def in_tray(table: Table, generator: Random) -> Question:
    wanted = coin(generator)
    inside = table.in_tray
    candidates = [thing for thing in table.whole if (thing in inside) == (wanted == "yes")]
    (thing,) = pick(candidates, 1, generator)
    return Question("relation", f"Is the {thing.name} in the grey tray?", Answer("yes_no", wanted))


def board(table: Table, generator: Random) -> Question:
    on, other = generator.sample(("upper", "lower"), 2)
    (gold,) = pick([thing for thing in table.things if thing.on == on], 1, generator)
    wrong = pick([thing for thing in table.whole if thing.on == other], 2, generator)
    wrong += pick([thing for thing in table.whole if thing.on == "table"], 1, generator)
    return Question(
        "relation",
        f"Which of these stands on the {on} board of the shelf?",
        options(f"the {gold.name}", [f"the {thing.name}" for thing in wrong], generator),
    )


def nearest(table: Table, generator: Random) -> Question:
    """Asked where the feet and the middles of the things give the same answer, by a clear margin."""
    farthest = generator.random() < 0.5
    (target,) = pick(table.on_table, 1, generator)

    def ranked(drawn: list[Thing]) -> list[Thing]:
        return sorted(drawn, key=lambda one: math.dist(one.centre, target.centre), reverse=farthest)

    def clear(drawn: list[Thing]) -> bool:
        first, *others = ranked(drawn)
        for place in (lambda one: (one.x, one.y), lambda one: one.centre):
            mine = math.dist(place(first), place(target))
            for other in others:
                far, near = math.dist(place(other), place(target)), mine
                if farthest:
                    far, near = near, far
                if far < _RATIO * near:
                    return False
        return True

    rest = [thing for thing in table.on_table if thing is not target]
    names = [f"the {thing.name}" for thing in ranked(separated(rest, clear, generator))]
    words = "farthest away from" if farthest else "nearest to"
    return Question(
        "distance", f"Which of these is {words} the {target.name}?", options(names[0], names[1:], generator)
    )


def in_front(table: Table, generator: Random) -> Question:
    (far,) = pick([thing for thing in table.things if thing.covered_by is not None], 1, generator)
    near = table.things[far.covered_by or 0]
    a, b = generator.sample((far, near), 2)
    return Question(
        "depth",
        f"The {a.name} and the {b.name} overlap in the picture. Which of them is in front?",
        options(f"the {near.name}", [f"the {far.name}"], generator),
    )


def opposite(table: Table, generator: Random) -> Question:
    wanted = coin(generator)
    b, a = _sided(table, wanted, generator)
    return Question(
        "viewpoint",
        "Imagine that you sit at the opposite side of the table and look back this way. "
        f"Is the {a.name} then to the left of the {b.name}?",
        Answer("yes_no", wanted),
    )


def top_view(table: Table, generator: Random) -> Question:
    """Which numbered disc, seen from above, is a thing. From difficulty .5 up the plan may be turned."""
    turned = table.difficulty >= 0.5 and generator.random() < 0.5
    things = list(table.on_table)
    if len(things) < 4:
        raise Unaskable("too few things")
    generator.shuffle(things)
    alone = [
        number
        for number, one in enumerate(things, 1)
        if all(math.dist((one.x, one.y), (o.x, o.y)) >= _APART for o in things if o is not one)
    ]
    (number,) = pick(alone, 1, generator)
    others = pick([other for other in range(1, len(things) + 1) if other != number], 3, generator)
    gold = things[number - 1]
    feet = [(thing.x, thing.y) for thing in things]
    where = "top" if turned else "bottom"
    return Question(
        "viewpoint",
        "The first picture shows a table from the front, the second the same table from above; the viewer's "
        f"side is at its {where}. Each numbered disc marks where a thing stands. "
        f"Which one is the {gold.name}?",
        options(f"disc {number}", [f"disc {other}" for other in others], generator),
        pictures=(draw_table(table), draw_plan(feet, turned, table.horizon)),
        facts={"feet": [list(foot) for foot in feet], "turned": turned},
    )


def _reach(table: Table) -> tuple[list[Thing], list[Thing]]:
    """Things that the gripper can and cannot reach."""
    gripper = table.gripper
    if gripper is None:
        raise Unaskable("no gripper")
    can = [one for one in table.on_table if math.dist((one.x, one.y), (gripper.x, gripper.y)) < gripper.reach]
    return can, [thing for thing in table.on_table if thing not in can]


_ARM = "The gripper stands still and reaches as far as the dashed line."


def reachable(table: Table, generator: Random) -> Question:
    wanted = coin(generator)
    can, cannot = _reach(table)
    (thing,) = pick(can if wanted == "yes" else cannot, 1, generator)
    return Question("reach", f"{_ARM} Can it reach the {thing.name}?", Answer("yes_no", wanted))


def within_reach(table: Table, generator: Random) -> Question:
    can, cannot = _reach(table)
    if generator.random() < 0.5:
        (gold,), wrong, verb = pick(can, 1, generator), pick(cannot, 3, generator), "can"
    else:
        (gold,), wrong, verb = pick(cannot, 1, generator), pick(can, 3, generator), "can not"
    return Question(
        "reach",
        f"{_ARM} Which of these {verb} be reached?",
        options(f"the {gold.name}", [f"the {thing.name}" for thing in wrong], generator),
    )


def point_at(table: Table, generator: Random) -> Question:
    (thing,) = pick(table.whole, 1, generator)
    corners = [[round(x, 2), round(y, 2)] for x, y in thing.outline]
    return Question(
        "pointing",
        f"Point at the {thing.name}.",
        Answer("point", {"polygon": corners}, convention="per_mille_xy", size=SIZE),
    )


def free_mat(table: Table, generator: Random) -> Question:  # noqa: ARG001 - as all questions
    return Question(
        "pointing",
        "Several green-grey mats lie on the table. Point at the free one, where something could be put down.",
        Answer("point", {"box": list(table.mats[0])}, convention="per_mille_xy", size=SIZE),
    )
