"""What the verbs of `gumption plan` print for a person."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gumption.cli._plans import print_json

if TYPE_CHECKING:
    from gumption.planning.agreement import JudgeAgreement
    from gumption.planning.match import ActionPairScore
    from gumption.planning.simulating import Executed

__all__ = ["say_failed", "show_agreement", "show_execution", "show_executions", "show_match", "show_matches"]

_MOST_LISTED = 10


def show_match(found: ActionPairScore, *, as_json: bool) -> None:
    """A plan's scores, and what of each plan matches what of the other."""
    if as_json:
        print_json(found)
        return
    for number, (action, row) in enumerate(zip(found.predicted, found.matrix, strict=True), start=1):
        partners = [str(place) for place, cell in enumerate(row, start=1) if cell]
        print(f"{number:>3}. {', '.join(action)}  ->  {', '.join(partners) or '-'}")
    print("Gold:")
    for number, action in enumerate(found.gold, start=1):
        print(f"{number:>3}. {', '.join(action)}")
    for name, score in (("quantity", found.quantity), ("order", found.order)):
        print(
            f"{name:<9}{score.count:>3} matched  precision {_said(score.precision)}  "
            f"recall {_said(score.recall)}  F1 {_said(score.f1)}"
        )
    raised = [name for name in found.flags.__struct_fields__ if getattr(found.flags, name)]
    print(f"judge {found.judge}{''.join(f'; {name}' for name in raised)}")


def show_matches(scores: Sequence[ActionPairScore], judge: str, *, as_json: bool) -> None:
    """Macro and micro means of many pairs, with what they rest on."""
    from gumption.planning.match import macro, micro

    mean, pooled = macro(scores), micro(scores)
    failed = sum(one.flags.judge_failed for one in scores)
    if as_json:
        print_json(
            {
                "macro": {"quantity": mean[0], "order": mean[1]},
                "micro": {"quantity": pooled[0], "order": pooled[1]},
                "n": len(scores) - failed,
                "planned": len(scores),
                "judge": judge,
            }
        )
        return
    print("             quantity F1   order F1")
    print(f"macro        {_said(mean[0]):>11}{_said(mean[1]):>11}")
    print(f"micro        {_said(pooled[0].f1):>11}{_said(pooled[1].f1):>11}")
    print(f"{len(scores) - failed} of {len(scores)} pairs scored; judge {judge}.")


def say_failed(problem: str, remedy: str) -> None:
    """That a simulator failed, on standard error."""
    print(f"The simulator failed, not the plan: {problem}", file=sys.stderr)
    print(f"To mend it: {remedy}", file=sys.stderr)


def show_executions(done: Sequence[Executed], *, as_json: bool) -> None:
    """How many plans of many came how far, and how many say nothing since the simulator failed."""
    executed = [one.execution for one in done if one.execution is not None]
    asked = [one.success for one in executed if one.success is not None]
    figures = {
        "planned": len(done),
        "n": len(executed),
        "executable": sum(one.executable for one in executed),
        "completed": sum(one.completed for one in executed),
        "with_goal": len(asked),
        "success": sum(asked),
    }
    failed = [one.id for one in done if one.status == "infra_error"]
    if as_json:
        print_json({**figures, "infra_errors": failed})
        return
    print(f"{len(executed)} of {len(done)} plans executed.")
    print(f"  all steps executable {figures['executable']}   to completion {figures['completed']}", end="")
    print(f"   success {figures['success']} of {len(asked)} with a goal")
    for name in failed[:_MOST_LISTED]:
        print(f"  the simulator failed: {name}")
    if len(failed) > _MOST_LISTED:
        print(f"  the simulator failed: {len(failed) - _MOST_LISTED} more")


def show_execution(done: Executed, *, as_json: bool) -> None:
    """The steps, each with what became of it, then what was reached; nothing where the simulator failed."""
    execution = done.execution
    if execution is None:
        return
    if as_json:
        print_json({"execution": execution, "errors": done.errors, "steps": done.steps})
        return
    wrong: dict[int, list[str]] = {}
    for error in done.errors:
        if error.step is not None:
            wrong.setdefault(error.step, []).append(f"{error.kind}: {error.detail}")
    for place, step in enumerate(done.steps):
        if place >= len(execution.steps):
            state = "not tried"
        else:
            taken = execution.steps[place]
            state = "failed" if not taken.ok else "done" if taken.changed else "nothing changed"
        words = ", ".join((step.verb, *(one.phrase for one in step.arguments)))
        print(f"{place + 1:>3}. {words}: {state}")
        for line in wrong.get(place, ()):
            print(f"       {line}")
    print(f"Executed to completion: {_yes(execution.completed)}.")
    if execution.goal is not None:
        goal = execution.goal
        print(f"Goal: {goal.satisfied} of {goal.conditions} conditions. Success: {_yes(execution.success)}.")
        for sentence in goal.unmet:
            print(f"       missing: {sentence}")


def show_agreement(found: JudgeAgreement, *, as_json: bool) -> None:
    """Two judges beside each other."""
    first, second = found.judges
    effects = {"quantity": found.quantity, "order": found.order}
    if as_json:
        table = {
            "both": found.both,
            "only_first": found.only_first,
            "only_second": found.only_second,
            "neither": found.neither,
        }
        print_json(
            {
                "judges": found.judges,
                "pairs": found.pairs,
                "unscored": found.unscored,
                "cells": found.cells,
                "table": table,
                "agreement": found.agreement,
                "on_matches": found.on_matches,
                "kappa": found.kappa,
                **effects,
                "disagreements": found.disagreements,
            }
        )
        return
    print(f"{first} and {second}: {found.pairs} pairs of plans, {found.cells:,} pairs of actions")
    if found.unscored:
        print(f"{found.unscored} pairs of plans left out: a judge could not say.")
    print(f"  both match {found.both:,}   only {first} {found.only_first:,}   only {second} ", end="")
    print(f"{found.only_second:,}   neither {found.neither:,}")
    print(f"  agreement {_said(found.agreement)}   on matches {_said(found.on_matches)}", end="")
    print(f"   kappa {_said(found.kappa)}")
    for name, effect in effects.items():
        print(
            f"  {name:<9}F1 {_said(effect.first)} and {_said(effect.second)}; largest difference of a pair "
            f"{_said(effect.largest)}; Kendall's tau of {len(effect.models)} models {_said(effect.tau)}"
        )
    for model in found.quantity.models:
        print(f"    {model.model}: quantity F1 {model.first:.4f} and {model.second:.4f}, {model.pairs} pairs")
    for one in found.disagreements[:_MOST_LISTED]:
        judge = first if one.first else second
        print(f"  only {judge}: {', '.join(one.predicted)} = {', '.join(one.gold)}  ({one.count} times)")


def _said(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _yes(value: bool | None) -> str:
    return "-" if value is None else "yes" if value else "no"
