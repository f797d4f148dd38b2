"""From phrases to objects: what decides between several, and what is left open."""

from __future__ import annotations

import msgspec
import pytest

from gumption.planning.resolve import Resolver, follow, resolve_plan
from gumption.planning.worlds.scenes import Scene
from gumption.records import ErrorKind


def last(scene: Scene, *plan: list[str]) -> tuple[str | None, str | None]:
    """What the last step of a plan stands for: object and target."""
    step = resolve_plan(plan, scene)[-1]
    return step.object.object_id if step.object else None, step.target.object_id if step.target else None


def test_ties_are_broken_by_object_id_and_open_goes_before_closed(kitchen: Scene) -> None:
    resolver = Resolver(kitchen)
    apple = resolver.resolve("Pick", "object", "Apple")
    assert (apple.object_id, apple.layer, apple.tie) == ("Apple|1", "static", "in sight")
    assert apple.candidates == ("Apple|1", "Apple|2")
    drawer = resolver.resolve("Place", "target", "Drawer")
    assert (drawer.object_id, drawer.tie) == ("Drawer|3", "open")


def test_resolving_remembers_nothing(kitchen: Scene) -> None:
    resolver = Resolver(kitchen)
    first = resolver.resolve("Open", "object", "second drawer")
    assert first.object_id == "Drawer|2"
    assert resolver.resolve("Close", "object", "drawer").object_id == "Drawer|3"


@pytest.mark.parametrize(
    ("plan", "wanted"),
    [
        # the same phrase is the same object
        ([["Find", "second apple"], ["Pick", "second apple"]], ("Apple|2", None)),
        # the held object
        ([["Pick", "apple in the fridge"], ["Place", "Apple", "Plate"]], ("Apple|2", "Plate|1")),
        ([["Pick", "Plate"], ["Place", "it", "Fridge"]], ("Plate|1", "Fridge|1")),
        ([["Pick", "Mug"], ["Place", "Fridge"]], ("Mug|1", "Fridge|1")),
        # the receptacle opened last
        ([["Open", "first drawer"], ["Pick", "Mug"], ["Place", "Mug", "drawer"]], ("Mug|1", "Drawer|1")),
        ([["Open", "first drawer"], ["Pick", "Mug"], ["Place", "Mug", "inside it"]], ("Mug|1", "Drawer|1")),
        ([["Open", "Drawer 2"], ["Open", "Drawer 1"], ["Close", "Drawer"]], ("Drawer|1", None)),
        # the receptacle of what is looked for
        ([["Find", "Knife"], ["Open", "Drawer"]], ("Drawer|2", None)),
        # the tap of the sink in use, the burner under the pan, the knob of the burner
        ([["Pick", "Mug"], ["Place", "Mug", "sink 2"], ["Turn on", "tap"]], ("Faucet|2", None)),
        ([["Find", "Pan"], ["Turn on", "stove"]], ("StoveBurner|2", None)),
        ([["Find", "second burner"], ["Turn on", "burner knob"]], ("StoveKnob|2", None)),
        # a sink is turned on by its faucet
        ([["Turn on", "second sink"]], ("Faucet|2", None)),
        # a sink is put into through its basin, and the same one as before
        ([["Find", "sink 2"], ["Pick", "Mug"], ["Place", "Mug", "sink 2"]], ("Mug|1", "Sink|2|SinkBasin")),
        ([["Turn on", "sink"]], ("Faucet|1", None)),
        # another one, and the highest
        ([["Pick", "Apple"], ["Place", "Apple", "Plate"], ["Pick", "another apple"]], ("Apple|2", None)),
        ([["Open", "Top Drawer"]], ("Drawer|1", None)),
        ([["Find", "apple in the fridge"]], ("Apple|2", None)),
        # back to where it was taken from
        (
            [["Pick", "Knife"], ["Cut", "Bread"], ["Place", "Knife", "Knife Original Position"]],
            ("Knife|1", "Drawer|2"),
        ),
        ([["Pick", "Mug"], ["Place", "Mug", "next to the bread"]], ("Mug|1", "CounterTop|1")),
        # the water in the can
        ([["Pick", "Watering Can"], ["Pour", "Water", "Plant"]], ("WateringCan|1", "HousePlant|1")),
        ([["Pour", "Water", "Mug"]], ("Faucet|1", "Mug|1")),
        # by id
        ([["Pick", "apple|2"]], ("Apple|2", None)),
        # what the room has instead
        ([["Pick", "green cup"]], ("Mug|1", None)),
    ],
)
def test_context(kitchen: Scene, plan: list[list[str]], wanted: tuple[str | None, str | None]) -> None:
    assert last(kitchen, *plan) == wanted


def test_slices_of_what_was_just_cut(kitchen: Scene) -> None:
    steps = resolve_plan(
        [
            ["Pick", "Knife"],
            ["Cut", "Bread"],
            ["Pick", "Slice"],
            ["Find", "Bread"],
            ["Cut", "Knife", "Apple"],
            ["Pick", "piece"],
            ["Pick", "apple slice"],
            ["Pick", "another apple slice"],
        ],
        kitchen,
    )
    found = [step.object for step in steps if step.object]
    assert [one.object_type for one in found[2:4]] == ["BreadSliced", "BreadSliced"]
    assert found[2].layer == "context"
    assert found[2].object_id == found[3].object_id == "Bread|1|BreadSliced_0"
    assert [one.object_type for one in found[5:]] == ["AppleSliced"] * 3
    assert found[5].object_id == "Apple|1|AppleSliced_0"
    assert found[6].object_id == found[5].object_id != found[7].object_id


def test_the_knife_of_a_cut_is_the_tool_in_either_order(kitchen: Scene) -> None:
    for action in (["Cut", "Knife", "Bread"], ["Cut", "Bread", "Knife"]):
        step = follow(Resolver(kitchen), action)
        assert step.object and step.tool
        assert (step.object.object_id, step.tool.object_id, step.target) == ("Bread|1", "Knife|1", None)


def test_a_slice_before_the_cut_is_the_one_to_come_if_only_one_thing_can_be_meant(kitchen: Scene) -> None:
    resolver = Resolver(kitchen)
    assert resolver.resolve("Pick", "object", "Bread Slice").object_type == "BreadSliced"
    assert resolver.resolve("Pick", "object", "Slice").outcome == "ambiguous"
    assert resolver.resolve("Pick", "object", "Tomato Slice").outcome == "absent_in_scene"


def test_two_descriptions_that_differ_are_two_things(kitchen: Scene) -> None:
    steps = resolve_plan([["Pick", "red apple"], ["Find", "green apple"], ["Find", "apple"]], kitchen)
    assert [step.object.object_id for step in steps if step.object] == ["Apple|1", "Apple|2", "Apple|2"]


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (["Pick", "Banana"], ErrorKind.UNRESOLVED),
        (["Pick", "Flux Capacitor"], ErrorKind.UNRESOLVED),
        (["Pick", "it"], ErrorKind.UNRESOLVED),
        (["Place", "Mug", "Original Position"], ErrorKind.UNRESOLVED),
        (["Pick", "Apple|99"], ErrorKind.UNRESOLVED),
        (["Pick", "Laptop"], ErrorKind.ABSENT_IN_SCENE),
        (["Place", "Mug", "Dining Table"], ErrorKind.ABSENT_IN_SCENE),
        (["Pick", "fifth apple"], ErrorKind.ABSENT_IN_SCENE),
        (["Pick", "Slice"], ErrorKind.AMBIGUOUS),
    ],
)
def test_nothing_is_guessed(kitchen: Scene, action: list[str], kind: ErrorKind) -> None:
    step = follow(Resolver(kitchen), action, 7)
    assert [(one.kind, one.step) for one in step.errors] == [(kind, 7)]
    missed = step.arguments[-1]
    assert (missed.object_id, missed.object_type, missed.layer) == (None, None, "")


def test_the_last_layer_asks_what_the_verb_asks(kitchen: Scene) -> None:
    resolver = Resolver(kitchen)
    slip = resolver.resolve("Open", "object", "Refridgerator")
    assert (slip.object_id, slip.layer, slip.rule) == ("Fridge|1", "similarity", "spelling")
    assert resolver.resolve("Pick", "object", "Refridgerator").outcome == "unresolved"
    assert resolver.resolve("Pick", "object", "zigzag mug").rule == "head noun"
    # A name that is known is not held back: that a fridge is not picked up is for the world to say.
    assert resolver.resolve("Pick", "object", "Refrigerator").object_id == "Fridge|1"


def test_a_resolution_survives_json(kitchen: Scene) -> None:
    steps = resolve_plan(["Put the mug in the sink", ["Turn on", "Tap"], ["Wave"], []], kitchen)
    assert msgspec.json.decode(msgspec.json.encode(steps), type=list[type(steps[0])]) == steps
    assert [len(step.arguments) for step in steps] == [2, 1, 0, 0]
