"""Questions about change: what if, the next step, the order of steps, and the tower that they are about."""

from __future__ import annotations

from itertools import permutations
from random import Random

from gumption.benchmarks.tabletop.looks import COLOURS
from gumption.benchmarks.tabletop.question import Question, coin, options, pick, separated, window
from gumption.benchmarks.tabletop.scene import SIZE, Table, Thing
from gumption.benchmarks.tabletop.tower import Tower, draw_tower
from gumption.records import Answer

__all__ = ["above", "block", "block_there", "missing", "next_step", "order", "swap", "tray_after"]

_ASIDE = 22
"""Pixels by which one foot is clearly the outermost."""


def swap(table: Table, generator: Random) -> Question:
    """Two of the four options change places; for every second question that decides it."""
    leftmost = generator.random() < 0.5

    def clear(drawn: list[Thing]) -> bool:
        first, second = sorted((thing.x for thing in drawn), reverse=not leftmost)[:2]
        return abs(first - second) >= _ASIDE

    drawn = separated(table.on_table, clear, generator)
    a, b = drawn[:2]
    places = {thing: thing.x for thing in drawn} | {a: b.x, b: a.x}
    names = [f"the {one.name}" for one in sorted(drawn, key=places.__getitem__, reverse=not leftmost)]
    side = "left" if leftmost else "right"
    return Question(
        "what-if",
        f"Suppose that the {a.name} and the {b.name} change places. "
        f"Which of these is then farthest to the {side}?",
        options(names[0], names[1:], generator),
    )


def tray_after(table: Table, generator: Random) -> Question:
    inside = table.in_tray
    put_in = generator.random() < 0.5
    if put_in:
        (thing,) = pick([thing for thing in table.on_table if thing not in inside], 1, generator)
        words, change = f"the {thing.name} is put into the grey tray", 1
    else:
        (thing,) = pick(inside, 1, generator)
        words, change = f"the {thing.name} is taken out of the grey tray", -1
    return Question(
        "what-if",
        f"Suppose that {words}. How many things are then in the tray?",
        window(len(inside) + change, 1 + change, generator),
    )


def next_step(tower: Tower, generator: Random) -> Question:
    gold = tower.blocks[tower.standing]
    everything = tower.blocks + tower.spare
    others = pick([one for one in everything if one is not gold], 3, generator)
    return Question(
        "next step",
        "The first picture shows a tower as it is now, the second as it shall become. "
        "Blocks are put on one at a time. Which block is put on next?",
        options(f"the {gold.name}", [f"the {one.name}" for one in others], generator),
        pictures=(draw_tower(tower, tower.standing), draw_tower(tower, len(tower.blocks))),
    )


def order(tower: Tower, generator: Random) -> Question:
    """Three stages of the building, shown in mixed order."""
    stages = generator.sample(range(len(tower.blocks) + 1), 3)
    orders = [", ".join(map(str, one)) for one in permutations((1, 2, 3))]
    gold = ", ".join(str(stages.index(stage) + 1) for stage in sorted(stages))
    others = pick([one for one in orders if one != gold], 3, generator)
    return Question(
        "ordering",
        "The three pictures show a tower that is being built, but in mixed order. Blocks are only put on, "
        "never taken off. In which order were the pictures taken?",
        options(f"picture {gold}", [f"picture {one}" for one in others], generator),
        pictures=tuple(draw_tower(tower, stage) for stage in stages),
        facts={"stages": stages},
    )


def above(tower: Tower, generator: Random) -> Question:
    wanted = coin(generator)
    low, high = sorted(pick(range(len(tower.blocks)), 2, generator))
    a, b = (high, low) if wanted == "yes" else (low, high)
    return Question(
        "relation",
        f"Is the {tower.blocks[a].name} higher up in the tower than the {tower.blocks[b].name}?",
        Answer("yes_no", wanted),
        pictures=(draw_tower(tower, len(tower.blocks)),),
    )


def missing(tower: Tower, generator: Random) -> Question:
    return Question(
        "counting",
        "The first picture shows a tower as it is now, the second as it shall become. "
        "How many blocks must still be put on?",
        window(len(tower.blocks) - tower.standing, 1, generator),
        pictures=(draw_tower(tower, tower.standing), draw_tower(tower, len(tower.blocks))),
    )


def block(tower: Tower, generator: Random) -> Question:
    (one,) = pick(tower.blocks + tower.spare, 1, generator)
    return Question(
        "pointing",
        f"Point at the {one.name}.",
        Answer("point", {"box": list(tower.box(one, tower.standing))}, convention="per_mille_xy", size=SIZE),
    )


def block_there(tower: Tower, generator: Random) -> Question:
    wanted = coin(generator)
    here = {one.colour for one in tower.blocks + tower.spare}
    colours = [colour for colour in COLOURS if (colour in here) == (wanted == "yes")]
    (colour,) = pick(colours, 1, generator)
    return Question("existence", f"Is there a {colour} block in the picture?", Answer("yes_no", wanted))
