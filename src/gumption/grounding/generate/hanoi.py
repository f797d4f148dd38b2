"""Fresh problems of the towers of Hanoi, with numbered or with coloured discs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from gumption.grounding.generate._words import COLOUR_NAMES
from gumption.grounding.generate.generated import Generated, bounded, finished
from gumption.grounding.pddl import Atom

__all__ = ["generate_coloured_hanoi", "generate_hanoi"]


def generate_hanoi(*, discs: int = 4, seed: int = 0) -> Generated:
    """Discs disc1 (the smallest), disc2, ... on peg1 to peg3, in a random position that the rules allow; all
    of them are to get onto one peg. discs: from 1 to 12."""
    bounded("discs", discs, 1, 12)
    names = [f"disc{number + 1}" for number in range(discs)]
    return _generate("hanoi", names, ["peg1", "peg2", "peg3"], seed)


def generate_coloured_hanoi(*, discs: int = 4, seed: int = 0) -> Generated:
    """The same with discs that are told by their colours: which colour has which size is by seed, and so has
    to be seen. Pegs are left_peg, middle_peg and right_peg. discs: from 1 to 10."""
    bounded("discs", discs, 1, len(COLOUR_NAMES))
    colours = Random(f"colours/{discs}/{seed}").sample(COLOUR_NAMES, discs)
    return _generate(
        "coloured-hanoi",
        [f"{colour}_disc" for colour in colours],
        ["left_peg", "middle_peg", "right_peg"],
        seed,
    )


def _generate(world: str, discs: Sequence[str], pegs: Sequence[str], seed: int) -> Generated:
    """discs: from the smallest to the largest. pegs: from left to right."""
    generator = Random(f"{world}/{len(discs)}/{seed}")
    target = generator.choice(pegs)
    where = dict.fromkeys(discs, target)
    while all(peg == target for peg in where.values()):
        where = {disc: generator.choice(pegs) for disc in discs}
    init: set[Atom] = set()
    for number, disc in enumerate(discs):
        init |= {("smaller", below, disc) for below in (*discs[number + 1 :], *pegs)}
    for peg in pegs:
        pile = [peg, *[disc for disc in reversed(discs) if where[disc] == peg]]
        init.add(("clear", pile[-1]))
        init |= set(_on(pile))
    side = ("leftmost", "middle", "rightmost")[pegs.index(target)]
    return finished(
        world,
        seed,
        "hanoi",
        dict.fromkeys((*pegs, *discs), "object"),
        init,
        [(True, atom) for atom in _on([target, *reversed(discs)])],
        f"Move all discs to the {side} peg. A disc must never lie on a smaller one.",
        _gathered(discs, pegs, where, target),
    )


def _on(pile: Sequence[str]) -> list[Atom]:
    return [("on", upper, lower) for lower, upper in pairwise(pile)]


def _gathered(
    discs: Sequence[str], pegs: Sequence[str], start: dict[str, str], target: str
) -> list[tuple[str, ...]]:
    """The largest disc first: all smaller ones out of its way, then the disc itself."""
    where = dict(start)
    plan: list[tuple[str, ...]] = []

    def below(disc: str, peg: str) -> str:
        return next((one for one in discs[discs.index(disc) + 1 :] if where[one] == peg), peg)

    def gather(count: int, peg: str) -> None:
        if count == 0:
            return
        disc = discs[count - 1]
        if where[disc] != peg:
            spare = next(one for one in pegs if one not in (peg, where[disc]))
            gather(count - 1, spare)
            plan.append(("move", disc, below(disc, where[disc]), below(disc, peg)))
            where[disc] = peg
        gather(count - 1, peg)

    gather(len(discs), target)
    return plan
