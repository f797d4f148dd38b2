"""What a generator makes, written as PDDL and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources

import msgspec

from gumption.grounding.domain import read_domain
from gumption.grounding.pddl import And, Atom, Domain, Fact, Not, Problem
from gumption.grounding.problem import read_problem
from gumption.grounding.validator import validate
from gumption.grounding.writer import write_problem
from gumption.records import GumptionError

__all__ = ["Generated", "GoalLiteral", "bounded", "finished", "package_domain"]

GoalLiteral = tuple[bool, Atom]
"""Whether the atom is to be true, and the atom."""


class Generated(msgspec.Struct, frozen=True):
    """A fresh problem."""

    world: str
    seed: int
    domain: Domain
    problem: Problem
    instruction: str
    """The goal as an English sentence that names the objects as the problem does."""
    plan: tuple[tuple[str, ...], ...]
    """One plan that reaches the goal, as evidence that there is one; not the shortest."""

    @property
    def domain_text(self) -> str:
        """The domain as PDDL."""
        return package_domain(self.domain.name)

    @property
    def problem_text(self) -> str:
        """The problem as PDDL."""
        return write_problem(self.problem, self.domain)


def package_domain(name: str) -> str:
    """The text of one of the package's own domains: blocksworld, columns, hanoi, cooking, household."""
    return (resources.files("gumption.grounding") / "domains" / f"{name}.pddl").read_text("utf-8")


def bounded(size: str, value: int, low: int, high: int) -> None:
    """Raises GumptionError where the value of a size is outside low to high."""
    if not low <= value <= high:
        raise GumptionError(
            f"{size} is {value}", where="generate", remedy=f"choose a number from {low} to {high}"
        )


def finished(
    world: str,
    seed: int,
    domain_name: str,
    objects: Mapping[str, str],
    init: Iterable[Atom],
    goal: Sequence[GoalLiteral],
    instruction: str,
    plan: Sequence[tuple[str, ...]],
) -> Generated:
    """Make the problem, and check that it reads back as it is and that the plan reaches its goal.

    domain_name: one of the package's own domains. objects: name to type.
    Raises RuntimeError where a check fails or the goal already holds: a mistake in a generator, not of input.
    """
    domain = read_domain(package_domain(domain_name))
    parts = [Fact(atom) if positive else Not(Fact(atom)) for positive, atom in goal]
    problem = Problem(f"{world}-{seed}", domain_name, dict(objects), frozenset(init), And(tuple(parts)))
    made = Generated(world, seed, domain, problem, instruction, tuple(plan))
    reading = read_problem(made.problem_text, domain, repair=False)
    read = reading.problem
    if (
        not reading.clean
        or read is None
        or (read.init, read.goal_literals) != (problem.init, frozenset(goal))
    ):
        raise RuntimeError(f"{problem.name} does not read back: {reading.errors}")
    verdict = validate(domain, problem, plan)
    if not verdict.valid:
        raise RuntimeError(f"the plan of {problem.name} fails: {verdict.reason}")
    if validate(domain, problem, ()).valid:
        raise RuntimeError(f"the goal of {problem.name} already holds")
    return made
