"""The planners on the gold problems of ProDG and ViPlan, and on the problems that GPT-4 wrote for ProDG.

Needs the public data: `python -m benches planning`. Each gold problem is solved in a process of its own, so
that memory is that of one search.
"""

from __future__ import annotations

import os
import resource
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benches._table import show
from gumption.grounding import read_domain, read_problem
from gumption.grounding.pddl import Domain, ProblemReading
from gumption.grounding.planners import Planner, fast_downward, solve

_PUBLIC = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
_PRODG, _VIPLAN = _PUBLIC / "prodg", _PUBLIC / "viplan" / "planning"
_STEPS = ("plain", "refine_once", "refine_twice")
_TOGETHER = 2


class Task(NamedTuple):
    """A gold problem."""

    set: str
    domain: Path
    problem: Path


class Outcome(NamedTuple):
    """What became of it."""

    set: str
    status: str
    seconds: float
    memory_mb: float
    expansions: int | None


def main() -> None:
    if not _PUBLIC.is_dir():
        print(f"no public data at {_PUBLIC}: set GUMPTION_PUBLIC_DATA to the folder that holds it")
        return
    tasks = list(_gold())
    planners: list[Planner] = ["astar", "symbolizer-release"]
    if fast_downward.installed():
        planners.append("fast-downward")
    rows = []
    for planner in planners:
        # One after the other, each in a fresh process.
        with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            outcomes = pool.map(partial(_solve, planner=planner), tasks, chunksize=1)
        rows += [_row(planner, name, outcomes) for name in dict.fromkeys(task.set for task in tasks)]
    show(
        "Gold problems; every plan validated",
        ("planner", "problems", "solved", "worst time", "worst memory", "expansions", "most of one"),
        rows,
    )
    print()
    show(
        "Problems written by GPT-4, read strictly: plan / unsolvable / refused",
        ("domain, step", *(planner for planner in planners if planner != "symbolizer-release")),
        [
            (f"{name} {step}", *(_counts(name, step, one) for one in planners if one != "symbolizer-release"))
            for name in ("blocksworld", "cooking")
            for step in _STEPS
        ],
    )


def _gold() -> Iterator[Task]:
    for name in ("blocksworld", "cooking", "hanoi"):
        folder = _PRODG / "data" / name
        for file in sorted(folder.glob("problems/*.pddl")):
            yield Task(f"ProDG {name}", folder / "domain.pddl", file)
    for split in ("simple", "medium", "hard"):
        folder = _VIPLAN / "blocksworld"
        for file in sorted(folder.glob(f"problems/{split}*/{split}_problem_*.pddl")):
            yield Task(f"ViPlan Blocksworld {split}", folder / "domain.pddl", file)
    for file in sorted(_VIPLAN.glob("igibson/*/*.pddl")):
        yield Task("ViPlan Household", _VIPLAN / "igibson" / "domain.pddl", file)


def _solve(task: Task, planner: Planner) -> Outcome:
    domain = read_domain(task.domain.read_text(encoding="utf-8"))
    problem = read_problem(task.problem.read_text(encoding="utf-8"), domain).problem
    if problem is None:
        return Outcome(task.set, "unread", 0.0, 0.0, None)
    who = resource.RUSAGE_CHILDREN if planner == "fast-downward" else resource.RUSAGE_SELF
    before = resource.getrusage(who).ru_maxrss
    start = time.perf_counter()
    result = solve(domain, problem, planner)
    seconds = time.perf_counter() - start
    memory = (resource.getrusage(who).ru_maxrss - before) / 1024
    return Outcome(task.set, result.status, seconds, memory, result.expansions)


def _row(planner: str, name: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    mine = [outcome for outcome in outcomes if outcome.set == name]
    expansions = [outcome.expansions for outcome in mine if outcome.expansions is not None]
    return (
        planner,
        name,
        f"{sum(outcome.status == 'solved' for outcome in mine)} of {len(mine)}",
        f"{max(outcome.seconds for outcome in mine):.2f} s",
        f"{max(outcome.memory_mb for outcome in mine):.0f} MiB",
        f"{sum(expansions):,}" if expansions else "",
        f"{max(expansions):,}" if expansions else "",
    )


def _counts(name: str, step: str, planner: Planner) -> str:
    """How many of the hundred have a plan, have none, and are not read by the planner or by us."""
    domain = read_domain((_PRODG / "data" / name / "domain.pddl").read_text(encoding="utf-8"))
    files = sorted((_PRODG / "gpt4_outputs" / name / step / "problems").glob("*.pddl"))
    readings = [read_problem(file.read_text(encoding="utf-8"), domain, repair=False) for file in files]
    with ThreadPoolExecutor(_TOGETHER if planner == "fast-downward" else 1) as pool:
        statuses = Counter(pool.map(partial(_status, domain=domain, planner=planner), readings))
    counts = [statuses.pop(status, 0) for status in ("solved", "unsolvable", "malformed")]
    return " / ".join(map(str, counts)) + "".join(f", {n} {status}" for status, n in statuses.items())


def _status(reading: ProblemReading, domain: Domain, planner: Planner) -> str:
    """A text that needs repair, or that has no goal, is refused as it stands."""
    if reading.problem is None or any(error.kind == "missing_section" for error in reading.errors):
        return "malformed"
    return solve(domain, reading.problem, planner).status
