"""The habits of the released SYMBOLIZER scorer (zlatanajanovic/symbolizer): both numbers can be shown.

Where it differs from the strict scores:

- a gold atom or literal that is missing is forgiven if the same arguments were predicted in another order;
  the reordered prediction still counts as a false positive, and may forgive several (`count_with_credit`);
- two empty sets score 1 (`EMPTY_EMPTY`);
- a failed goal leaves the mean, and a failed output is no row at all (`compare` with `on_failure="exclude"`);
- where no goal was read, the plan is searched for the gold goal (`planned_problem`);
- a plan of no steps, for a goal that already holds, counts as unsolved (`solved`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from gumption.grounding.metrics import Counts
from gumption.grounding.pddl import Problem
from gumption.grounding.problem_score import Comparison, Section, compare

__all__ = ["EMPTY_EMPTY", "count_with_credit", "planned_problem", "release_compare", "solved"]

EMPTY_EMPTY = 1.0
"""The release's F1 of two empty sets; pass it to `summarise`."""


def count_with_credit(predicted: Collection[Any], gold: Collection[Any]) -> Counts:
    """Count atoms (predicate, argument, ...) or literals (positive, atom) with permutation credit.

    Precision is credited gold over credited gold and false positives; one predicted atom can stand for
    several gold ones.
    """
    said, wanted = set(predicted), set(gold)
    orderless = {_orderless(one) for one in said}
    credited = sum(one in said or _orderless(one) in orderless for one in wanted)
    return Counts(credited, len(said - wanted), len(wanted) - credited)


def _orderless(one: tuple[Any, ...]) -> tuple[Any, ...]:
    if isinstance(one[0], bool):
        return one[0], _orderless(one[1])
    return one[0], tuple(sorted(one[1:]))


def release_compare(
    predicted: Problem | None, gold: Problem, *, failed: Collection[Section] = ()
) -> Comparison:
    """Compare as the release does; take together with `summarise_problems(..., EMPTY_EMPTY)`."""
    return compare(predicted, gold, failed=failed, on_failure="exclude", counting=count_with_credit)


def planned_problem(predicted: Problem, gold: Problem, *, failed: Collection[Section] = ()) -> Problem:
    """The problem that the release hands to its planner: with the gold goal where the model gave none."""
    return msgspec.structs.replace(predicted, goal=gold.goal) if "goal" in failed else predicted


def solved(plan: Sequence[Sequence[str]] | None) -> bool:
    """Whether the release counts a plan as found: longer than nothing."""
    return bool(plan)
