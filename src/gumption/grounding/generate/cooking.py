"""Fresh cooking problems: vegetables to be cut and put into a bowl by two arms."""

from __future__ import annotations

from random import Random

from gumption.grounding.generate._words import listed
from gumption.grounding.generate.generated import Generated, GoalLiteral, bounded, finished
from gumption.grounding.pddl import Atom

__all__ = ["generate_cooking"]

_VEGETABLES = ("tomato", "cucumber", "carrot", "potato", "onion", "eggplant")
_HELPER, _CUTTER = "a_bot", "b_bot"
_BOARD, _BOWL, _COUNTER = "cutting_board", "bowl", "counter"


def generate_cooking(*, vegetables: int = 3, seed: int = 0) -> Generated:
    """Vegetables on the counter, the board or in the bowl, some of them already sliced; a knife on the
    counter or in a hand; some vegetables are to be sliced and some to be put into the bowl.

    vegetables: from 1 to 6.
    """
    bounded("vegetables", vegetables, 1, len(_VEGETABLES))
    generator = Random(f"cooking/{vegetables}/{seed}")
    names = generator.sample(_VEGETABLES, vegetables)
    while True:
        where = {name: generator.choice((_COUNTER, _COUNTER, _BOARD, _BOWL)) for name in names}
        sliced = {name for name in names if generator.random() < 0.2}
        cut = [name for name in names if name not in sliced and generator.random() < 0.6]
        served = [name for name in names if generator.random() < 0.7]
        if cut or any(where[name] != _BOWL for name in served):
            break
    knife_in_hand = generator.random() < 0.5
    init: set[Atom] = {("is-workspace", _BOARD), ("can-cut", "knife"), ("free", _HELPER)}
    if knife_in_hand:
        init.add(("carry", _CUTTER, "knife"))
    else:
        init |= {("free", _CUTTER), ("available", "knife"), ("at", "knife", _COUNTER)}
    for name in names:
        init |= {("available", name), ("at", name, where[name])}
        init.add(("is-sliced" if name in sliced else "is-whole", name))
    goal: list[GoalLiteral] = [(True, ("is-sliced", name)) for name in cut]
    goal += [(True, ("at", name, _BOWL)) for name in served]
    return finished(
        "cooking",
        seed,
        "cooking",
        {
            **dict.fromkeys(names, "vegetable"),
            **dict.fromkeys((_COUNTER, _BOARD, _BOWL), "location"),
            **dict.fromkeys((_HELPER, _CUTTER), "robot"),
            "knife": "tool",
        },
        init,
        goal,
        _said(cut, served),
        _cooked(where, cut, served, knife_in_hand=knife_in_hand),
    )


def _said(cut: list[str], served: list[str]) -> str:
    parts = []
    if cut:
        parts.append(f"slice {listed([f'the {name}' for name in cut])}")
    if served:
        parts.append(f"put {listed([f'the {name}' for name in served])} into the bowl")
    sentence = ", and ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _cooked(
    start: dict[str, str], cut: list[str], served: list[str], *, knife_in_hand: bool
) -> list[tuple[str, ...]]:
    """One arm keeps the knife, the other brings and serves."""
    where = dict(start)
    plan: list[tuple[str, ...]] = []

    def bring(name: str, place: str) -> None:
        if where[name] != place:
            plan.extend((("pick", _HELPER, name, where[name]), ("place", _HELPER, name, place)))
            where[name] = place

    if cut and not knife_in_hand:
        plan.append(("pick", _CUTTER, "knife", _COUNTER))
    for name in cut:
        bring(name, _BOARD)
        plan.append(("slice", _CUTTER, name, "knife", _BOARD))
    for name in served:
        bring(name, _BOWL)
    return plan
