"""A stand-in for ai2thor's Controller: the documented calls, arguments, events and failures, without Unity.

Run as a program it serves the room `kitchen` in place of the real worker. The one argument is JSON:
journal: a file that every command is written to; unity: a file for the number of the child that plays Unity;
hang_at, crash_at, orphan_at: [n, lives] to hang, to die or to hang with a dead Unity at the n-th step of each
of the first `lives` lives; silent: hang at the start; refuse: {action: words} that physics has against it,
even forced where `stubborn`; unknown: an action that this build does not have; fail_start: words to fail
with; drift: an object that is open after every restart.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np

from gumption.planning.worlds._thor_worker import serve
from gumption.planning.worlds.scenes import load_scene

INTERACTION = {"objectId", "forceAction"}
ARGUMENTS: dict[str, set[str]] = {
    "Done": set(),
    "GetInteractablePoses": {"objectId", "positions", "rotations", "horizons", "standings"},
    "TeleportFull": {"x", "y", "z", "rotation", "horizon", "standing", "position", "forceAction"},
    "PickupObject": {*INTERACTION, "manualInteract"},
    "PutObject": {*INTERACTION, "placeStationary"},
    "DropHandObject": {"forceAction"},
    "ThrowObject": {"moveMagnitude", "forceAction"},
    "OpenObject": {*INTERACTION, "openness"},
    "CloseObject": INTERACTION,
    "ToggleObjectOn": INTERACTION,
    "ToggleObjectOff": INTERACTION,
    "SliceObject": INTERACTION,
    "BreakObject": INTERACTION,
    "CleanObject": INTERACTION,
    "FillObjectWithLiquid": {*INTERACTION, "fillLiquid"},
    "EmptyLiquidFromObject": INTERACTION,
}
"""Of AI2-THOR 5.0's documentation; other names are InvalidArgument there."""
FLAGS = {
    "OpenObject": ("openable", "isOpen", True),
    "CloseObject": ("openable", "isOpen", False),
    "ToggleObjectOn": ("toggleable", "isToggled", True),
    "ToggleObjectOff": ("toggleable", "isToggled", False),
    "BreakObject": ("breakable", "isBroken", True),
    "CleanObject": ("dirtyable", "isDirty", False),
    "EmptyLiquidFromObject": ("canFillWithLiquid", "isFilledWithLiquid", False),
}


class Refusal(Exception):  # noqa: N818
    """lastActionSuccess False."""


class FakeController:
    def __init__(self, plan: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        assert options.keys() == {"scene", "width", "height", "server_timeout", "server_start_timeout"}
        self.plan = plan
        if plan.get("fail_start"):
            raise ValueError(plan["fail_start"])
        if plan.get("silent"):
            time.sleep(600)
        self.note({"start": options["scene"]})
        self.life = sum("start" in line for line in self.journal())
        self.unity = subprocess.Popen(["sleep", "600"])
        Path(plan["unity"]).write_text(str(self.unity.pid))
        self.frame = np.zeros((options["height"], options["width"], 3), dtype=np.uint8)
        self.steps = 0
        self.reset(options["scene"])

    def journal(self) -> list[dict[str, Any]]:
        path = Path(self.plan["journal"])
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def note(self, line: Mapping[str, Any]) -> None:
        with Path(self.plan["journal"]).open("a") as file:
            file.write(json.dumps(line) + "\n")

    def stop(self) -> None:
        self.note({"stop": self.life})
        self.unity.kill()
        self.unity.wait()

    def reset(self, scene: str) -> Any:
        print("words on standard output are no answer")
        self.objects: dict[str, dict[str, Any]] = {}
        for one in load_scene(scene).objects:
            row = msgspec.to_builtins(one)
            # What real metadata have beside.
            row |= {"name": f"{one.object_type}_c1", "visible": False, "isInteractable": False, "mass": 1.0}
            row |= {"distance": 1.25, "openness": 0.0, "salientMaterials": None, "isPickedUp": False}
            row["parentReceptacles"] = list(one.parents) or None
            row["objectOrientedBoundingBox"] = None
            self.objects[one.object_id] = row
        if self.plan.get("drift") and self.life > 1:
            self.objects[self.plan["drift"]]["isOpen"] = True
        self.held, self.at = "", ""
        return self.event("Initialize", "", None)

    def event(self, action: str, error: str, returned: Any, code: str = "") -> Any:
        metadata = {
            "lastAction": action,
            "lastActionSuccess": not error,
            "errorMessage": error,
            "errorCode": code,
            "actionReturn": returned,
            "agent": {"position": {"x": 0.0, "y": 0.9, "z": 0.0}, "cameraHorizon": 0.0, "isStanding": True},
            "inventoryObjects": [self.in_hand()] if self.held else [],
            "objects": list(self.objects.values()),
            "sceneName": "kitchen",
        }
        self.last_event = SimpleNamespace(metadata=metadata, frame=self.frame)
        return self.last_event

    def in_hand(self) -> dict[str, str]:
        return {"objectId": self.held, "objectType": self.held.partition("|")[0]}

    def step(self, action: str, **arguments: Any) -> Any:
        self.note({"action": action, **arguments})
        self.steps += 1
        for way in ("hang_at", "crash_at", "orphan_at"):
            place, lives = self.plan.get(way, (0, 0))
            if self.steps == place and self.life <= lives:
                if way == "crash_at":
                    os._exit(3)
                if way == "orphan_at":
                    self.unity.kill()
                time.sleep(600)
        if action not in ARGUMENTS or action == self.plan.get("unknown"):
            self.event(action, f"Invalid action: {action}", None, "InvalidAction")
            raise ValueError(f"Invalid action: {action}")
        if extra := arguments.keys() - ARGUMENTS[action]:
            self.event(action, f"called with invalid arguments: {extra}", None, "InvalidArgument")
            raise ValueError(f"called with invalid arguments: {extra}")
        try:
            returned = self.act(action, arguments)
        except Refusal as refusal:
            return self.event(action, str(refusal), None)
        return self.event(action, "", returned)

    def act(self, action: str, arguments: Mapping[str, Any]) -> Any:
        force = arguments.get("forceAction", False)
        words = self.plan.get("refuse", {}).get(action)
        if words and (not force or self.plan.get("stubborn")):
            raise Refusal(words)
        if action == "Done":
            return None
        if action == "TeleportFull":
            self.at = f"{arguments['x']},{arguments['z']}"
            return None
        if action in ("DropHandObject", "ThrowObject"):
            self.let_go(next(name for name in self.objects if name.startswith("Floor|")))
            return None
        thing = self.objects.get(arguments["objectId"])
        if thing is None:
            raise Refusal(f"{arguments['objectId']} is not an objectId on any object in the scene!")
        if action == "GetInteractablePoses":
            return self.poses(thing)
        if not force and self.at not in {f"{pose['x']},{pose['z']}" for pose in self.poses(thing)[1:]}:
            raise Refusal("Target object not found within the specified visibility.")
        return getattr(self, action, self.flag)(thing, action, arguments, force)

    def poses(self, thing: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Two, of which the first turns out to be of no use."""
        parent: Mapping[str, Any] | None = thing
        while parent is not None:
            names = parent["parentReceptacles"] or [None]
            parent = self.objects.get(names[0]) if names[0] else None
            if parent is not None and parent["openable"] and not parent["isOpen"]:
                return []
        x, z = thing["position"]["x"], thing["position"]["z"]
        return [
            {"x": x + far, "y": 0.9, "z": z, "rotation": 90.0, "horizon": 30.0, "standing": True}
            for far in (0.5, 0.75)
        ]

    def PickupObject(self, thing: dict[str, Any], *_: Any) -> None:
        if not thing["pickupable"]:
            raise Refusal(f"{thing['objectId']} must have the property CanPickup to be picked up.")
        if self.held:
            raise Refusal("Agent hand has something in it already! Can't pick up anything else")
        self.held, thing["isPickedUp"], thing["parentReceptacles"] = thing["objectId"], True, None

    def PutObject(self, thing: dict[str, Any], _: str, arguments: Mapping[str, Any], force: bool) -> None:
        if not self.held:
            raise Refusal("Can't place an object if Agent isn't holding anything")
        if not thing["receptacle"] or thing["objectType"] == "Sink":
            raise Refusal("This target object is NOT a receptacle!")
        if thing["openable"] and not thing["isOpen"]:
            raise Refusal("Target openable Receptacle is CLOSED, can't place if target is not open!")
        self.let_go(thing["objectId"])

    def let_go(self, where: str) -> None:
        if not self.held:
            raise Refusal("nothing in hand to drop!")
        self.objects[self.held] |= {"isPickedUp": False, "parentReceptacles": [where]}
        self.held = ""

    def SliceObject(self, thing: dict[str, Any], *_: Any) -> None:
        if not thing["sliceable"] or thing["isSliced"]:
            raise Refusal(f"{thing['objectType']} cannot be sliced!")
        thing["isSliced"] = True
        for number in range(3):
            kind = f"{thing['objectType']}Sliced"
            name = f"{thing['objectId']}|{kind}_{number}"
            self.objects[name] = {**thing, "objectId": name, "objectType": kind, "isSliced": False}
            self.objects[name]["sliceable"] = False

    def FillObjectWithLiquid(
        self, thing: dict[str, Any], _: str, arguments: Mapping[str, Any], *__: Any
    ) -> None:
        if not thing["canFillWithLiquid"] or thing["isFilledWithLiquid"]:
            raise Refusal(f"{thing['objectType']} cannot be filled")
        thing |= {"isFilledWithLiquid": True, "fillLiquid": arguments["fillLiquid"]}

    def flag(self, thing: dict[str, Any], action: str, *_: Any) -> None:
        able, field, value = FLAGS[action]
        if not thing[able]:
            raise Refusal(f"{thing['objectId']} is not {able}")
        if thing[field] is value:
            raise Refusal(f"{thing['objectId']} is already so")
        if thing["objectType"] == "Microwave" and thing["isOpen" if field == "isToggled" else "isToggled"]:
            raise Refusal("Target must be closed to be switched, and off to be opened!")
        thing[field] = value
        if thing["objectType"] == "Faucet":
            for one in self.objects.values():
                if any(name.endswith("SinkBasin") for name in one["parentReceptacles"] or ()):
                    one["isDirty"] = False
                    if value and one["canFillWithLiquid"]:
                        one |= {"isFilledWithLiquid": True, "fillLiquid": "water"}


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    serve(lambda options: FakeController(given, options))
