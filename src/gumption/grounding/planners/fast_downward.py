"""Fast Downward (Helmert 2006) from the wheel `up-fast-downward`.

It is under the GPL-3 and is run as a program in a process of its own, never as a part of this one. It reads
PDDL from files and says by its exit code what came of it
(www.fast-downward.org/latest/documentation/exit-codes).
"""

from __future__ import annotations

import math
import signal
import sys
import tempfile
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from gumption.grounding.pddl import (
    And,
    Domain,
    Exists,
    Forall,
    Imply,
    Not,
    Or,
    Parameter,
    Problem,
    When,
)
from gumption.grounding.planners._process import OUTPUT, run
from gumption.grounding.planners.result import PlanResult, PlanStatus
from gumption.grounding.plans import read_actions
from gumption.grounding.writer import write_domain, write_problem
from gumption.records import GumptionError

__all__ = ["installed", "reads", "solve", "status_of"]

_STATUSES: dict[int, PlanStatus] = {
    **dict.fromkeys((0, 1, 2, 3), "solved"),  # 1 to 3: a limit was reached after a plan was found
    **dict.fromkeys((10, 11), "unsolvable"),
    **dict.fromkeys((12, 13), "gave_up"),
    **dict.fromkeys((20, 22, 24), "memory"),
    **dict.fromkeys((21, 23), "timeout"),
    **dict.fromkeys((30, 31), "malformed"),
    34: "unsupported",
}
_SEARCH = "lama-first"
_WORDS = 2000
_LEAST_MB = 64
"""With less its translator cannot start, and takes that for a fault of its input."""


def installed() -> bool:
    """Whether the extra [planner] is there."""
    return _driver() is not None


def solve(domain: Domain, problem: Problem, timeout_s: float | None, memory_mb: float | None) -> PlanResult:
    """Run lama-first. Its plan is not validated here.

    timeout_s: wall-clock seconds for all of it. memory_mb: mebibytes of address space for each of its two
    programs, 64 at least. Raises GumptionError where it is not installed.
    """
    if not reads(domain, problem):
        detail = "it knows `either` in the declarations of predicates only"
        return PlanResult("unsupported", None, _name(), detail=detail)
    driver = _driver()
    if driver is None:
        raise GumptionError(
            "Fast Downward is not installed",
            where="solve",
            remedy="pip install 'gumption[planner]', or planner=\"astar\"",
        )
    command = [sys.executable, str(driver), "--plan-file", "plan.txt", "--alias", _SEARCH]
    command += ["--log-level", "warning"]
    if timeout_s is not None:  # processor time, should this process die before it can kill the group
        command += ["--overall-time-limit", f"{math.ceil(timeout_s) + 1}s"]
    if memory_mb is not None:
        command += ["--overall-memory-limit", f"{max(_LEAST_MB, math.ceil(memory_mb))}M"]
    with tempfile.TemporaryDirectory(prefix="gumption-planner-") as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(write_domain(domain), encoding="utf-8")
        (folder / "problem.pddl").write_text(write_problem(problem, domain), encoding="utf-8")
        code = run([*command, "domain.pddl", "problem.pddl"], folder, timeout_s)
        status = status_of(code)
        if status != "solved":
            return PlanResult(status, None, _name(), detail=_detail(code, folder))
        plan = read_actions((folder / "plan.txt").read_text(encoding="utf-8"))
    return PlanResult("solved", plan, _name())


def reads(domain: Domain, problem: Problem) -> bool:
    """Whether no object, type, parameter or variable is of one type or another."""
    kinds = [*domain.constants.values(), *problem.objects.values()]
    conditions = [problem.goal]
    parameters: list[Parameter] = []
    for action in domain.actions.values():
        parameters += action.parameters
        conditions += (action.precondition, action.effect)
    while conditions:
        match conditions.pop():
            case Forall(variables, part) | Exists(variables, part):
                parameters += variables
                conditions.append(part)
            case And(parts) | Or(parts):
                conditions += parts
            case Not(part):
                conditions.append(part)
            case Imply(first, second) | When(first, second):
                conditions += (first, second)
    return (
        all(len(above) < 2 for above in domain.types.values())
        and all(len(parameter.types) == 1 for parameter in parameters)
        and not any(kind.startswith("either ") for kind in kinds)
    )


def status_of(code: int | None) -> PlanStatus:
    """What an exit code of Fast Downward's driver means; None is our own end of its time.

    Its programs' death by a signal reaches us as the signal's number below 0 or below 256.
    """
    if code is None or code % 256 == 256 - signal.SIGXCPU:
        return "timeout"
    return _STATUSES.get(code, "crashed")


def _detail(code: int | None, folder: Path) -> str:
    """The exit code, and the last of what was said."""
    if code is None:
        return "killed: its time was up"
    with (folder / OUTPUT).open("rb") as output:
        size = output.seek(0, 2)
        output.seek(max(0, size - _WORDS))
        words = output.read().decode(errors="replace").strip()
    return f"exit code {code}: {words}"


@cache
def _driver() -> Path | None:
    """The wheel is found, not imported: importing it would bring in unified-planning."""
    spec = find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        return None
    driver = Path(spec.origin).with_name("downward") / "fast-downward.py"
    return driver if driver.is_file() else None


@cache
def _name() -> str:
    versions = []
    for package in ("up-fast-downward", "fast-downward.translate"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} of unknown version")
    return f"fast-downward {_SEARCH} ({', '.join(versions)})"
