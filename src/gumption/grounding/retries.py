"""What retries mend and what they do not: the outputs of each step of refinement, diagnosed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from gumption.grounding.diagnosis import Diagnosis, Solver, diagnose
from gumption.grounding.problem_score import SECTIONS, Section
from gumption.grounding.prodg_outputs import Output
from gumption.records import ErrorKind

__all__ = ["Changes", "StepDiagnosis", "diagnose_steps"]


class Changes(msgspec.Struct, frozen=True):
    """What became of the outputs since the first step, of those that are in both."""

    newly_planned: int
    """Had no plan, and have one."""
    newly_true: int
    """Of these, how many have a plan that is valid in the gold problem."""
    mended: int
    """Failed in the gold problem, and succeed."""
    spoiled: int
    """Succeeded, and fail."""


class StepDiagnosis(msgspec.Struct, frozen=True):
    """The diagnoses of one step of refinement in one domain."""

    domain: str
    step: str
    diagnoses: dict[int, Diagnosis]
    """By the output's number."""
    gold_numbers: tuple[int, ...]
    """The gold problem of each, in the same order: outputs for the same one are not independent."""
    since_first: Changes | None
    """None for the first step of the domain."""

    @property
    def n(self) -> int:
        return len(self.diagnoses)

    @property
    def planned(self) -> int:
        """Outputs whose own problem has a plan."""
        return sum(one.planned for one in self.diagnoses.values())

    @property
    def solved(self) -> int:
        """Outputs whose plan is valid in the gold problem."""
        return sum(one.solved for one in self.diagnoses.values())

    @property
    def failures(self) -> dict[str, float]:
        """Failed outputs by the stage they are due to; one output may be shared out between several.

        The sum is the number of failed outputs less `unexplained`.
        """
        shares = [one.shares or {} for one in self.diagnoses.values()]
        return {stage: sum(one.get(stage, 0.0) for one in shares) for stage in SECTIONS}

    @property
    def unexplained(self) -> int:
        """Failed outputs that no gold mends: the planner does not solve the gold problem."""
        return sum(not one.solved and one.shares is None for one in self.diagnoses.values())

    @property
    def sufficient(self) -> Counter[tuple[tuple[Section, ...], ...]]:
        """How many failed outputs have these minimal sufficient subsets of stages."""
        return Counter(
            tuple(tuple(stage for stage in SECTIONS if stage in subset) for subset in one.sufficient)
            for one in self.diagnoses.values()
            if not one.solved
        )

    def mistakes(self, *, secondary: bool = False) -> Counter[ErrorKind]:
        """Mistakes by kind: those of their own, or those that follow from one about an object."""
        return Counter(
            mistake.kind
            for one in self.diagnoses.values()
            for mistake in one.mistakes
            if mistake.secondary == secondary
        )


def diagnose_steps(outputs: Iterable[Output], planner: Solver) -> list[StepDiagnosis]:
    """Diagnose outputs, by domain and step in the order given; the first step of a domain is the base.

    Read the outputs with `repair=True`: how a text is written is no stage of grounding.
    """
    groups: dict[tuple[str, str], list[Output]] = {}
    for output in outputs:
        groups.setdefault((output.folder, output.step), []).append(output)
    found: list[StepDiagnosis] = []
    first: dict[str, dict[int, Diagnosis]] = {}
    for (folder, step), own in groups.items():
        diagnoses = {one.number: diagnose(one.domain, one.reading.problem, one.gold, planner) for one in own}
        base = first.setdefault(folder, diagnoses)
        found.append(
            StepDiagnosis(
                domain=folder,
                step=step,
                diagnoses=diagnoses,
                gold_numbers=tuple(one.gold_number for one in own),
                since_first=None if base is diagnoses else _changes(base, diagnoses),
            )
        )
    return found


def _changes(before: dict[int, Diagnosis], after: dict[int, Diagnosis]) -> Changes:
    pairs: Sequence[tuple[Diagnosis, Diagnosis]] = [
        (before[number], after[number]) for number in before.keys() & after.keys()
    ]
    newly = [now for then, now in pairs if now.planned and not then.planned]
    return Changes(
        newly_planned=len(newly),
        newly_true=sum(now.solved for now in newly),
        mended=sum(now.solved and not then.solved for then, now in pairs),
        spoiled=sum(then.solved and not now.solved for then, now in pairs),
    )
