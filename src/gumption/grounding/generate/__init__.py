"""Fresh problems of chosen size, which no model can have seen: each with a goal sentence and with a plan that
reaches it."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from gumption.grounding.generate.blocks import generate_blocksworld, generate_columns
from gumption.grounding.generate.cooking import generate_cooking
from gumption.grounding.generate.generated import Generated, package_domain
from gumption.grounding.generate.hanoi import generate_coloured_hanoi, generate_hanoi
from gumption.grounding.generate.household import generate_household
from gumption.records import GumptionError

__all__ = [
    "WORLDS",
    "Generated",
    "generate",
    "generate_blocksworld",
    "generate_coloured_hanoi",
    "generate_columns",
    "generate_cooking",
    "generate_hanoi",
    "generate_household",
    "package_domain",
    "sizes",
]

WORLDS: dict[str, Callable[..., Generated]] = {
    "blocksworld": generate_blocksworld,
    "columns": generate_columns,
    "hanoi": generate_hanoi,
    "coloured-hanoi": generate_coloured_hanoi,
    "cooking": generate_cooking,
    "household": generate_household,
}
"""Each world's generator."""


def sizes(world: str) -> dict[str, int]:
    """The sizes of a world that can be chosen, with what they are otherwise. Raises GumptionError."""
    if world not in WORLDS:
        raise GumptionError(
            f"unknown world {world!r}", where="generate", remedy=f"use one of {', '.join(WORLDS)}"
        )
    parameters = inspect.signature(WORLDS[world]).parameters
    return {name: one.default for name, one in parameters.items() if name != "seed"}


def generate(world: str, *, seed: int = 0, **chosen: int) -> Generated:
    """A fresh problem of a world, the same for the same seed and sizes.

    chosen: sizes as `sizes` names them, such as blocks=6, columns=4. The goal never holds at the start, and
    `plan` reaches it. Raises GumptionError for unknown worlds and sizes, and for sizes out of range.
    """
    known = sizes(world)
    for name in chosen:
        if name not in known:
            raise GumptionError(
                f"{world} has no size {name!r}", where="generate", remedy=f"use {', '.join(known)}"
            )
    return WORLDS[world](seed=seed, **chosen)
