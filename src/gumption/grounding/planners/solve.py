"""One way into all planners."""

from __future__ import annotations

from typing import Literal

from gumption.grounding.pddl import Domain, MalformedPDDL, Problem
from gumption.grounding.planners import fast_downward
from gumption.grounding.planners._budget import Budget, Exhausted
from gumption.grounding.planners.grounded import Task
from gumption.grounding.planners.novelty import MaskNovelty
from gumption.grounding.planners.result import PlanResult
from gumption.grounding.planners.search import astar
from gumption.grounding.states import Dynamics
from gumption.grounding.validator import validate
from gumption.records import GumptionError

__all__ = ["Planner", "solve"]

Planner = Literal["auto", "astar", "fast-downward", "symbolizer-release"]
_ASTAR = "gumption astar 1"
"""The number changes with anything that can change which plan is found."""
_RELEASE_EXPANSIONS = 50_000


def solve(
    domain: Domain,
    problem: Problem,
    planner: Planner = "auto",
    timeout_s: float | None = 60,
    *,
    memory_mb: float | None = 2048,
    max_expansions: int | None = None,
) -> PlanResult:
    """Look for a plan; one that is found has been validated.

    planner: "astar" is the in-house search with a goal count and novelty; "symbolizer-release" is the same
    with the 50,000 expansions of SYMBOLIZER's release (arXiv 2604.17830); "fast-downward" is Fast Downward's
    lama-first in a process of its own; "auto" is Fast Downward where it is installed and reads the
    domain, else "astar". Name one wherever results are to be compared. No planner promises a shortest plan.
    timeout_s, memory_mb: wall-clock seconds, and mebibytes that the search may take; None is no limit.
    max_expansions: in-house search only.
    A goal that already holds has the plan of no steps. Objects that are not declared stand in atoms that
    never change for the in-house search; Fast Downward refuses them ("malformed").
    Raises UnsupportedPDDL for derived predicates, numeric fluents and durative actions, GumptionError for an
    unknown planner and for "fast-downward" where it is not installed.
    """
    Dynamics(domain, problem)
    match planner:
        case "fast-downward":
            result = fast_downward.solve(domain, problem, timeout_s, memory_mb)
        case "auto" if fast_downward.installed() and fast_downward.reads(domain, problem):
            result = fast_downward.solve(domain, problem, timeout_s, memory_mb)
        case "astar" | "auto":
            result = _astar(domain, problem, Budget(timeout_s, memory_mb), max_expansions, _ASTAR)
        case "symbolizer-release":
            most = _RELEASE_EXPANSIONS if max_expansions is None else max_expansions
            name = f"{_ASTAR} (symbolizer-release)"
            result = _astar(domain, problem, Budget(timeout_s, memory_mb), most, name)
        case _:
            raise GumptionError(
                f"no planner is called {planner!r}",
                where="solve",
                remedy="auto, astar, fast-downward or symbolizer-release",
            )
    if result.plan is not None:
        verdict = validate(domain, problem, result.plan, faults="first")
        if not verdict.valid:
            detail = f"the plan found is not valid: {verdict.reason}"
            return PlanResult("crashed", None, result.planner, result.expansions, detail)
    return result


def _astar(
    domain: Domain, problem: Problem, budget: Budget, max_expansions: int | None, name: str
) -> PlanResult:
    try:
        task = Task(domain, problem, budget)
    except Exhausted as stop:
        return PlanResult(stop.status, None, name, 0, stop.detail)
    except MalformedPDDL as error:
        return PlanResult("malformed", None, name, 0, str(error))
    found = astar(task, MaskNovelty(), max_expansions, budget)
    plan = None if found.plan is None else [operator.step for operator in found.plan]
    return PlanResult(found.status, plan, name, found.expansions, found.detail)
