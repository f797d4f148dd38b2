"""Search for a plan, beside Fast Downward's lama-first, its start included."""

from __future__ import annotations

from pathlib import Path

from benches.jobs import _hanoi
from benches.jobs._job import Job, Work
from gumption.grounding import read_domain, read_problem
from gumption.grounding.planners import fast_downward, solve


def _fast_downward(domain: Path, problem: Path) -> None:
    there = read_domain(domain.read_text())
    found = solve(there, read_problem(problem.read_text(), there).problem, planner="fast-downward")  # type: ignore[arg-type]
    assert found.plan is not None


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:
    if not fast_downward.installed():
        raise ModuleNotFoundError("up-fast-downward")
    return _hanoi.searched(size, folder, _fast_downward)


JOB = Job("search for a plan", _hanoi.UNIT, _hanoi.SIZES, "Fast Downward, start included", _prepared)
