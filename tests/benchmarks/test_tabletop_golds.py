"""Every gold computed again, from the question's words and the scene graph in `meta`, by brute force.

Nothing here is shared with the generator. Near ties fail too: the margins are asserted.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from tabletop_pixels import inside as shape_inside

from gumption.answers import inside
from gumption.records import Item, Text
from gumption.suites import Suite

Scene = dict[str, Any]
Thing = dict[str, Any]


@pytest.fixture
def suite(drawn: Suite) -> Suite:
    return drawn


def words(item: Item) -> str:
    (text,) = (part.text for part in item.parts if isinstance(part, Text))
    return text


def named(scene: Scene, name: str) -> Thing:
    colour, shape = name.removeprefix("the ").split()
    (thing,) = (one for one in scene["things"] if (one["colour"], one["shape"]) == (colour, shape))
    return thing


def level(scene: Scene, name: str, standing: int) -> int | None:
    """How many blocks are under it in the tower; None if it lies about."""
    colours = [block["colour"] for block in scene["blocks"][:standing]]
    colour = name.removeprefix("the ").split()[0]
    return colours.index(colour) if colour in colours else None


def within(scene: Scene) -> list[Thing]:
    left, top, right, bottom = scene["tray"]
    return [
        one
        for one in scene["things"]
        if one["on"] == "table" and left < one["x"] < right and top < one["y"] < bottom
    ]


def apart(a: Thing, b: Thing, lifted: bool) -> float:
    """Distance of feet, or of middles."""
    return math.hypot(a["x"] - b["x"], (a["y"] - lifted * a["radius"]) - (b["y"] - lifted * b["radius"]))


def best(options: dict[str, float], margin: float) -> str:
    """The option with the highest value, which no other comes near."""
    first, second = sorted(options.values(), reverse=True)[:2]
    assert first - second >= margin, options
    return max(options, key=options.__getitem__)


def the(pattern: str, item: Item) -> list[str]:
    match = re.search(pattern, words(item))
    assert match, words(item)
    return list(match.groups())


def gold_present(item: Item, scene: Scene) -> str:
    colour, shape = the(r"Is there a (\w+) (\w+) in", item)
    return "yes" if any(t["colour"] == colour and t["shape"] == shape for t in scene["things"]) else "no"


def gold_colour_of(item: Item, scene: Scene) -> str:
    (label,) = the(r"label (\w\w)\?", item)
    (thing,) = (one for one in scene["things"] if one.get("label") == label)
    return str(thing["colour"])


def gold_label(item: Item, scene: Scene) -> str:
    (name,) = the(r"written on (the \w+ \w+)\?", item)
    return str(named(scene, name)["label"])


def gold_weight(item: Item, scene: Scene) -> int:
    a, b = the(r"do (the \w+ \w+) and (the \w+ \w+) weigh", item)
    return int(named(scene, a)["label"]) + int(named(scene, b)["label"])


def gold_count_shape(item: Item, scene: Scene) -> str:
    (plural,) = the(r"How many (\w+) are", item)
    assert not any("covered_by" in thing for thing in scene["things"])
    shape = "cross" if plural == "crosses" else plural.removesuffix("s")
    return str(len([thing for thing in scene["things"] if thing["shape"] == shape]))


def gold_count_in_tray(item: Item, scene: Scene) -> str:
    return str(len(within(scene)))


def gold_tray_after(item: Item, scene: Scene) -> str:
    name, verb = the(r"that (the \w+ \w+) is (put into|taken out of)", item)
    inside_now = named(scene, name) in within(scene)
    assert inside_now == (verb == "taken out of")
    return str(len(within(scene)) + (-1 if inside_now else 1))


def gold_size(item: Item, scene: Scene) -> str:
    (word,) = the(r"the (largest|smallest)", item)
    sign = 1 if word == "largest" else -1
    sizes = {text: sign * math.log(named(scene, text)["radius"]) for text in item.answer.choices.values()}
    return best(sizes, math.log(1.5))


def gold_left_of(
    item: Item, scene: Scene, names: str = r"Is (the \w+ \w+) to the left of (the \w+ \w+)\?"
) -> str:
    a, b = (named(scene, name) for name in the(names, item))
    assert abs(a["x"] - b["x"]) > 20
    return "yes" if a["x"] < b["x"] else "no"


def gold_opposite(item: Item, scene: Scene) -> str:
    """Seen from behind, x runs the other way."""
    turned = {**scene, "things": [thing | {"x": 480 - thing["x"]} for thing in scene["things"]]}
    return gold_left_of(item, turned, r"Is (the \w+ \w+) then to the left of (the \w+ \w+)\?")


def gold_in_tray(item: Item, scene: Scene) -> str:
    (name,) = the(r"Is (the \w+ \w+) in", item)
    return "yes" if named(scene, name) in within(scene) else "no"


def gold_board(item: Item, scene: Scene) -> str:
    (wanted,) = the(r"the (upper|lower) board", item)
    height = scene["shelf"][wanted]
    (gold,) = (text for text in item.answer.choices.values() if named(scene, text)["y"] == height)
    return gold


def gold_nearest(item: Item, scene: Scene) -> str:
    """Feet and middles of the things agree, and no other option comes within a quarter of the distance."""
    word, name = the(r"Which of these is (nearest to|farthest away from) (the \w+ \w+)\?", item)
    sign = -1 if word == "nearest to" else 1
    found = {
        best(
            {
                text: sign * math.log(apart(named(scene, text), named(scene, name), lifted))
                for text in item.answer.choices.values()
            },
            math.log(1.25),
        )
        for lifted in (False, True)
    }
    (gold,) = found
    return gold


def gold_in_front(item: Item, scene: Scene) -> str:
    """The one drawn later: its foot is lower. They do overlap, and one hides the other."""
    names = the(r"^The (\w+ \w+) and the (\w+ \w+) overlap", item)
    far, near = sorted((named(scene, name) for name in names), key=lambda thing: thing["y"])
    assert scene["things"][far["covered_by"]] == near and far["y"] < near["y"]
    return f"the {near['colour']} {near['shape']}"


def gold_top_view(item: Item, scene: Scene) -> str:
    (name,) = the(r"Which one is (the \w+ \w+)\?", item)
    thing = named(scene, name)
    feet = item.meta["feet"]
    away = sorted(math.dist(foot, (thing["x"], thing["y"])) for foot in feet)
    assert away[0] == 0 and away[1] > 30
    assert ("side is at its top" in words(item)) == item.meta["turned"]
    return f"disc {feet.index([thing['x'], thing['y']]) + 1}"


def reached(scene: Scene, thing: Thing) -> bool:
    gripper = scene["gripper"]
    foot, middle = (
        math.dist((gripper["x"], gripper["y"]), (thing["x"], thing["y"] - up)) - gripper["reach"]
        for up in (0, thing["radius"])
    )
    assert foot * middle > 0 and min(abs(foot), abs(middle)) > 8
    return foot < 0


def gold_reachable(item: Item, scene: Scene) -> str:
    (name,) = the(r"Can it reach (the \w+ \w+)\?", item)
    return "yes" if reached(scene, named(scene, name)) else "no"


def gold_within_reach(item: Item, scene: Scene) -> str:
    (verb,) = the(r"Which of these (can|can not) be", item)
    (gold,) = (
        text for text in item.answer.choices.values() if reached(scene, named(scene, text)) == (verb == "can")
    )
    return gold


def gold_swap(item: Item, scene: Scene) -> str:
    a, b, side = the(r"that (the \w+ \w+) and (the \w+ \w+) change .* to the (left|right)\?", item)
    sign = -1 if side == "left" else 1
    places = {text: sign * named(scene, text)["x"] for text in item.answer.choices.values()}
    places[a], places[b] = places[b], places[a]
    return best(places, 20)


def gold_next_step(item: Item, scene: Scene) -> str:
    """The option that, put on what stands, makes the beginning of the finished tower."""
    finished = [block["colour"] for block in scene["blocks"][: scene["height"]]]
    now = finished[: scene["standing"]]
    (gold,) = (
        text
        for text in item.answer.choices.values()
        if [*now, text.split()[1]] == finished[: scene["standing"] + 1]
    )
    return gold


def gold_order(item: Item, scene: Scene) -> str:
    """Of all orders the one in which the towers only grow."""
    stages = item.meta["stages"]
    (gold,) = (
        order
        for order in itertools.permutations(range(3))
        if all(stages[a] < stages[b] for a, b in itertools.pairwise(order))
    )
    return "picture " + ", ".join(str(place + 1) for place in gold)


def gold_above(item: Item, scene: Scene) -> str:
    a, b = (
        level(scene, name, scene["height"]) for name in the(r"(the \w+) block .* (the \w+) block\?", item)
    )
    assert a is not None and b is not None and a != b
    return "yes" if a > b else "no"


def gold_missing(item: Item, scene: Scene) -> str:
    return str(sum(block["colour"] != "" for block in scene["blocks"][scene["standing"] : scene["height"]]))


def gold_block_there(item: Item, scene: Scene) -> str:
    (colour,) = the(r"a (\w+) block", item)
    return "yes" if colour in [block["colour"] for block in scene["blocks"]] else "no"


GOLDS: dict[str, Callable[[Item, Scene], Any]] = {
    name.removeprefix("gold_").replace("_", "-"): function
    for name, function in globals().items()
    if name.startswith("gold_")
}


def test_golds_are_what_brute_force_finds(suite: Suite) -> None:
    asked = set()
    for item in suite.items:
        name = item.id.split("/")[1]
        if item.answer.kind == "point":
            continue
        asked.add(name)
        found = GOLDS[name](item, item.meta["scene"])
        gold = item.answer.gold
        told = item.answer.choices[gold] if item.answer.choices else gold
        assert told == found, (item.id, words(item))
    assert asked == set(GOLDS)


def test_points_are_right_where_the_thing_is_and_nowhere_else(suite: Suite) -> None:
    """Tried at every third pixel: inside the gold region just where the graph says that the thing is."""
    seen = set()
    for item in [one for one in suite.items if one.answer.kind == "point"]:
        scene, (kind, name) = item.meta["scene"], (item.id.split("/")[1], words(item))
        seen.add(kind)
        if kind == "point-at":
            thing = named(scene, " ".join(name.removesuffix(".").split()[3:]))
            assert "covered_by" not in thing
            less, more = shape_inside(thing, -1), shape_inside(thing, 1)
            for x, y in itertools.product(range(0, 480, 3), range(0, 320, 3)):
                assert less[y, x] <= inside(item.answer.gold, x + 0.5, y + 0.5) <= more[y, x]
            continue
        if kind == "free-mat":
            free = [
                box
                for box in scene["mats"]
                if not any(
                    box[0] - 1.2 * t["radius"] < t["x"] < box[2] + 1.2 * t["radius"]
                    and box[1] < t["y"] < box[3] + 2.3 * t["radius"]
                    for t in scene["things"]
                )
            ]
            ((left, top, right, bottom),) = free
        else:
            height, standing = scene["block"][1], scene["standing"]
            colour = name.split()[3]
            (block,) = (one for one in scene["blocks"] if one["colour"] == colour)
            x, y = block["x"], block["y"]
            if (under := level(scene, f"the {colour}", standing)) is not None:
                x, y = scene["tower"][0], scene["tower"][1] - under * height
            left, right, top, bottom = x - 21, x + 21, y - height, y
        for x, y in itertools.product(range(0, 480, 3), range(0, 320, 3)):
            assert inside(item.answer.gold, x, y) == (left <= x <= right and top <= y <= bottom)
    assert seen == {"free-mat", "block", "point-at"}
