"""Generated problems in a folder, scored against the problems they were written for.

The layout is that of ViLaIn's published outputs for ProDG (omron-sinicx/ViLaIn):
DOMAIN/STEP/problems/problemK.pddl, and DOMAIN/STEP/plans/problemK.1, .2, ... where plans were found; gold is
DOMAIN/domain.pddl and DOMAIN/problems/problemN.pddl. With R repeats, output K was written for gold problem
(K - 1) // R + 1.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from gumption.grounding.diagnosis import Solver
from gumption.grounding.domain import read_domain
from gumption.grounding.pddl import Domain, Problem, ProblemReading
from gumption.grounding.plans import read_actions
from gumption.grounding.problem import read_problem
from gumption.grounding.problem_score import Comparison, ProblemScores, compare, summarise_problems
from gumption.grounding.validator import validate
from gumption.records import GumptionError

__all__ = [
    "Output",
    "OutputScore",
    "Planned",
    "PlanningRates",
    "StepScores",
    "read_outputs",
    "score_output",
    "summarise_outputs",
]

_PROBLEM = re.compile(r"problem(0|[1-9]\d{0,8})\.pddl")
_PLAN = re.compile(r"problem(0|[1-9]\d{0,8})\.\d+")


class Output(msgspec.Struct, frozen=True):
    """A generated problem, with what it was written for."""

    folder: str
    """The domain's folder."""
    domain: Domain
    step: str
    number: int
    gold_number: int
    gold: Problem
    reading: ProblemReading
    plans: tuple[list[tuple[str, ...]], ...] | None
    """The plans that came with it; None where the step came without any plans."""


class Planned(msgspec.Struct, frozen=True):
    """What planning for an output came to."""

    found: bool
    valid_own: bool
    """One of the plans is valid in the output's own problem."""
    valid_gold: bool
    """One of the plans is valid in the gold problem."""
    no_steps: bool
    """The goal was taken to hold already: the shortest plan is empty."""
    planner: str = ""
    """"" for the plans that came with the output."""
    status: str = ""


class OutputScore(msgspec.Struct, frozen=True):
    """The scores of one output."""

    domain: str
    """The domain's folder."""
    step: str
    number: int
    clean: bool
    """Read without a repair and without a finding."""
    comparison: Comparison
    shipped: Planned | None
    planned: Planned | None
    """By the planner that was given."""


class PlanningRates(msgspec.Struct, frozen=True):
    """Planning success over outputs: how many have a plan, and in which problem it is valid."""

    found: int
    valid_own: int
    valid_gold: int
    no_steps: int


class StepScores(msgspec.Struct, frozen=True):
    """The scores of one step of refinement in one domain."""

    domain: str
    step: str
    clean: int
    scores: ProblemScores
    shipped: PlanningRates | None
    planned: PlanningRates | None


def read_outputs(folder: Path, gold: Path, *, repeats: int = 10, repair: bool = False) -> Iterator[Output]:
    """Read the outputs by domain, step and number.

    repeats: outputs for each gold problem. repair: whether a text that needs repairs is read; if not it is
    a failed output. A number that is not there is no output. Raises GumptionError where there is nothing to
    read, or no gold for it.
    """
    domains = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    steps = [step for domain in domains for step in sorted(domain.iterdir()) if (step / "problems").is_dir()]
    if not steps:
        raise GumptionError(
            "there are no generated problems",
            where=str(folder),
            remedy="Name a folder that holds DOMAIN/STEP/problems/problemK.pddl.",
        )
    for name, own in groupby(steps, key=lambda step: step.parent.name):
        domain, problems = _read_gold(gold / name)
        for step in own:
            yield from _read_step(step, domain, problems, repeats, repair)


def _read_gold(folder: Path) -> tuple[Domain, dict[int, Problem]]:
    path = folder / "domain.pddl"
    if not path.is_file():
        raise GumptionError(
            "there is no gold domain", where=str(path), remedy="Name the folder with DOMAIN/domain.pddl."
        )
    domain = read_domain(path.read_text(encoding="utf-8"))
    problems = {}
    for number, problem in _numbered(folder / "problems", _PROBLEM):
        read = read_problem(_text(problem), domain, repair=False).problem
        if read is None:
            raise GumptionError(
                "a gold problem needs repairs", where=str(problem), remedy="Mend the file, or name another."
            )
        problems[number] = read
    return domain, problems


def _read_step(
    step: Path, domain: Domain, problems: dict[int, Problem], repeats: int, repair: bool
) -> Iterator[Output]:
    plans: dict[int, list[list[tuple[str, ...]]]] | None = None
    if (step / "plans").is_dir():
        plans = {}
        for number, path in _numbered(step / "plans", _PLAN):
            plans.setdefault(number, []).append(read_actions(_text(path)))
    for number, path in _numbered(step / "problems", _PROBLEM):
        gold_number = (number - 1) // repeats + 1
        if gold_number not in problems:
            raise GumptionError(
                f"it would belong to gold problem {gold_number}, which is not there",
                where=str(path),
                remedy=f"Say how many outputs there are for each gold problem; {repeats} was taken.",
            )
        yield Output(
            folder=step.parent.name,
            domain=domain,
            step=step.name,
            number=number,
            gold_number=gold_number,
            gold=problems[gold_number],
            reading=read_problem(_text(path), domain, repair=repair),
            plans=None if plans is None else tuple(plans.get(number, ())),
        )


def _numbered(folder: Path, pattern: re.Pattern[str]) -> list[tuple[int, Path]]:
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [(int(match[1]), path) for path in paths if (match := pattern.fullmatch(path.name))]
    return sorted(found, key=lambda pair: pair[0])


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def score_output(
    output: Output, *, planner: Solver | None = None, without: Collection[str] = (), typed: bool = True
) -> OutputScore:
    """Score one output. without, typed: as in `compare`. planner: searches for a plan of its own."""
    own = output.reading.problem
    return OutputScore(
        domain=output.folder,
        step=output.step,
        number=output.number,
        clean=output.reading.clean,
        comparison=compare(own, output.gold, typed=typed, without=without),
        shipped=None if output.plans is None else _judged(output, output.plans),
        planned=None if planner is None else _planned(output, planner),
    )


def _planned(output: Output, planner: Solver) -> Planned:
    if output.reading.problem is None:
        return Planned(False, False, False, False, status="malformed")
    if output.reading.problem.unsupported:
        return Planned(False, False, False, False, status="unsupported")
    result = planner(output.domain, output.reading.problem)
    return _judged(output, [] if result.plan is None else [result.plan], result.planner, result.status)


def _judged(
    output: Output, plans: Sequence[Sequence[tuple[str, ...]]], planner: str = "", status: str = ""
) -> Planned:
    def valid(problem: Problem | None) -> bool:
        return (
            problem is not None
            and not problem.unsupported
            and any(validate(output.domain, problem, plan, faults="first").valid for plan in plans)
        )

    return Planned(
        found=bool(plans),
        valid_own=valid(output.reading.problem),
        valid_gold=valid(output.gold),
        no_steps=any(not plan for plan in plans),
        planner=planner,
        status=status,
    )


def summarise_outputs(scores: Iterable[OutputScore], empty_empty: float = 0.0) -> list[StepScores]:
    """Take outputs together by domain and step, in the order given."""
    groups: dict[tuple[str, str], list[OutputScore]] = {}
    for score in scores:
        groups.setdefault((score.domain, score.step), []).append(score)
    return [
        StepScores(
            domain=domain,
            step=step,
            clean=sum(one.clean for one in own),
            scores=summarise_problems((one.comparison for one in own), empty_empty),
            shipped=_rates([one.shipped for one in own]),
            planned=_rates([one.planned for one in own]),
        )
        for (domain, step), own in groups.items()
    ]


def _rates(given: Sequence[Planned | None]) -> PlanningRates | None:
    known = [one for one in given if one is not None]
    if not known:
        return None
    return PlanningRates(
        found=sum(one.found for one in known),
        valid_own=sum(one.valid_own for one in known),
        valid_gold=sum(one.valid_gold for one in known),
        no_steps=sum(one.no_steps for one in known),
    )
