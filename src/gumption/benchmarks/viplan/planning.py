"""The planner between the model's answers and the actions. Budgets are counts, so that it replays exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec.structs import replace

from gumption.grounding import Domain, Problem
from gumption.grounding.pddl import And, Condition, Fact, Not
from gumption.grounding.planners import solve
from gumption.grounding.states import Dynamics

__all__ = ["MAX_EXPANSIONS", "Plan", "Step", "at_once", "in_turn"]

MAX_EXPANSIONS = 50_000
"""Of one search."""
Step: TypeAlias = tuple[str, ...]
Plan: TypeAlias = Sequence[Step]


def at_once(domain: Domain, problem: Problem) -> Plan | None:
    """A plan by the in-house A*; None where there is none within 50,000 expansions."""
    # Limits of time or memory would make what happens next depend on the machine.
    return solve(domain, problem, "astar", timeout_s=None, memory_mb=None, max_expansions=MAX_EXPANSIONS).plan


def in_turn(domain: Domain, problem: Problem) -> Plan | None:
    """A plan by the same search for one literal of the goal after another, each kept with those before it.

    Household's hardest problem takes 1.2 million expansions at once and 1,700 in turn. Where one of the
    searches ends without a plan, all is tried at once.
    """
    dynamics, reached = Dynamics(domain, problem), problem
    steps: list[Step] = []
    goals: list[Condition] = []
    for positive, atom in sorted(problem.goal_literals or ()):
        goals.append(Fact(atom) if positive else Not(Fact(atom)))
        plan = at_once(domain, replace(reached, goal=And(tuple(goals))))
        if plan is None:
            return at_once(domain, problem)
        for step in plan:
            schema = dynamics.schema(step[0])
            assert schema is not None, "a planner's step is an action of the domain"
            reached = replace(reached, init=schema.apply(reached.init, step[1:]))
        steps += plan
    return steps if problem.goal_literals is not None else at_once(domain, problem)
