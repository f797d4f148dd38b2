"""The gate `mutants`: are the made replies strong enough to notice small faults of this scorer?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from gumption.synthesis.validation._edits import edits
from gumption.synthesis.validation.cases import Try
from gumption.synthesis.validation.coverage import marked
from gumption.synthesis.validation.report import Coverage, Finding, Gate, Mutants, gate, without_paths
from gumption.synthesis.validation.running import Pipeline

__all__ = ["ENOUGH", "check_mutants"]

ENOUGH = 0.9
"""Share of the edits that change a score which the checks must catch."""
_FEWEST = 1 / 3
"""Share of all edits that they must catch: where most change nothing, the replies do not reach the scorer."""
_MOST = 120
_ITEMS = 16
"""Items whose replies the copies are run on."""
_LONGEST = 5000
"""Characters of a reply that they are run on."""


def check_mutants(
    pipeline: Pipeline, tries: Sequence[Try], seed: int
) -> tuple[Gate, Mutants | None, Coverage | None]:
    """Runs changed copies of the code, and one with marks in its branches, in one call of the sandbox."""
    told = _told(tries)
    copies = edits(pipeline.code, _MOST, seed)
    code, branches = marked(pipeline.code)
    jobs = [
        ["keep", pipeline.code, told],
        ["cover", code, pipeline.inside],
        *(["mutant", text] for _, text in copies),
    ]
    result = pipeline.run(_program(), jobs)
    if not result.ok:
        stopped = Finding(
            "changed copies of the code run within the limits",
            got=result.error or "",
            said=without_paths(result.detail),
        )
        return gate("mutants", len(copies), [stopped]), None, None
    _, reached, *ends = result.output
    named = [
        [name for (name, _), end in zip(copies, ends, strict=True) if end == how]
        for how in ("caught", "survived", "unseen")
    ]
    mutants = Mutants(len(copies), len(named[0]), tuple(named[1]), tuple(named[2]))
    missed = tuple(branch for number, branch in enumerate(branches) if number not in set(reached))
    coverage = Coverage(len(branches) - len(missed), len(branches), missed)
    findings: list[Finding] = []
    if mutants.caught < ENOUGH * (mutants.caught + len(mutants.survivors)):
        findings += [
            Finding("a change that changes a score is noticed", got=name) for name in mutants.survivors
        ]
    if mutants.caught < _FEWEST * mutants.total:
        findings += [Finding("most changes change a score", got=name) for name in mutants.unseen]
    note = (
        f"{mutants.caught} of {mutants.total} changes caught, {len(mutants.survivors)} survive, "
        f"{len(mutants.unseen)} change no score; {coverage.reached} of {coverage.total} branches reached"
    )
    return gate("mutants", len(copies), findings, note), mutants, coverage


def _told(tries: Sequence[Try]) -> list[list[object]]:
    """Rows with their replies; cases first, since a copy is done with at the first reply that is caught."""
    cases = [one for one in tries if one.gate == "cases"][:_ITEMS]
    others = [one for one in tries if one.gate != "cases"][: 2 * _ITEMS]
    return [
        [one.row, [[made.reply, made.worth, made.read] for made in one.made if len(made.reply) <= _LONGEST]]
        for one in [*cases, *others]
    ]


@cache
def _program() -> str:
    return (Path(__file__).parent / "_mutating.py").read_text()
