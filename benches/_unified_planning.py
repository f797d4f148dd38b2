"""unified-planning's reader and sequential validator, made to read ProDG: the program to compare with."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

from unified_planning.environment import get_environment
from unified_planning.io import PDDLReader
from unified_planning.plans import ActionInstance, SequentialPlan
from unified_planning.shortcuts import ObjectExp, PlanValidator

__all__ = ["read", "validate"]

# ProDG's `robot` is a type and an object, its `move` a predicate and an action.
get_environment().error_used_name = False
get_environment().credits_stream = None
_EMPTY_FUNCTIONS = re.compile(r"\(\s*:functions\s*(?:;[^\n]*\s*)?\)")


def read(domain: str, problem: str) -> Any:
    """A problem of unified-planning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return PDDLReader().parse_problem_string(_EMPTY_FUNCTIONS.sub("", domain), problem)


def validate(problem: Any, plan: Sequence[Sequence[str]]) -> bool:
    """Whether the plan is valid."""
    objects = {one.name: ObjectExp(one) for one in problem.all_objects}
    steps = [
        ActionInstance(problem.action(name), tuple(objects[one] for one in arguments))
        for name, *arguments in plan
    ]
    with PlanValidator(name="sequential_plan_validator") as validator:
        return bool(validator.validate(problem, SequentialPlan(steps)))
