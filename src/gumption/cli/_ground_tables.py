"""What the verbs of `gumption ground` print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gumption.cli._plans import print_json

if TYPE_CHECKING:
    from gumption.grounding import Domain, Finding, PlanVerdict, ProblemReading
    from gumption.grounding.planners import PlanResult
    from gumption.grounding.planners.many import Solved
    from gumption.grounding.prodg_outputs import PlanningRates, StepScores

__all__ = ["findings_json", "show_findings", "show_plan", "show_solved", "show_steps", "show_verdict"]

_MOST_LISTED = 50


def show_findings(path: str, domain: Domain, readings: Mapping[str, ProblemReading]) -> None:
    """Findings as compilers write them, and what stands in each text."""
    _list_findings(path, domain.errors)
    unsupported = f"; not supported: {', '.join(domain.unsupported)}" if domain.unsupported else ""
    print(
        f"{path}: domain {domain.name}, {len(domain.actions)} actions,"
        f" {len(domain.predicates)} predicates{unsupported}"
    )
    for name, reading in readings.items():
        _list_findings(name, reading.errors)
        for note in reading.notes:
            print(f"{name}: note: {note}")
        problem = reading.problem
        if problem is None:
            print(f"{name}: no problem can be read")
            continue
        literals = problem.goal_literals
        goal = "a goal that is no conjunction" if literals is None else f"{len(literals)} goals"
        repairs = f"; repaired: {', '.join(reading.repairs)}" if reading.repairs else ""
        print(
            f"{name}: problem {problem.name}, {len(problem.objects)} objects, {len(problem.init)} atoms,"
            f" {goal}{'; clean' if reading.clean else ''}{repairs}"
        )


def _list_findings(path: str, findings: Sequence[Finding]) -> None:
    for one in findings[:_MOST_LISTED]:
        where = f" in {one.section}" if one.section else ""
        print(f"{path}:{one.line}:{one.column}: {one.kind.replace('_', ' ')}{where}: {one.symbol}")
    if len(findings) > _MOST_LISTED:
        kinds = Counter(one.kind.replace("_", " ") for one in findings[_MOST_LISTED:])
        print(f"{path}: and {', '.join(f'{count} {kind}' for kind, count in kinds.items())}")


def findings_json(domain: Domain, readings: Mapping[str, ProblemReading]) -> dict[str, Any]:
    """The same for programs, with what was read."""
    from gumption.grounding.states import written

    problems = {}
    for name, reading in readings.items():
        problem = reading.problem
        problems[name] = {
            "clean": reading.clean,
            "repair": reading.repair,
            "repairs": reading.repairs,
            "errors": reading.errors,
            "notes": reading.notes,
            "objects": problem and problem.objects,
            "init": problem and sorted(problem.init),
            "goal": problem and written(problem.goal),
        }
    return {
        "domain": domain.name,
        "errors": domain.errors,
        "unsupported": domain.unsupported,
        "problems": problems,
    }


def show_verdict(verdict: PlanVerdict, steps: Sequence[Sequence[str]]) -> None:
    """Whether a plan is valid, and all its faults."""
    if verdict.valid:
        print(f"Valid: {len(steps)} steps reach the goal.")
        return
    print(f"Not valid: {verdict.executed} of {len(steps)} steps can be executed from the start.")
    for error in verdict.errors:
        place = "goal" if error.step is None else f"step {error.step} ({' '.join(steps[error.step])})"
        marks = ", ".join(mark for mark in ("static", "secondary") if getattr(error, mark))
        print(f"  {place}: {error.kind}: {error.detail}{f'  [{marks}]' if marks else ''}")


def show_plan(result: PlanResult) -> None:
    """A plan that pipes into `gumption ground validate`, what is said of it being comments."""
    from gumption.grounding.plans import write_actions

    if result.plan is not None:
        print(write_actions(result.plan), end="")
    length = "" if result.plan is None else f", {len(result.plan)} steps"
    detail = f": {result.detail}" if result.detail else ""
    print(f"; {result.status}{length}, {result.planner}{detail}")


def show_solved(done: Sequence[Solved], *, as_json: bool) -> None:
    """What became of many problems: a line for each without a plan, and how many there are of each status."""
    statuses = Counter(one.result.status for one in done)
    if as_json:
        problems = {one.problem: one.result for one in done}
        print_json({"planned": len(done), "statuses": statuses, "problems": problems})
        return
    failed = [one for one in done if one.result.plan is None]
    for one in failed[:_MOST_LISTED]:
        detail = f": {one.result.detail}" if one.result.detail else ""
        print(f"{one.problem}: {one.result.status}, {one.result.planner}{detail}")
    if len(failed) > _MOST_LISTED:
        print(f"and {len(failed) - _MOST_LISTED} more without a plan")
    print(
        f"{len(done)} problems: {', '.join(f'{count} {status}' for status, count in statuses.most_common())}"
    )


def show_steps(steps: Sequence[StepScores], planner: str) -> None:
    """A table of outputs by domain and step."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    for name in ("domain", "step", "n", "clean", "objects", "init", "goal", "exact"):
        table.add_column(name, justify="left" if name in ("domain", "step") else "right")
    planned = {"shipped": [one.shipped for one in steps], planner: [one.planned for one in steps]}
    shown = {name: rates for name, rates in planned.items() if any(rates)}
    for name in shown:
        table.add_column(f"{name}: found / own / gold", justify="right")
    for number, one in enumerate(steps):
        parts = (one.scores.objects, one.scores.predicates, one.scores.goal)
        table.add_row(
            one.domain,
            one.step,
            str(one.scores.n),
            str(one.clean),
            *("-" if part.macro is None else f"{part.macro:.3f}" for part in parts),
            str(one.scores.exact),
            *(_rates(rates[number]) for rates in shown.values()),
        )
    Console(soft_wrap=False, width=max(80, 30 * len(shown) + 80)).print(table)
    print("objects, init, goal: strict F1, mean over all outputs; a failed output is an empty one.")
    if shown:
        print("found / own / gold: outputs with a plan, valid in the output's own problem, valid in gold.")


def _rates(rates: PlanningRates | None) -> str:
    return "-" if rates is None else f"{rates.found} / {rates.valid_own} / {rates.valid_gold}"
