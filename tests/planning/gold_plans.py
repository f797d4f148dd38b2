"""The 69 gold plans with objects resolved by a plain table: what is needed to execute them, and no more."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import load_scene
from gumption.planning.worlds.world import Action, Thing

_ALIASES = {
    "refrigerator": "Fridge",
    "water": "Faucet",
    "tap": "Faucet",
    "trash can": "GarbageCan",
    "trash": "GarbageCan",
    "notebook": "Book",
    "stove": "StoveBurner",
    "lamp": "DeskLamp FloorLamp",
    "light": "LightSwitch",
    "clock": "AlarmClock",
    "sponge": "DishSponge",
    "counter": "CounterTop",
    "worktop": "CounterTop",
    "sink top": "CounterTop",
    "table": "DiningTable SideTable CoffeeTable CounterTop",
    "round table": "DiningTable SideTable CoffeeTable",
    "kitchen table": "DiningTable CounterTop",
    "bath tub": "Bathtub BathtubBasin",
    "bathtub": "Bathtub BathtubBasin",
    "washing basin": "SinkBasin Sink",
    "sink": "SinkBasin Sink",
    "cookware": "Pot Pan",
    "drawer cabinet": "Drawer Dresser",
    "tomato piece": "TomatoSliced",
    "slice": "TomatoSliced AppleSliced BreadSliced PotatoSliced",
    "bread slice": "BreadSliced",
    "apple slice": "AppleSliced",
    "tomato slice": "TomatoSliced",
    "potato slice": "PotatoSliced",
}
_COLOURS = re.compile(r"\b(white|red|blue|green|pink|yellow|black|ceramic|cardboard|metal)\b ?")
STAND_INS = {
    "cutting board": "CounterTop",
    "original position": "CounterTop",
    "knife original position": "CounterTop",
    "drawer front": "Drawer",
    "drawer interior": "Drawer",
    "bed right wall side": "Bed",
    "bed center within 20cm of bed edge": "Bed",
}
"""Phrases that name no type of AI2-THOR, and what they are executed with."""


def gold_tasks(data: Path) -> Iterator[tuple[int, str, str, list[list[str]]]]:
    """Number, room, task and gold actions, as strings."""
    text = (data / "embodiedbrain" / "simulation_benchmark_set.json").read_text(encoding="utf-8")
    for number, task in enumerate(json.loads(text)):
        ask, answer = (turn["content"] for turn in task["conversations"])
        room = re.search(r"simulation/(\d+)/", task["images"][0])[1]
        actions = re.search(r"<actions>(.*?)</actions>", answer, re.DOTALL)[1]
        yield number, f"FloorPlan{room}", ask[ask.find("Can you") :], ast.literal_eval(actions)


def gold_world(data: Path, room: str) -> Household:
    return Household(load_scene(room, data / "ithor" / "ai2thor-object-metadata.json.gz"))


def types_of(
    phrase: str, present: set[str], *, stand_ins: bool = True, mug_for_cup: bool = True
) -> list[str]:
    """The types that a phrase may mean, those in the room only."""
    plain = phrase.lower().strip()
    names = {name.lower(): name for name in present}
    for words in (plain, _COLOURS.sub("", plain)):
        spelled = _ALIASES.get(words) or (STAND_INS.get(words) if stand_ins else None)
        found = spelled.split() if spelled else [names.get(words.replace(" ", ""), "")]
        if mug_for_cup and found == [""] and words == "cup":
            found = ["Mug"]
        if any(name in present for name in found):
            return [name for name in found if name in present]
    return []


class Resolver:
    """The same phrase is the same object, slices apart; of several, one in sight, nearest to the last one."""

    def __init__(self, world: Household) -> None:
        self._world = world
        self._known: dict[str, str] = {}

    def action(self, words: list[str]) -> Action:
        return Action(words[0], *[self._object(word) for word in words[1:]])

    def _object(self, phrase: str) -> str:
        things, world = self._world.objects(), self._world
        kinds = types_of(phrase, {thing.type for thing in things.values()})
        if world.held and things[world.held].type in kinds:
            return world.held
        key = " ".join(kinds)
        if key in self._known and not key.endswith("Sliced"):
            return self._known[key]
        last = next(reversed(self._known.values()), "")
        found = [
            thing
            for thing in things.values()
            if thing.type in kinds and not (thing.type == "StoveBurner" and world.contents(thing.id))
        ]
        if kinds == ["Faucet"]:
            basins = [name for name in self._known.values() if name in world.links.faucets]
            found = [things[faucet] for name in basins[-1:] for faucet in world.links.faucets[name]] or found
        if not found:
            return phrase

        def order(thing: Thing) -> tuple[bool, int, float, str]:
            here, there = world.about[thing.id].position, world.about[last or thing.id].position
            far = (here.x - there.x) ** 2 + (here.z - there.z) ** 2
            return world.shut_in(thing), kinds.index(thing.type), far, thing.id

        chosen = min(found, key=order).id
        if not key.endswith("Sliced"):
            self._known[key] = chosen
        return chosen
