"""Questions about what is there and what it looks like: existence, attributes, reading, counting, size."""

from __future__ import annotations

from random import Random

from gumption.benchmarks.tabletop.looks import SHAPES
from gumption.benchmarks.tabletop.question import Question, coin, options, pick, separated, window
from gumption.benchmarks.tabletop.sampling import palette
from gumption.benchmarks.tabletop.scene import Table, Thing
from gumption.records import Answer

__all__ = ["colour_of", "count_in_tray", "count_shape", "extreme_size", "label", "present", "weight"]

_CLEARLY = 1.5
"""Ratio of radii from which one thing is larger than another whatever their shapes."""


def present(table: Table, generator: Random) -> Question:
    """Things that are partly hidden could be taken for another shape, so no name of their colour is asked."""
    wanted = coin(generator)
    unclear = {thing.colour for thing in table.things if thing.covered_by is not None}
    here = {(thing.colour, thing.shape) for thing in table.things}
    asked = [
        (colour, shape)
        for colour in palette(table.difficulty)
        for shape in SHAPES
        if colour not in unclear and ((colour, shape) in here) == (wanted == "yes")
    ]
    ((colour, shape),) = pick(asked, 1, generator)
    return Question("existence", f"Is there a {colour} {shape} in the picture?", Answer("yes_no", wanted))


def colour_of(table: Table, generator: Random) -> Question:
    (thing,) = pick([thing for thing in table.things if thing.label], 1, generator)
    others = pick([colour for colour in palette(table.difficulty) if colour != thing.colour], 3, generator)
    return Question(
        "attributes",
        f"What colour is the thing with the label {thing.label}?",
        options(thing.colour, others, generator),
    )


def label(table: Table, generator: Random) -> Question:
    (thing,) = pick([thing for thing in table.things if thing.label], 1, generator)
    return Question(
        "reading",
        f"What is written on the {thing.name}? Answer with these characters only.",
        Answer("text", thing.label),
    )


def weight(table: Table, generator: Random) -> Question:
    a, b = pick([thing for thing in table.things if thing.label], 2, generator)
    return Question(
        "reading",
        "The numbers are weights in kilograms. "
        f"How many kilograms do the {a.name} and the {b.name} weigh together?",
        Answer("number", int(a.label) + int(b.label)),
    )


def count_shape(table: Table, generator: Random) -> Question:
    count = sum(thing.shape == table.counted for thing in table.things)
    plural = "crosses" if table.counted == "cross" else f"{table.counted}s"
    return Question("counting", f"How many {plural} are there in the picture?", window(count, 0, generator))


def count_in_tray(table: Table, generator: Random) -> Question:
    return Question(
        "counting", "How many things are in the grey tray?", window(len(table.in_tray), 1, generator)
    )


def extreme_size(table: Table, generator: Random) -> Question:
    largest = generator.random() < 0.5

    def clear(drawn: list[Thing]) -> bool:
        first, second = sorted((thing.radius for thing in drawn), reverse=largest)[:2]
        return max(first, second) >= _CLEARLY * min(first, second)

    drawn = separated(table.whole, clear, generator)
    drawn.sort(key=lambda thing: thing.radius, reverse=largest)
    names = [f"the {thing.name}" for thing in drawn]
    word = "largest" if largest else "smallest"
    return Question("size", f"Which of these is the {word}?", options(names[0], names[1:], generator))
