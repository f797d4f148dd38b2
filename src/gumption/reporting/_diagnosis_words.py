"""What a diagnosis says, in words and numbers: the same in the terminal, the figure and the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gumption.grounding.retries import StepDiagnosis
from gumption.ranking import interval
from gumption.records import ErrorKind, Interval

__all__ = ["ABOUT", "findings", "kinds", "notes", "share", "step_name", "suffices", "true_rate"]

ABOUT = (
    "Every output is planned for as it is, and with gold in place of each subset of its objects, predicates "
    "and goal. It is true if the plan that is found is valid in the gold problem. A failure is shared out "
    "between the stages by the Shapley value, so that the shares of the failed outputs sum to their number."
)


def step_name(step: StepDiagnosis) -> str:
    """The step, in words."""
    return step.step.replace("_", " ")


def true_rate(step: StepDiagnosis) -> Interval:
    """The share of true outputs; those for one gold problem are a cluster."""
    values = [float(one.solved) for one in step.diagnoses.values()]
    return interval(values, clusters=step.gold_numbers)


def share(step: StepDiagnosis, stage: str) -> float | None:
    """The stage's share of the explained failures; None where there is none."""
    failures = step.failures
    total = sum(failures.values())
    return failures[stage] / total if total else None


def findings(steps: Sequence[StepDiagnosis]) -> Iterator[str]:
    """One sentence for each step after the first."""
    for step in steps:
        changes = step.since_first
        if changes is not None:
            yield (
                f"{step.domain}, {step_name(step)}: {changes.newly_planned} outputs without a plan have one "
                f"now, valid in the gold problem for {changes.newly_true} of them; "
                f"of all outputs {changes.mended} were mended and {changes.spoiled} spoiled."
            )


def suffices(subsets: tuple[tuple[str, ...], ...]) -> str:
    """Minimal sufficient subsets in words, e.g. "objects + goal, or predicates"."""
    return ", or ".join(" + ".join(subset) for subset in subsets) or "not even all of it"


def kinds(steps: Sequence[StepDiagnosis], *, secondary: bool) -> list[tuple[ErrorKind, list[int]]]:
    """The kinds of mistakes that occur, each with its number in every step."""
    counts = [step.mistakes(secondary=secondary) for step in steps]
    return [(kind, [own[kind] for own in counts]) for kind in ErrorKind if any(own[kind] for own in counts)]


def notes(steps: Sequence[StepDiagnosis]) -> Iterator[str]:
    """What limits the numbers, where something does."""
    unexplained = sum(step.unexplained for step in steps)
    if unexplained:
        yield f"{unexplained} failures have no share: the planner does not solve the gold problem either."
    all_ = [one for step in steps for one in step.diagnoses.values()]
    undecided = sum(one.undecided for one in all_)
    if undecided:
        yield f"{undecided} searches ended at a limit, without a plan or a proof, and count as failed."
    setbacks = sum(one.setbacks for one in all_)
    if setbacks:
        yield (
            f"In {setbacks} of {12 * len(all_):,} cases gold in one more stage turned success into failure: "
            "another plan was found. A stage is not charged for that."
        )
