"""Tasks as the items of a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gumption.benchmarks.plansim.asking import Asked, question_of
from gumption.benchmarks.plansim.outcome import scene_meta
from gumption.benchmarks.plansim.rooms import Rooms
from gumption.benchmarks.plansim.task import Task
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene
from gumption.records import Answer, Image, Item

__all__ = ["item_of"]


def item_of(
    task: Task,
    scene: Scene,
    asked: Asked,
    *,
    benchmark: str,
    rooms: Rooms,
    cluster: str = "",
    protocol: str = "",
    more: Mapping[str, Any] | None = None,
) -> Item:
    """A task as an item. It keeps its scene, so that it can be scored where the rooms' files are not.

    Pictures are the renders or the plan of the room by its name, or a plan of the scene where it is not
    that room as it comes. more: for `meta`.
    """
    world = Household(scene)
    pictures: Sequence[Image] = ()
    if asked.shown == "picture":
        pictures = rooms.pictures(task.scene) if scene.name == task.scene else (rooms.drawn(scene),)
    return Item(
        id=task.id,
        benchmark=benchmark,
        parts=question_of(world, task.instruction, asked, pictures),
        answer=Answer("actions", gold={"actions": [list(action) for action in task.plan]}),
        cluster=cluster or task.scene,
        category=task.category,
        dimension=asked.form,
        meta={
            "instruction": task.instruction,
            "form": asked.form,
            "shown": asked.shown,
            "feasible": task.feasible,
            "why": task.why,
            "plan": [list(action) for action in task.plan],
            "goal": msgspec.to_builtins(task.goal),
            "protocol": protocol,
            **(more or {}),
            "scene": scene_meta(scene),
        },
    )
