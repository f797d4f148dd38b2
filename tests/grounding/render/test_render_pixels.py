"""The state is recomputed from the pictures: which colour stands where is measured in hue, and compared with
arrangements that the tests drew up themselves."""

from __future__ import annotations

import io
from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest
from PIL import Image

from gumption.grounding import Domain, read_domain
from gumption.grounding.render import SIZE, render

# Degrees of hue, from what people call red, orange, ... and from no table of the package.
HUES = {
    "red": (-12, 12),
    "orange": (20, 36),
    "yellow": (44, 60),
    "green": (110, 150),
    "blue": (205, 235),
    "purple": (260, 290),
}
COLUMNS = read_domain(
    """(define (domain any) (:types block column)
    (:predicates (on ?a - block ?b - block) (clear ?a - block) (inColumn ?a - block ?c - column)
                 (leftOf ?a - column ?b - column) (rightOf ?a - column ?b - column)))"""
)
TABLE = read_domain(
    """(define (domain any) (:types block robot)
    (:predicates (on ?a - block ?b - block) (ontable ?a - block) (holding ?a - block) (clear ?a - block)
                 (handempty ?r - robot)))"""
)
HANOI = read_domain("(define (domain any) (:predicates (on ?a ?b) (clear ?a) (smaller ?a ?b)))")
STYLES = ("sprite", "isometric")


Boxes = dict[str, tuple[float, float, float]]
"""Of each colour: middle across, lower edge, width."""


def vivid(png: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows, columns, hues in degrees from -20, and values of the pixels with a strong colour."""
    hue, saturation, value = np.moveaxis(np.asarray(Image.open(io.BytesIO(png)).convert("HSV")), 2, 0)
    rows, columns = np.nonzero((saturation > 0.6 * 255) & (value > 60))
    return rows, columns, (hue[rows, columns] * (360 / 255) + 20) % 360 - 20, value[rows, columns]


def boxes(png: bytes) -> Boxes:
    rows, columns, degrees, _ = vivid(png)
    found = {}
    for name, (low, high) in HUES.items():
        chosen = (degrees >= low) & (degrees <= high)
        if chosen.sum() > 100:
            left, right = np.percentile(columns[chosen], (1, 99))
            found[name] = (left + right) / 2, np.percentile(rows[chosen], 99.5), right - left
    return found


def piled(seen: Boxes, places: int) -> list[list[str]]:
    """The colours at each place of equal width, from the lowest to the highest."""
    piles: list[list[str]] = [[] for _ in range(places)]
    for name in sorted(seen, key=lambda one: -seen[one][1]):
        piles[int(seen[name][0] // (SIZE[0] / places))].append(name)
    return piles


def ons(stacks: list[list[str]]) -> set[tuple[str, ...]]:
    return {("on", stack[i + 1], stack[i]) for stack in stacks for i in range(len(stack) - 1)}


@pytest.mark.parametrize("style", STYLES)
def test_columns_can_be_read_off(style: str) -> None:
    generator = Random(5)
    for seed in range(70):
        colours = generator.sample(list(HUES), generator.randint(1, 6))
        order = [f"c{number}" for number in range(1, generator.randint(2, 5) + 1)]
        generator.shuffle(order)  # left and right come from the facts, not from the names
        stacks: list[list[str]] = [[] for _ in order]
        for colour in colours:
            generator.choice(stacks).append(colour)
        letters = [[colour[0] for colour in stack] for stack in stacks]
        state = {("incolumn", block, c) for c, stack in zip(order, letters, strict=True) for block in stack}
        pairs = pairwise(order) if seed % 2 else combinations(order, 2)  # as in files, as in simulators
        state |= ons(letters)
        state |= {("leftof", a, b) if seed % 3 else ("rightof", b, a) for a, b in pairs}
        objects = dict.fromkeys((colour[0] for colour in colours), "block") | dict.fromkeys(order, "column")
        png = render(COLUMNS, objects, state, style=style, seed=seed)
        assert piled(boxes(png), len(order)) == stacks


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("robot", [True, False])
def test_stacks_on_a_table_and_the_hand_can_be_read_off(style: str, robot: bool) -> None:
    generator = Random(6)
    for seed in range(40):
        colours = generator.sample(list(HUES), generator.randint(2, 6))
        held = colours[0] if generator.random() < 0.5 else None
        stacks: list[list[str]] = []
        for colour in colours[1:] if held else colours:
            if not stacks or generator.random() < 0.4:
                stacks.append([])
            generator.choice([stack for stack in stacks if not stack] or stacks).append(colour)
        name = "{}_block" if robot else "{}"
        named = [[name.format(colour) for colour in stack] for stack in stacks]
        state = ons(named) | {("ontable", stack[0]) for stack in named}
        if held:
            state.add(("holding", name.format(held)))
        objects = dict.fromkeys((name.format(colour) for colour in colours), "block")
        if robot:
            objects["robot"] = "robot"
        png = render(_table(robot), objects, state, style=style, seed=seed)
        seen = boxes(png)
        piles = [pile for pile in piled(seen, len(colours)) if pile]
        lower = {colour: box[1] for colour, box in seen.items()}
        floor = max(lower.values())
        in_hand = [pile for pile in piles if lower[pile[0]] < floor - 20]
        assert in_hand == ([[held]] if held else [])
        assert sorted(pile for pile in piles if pile not in in_hand) == sorted(stacks)


def _table(robot: bool) -> Domain:
    if robot:
        return TABLE
    return read_domain(
        """(define (domain any) (:types block) (:predicates (on ?a - block ?b - block) (ontable ?a - block)
        (holding ?a - block) (clear ?a - block) (handempty)))"""
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pegs", [("peg1", "peg2", "peg3"), ("left_peg", "middle_peg", "right_peg")])
def test_discs_pegs_and_sizes_can_be_read_off(style: str, pegs: tuple[str, ...]) -> None:
    generator = Random(7)
    for seed in range(25):
        small_to_large = generator.sample(list(HUES), generator.randint(1, 6))
        place = {colour: generator.choice(pegs) for colour in small_to_large}
        stacks = [[colour for colour in reversed(small_to_large) if place[colour] == peg] for peg in pegs]
        state = ons([[peg, *stack] for peg, stack in zip(pegs, stacks, strict=True)])
        state = {(name, *(one if one in pegs else f"{one}_disk" for one in rest)) for name, *rest in state}
        discs = [f"{colour}_disk" for colour in small_to_large]
        state |= {("smaller", peg, disc) for peg in pegs for disc in discs}
        state |= {("smaller", discs[i], discs[j]) for i in range(len(discs)) for j in range(i)}
        png = render(HANOI, dict.fromkeys((*discs, *pegs), "object"), state, style=style, seed=seed)
        seen = boxes(png)
        assert piled(seen, 3) == stacks
        widths = [seen[colour][2] for colour in small_to_large]
        assert all(b - a > 8 for a, b in pairwise(widths))


KITCHEN = read_domain(
    """(define (domain any) (:types location robot vegetable tool - object)
    (:predicates (at ?a - object ?b - location) (carry ?r - robot ?a - object) (free ?r - robot)
                 (available ?a - object) (is-whole ?v - vegetable) (is-sliced ?v - vegetable)
                 (can-cut ?t - tool) (is-workspace ?l - location)))"""
)


@pytest.mark.parametrize("style", STYLES)
def test_vegetables_are_found_where_they_are(style: str) -> None:
    """By the skins: red, orange, dark green. Places are told from each other by what lies on them alone."""
    looks = {"tomato": (-12, 12, 0, 256), "carrot": (20, 33, 190, 256), "cucumber": (120, 140, 0, 135)}
    generator = Random(8)
    for seed in range(40):
        where = {name: generator.choice(("board", "bowl", "counter", "left", "right")) for name in looks}
        if any(list(where.values()).count(arm) > 1 for arm in ("left", "right")):
            continue
        state = {("is-workspace", "board"), ("can-cut", "knife")}
        state |= {("is-sliced" if generator.random() < 0.5 else "is-whole", name) for name in looks}
        for name, place in {**where, "knife": "counter"}.items():
            state.add(("carry", place, name) if place in ("left", "right") else ("at", name, place))
        objects = dict.fromkeys(looks, "vegetable") | dict.fromkeys(("board", "bowl", "counter"), "location")
        objects |= dict.fromkeys(("left", "right"), "robot") | {"knife": "tool"}
        png = render(KITCHEN, objects, state, style=style, seed=seed)
        rows, columns, degrees, value = vivid(png)
        spots = {}
        for name, (low, high, dark, light) in looks.items():
            skin = (degrees >= low) & (degrees <= high) & (value > dark) & (value < light)
            assert skin.sum() > 30, (name, seed)
            spots[name] = np.median(columns[skin]), np.median(rows[skin])
        for name, place in where.items():
            x, y = spots[name]
            arm = y < 0.35 * SIZE[1]
            assert arm == (place in ("left", "right"))
            if arm:
                assert (x < SIZE[0] / 2) == (place == "left")
            for other in looks:
                if not arm and where[other] not in ("left", "right"):
                    assert (x // (SIZE[0] / 3) == spots[other][0] // (SIZE[0] / 3)) == (where[other] == place)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("hand", [True, False])
def test_the_highest_tower_is_in_the_picture_as_a_whole(style: str, hand: bool) -> None:
    """As large as each other: no block is cut off at the upper edge."""
    colours = list(HUES)
    objects = dict.fromkeys(colours, "block")
    if hand:
        png = render(_table(False), objects, {("ontable", colours[0]), *ons([colours])}, style=style)
    else:
        columns = {f"c{number}": "column" for number in (1, 2, 3)}
        sides = {("leftof", "c1", "c2"), ("leftof", "c2", "c3")}
        state = {("incolumn", colour, "c2") for colour in colours} | ons([colours]) | sides
        png = render(COLUMNS, objects | columns, state, style=style)
    rows, _, degrees, _ = vivid(png)
    heights = {}
    for name, (low, high) in HUES.items():
        chosen = (degrees >= low) & (degrees <= high)
        top, bottom = np.percentile(rows[chosen], (1, 99))
        heights[name] = bottom - top
        assert top > 5
    assert min(heights.values()) > 0.7 * max(heights.values())
