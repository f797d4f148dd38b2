"""The nouns of grounding: domains, problems, and what is found wrong with them.

An atom is a tuple of lower-case strings, (predicate, argument, ...), never a joined string: `(p o aob)` and
`(p oa ob)` are different things. Types, objects, predicates and actions have name spaces of their own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from gumption.records import GumptionError

__all__ = [
    "Action",
    "And",
    "Atom",
    "Condition",
    "Domain",
    "Effect",
    "Equal",
    "Exists",
    "Fact",
    "Finding",
    "FindingKind",
    "Forall",
    "Imply",
    "MalformedPDDL",
    "Not",
    "Or",
    "Parameter",
    "Problem",
    "ProblemReading",
    "Repair",
    "UnsupportedPDDL",
    "When",
]

Atom: TypeAlias = tuple[str, ...]
Repair = Literal["none", "fence", "prose", "comment", "commas", "parens", "unreadable"]
FindingKind = Literal[
    "undeclared_object",
    "unknown_predicate",
    "wrong_arity",
    "wrong_type",
    "unknown_type",
    "variable",
    "missing_section",
    "repeated_problem",
    "syntax",
    "unsupported",
    "too_large",
]


class MalformedPDDL(GumptionError):  # noqa: N818 - a name of the public interface
    """A domain that cannot be read."""


class UnsupportedPDDL(GumptionError):  # noqa: N818 - a name of the public interface
    """A feature outside what is validated and solved: never a verdict instead."""


# ── conditions and effects ───────────────────────────────────────────────────────────────────────────


class Parameter(msgspec.Struct, frozen=True):
    """A variable and the types it may take; more than one after `either`."""

    name: str
    types: tuple[str, ...]


class Fact(msgspec.Struct, frozen=True):
    """An atom, possibly over variables. As an effect: it becomes true."""

    atom: Atom


class Equal(msgspec.Struct, frozen=True):
    """Both names are the same."""

    left: str
    right: str


class Not(msgspec.Struct, frozen=True):
    """As an effect, of a fact only: it becomes false."""

    part: Condition


class And(msgspec.Struct, frozen=True):
    """All of the parts; of none, true."""

    parts: tuple[Condition, ...]


class Or(msgspec.Struct, frozen=True):
    """One of the parts at least; of none, false."""

    parts: tuple[Condition, ...]


class Imply(msgspec.Struct, frozen=True):
    """Where the first holds the second does."""

    condition: Condition
    part: Condition


class Forall(msgspec.Struct, frozen=True):
    """The part for all objects of the variables' types."""

    variables: tuple[Parameter, ...]
    part: Condition


class Exists(msgspec.Struct, frozen=True):
    """The part for some objects of the variables' types."""

    variables: tuple[Parameter, ...]
    part: Condition


class When(msgspec.Struct, frozen=True):
    """An effect that comes about where the condition held before the action."""

    condition: Condition
    part: Condition


Condition: TypeAlias = Fact | Equal | Not | And | Or | Imply | Forall | Exists | When
Effect: TypeAlias = Condition
"""Made of Fact, Not of a Fact, And, Forall and When."""


# ── what is found ────────────────────────────────────────────────────────────────────────────────────


class Finding(msgspec.Struct, frozen=True):
    """Something wrong in a text that could be read all the same. Once for each symbol and section."""

    kind: FindingKind
    section: str
    """requirements, types, constants, predicates, an action's name, domain, objects, init, goal, or ""."""
    symbol: str
    line: int
    """From 1."""
    column: int
    """From 1."""


# ── domains and problems ─────────────────────────────────────────────────────────────────────────────


class Action(msgspec.Struct, frozen=True):
    """What an agent can do."""

    name: str
    parameters: tuple[Parameter, ...]
    precondition: Condition
    effect: Effect


class Domain(msgspec.Struct, frozen=True, dict=True):
    """A planning domain. `object` is the root of the types whether or not it is declared."""

    name: str
    requirements: tuple[str, ...]
    types: dict[str, tuple[str, ...]]
    """Each declared type with its parents."""
    constants: dict[str, str]
    predicates: dict[str, tuple[Parameter, ...]]
    functions: tuple[str, ...]
    actions: dict[str, Action]
    derived: tuple[str, ...] = ()
    """Predicates with a rule of derivation: read and listed, and not supported."""
    unsupported: tuple[str, ...] = ()
    """Why this domain can be read but neither validated nor solved; empty where it can."""
    errors: tuple[Finding, ...] = ()

    @cached_property
    def ancestors(self) -> dict[str, frozenset[str]]:
        """Each type with itself and everything above it."""
        closed: dict[str, frozenset[str]] = {"object": frozenset({"object"})}
        for name in self.types:
            above, waiting = {name, "object"}, [name]
            while waiting:
                for parent in self.types.get(waiting.pop(), ()):
                    if parent not in above:
                        above.add(parent)
                        waiting.append(parent)
            closed[name] = frozenset(above)
        return closed

    def is_a(self, kind: str, wanted: tuple[str, ...]) -> bool:
        """Whether an object of type `kind` may stand where one of `wanted` is asked for.

        kind: a type's name, or "either a b" of an object that was declared so.
        """
        for one in kind.split()[1:] if kind.startswith("either ") else (kind,):
            above = self.ancestors.get(one, frozenset({one, "object"}))
            if any(name in above for name in wanted):
                return True
        return False

    def raise_unsupported(self) -> None:
        """Raises UnsupportedPDDL where the domain has features that are not validated or solved."""
        if self.unsupported:
            raise UnsupportedPDDL(
                f"not supported: {', '.join(self.unsupported)}",
                where=f"domain {self.name}",
                remedy="use a domain without them, or a planner that knows them",
            )


class Problem(msgspec.Struct, frozen=True, dict=True):
    """Objects, the initial state and the goal, as they were written: nothing is dropped.

    `objects` are the problem's own, without the domain's constants. `init` holds the positive atoms.
    """

    name: str
    domain_name: str
    objects: dict[str, str]
    init: frozenset[Atom]
    goal: Condition
    unsupported: tuple[str, ...] = ()

    @cached_property
    def goal_literals(self) -> frozenset[tuple[bool, Atom]] | None:
        """The goal as (positive, atom) where it is a conjunction of literals; None where it is not."""
        found: set[tuple[bool, Atom]] = set()
        waiting: list[Condition] = [self.goal]
        while waiting:
            match waiting.pop():
                case And(parts):
                    waiting.extend(parts)
                case Fact(atom):
                    found.add((True, atom))
                case Not(Fact(atom)):
                    found.add((False, atom))
                case Equal(left, right):
                    found.add((True, ("=", left, right)))
                case Not(Equal(left, right)):
                    found.add((False, ("=", left, right)))
                case _:
                    return None
        return frozenset(found)

    @cached_property
    def typed_objects(self) -> frozenset[tuple[str, str]]:
        """The set of (name, type)."""
        return frozenset(self.objects.items())


class ProblemReading(msgspec.Struct, frozen=True):
    """A problem as a person or a model wrote it, with what it took to read it."""

    problem: Problem | None
    """None where nothing could be read, or where reading took repairs that were not allowed."""
    repair: Repair
    """The last rung of the ladder that was needed."""
    repairs: tuple[Repair, ...] = ()
    """All rungs that were needed, in the ladder's order."""
    errors: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """Oddities that are no faults: contradictory init, a goal that already holds."""

    @property
    def clean(self) -> bool:
        """Read without any repair and without a finding."""
        return self.problem is not None and self.repair == "none" and not self.errors
