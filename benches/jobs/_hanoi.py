"""Towers of Hanoi in PDDL: each disc more makes three times the states."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from pathlib import Path

from benches.jobs._job import Work
from gumption.grounding import read_domain, read_problem
from gumption.grounding.planners import solve

__all__ = ["SIZES", "UNIT", "searched"]

UNIT = "states of Hanoi"
SIZES = (3**5, 3**7)
"""Nine times: the nearest to ten."""
_DOMAIN = """(define (domain hanoi) (:requirements :strips)
 (:predicates (clear ?x) (on ?x ?y) (smaller ?x ?y))
 (:action move :parameters (?disc ?from ?to)
  :precondition (and (smaller ?to ?disc) (on ?disc ?from) (clear ?disc) (clear ?to))
  :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))
"""


def searched(size: int, folder: Path, other: Callable[[Path, Path], object]) -> tuple[Work, Work]:
    """Our A* and another planner, which is given the two files, for a problem of so many states."""
    text = _problem(round(log(size, 3)))
    files = folder / "domain.pddl", folder / "problem.pddl"
    for path, content in zip(files, (_DOMAIN, text), strict=True):
        path.write_text(content)
    domain = read_domain(_DOMAIN)
    problem = read_problem(text, domain).problem
    assert problem is not None

    def ours() -> None:
        found = solve(domain, problem, planner="astar", timeout_s=None, memory_mb=None)
        assert found.plan is not None

    return ours, lambda: other(*files)


def _problem(discs: int) -> str:
    names = [f"d{number}" for number in range(discs)]
    pegs = ["p0", "p1", "p2"]
    smaller = [f"(smaller {peg} {disc})" for peg in pegs for disc in names]
    smaller += [f"(smaller {names[j]} {names[i]})" for j in range(discs) for i in range(j)]
    tower = [f"(on {one} {below})" for one, below in zip(names, [*names[1:], "p0"], strict=True)]
    goal = [f"(on {one} {below})" for one, below in zip(names, [*names[1:], "p2"], strict=True)]
    clear = ["(clear d0)", "(clear p1)", "(clear p2)"]
    return (
        f"(define (problem tower) (:domain hanoi) (:objects {' '.join(pegs + names)})\n"
        f"(:init {' '.join(smaller + tower + clear)})\n(:goal (and {' '.join(goal)})))"
    )
