"""The actions of a household in AI2-THOR's words, as the documentation of iTHOR 5.0 has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gumption.planning.worlds.household import Household
from gumption.planning.worlds.world import Thing

__all__ = ["Command", "commands", "preparations", "receptacles"]

Command = Mapping[str, Any]
"""What `Controller.step` is given: `action` and its arguments."""

_OF_OBJECT = {
    "pick": "PickupObject",
    "open": "OpenObject",
    "close": "CloseObject",
    "turn_on": "ToggleObjectOn",
    "turn_off": "ToggleObjectOff",
    "cut": "SliceObject",
    "break": "BreakObject",
    "empty": "EmptyLiquidFromObject",
}
_LIQUIDS = ("water", "coffee", "wine")


def commands(name: str, thing: Thing, target: Thing) -> list[Command]:
    """What an action is made of. name: a household rule. Washing has no command of its own, and a thing that
    is not dirty needs none."""
    match name:
        case "place":
            # Since 3.0 objectId is the receptacle; what is put there is what the hand holds.
            return [{"action": "PutObject", "objectId": target.id}]
        case "drop":
            return [{"action": "DropHandObject"}]
        case "throw":
            return [{"action": "ThrowObject", "moveMagnitude": 150.0}]
        case "wash":
            return [{"action": "CleanObject", "objectId": thing.id}] if thing.dirty else []
        case "fill" | "fill_from":
            from_other = target is not thing
            liquid = target.liquid if from_other and target.liquid in _LIQUIDS else "water"
            fill = {"action": "FillObjectWithLiquid", "objectId": thing.id, "fillLiquid": liquid}
            emptied = {"action": "EmptyLiquidFromObject", "objectId": target.id}
            return [fill, emptied] if from_other else [fill]
    return [{"action": _OF_OBJECT[name], "objectId": thing.id}]


def preparations(name: str, thing: Thing, held: str) -> list[Command]:
    """What else it takes to force an action: the right thing, or nothing, in the hand."""
    drop: list[Command] = [{"action": "DropHandObject"}] if held else []
    if name == "pick":
        return drop
    if name in ("place", "drop", "throw") and held != thing.id:
        return [*drop, {"action": "PickupObject", "objectId": thing.id}]
    return []


def receptacles(rules: Household, target: Thing) -> list[str]:
    """What to put a thing into: the target, then its basin. PutObject fails on many sinks that call
    themselves receptacles (allenai/ai2thor#367)."""
    return [target.id, *(basin for basin, whole in rules.links.sink.items() if whole == target.id)]
