"""A small kitchen of our own, and the rooms of iTHOR."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gumption.planning.worlds.scenes import Point, Scene, SceneObject, load_scene


def thing(
    identity: str, *parents: str, at: tuple[float, float, float] = (0, 0, 0), **flags: Any
) -> SceneObject:
    kind = re.findall("[A-Za-z]+", identity)[-1]
    return SceneObject(identity, kind, Point(*at), parent_receptacles=parents or None, **flags)


@pytest.fixture
def kitchen() -> Scene:
    carried, holds, opens = {"pickupable": True}, {"receptacle": True}, {"openable": True, "receptacle": True}
    return Scene(
        "kitchen",
        (
            thing("Apple|1", "CounterTop|1", sliceable=True, **carried),
            thing("Apple|2", "Fridge|1", sliceable=True, **carried),
            thing("Bread|1", "CounterTop|1", sliceable=True, **carried),
            thing("Knife|1", "Drawer|2", **carried),
            thing("Mug|1", "CounterTop|2", can_fill_with_liquid=True, receptacle=True, **carried),
            thing("Plate|1", "CounterTop|2", receptacle=True, **carried),
            thing("Pan|1", "StoveBurner|2", receptacle=True, **carried),
            thing("WateringCan|1", "CounterTop|1", can_fill_with_liquid=True, **carried),
            thing("HousePlant|1", can_fill_with_liquid=True),
            thing("CounterTop|1", **holds),
            thing("CounterTop|2", **holds),
            thing("Drawer|1", at=(0, 0.9, 0), **opens),
            thing("Drawer|2", at=(0, 0.6, 0), **opens),
            thing("Drawer|3", at=(0, 0.3, 0), is_open=True, **opens),
            thing("Fridge|1", **opens),
            thing("Sink|1", at=(0, 1, 0)),
            thing("Sink|1|SinkBasin", at=(0, 1, 0), **holds),
            thing("Sink|2", at=(5, 1, 0)),
            thing("Sink|2|SinkBasin", at=(5, 1, 0), **holds),
            thing("Faucet|1", at=(0, 1.2, 0), toggleable=True),
            thing("Faucet|2", at=(5, 1.2, 0), toggleable=True),
            thing("StoveBurner|1", **holds),
            thing("StoveBurner|2", **holds),
            thing("StoveKnob|1", toggleable=True, controlled_objects=("StoveBurner|1",)),
            thing("StoveKnob|2", toggleable=True, controlled_objects=("StoveBurner|2",)),
            thing("LightSwitch|1", toggleable=True),
            thing("GarbageCan|1", **holds),
        ),
    )


@pytest.fixture(scope="session")
def room(public_data: Path) -> Callable[[str], Scene]:
    metadata = public_data / "ithor" / "ai2thor-object-metadata.json.gz"
    return lambda name: load_scene(name, metadata)
