"""ViPlan's figures of a run, pooled from the parts of its tasks (arXiv 2505.13180, and its release).

`gumption run` and `report` give the share of tasks solved with its interval; these are the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

__all__ = ["Parts", "figures"]

Parts: TypeAlias = Mapping[str, float]
"""The parts of one task's score, as in `Scored.parts`."""


def figures(tasks: Iterable[tuple[float | None, Parts]]) -> dict[str, float]:
    """The figures of some tasks, each given as (value, parts); unscored tasks are left out.

    questions: answers to whole enumerations. predicate_accuracy: right ones among them, pooled over the first
    and all later enumerations of all tasks. macro_predicate_accuracy: mean of the predicates' accuracies.
    initial_accuracy: first enumerations only. f1, f1_without_static: of the first enumeration's true atoms,
    mean over the tasks that have one. exact_states: how many of these are right in full. task_accuracy.
    fail_ratio: tasks without a plan at first. action_accuracy: pooled. unread: replies that could not be
    read. A figure without anything to rest on is left out.
    """
    scored = [(value, parts) for value, parts in tasks if value is not None]
    parts = [one for _, one in scored]

    def total(name: str) -> float:
        return sum(one.get(name, 0.0) for one in parts)

    predicates = sorted(
        {name.partition("/")[2] for one in parts for name in one if name.startswith("asked/")}
    )
    first = [one for one in parts if "f1" in one]
    found = {"tasks": float(len(scored)), "unread": total("unread")}
    if scored:
        found["task_accuracy"] = sum(value for value, _ in scored) / len(scored)
    if total("action_total"):
        found["action_accuracy"] = total("action_correct") / total("action_total")
    if parts and all("planned" in one for one in parts):
        found["fail_ratio"] = 1 - total("planned") / len(parts)
    if predicates:
        found["questions"] = total("asked")
        found["predicate_accuracy"] = total("correct") / total("asked")
        ratios = [total(f"correct/{name}") / total(f"asked/{name}") for name in predicates]
        found["macro_predicate_accuracy"] = sum(ratios) / len(ratios)
    if first:
        found["enumerated"] = float(len(first))
        found["initial_accuracy"] = total("initial_correct") / total("initial_asked")
        found["f1"] = total("f1") / len(first)
        found["f1_without_static"] = total("f1_without_static") / len(first)
        found["exact_states"] = total("exact_state")
    return found
