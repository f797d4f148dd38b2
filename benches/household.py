"""Steps a second in the symbolic household: the 69 gold plans of EmbodiedBrain, replayed in one process.

Needs the public data: `python -m benches household`. Only instructions that were executed count. Every replay
starts from a reset room, follows the goal derived from the plan, lists all errors and keeps every step. The
reference is ALFWorld's engine, where `alfworld`, `textworld` and `fast-downward-textworld` are installed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from benches import _alfworld
from benches._table import show
from gumption.planning import derive, read_plan
from gumption.planning.execution import execute
from gumption.planning.goals import Goal
from gumption.planning.resolve import Resolution, resolve_plan
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene, load_scene
from gumption.planning.worlds.world import Action

PUBLIC = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
_METADATA = PUBLIC / "ithor" / "ai2thor-object-metadata.json.gz"
_ROUNDS, _TRIES = 20, 5


def main() -> None:
    gold = episodes()
    instructions = sum(len(plan) for _, plan, _ in gold)
    rows = []
    for name, followed in (("household", False), ("household, following derived goals", True)):
        # The processor's time: other processes on the machine are no fault of the simulator.
        best, executed = max(_replay(gold, followed=followed) for _ in range(_TRIES))
        rows.append((name, f"{executed:,} of {instructions * _ROUNDS:,}", f"{best:,.0f}"))
    ours = best
    note = "ALFWorld's engine is not installed here: pip install alfworld textworld fast-downward-textworld."
    if _alfworld.installed():
        theirs = _alfworld.steps_a_second(load_scene("FloorPlan9", _METADATA), 20, time.process_time)
        rows.append(("ALFWorld's engine, FloorPlan9", "all", f"{theirs:,.1f}"))
        note = (
            f"{ours / theirs:,.0f} times. ALFWorld's engine lists all admissible commands after every step."
        )
    show("Steps in a household", ("world", "instructions executed", "steps a second"), rows)
    print(f"\n{note}")


def episodes() -> list[tuple[Household, list[Action], Goal]]:
    """The 69 gold plans: the room of each, its steps, and the goal derived from it."""
    return [_episode(load_scene(room, _METADATA), reply) for room, reply in _replies()]


def _replies() -> Iterator[tuple[str, str]]:
    text = (PUBLIC / "embodiedbrain" / "simulation_benchmark_set.json").read_text(encoding="utf-8")
    for task in json.loads(text):
        number = Path(task["images"][0]).parent.name
        yield f"FloorPlan{number}", task["conversations"][1]["content"]


def _episode(scene: Scene, reply: str) -> tuple[Household, list[Action], Goal]:
    world = Household(scene)
    steps = resolve_plan(read_plan(reply).actions or [], scene)
    plan = [Action(one.verb, _id(one.object), _id(one.target or one.tool)) for one in steps]
    return world, plan, derive(world, plan)


def _id(one: Resolution | None) -> str:
    return "" if one is None else one.object_id or one.phrase


def _replay(episodes: list[tuple[Household, list[Action], Goal]], *, followed: bool) -> tuple[float, int]:
    executed = 0
    start = time.process_time()
    for _ in range(_ROUNDS):
        for world, plan, goal in episodes:
            world.reset()
            done = execute(world, plan, goal if followed else None, mode="continue")
            executed += sum(step.ok for step in done.steps)
    return executed / (time.process_time() - start), executed


if __name__ == "__main__":
    main()
