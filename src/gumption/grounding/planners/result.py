"""What a planner came to."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

__all__ = ["PlanResult", "PlanStatus", "Step"]

PlanStatus = Literal[
    "solved", "unsolvable", "gave_up", "timeout", "memory", "malformed", "unsupported", "crashed"
]
Step: TypeAlias = tuple[str, ...]
"""An action's name and its arguments."""


class PlanResult(msgspec.Struct, frozen=True):
    """A plan, or why there is none."""

    status: PlanStatus
    """unsolvable: proven. gave_up: a limit that is a count was reached, or the planner is incomplete.
    malformed: the planner does not read the problem. crashed: also a plan that does not validate."""
    plan: list[Step] | None
    """Validated; empty where the goal already holds. None unless solved."""
    planner: str
    """Name and version."""
    expansions: int | None = None
    """States expanded; None where the planner does not say."""
    detail: str = ""
    """Why there is no plan, in words."""
