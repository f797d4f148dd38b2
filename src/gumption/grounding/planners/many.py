"""Planning for many problems of one domain, by whoever is there to do it: here one after another, or by
processes of their own.

What is done with a shard is `solving`: problems as texts in, a record each out. A text that holds no problem
is `malformed`, and a problem that kills its process three times is `crashed`: never a wrong answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from gumption import __version__
from gumption.executors import Executor, LostShardError
from gumption.executors.batch import batch
from gumption.executors.results import results
from gumption.grounding.domain import read_domain
from gumption.grounding.pddl import UnsupportedPDDL
from gumption.grounding.planners.result import PlanResult
from gumption.grounding.planners.solve import Planner, solve
from gumption.grounding.problem import read_problem

__all__ = ["Asked", "Solved", "Solving", "solve_all", "solving"]

_MOST = 8
"""Problems of a shard: some take milliseconds, some all of their time."""


class Asked(msgspec.Struct, frozen=True):
    """A problem to be solved."""

    name: str
    """A file's, or whatever tells it apart."""
    text: str
    """A PDDL problem, or a reply with one."""


class Solved(msgspec.Struct, frozen=True):
    """What became of a problem: a line of the file of results."""

    problem: str
    """Its name."""
    result: PlanResult
    task: str = ""
    """Hash of domain, problem and how it was planned for."""


class Solving(msgspec.Struct, frozen=True):
    """How problems are planned for; as for `read_problem` and `solve`."""

    domain: str
    """As text."""
    planner: Planner = "auto"
    timeout_s: float | None = 60
    memory_mb: float | None = 2048
    repair: bool = True


def solve_all(
    problems: Sequence[Asked],
    how: Solving,
    executor: Executor,
    *,
    out: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Solved]:
    """What became of each problem, in their order; the same whoever solves them, as far as no search comes to
    the end of its seconds.

    out: file of the results (`executors.results`); what it has is not planned for again, crashes excepted.

    Raises GumptionError for a domain that cannot be read and for a planner that is not installed, and what
    `results` raises.
    """
    settings = msgspec.json.encode((__version__, how))
    hashes = [hashlib.sha256(settings + msgspec.json.encode(one)).hexdigest()[:16] for one in problems]

    def do(places: Sequence[int]) -> Iterator[tuple[int, Solved]]:
        wanted = [problems[place] for place in places]
        lost = partial(_lost, how)
        for number, one in batch(executor, partial(solving, how), wanted, most=_MOST, lost=lost, kept=True):
            yield places[number], replace(one, task=hashes[places[number]])

    return results(out, Solved, hashes, do, again=_crashed, progress=progress)


def solving(how: Solving) -> Callable[[tuple[Asked, ...]], list[Solved]]:
    """What solves a shard: the domain is read once."""
    domain = read_domain(how.domain)

    def solved(one: Asked) -> Solved:
        problem = read_problem(one.text, domain, repair=how.repair).problem
        if problem is None:
            found = PlanResult("malformed", None, how.planner, detail="there is no problem to be read")
        else:
            try:
                found = solve(domain, problem, how.planner, how.timeout_s, memory_mb=how.memory_mb)
            except UnsupportedPDDL as error:
                found = PlanResult("unsupported", None, how.planner, detail=str(error))
        return Solved(one.name, found)

    return lambda shard: [solved(one) for one in shard]


def _lost(how: Solving, one: Asked, error: LostShardError) -> Solved:
    return Solved(one.name, PlanResult("crashed", None, how.planner, detail=error.problem))


def _crashed(result: Solved) -> bool:
    return result.result.status == "crashed"
