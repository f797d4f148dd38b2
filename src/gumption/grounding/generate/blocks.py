"""Fresh problems of blocksworld: with a hand and a table, or in columns as in ViPlan."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import TypeAlias

from gumption.grounding.generate._words import COLOUR_NAMES, listed
from gumption.grounding.generate.generated import Generated, bounded, finished
from gumption.grounding.pddl import Atom

__all__ = ["generate_blocksworld", "generate_columns"]

Stacks: TypeAlias = list[list[str]]
"""Each stack from its lowest block to its highest."""

_LETTERS = "roygbp"
_ROBOT = "robot"


# ── a table and a hand ───────────────────────────────────────────────────────────────────────────────


def generate_blocksworld(*, blocks: int = 5, seed: int = 0) -> Generated:
    """Coloured blocks on a table, a robot with one hand, and stacks to build.

    blocks: from 2 to 10. The goal names what is to stand on what, and nothing else, as ProDG's goals do.
    """
    bounded("blocks", blocks, 2, len(COLOUR_NAMES))
    generator = Random(f"blocksworld/{blocks}/{seed}")
    names = [f"{colour}_block" for colour in generator.sample(COLOUR_NAMES, blocks)]
    start = _stacked(names, generator)
    standing = set(_pairs(start))
    while True:
        wanted = [stack for stack in _stacked(names, generator) if len(stack) > 1]
        if set(_pairs(wanted)) - standing:
            break
    init: set[Atom] = {("handempty", _ROBOT), *_pairs(start)}
    init |= {("ontable", stack[0]) for stack in start} | {("clear", stack[-1]) for stack in start}
    spoken = [" over ".join(block.removesuffix("_block") for block in reversed(stack)) for stack in wanted]
    noun = "a stack" if len(wanted) == 1 else f"{len(wanted)} stacks"
    return finished(
        "blocksworld",
        seed,
        "blocksworld",
        {**dict.fromkeys(names, "block"), _ROBOT: "robot"},
        init,
        [(True, atom) for atom in _pairs(wanted)],
        f"Build {noun} of blocks: {listed(spoken)}.",
        _rebuilt(start, wanted),
    )


def _stacked(names: Sequence[str], generator: Random) -> Stacks:
    """The blocks in random order, each on the table or on one of the stacks, with equal chances."""
    stacks: Stacks = []
    for name in generator.sample(names, len(names)):
        chosen = generator.randrange(len(stacks) + 1)
        if chosen == len(stacks):
            stacks.append([name])
        else:
            stacks[chosen].append(name)
    return stacks


def _pairs(stacks: Stacks) -> list[Atom]:
    return [("on", upper, lower) for stack in stacks for lower, upper in pairwise(stack)]


def _rebuilt(start: Stacks, wanted: Stacks) -> list[tuple[str, ...]]:
    """Everything onto the table, and up again."""
    plan: list[tuple[str, ...]] = []
    for _, upper, lower in reversed(_pairs(start)):
        plan += [("unstack", upper, lower, _ROBOT), ("put-down", upper, _ROBOT)]
    for _, upper, lower in _pairs(wanted):
        plan += [("pick-up", upper, _ROBOT), ("stack", upper, lower, _ROBOT)]
    return plan


# ── columns ──────────────────────────────────────────────────────────────────────────────────────────


def generate_columns(*, blocks: int = 6, columns: int = 4, seed: int = 0) -> Generated:
    """Blocks in columns c1, c2, ...; the goal says where every block is to be, as in ViPlan.

    blocks: from 1 to 10, named r, o, y, g, b, p by their colours up to six, by whole colour names above.
    columns: from 3 to 9; with three every arrangement can be reached from every other. Left and right are
    stated of neighbouring columns only, as in ViPlan's files.
    """
    bounded("blocks", blocks, 1, len(COLOUR_NAMES))
    bounded("columns", columns, 3, 9)
    generator = Random(f"columns/{blocks}/{columns}/{seed}")
    names = generator.sample(_LETTERS if blocks <= len(_LETTERS) else COLOUR_NAMES, blocks)
    start = _columned(names, columns, generator)
    wanted = start
    while wanted == start:
        wanted = _columned(names, columns, generator)
    order = [f"c{number + 1}" for number in range(columns)]
    sides: set[Atom] = set()
    for left, right in pairwise(order):
        sides |= {("leftof", left, right), ("rightof", right, left)}
    return finished(
        "columns",
        seed,
        "columns",
        {**dict.fromkeys(names, "block"), **dict.fromkeys(order, "column")},
        {*_arranged(start, order), *sides},
        [(True, atom) for atom in sorted(_arranged(wanted, order))],
        _said(wanted, order),
        _carried(start, wanted, order),
    )


def _columned(names: Sequence[str], columns: int, generator: Random) -> Stacks:
    stacks: Stacks = [[] for _ in range(columns)]
    for name in generator.sample(names, len(names)):
        generator.choice(stacks).append(name)
    return stacks


def _arranged(stacks: Stacks, order: Sequence[str]) -> set[Atom]:
    found: set[Atom] = {("clear", stack[-1]) for stack in stacks if stack}
    for column, stack in zip(order, stacks, strict=True):
        found |= {("incolumn", block, column) for block in stack}
    return found | set(_pairs(stacks))


def _said(stacks: Stacks, order: Sequence[str]) -> str:
    parts = [
        f"column {column} holds {' on '.join(reversed(stack))}" if stack else f"column {column} is empty"
        for column, stack in zip(order, stacks, strict=True)
    ]
    return f"Move the blocks so that {listed(parts)}."


def _carried(start: Stacks, wanted: Stacks, order: Sequence[str]) -> list[tuple[str, ...]]:
    """First everything onto the first column. Then one block after another is dug out and put on the second,
    by way of the third, in the order in which the columns can be built from there: what is to stay in the
    second lies lowest."""
    stacks = [list(stack) for stack in start]
    plan: list[tuple[str, ...]] = []

    def move(source: int, target: int) -> None:
        block = stacks[source].pop()
        stacks[target].append(block)
        plan.append(("moveblock", block, order[target]))

    for number in range(1, len(stacks)):
        while stacks[number]:
            move(number, 0)
    others = [(block, column) for column, stack in enumerate(wanted) if column != 1 for block in stack]
    for block in [*wanted[1], *[block for block, _ in reversed(others)]]:
        while stacks[0][-1] != block:
            move(0, 2)
        move(0, 1)
        while stacks[2]:
            move(2, 0)
    for _, column in others:
        move(1, column)
    return plan
