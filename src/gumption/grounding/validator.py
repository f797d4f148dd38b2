"""Whether a plan does what it should, and everything that is wrong where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from gumption.grounding._sexpr import lower
from gumption.grounding.pddl import Atom, Condition, Domain, Fact, Not, Problem
from gumption.grounding.states import Dynamics, Schema, fluents, written
from gumption.records import ErrorKind

__all__ = ["PlanError", "PlanVerdict", "validate"]


class PlanError(msgspec.Struct, frozen=True):
    """One thing that is wrong with a plan."""

    step: int | None
    """From 0; None for the goal."""
    kind: ErrorKind
    detail: str
    secondary: bool = False
    """It comes after the first error and may only follow from it."""
    static: bool = False
    """It is about an atom that no action changes."""


class PlanVerdict(msgspec.Struct, frozen=True):
    """What became of a plan."""

    valid: bool
    failed_step: int | None
    """The first step that cannot be executed, from 0; None if all can."""
    executed: int
    """How many steps can be executed from the start."""
    reason: str
    """Why it is not valid; "" if it is."""
    errors: tuple[PlanError, ...] = ()


def validate(
    domain: Domain,
    problem: Problem,
    plan: Sequence[Sequence[str]],
    *,
    faults: Literal["all", "first"] = "all",
    on_failure: Literal["skip", "execute"] = "skip",
) -> PlanVerdict:
    """Execute a plan from the initial state and say whether it reaches the goal.

    plan: steps like ("stack", "a", "b"), in any case. faults: "first" stops at the first error, for the
    verdict alone. on_failure: a step whose precondition does not hold is left out, or has its effects all the
    same. Objects that are not declared matter only where a step uses them. A plan of no steps is valid if
    the goal holds at the start.
    Raises TypeError for text in place of a plan, UnsupportedPDDL for what is not validated.
    """
    steps = _steps(plan)
    run = _Run(domain, problem, keep_history=faults == "all")
    errors: list[PlanError] = []
    failed = None
    for number, step in enumerate(steps):
        found = run.take(step, execute=on_failure == "execute")
        if found:
            if failed is None:
                failed = number
            if faults == "first":
                found = found[:1]
            errors += [PlanError(number, kind, detail, static=static) for kind, detail, static in found]
            if faults == "first":
                break
    if failed is None or faults == "all":
        errors += [
            PlanError(None, ErrorKind.GOAL_UNREACHED, detail, static=static)
            for detail, static in run.goal_faults()
        ]
    marked = tuple(
        PlanError(error.step, error.kind, error.detail, number > 0, error.static)
        for number, error in enumerate(errors)
    )
    return PlanVerdict(
        valid=not marked,
        failed_step=failed,
        executed=len(steps) if failed is None else failed,
        reason=_reason(marked),
        errors=marked,
    )


def _steps(plan: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    problem = "a plan is a sequence of steps, each a sequence of str; use read_actions for text"
    steps = []
    for step in (plan,) if isinstance(plan, str) else plan:
        if isinstance(step, str):
            raise TypeError(problem)
        try:
            steps.append(tuple([lower(word) for word in step]))
        except AttributeError as error:
            raise TypeError(problem) from error
    return steps


class _Run:
    """A plan under way."""

    def __init__(self, domain: Domain, problem: Problem, *, keep_history: bool) -> None:
        self._dynamics = Dynamics(domain, problem)
        self._domain = domain
        self._goal = problem.goal
        self._state: frozenset[Atom] = problem.init
        self._keep_history = keep_history
        self._history: list[frozenset[Atom]] = []
        self._once: set[Atom] = set()
        """What was true in some earlier state."""
        self._always: frozenset[Atom] = problem.init
        """What was true in all of them."""
        self._fluents: frozenset[str] | None = None

    def take(self, step: tuple[str, ...], *, execute: bool) -> list[tuple[ErrorKind, str, bool]]:
        """Take one step; what is wrong with it, as (kind, detail, static)."""
        schema = self._dynamics.schema(step[0]) if step else None
        if schema is None:
            name = step[0] if step else ""
            return [(ErrorKind.UNKNOWN_ACTION, f"there is no action {name!r}", False)]
        misfits = self._misfits(schema, step)
        if misfits:
            return misfits
        arguments = step[1:]
        found: list[tuple[ErrorKind, str, bool]] = []
        if not schema.applicable(self._state, arguments):
            if not self._keep_history:
                return [(ErrorKind.MISSING_STEP, "the precondition does not hold", False)]
            found = list(self._unmet(schema, arguments))
            if not execute:
                return found
        if self._keep_history:
            self._history.append(self._state)
            self._once |= self._state
            self._always &= self._state
        self._state = schema.apply(self._state, arguments)
        return found

    def _misfits(self, schema: Schema, step: tuple[str, ...]) -> list[tuple[ErrorKind, str, bool]]:
        wanted = schema.action.parameters
        if len(step) - 1 != len(wanted):
            return [
                (
                    ErrorKind.WRONG_ARITY,
                    f"{step[0]} takes {len(wanted)} arguments, not {len(step) - 1}",
                    False,
                )
            ]
        found = []
        objects, is_a = self._dynamics.objects, self._domain.is_a
        for name, parameter in zip(step[1:], wanted, strict=True):
            kind = objects.get(name)
            if kind is None:
                found.append((ErrorKind.HALLUCINATED_OBJECT, f"there is no object {name!r}", False))
            elif kind not in parameter.types and not is_a(kind, parameter.types):
                detail = f"{name} is of type {kind}, {parameter.name} takes {' or '.join(parameter.types)}"
                found.append((ErrorKind.WRONG_TYPE, detail, False))
        return found

    def _unmet(self, schema: Schema, arguments: Sequence[str]) -> Iterator[tuple[ErrorKind, str, bool]]:
        """The unmet parts of a precondition: true in an earlier state, or never before."""
        values = dict(zip([one.name for one in schema.action.parameters], arguments, strict=True))
        for number in schema.unmet(self._state, arguments):
            part = schema.parts[number]
            match part:
                case Fact(atom):
                    earlier = tuple([values.get(word, word) for word in atom]) in self._once
                case Not(Fact(atom)):
                    earlier = tuple([values.get(word, word) for word in atom]) not in self._always
                case _:
                    earlier = any(schema.part_holds(number, state, arguments) for state in self._history)
            kind = ErrorKind.WRONG_ORDER if earlier else ErrorKind.MISSING_STEP
            yield kind, f"unmet: {written(part, values)}", self._is_static(part)

    def goal_faults(self) -> Iterator[tuple[str, bool]]:
        """The parts of the goal that do not hold."""
        for part in self._dynamics.unmet(self._goal, self._state):
            yield f"unmet goal: {written(part)}", self._is_static(part)

    def _is_static(self, part: Condition) -> bool:
        match part:
            case Fact(atom) | Not(Fact(atom)):
                if self._fluents is None:
                    self._fluents = fluents(self._domain)
                return atom[0] in self._domain.predicates and atom[0] not in self._fluents
        return False


def _reason(errors: tuple[PlanError, ...]) -> str:
    if not errors:
        return ""
    first = errors[0]
    return first.detail if first.step is None else f"step {first.step}: {first.detail}"
