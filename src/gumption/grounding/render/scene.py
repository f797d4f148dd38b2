"""Pictures of PDDL states: the same picture for the same state, seed, style and size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from gumption.grounding.pddl import Domain, Problem
from gumption.grounding.render._isometric import draw_isometric
from gumption.grounding.render._kitchen import draw_kitchen, read_kitchen
from gumption.grounding.render._looks import furnish
from gumption.grounding.render._piles import read_columns, read_hanoi, read_table
from gumption.grounding.render._sprites import draw_sprites
from gumption.grounding.render._world import check_fits, recognise
from gumption.grounding.states import State
from gumption.records import GumptionError

__all__ = ["SIZE", "Style", "can_render", "render"]

Style: TypeAlias = Literal["sprite", "isometric"]
SIZE = (480, 360)
"""Width and height in pixels."""

_SMALLEST, _LARGEST = 120, 4096

_READERS = {"columns": read_columns, "blocksworld": read_table, "hanoi": read_hanoi}


def render(
    domain: Domain,
    objects: Mapping[str, str],
    state: State,
    *,
    style: Style = "sprite",
    seed: int = 0,
    size: tuple[int, int] = SIZE,
) -> bytes:
    """A PNG picture of a state of blocksworld, hanoi or cooking, from which a person can read the state off.

    The world is told by the domain's predicates, whatever its name: blocks in columns (on, incolumn), blocks
    on a table (on, ontable, holding, with or without a named robot), discs on pegs (on, smaller), a kitchen
    (at, carry, is-whole, is-sliced). objects: name to type, as in `Problem.objects`. state: all true atoms,
    static ones too: columns stand in the order that leftof and rightof give, discs have the sizes that
    smaller gives. A colour in an object's name (red_block, or the single letters of ViPlan) is its colour;
    what colours do not tell apart is labelled. seed: varies what is no part of the state, such as the wall,
    the order of piles on a table and colours that no name tells. size: width and height in pixels.
    Raises GumptionError for other domains, for states that cannot be, such as two blocks on one, and for more
    things than can be told apart at that size.
    """
    if style not in get_args(Style):
        raise GumptionError(
            f"unknown style {style!r}", where="render", remedy=f"use one of {', '.join(get_args(Style))}"
        )
    world = recognise(domain)
    if world is None or world == "household":
        raise GumptionError(
            f"no pictures are drawn of the domain {domain.name!r}",
            where="render",
            remedy="use blocksworld, hanoi or cooking; a household is described in words",
        )
    if not all(_SMALLEST <= side <= _LARGEST for side in size):
        raise GumptionError(
            f"a picture of {size[0]} x {size[1]} pixels",
            where="render",
            remedy=f"use from {_SMALLEST} to {_LARGEST} pixels either way",
        )
    objects = {**objects, **domain.constants}
    check_fits(domain, objects, state)
    room = furnish(seed)
    if world == "cooking":
        kitchen = read_kitchen(domain, objects, state, seed)
        return draw_kitchen(kitchen, room, size, isometric=style == "isometric")
    piles = _READERS[world](domain, objects, state, seed)
    return (draw_sprites if style == "sprite" else draw_isometric)(piles, room, size)


def can_render(domain: Domain, problem: Problem) -> bool:
    """Whether the problem's states can be drawn: its world is known and its initial state can be."""
    try:
        render(domain, problem.objects, problem.init)
    except GumptionError:
        return False
    return True
