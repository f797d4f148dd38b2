"""What retries mend and what they do not: diagnoses of generated problems, to a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from gumption.grounding.problem_score import SECTIONS
from gumption.grounding.retries import StepDiagnosis
from gumption.reporting._diagnosis_figure import draw_diagnosis
from gumption.reporting._diagnosis_page import write_diagnosis_page
from gumption.reporting._diagnosis_words import findings, kinds, notes, step_name, true_rate
from gumption.reporting._terminal_table import plain, table

__all__ = ["draw_diagnosis", "print_diagnosis", "write_diagnosis_page"]


def print_diagnosis(steps: Sequence[StepDiagnosis], console: Console) -> None:
    """Print how many outputs have a plan, how many are true, what the others fail for, and the mistakes."""
    for domain, own in groupby(steps, key=lambda step: step.domain):
        _print_domain(domain, list(own), console)
    for sentence in (*findings(steps), *notes(steps)):
        console.print(Text(plain(sentence)))
    console.print()
    console.print(Text("True: the plan is valid in the gold problem. Fails for: outputs, by Shapley share."))


def _print_domain(domain: str, steps: Sequence[StepDiagnosis], console: Console) -> None:
    console.print(Text(plain(domain), style="bold"))
    console.print(
        table(
            ("Step", "n", "Plan", "True", "95 %", *(f"Fails for {name}" for name in SECTIONS)),
            (_row(step) for step in steps),
        )
    )
    console.print()
    rows = [
        (_kind(kind.value, secondary), *(f"{number:,}" for number in numbers))
        for secondary in (False, True)
        for kind, numbers in kinds(steps, secondary=secondary)
    ]
    console.print(table(("Mistakes", *(step_name(step) for step in steps)), rows))
    console.print()


def _row(step: StepDiagnosis) -> tuple[str, ...]:
    rate = true_rate(step)
    ends = "" if rate.low is None or rate.high is None else f"{100 * rate.low:.0f} to {100 * rate.high:.0f}"
    failures = step.failures
    return (
        step_name(step),
        f"{step.n:,}",
        f"{step.planned:,}",
        f"{step.solved:,}",
        ends,
        *(f"{failures[name]:.1f}" for name in SECTIONS),
    )


def _kind(kind: str, secondary: bool) -> str:
    words = kind.replace("_", " ")
    return f"{words}, after an object" if secondary else words
