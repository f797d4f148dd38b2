"""What is said of a household, and what closed containers keep to themselves."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest

from gumption.grounding import read_domain
from gumption.grounding.render import describe, visible
from gumption.records import GumptionError

HOUSEHOLD = read_domain(
    """(define (domain any) (:types container movable - object sliceable slicer - movable)
    (:predicates (reachable ?o - object) (holding ?m - movable) (open ?c - container)
                 (ontop ?a - object ?b - object) (inside ?a - object ?c - container)
                 (nextto ?a - object ?b - object) (sliced ?s - sliceable)))"""
)
OBJECTS = {
    "cabinet_1": "container",
    "carton_1": "container",
    "table_1": "object",
    "plate_1": "movable",
    "plate_10": "movable",
    "plate_2": "movable",
    "apple_1": "sliceable",
    "knife_1": "slicer",
}


def test_a_scene_in_words() -> None:
    state = {
        ("open", "carton_1"),
        ("inside", "plate_1", "cabinet_1"),
        ("ontop", "apple_1", "plate_1"),  # on something that is out of sight
        ("inside", "plate_2", "carton_1"),
        ("nextto", "plate_10", "carton_1"),
        ("holding", "knife_1"),
        ("reachable", "carton_1"),
        ("reachable", "plate_2"),
    }
    assert describe(HOUSEHOLD, OBJECTS, state).splitlines() == [
        "You see:",
        "- cabinet_1: closed",
        "- carton_1: open",
        "- knife_1: in your hand",
        "- plate_2: inside carton_1",
        "- plate_10: next to carton_1",
        "- table_1",
        "In your hand: knife_1.",
        "Within your reach: carton_1, plate_2.",
    ]
    opened = describe(HOUSEHOLD, OBJECTS, state | {("open", "cabinet_1"), ("sliced", "apple_1")})
    assert "- apple_1: sliced, on top of plate_1" in opened
    assert "- plate_1: inside cabinet_1" in opened


def test_what_is_out_of_sight_changes_no_word() -> None:
    """Two states that differ only in closed containers have one text; others never do."""
    texts: dict[str, set[frozenset[tuple[str, ...]]]] = {}
    for where_plate, where_apple, is_open, sliced in product(
        ("cabinet_1", "carton_1", "table_1"), ("cabinet_1", "table_1"), (True, False), (True, False)
    ):
        state = {("open", "carton_1")}
        for name, place in (("plate_1", where_plate), ("apple_1", where_apple)):
            state.add(("ontop" if place == "table_1" else "inside", name, place))
        state |= ({("open", "cabinet_1")} if is_open else set()) | (
            {("sliced", "apple_1")} if sliced else set()
        )
        in_sight = frozenset(
            atom
            for atom in state
            if is_open
            or not (atom[-1] == "cabinet_1" or (atom[0] == "sliced" and where_apple == "cabinet_1"))
        )
        texts.setdefault(describe(HOUSEHOLD, OBJECTS, state), set()).add(in_sight)
    assert all(len(scenes) == 1 for scenes in texts.values())
    scenes = [scene for [scene] in texts.values()]
    # Open: all of 3 * 2 * 2. Closed: 3 places of the plate, by the apple out of sight, whole, or sliced.
    assert len(scenes) == len(set(scenes)) == 3 * 2 * 2 + 3 * (1 + 2)


def test_circles_and_held_things_end() -> None:
    """Placing may leave two things on each other; what is held is seen wherever it was last."""
    state = {
        ("ontop", "plate_1", "plate_2"),
        ("ontop", "plate_2", "plate_1"),
        ("inside", "plate_2", "cabinet_1"),
        ("inside", "knife_1", "cabinet_1"),
        ("holding", "knife_1"),
    }
    assert set(OBJECTS) - visible(OBJECTS, state) == {"plate_1", "plate_2"}


def test_a_nest_may_be_deep() -> None:
    names = [f"box_{number}" for number in Random(1).sample(range(3000), 3000)]
    state = {("inside", inner, outer) for inner, outer in pairwise(names)}
    state |= {("open", name) for name in names[:-1]}
    assert visible(dict.fromkeys(names, "container"), state) == {names[-1]}


def test_other_domains_are_errors() -> None:
    with pytest.raises(GumptionError, match="no household"):
        describe(read_domain("(define (domain household) (:predicates (on ?a ?b)))"), {}, set())
