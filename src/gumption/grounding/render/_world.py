"""Which of the known worlds a domain describes, told by its predicates and not by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from gumption.grounding.pddl import Domain
from gumption.grounding.render._looks import natural
from gumption.grounding.states import State
from gumption.records import GumptionError

__all__ = ["World", "check_fits", "check_legible", "of_place", "recognise", "undrawable"]

World: TypeAlias = Literal["columns", "blocksworld", "hanoi", "cooking", "household"]

_SIGNS: dict[World, dict[str, int]] = {
    "columns": {"on": 2, "incolumn": 2},
    "blocksworld": {"on": 2, "ontable": 1, "holding": 1},
    "hanoi": {"on": 2, "clear": 1, "smaller": 2},
    "cooking": {"at": 2, "carry": 2, "is-whole": 1, "is-sliced": 1, "is-workspace": 1},
    "household": {"holding": 1, "open": 1, "ontop": 2, "inside": 2, "nextto": 2, "reachable": 1},
}
"""Predicates with their numbers of arguments that give a world away."""


def recognise(domain: Domain) -> World | None:
    """The world of a domain; None for any other."""
    arities = {name: len(parameters) for name, parameters in domain.predicates.items()}
    for world, signs in _SIGNS.items():
        if signs.items() <= arities.items():
            return world
    return None


def of_place(domain: Domain, objects: Mapping[str, str], predicate: str, place: int) -> list[str]:
    """The objects that may stand at a place (from 0) of a predicate, in natural order."""
    wanted = domain.predicates[predicate][place].types
    return sorted((name for name, kind in objects.items() if domain.is_a(kind, wanted)), key=natural)


def undrawable(problem: str) -> GumptionError:
    """What to raise about a state that cannot be."""
    return GumptionError(
        f"this state cannot be drawn: {problem}",
        where="render",
        remedy="draw true states, with static facts such as (smaller x y) in them",
    )


def check_fits(domain: Domain, objects: Mapping[str, str], state: State) -> None:
    """Raises GumptionError for atoms that the domain and the objects do not allow."""
    for atom in state:
        places = domain.predicates.get(atom[0])
        if places is None or len(places) != len(atom) - 1:
            raise undrawable(f"the domain has no ({' '.join(atom)})")
        for name, place in zip(atom[1:], places, strict=True):
            if name not in objects or not domain.is_a(objects[name], place.types):
                raise undrawable(f"{name} has no place in ({' '.join(atom)})")


def check_legible(pixels: float) -> None:
    """Raises GumptionError where so many pixels are too few for one thing."""
    if pixels < 6:
        raise GumptionError(
            "too many things for a picture of this size", where="render", remedy="ask for a larger size"
        )
