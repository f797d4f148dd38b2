"""Search for a plan, beside pyperplan's A* with its additive heuristic."""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path

from benches.jobs import _hanoi
from benches.jobs._job import Job, Work


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:
    # By name, as planners that nobody must install.
    heuristic = import_module("pyperplan.heuristics.relaxation").hAddHeuristic
    search_plan = import_module("pyperplan.planner").search_plan
    astar = import_module("pyperplan.search").astar_search

    logging.getLogger().setLevel(logging.WARNING)

    def theirs(domain: Path, problem: Path) -> None:
        assert search_plan(str(domain), str(problem), astar, heuristic)

    return _hanoi.searched(size, folder, theirs)


JOB = Job(
    "search for a plan", _hanoi.UNIT, _hanoi.SIZES, "pyperplan, A* and hAdd, reading included", _prepared
)
