"""What stands on what: blocks in columns, blocks on a table, discs on pegs; all are piles side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from random import Random
from typing import Literal, NamedTuple

from gumption.grounding.pddl import Domain
from gumption.grounding.render._looks import Look, looks, natural
from gumption.grounding.render._world import of_place, undrawable
from gumption.grounding.states import State

__all__ = ["Pile", "Piles", "read_columns", "read_hanoi", "read_table"]


class Pile(NamedTuple):
    """A place and the things on it."""

    label: str
    things: tuple[str, ...]
    """From the lowest to the highest."""


class Piles(NamedTuple):
    """A scene of piles."""

    kind: Literal["blocks", "discs"]
    piles: tuple[Pile, ...]
    """From left to right."""
    looks: dict[str, Look]
    widths: dict[str, float]
    """Of each thing, in (0, 1]: the share of the widest."""
    gripper: str | None = None
    """The robot's label; None where there is no robot."""
    held: str | None = None
    hand: int = 0
    """The pile that the hand is above."""


def read_columns(domain: Domain, objects: Mapping[str, str], state: State, seed: int) -> Piles:
    """Blocks in labelled columns. leftof and rightof may be closed or of neighbours only."""
    blocks = of_place(domain, objects, "incolumn", 0)
    columns = of_place(domain, objects, "incolumn", 1)
    if not columns or set(blocks) & set(columns):
        raise undrawable("it has no columns that are told from blocks by their type")
    column_of = dict(_pairs(state, "incolumn", "is in two columns"))
    chains = _chains(state, [block for block in blocks if block in column_of])
    piles: dict[str, tuple[str, ...]] = {}
    for base, chain in chains.items():
        column = column_of[base]
        if column in piles or any(column_of[block] != column for block in chain):
            raise undrawable(f"the blocks in column {column} do not make one pile")
        piles[column] = chain
    missing = set(blocks) - set(column_of)
    if missing:
        raise undrawable(f"{min(missing)} is in no column")
    ordered = [Pile(column, piles.get(column, ())) for column in _left_to_right(columns, state)]
    return Piles("blocks", tuple(ordered), looks(blocks, seed), dict.fromkeys(blocks, 1.0))


def read_table(domain: Domain, objects: Mapping[str, str], state: State, seed: int) -> Piles:
    """Blocks on a table and in a robot's hand. Each block has a home on the table, in an order by seed, so
    that a pile stays where it is while others change."""
    blocks = of_place(domain, objects, "on", 0)
    if not blocks:
        raise undrawable("there are no blocks")
    held = sorted(atom[1] for atom in state if atom[0] == "holding")
    if len(held) > 1:
        raise undrawable(f"{held[0]} and {held[1]} are in one hand")
    tabled = {atom[1] for atom in state if atom[0] == "ontable"}
    chains = _chains(state, [block for block in blocks if block not in held])
    floating = set(chains) ^ tabled
    if floating:
        raise undrawable(f"{min(floating)} stands neither on the table nor on one block")
    homes = list(blocks)
    Random(seed).shuffle(homes)
    piles = tuple(Pile("", chains.get(block, ())) for block in homes)
    hand = homes.index(held[0]) if held else len(homes) - 1
    robot = _robot(domain, objects)
    return Piles(
        "blocks",
        piles,
        looks(blocks, seed),
        dict.fromkeys(blocks, 1.0),
        robot,
        held[0] if held else None,
        hand,
    )


def read_hanoi(_: Domain, objects: Mapping[str, str], state: State, seed: int) -> Piles:
    """Discs on pegs. (smaller x y) says that y fits on x: pegs are what fits on nothing."""
    fits = {atom[1:] for atom in state if atom[0] == "smaller"}
    discs = sorted({disc for _, disc in fits}, key=natural)
    pegs = sorted(set(objects) - set(discs), key=_peg_order)
    if not discs or not pegs:
        raise undrawable("no (smaller x y) tells discs from pegs")
    chains = _chains(state, [*pegs, *discs])
    floating = set(chains) - set(pegs)
    if floating:
        raise undrawable(f"{min(floating)} is on no peg")
    stacked = set(pegs) - set(chains)
    if stacked:
        raise undrawable(f"the peg {min(stacked)} is on something")
    ranks = {disc: sum(one == disc for one, _ in fits) for disc in discs}
    widest = max(ranks.values()) or 1
    widths = {disc: 0.3 + 0.7 * rank / widest for disc, rank in ranks.items()}
    piles = tuple(Pile(peg.removesuffix("_peg"), chains[peg][1:]) for peg in pegs)
    return Piles("discs", piles, looks(discs, seed), widths)


def _chains(state: State, things: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Each thing that is on nothing, with itself and what stands on it from the lowest to the highest."""
    under = dict(_pairs(state, "on", "is on two things"))
    over = {below: above for above, below in under.items()}
    if len(over) < len(under):
        crowded = next(below for above, below in under.items() if over[below] != above)
        raise undrawable(f"two things are on {crowded}")
    chains = {}
    for base in things:
        if base not in under:
            chain = [base]
            while chain[-1] in over:
                chain.append(over[chain[-1]])
            chains[base] = tuple(chain)
    lost = set(things) ^ {thing for chain in chains.values() for thing in chain}
    if lost:
        raise undrawable(f"{min(lost)} is in a pile without a base")
    return chains


def _pairs(state: State, predicate: str, fault: str) -> Iterable[tuple[str, str]]:
    """The arguments of a predicate's atoms, by the first one; no two may share it."""
    found: dict[str, str] = {}
    for atom in sorted(state):
        if atom[0] == predicate:
            if atom[1] in found:
                raise undrawable(f"{atom[1]} {fault}")
            found[atom[1]] = atom[2]
    return found.items()


def _left_to_right(columns: Sequence[str], state: State) -> list[str]:
    lefts: defaultdict[str, list[str]] = defaultdict(list)
    for atom in sorted(state):
        if atom[0] == "leftof":
            lefts[atom[2]].append(atom[1])
        elif atom[0] == "rightof":
            lefts[atom[1]].append(atom[2])
    sorter = TopologicalSorter({column: lefts[column] for column in columns})
    try:
        return [column for column in sorter.static_order() if column in columns]
    except CycleError as error:
        raise undrawable("a column is left of itself") from error


def _peg_order(name: str) -> tuple[int, tuple[tuple[int, str], ...]]:
    """Pegs that are named by where they stand, and numbered ones."""
    places = {"left": 0, "mid": 1, "right": 3}
    return next((place for start, place in places.items() if name.startswith(start)), 2), natural(name)


def _robot(domain: Domain, objects: Mapping[str, str]) -> str:
    """The name of the one robot, where it has one."""
    if len(domain.predicates.get("handempty", ())) != 1:
        return ""
    robots = of_place(domain, objects, "handempty", 0)
    if len(robots) != 1:
        raise undrawable(f"it has {len(robots)} robots, and not one")
    return robots[0]
