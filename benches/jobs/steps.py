"""Steps in the symbolic household: the gold plans of EmbodiedBrain again and again, from the public data."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

from benches.household import PUBLIC, episodes
from benches.jobs._job import Job, Work
from gumption.planning.execution import execute


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    if not PUBLIC.is_dir():
        raise ModuleNotFoundError("the public data")
    planned, left = [], size
    for world, plan, _ in cycle(episodes()):
        if left <= 0:
            break
        planned.append((world, plan[:left]))
        left -= len(plan)

    def ours() -> None:
        for world, plan in planned:
            world.reset()
            execute(world, plan, None, mode="continue")

    def dictionary() -> None:
        for _, plan in planned:
            facts: dict[str, str] = {}
            for action in plan:
                facts[action.object] = facts.get(action.target, action.target)

    return ours, dictionary


JOB = Job("steps in a household", "steps", (2_000, 20_000), "a dictionary set by the same steps", _prepared)
