"""What is wrong with a predicted problem, one by one, in the one taxonomy."""

from __future__ import annotations

from collections.abc import Iterator

from gumption.grounding.pddl import Atom, Domain, Problem
from gumption.grounding.problem_score import static
from gumption.records import ErrorKind, Mistake

__all__ = ["mistakes"]


def mistakes(domain: Domain, predicted: Problem | None, gold: Problem) -> tuple[Mistake, ...]:
    """List the mistakes: objects, then the initial state, then the goal, each in alphabetical order.

    An atom or a literal is secondary where it names an object that the prediction lacks or that the gold does
    not have: one mistake about an object costs all of its atoms. `detail` begins with the section. A name
    that is used and declared nowhere is a hallucinated object, unless the gold declares it: then it is a
    missing one. An unreadable prediction is one mistake. Goals that are no conjunctions of literals are not
    taken apart.
    """
    if predicted is None:
        return (Mistake(ErrorKind.UNREADABLE),)
    return tuple(_Comparison(domain, predicted, gold).all())


class _Comparison:
    def __init__(self, domain: Domain, predicted: Problem, gold: Problem) -> None:
        self._domain, self._predicted, self._gold = domain, predicted, gold
        self._static = static(domain)
        self._kinds = {**predicted.objects, **domain.constants}
        self._literals = predicted.goal_literals or frozenset()
        used = {name for atom in predicted.init for name in atom[1:]}
        used |= {name for _, atom in self._literals for name in atom[1:]}
        known = {*gold.objects, *domain.constants}
        self._undeclared = used - known - set(predicted.objects)
        self._hallucinated = (set(predicted.objects) - known) | self._undeclared
        self._missing = set(gold.objects) - set(self._kinds)

    def all(self) -> Iterator[Mistake]:
        yield from self._objects()
        said, wanted = self._predicted.init, self._gold.init
        for atom in sorted(said - wanted):
            yield self._atom(self._malformed(atom) or ErrorKind.FALSE_ATOM, atom, f"init: {_written(atom)}")
        for atom in sorted(wanted - said):
            yield self._atom(ErrorKind.MISSING_ATOM, atom, f"init: {_written(atom)}")
        goal = self._gold.goal_literals
        if goal is None or self._predicted.goal_literals is None:
            return
        for positive, atom in sorted(self._literals - goal):
            kind = self._malformed(atom) or ErrorKind.EXTRA_GOAL
            yield self._atom(kind, atom, f"goal: {_written(atom, positive)}")
        for positive, atom in sorted(goal - self._literals):
            yield self._atom(ErrorKind.MISSING_GOAL, atom, f"goal: {_written(atom, positive)}")

    def _objects(self) -> Iterator[Mistake]:
        said, wanted = self._predicted.objects, self._gold.objects
        for name in sorted(self._hallucinated):
            kind = (
                f"{name}, used and never declared" if name in self._undeclared else f"{name} - {said[name]}"
            )
            yield Mistake(ErrorKind.HALLUCINATED_OBJECT, f"objects: {kind}")
        for name in sorted(self._missing):
            yield Mistake(ErrorKind.MISSING_OBJECT, f"objects: {name} - {wanted[name]}")
        for name in sorted(said.keys() & wanted.keys()):
            if said[name] != wanted[name]:
                detail = f"objects: {name} is of type {wanted[name]}, not {said[name]}"
                yield Mistake(ErrorKind.WRONG_TYPE, detail)

    def _malformed(self, atom: Atom) -> ErrorKind | None:
        """What the domain has against an atom."""
        if atom[0] == "=":
            return None
        parameters = self._domain.predicates.get(atom[0])
        if parameters is None:
            return ErrorKind.UNKNOWN_PREDICATE
        if len(parameters) != len(atom) - 1:
            return ErrorKind.WRONG_ARITY
        for name, parameter in zip(atom[1:], parameters, strict=True):
            kind = self._kinds.get(name)
            if kind is not None and not self._domain.is_a(kind, parameter.types):
                return ErrorKind.WRONG_TYPE
        return None

    def _atom(self, kind: ErrorKind, atom: Atom, detail: str) -> Mistake:
        secondary = any(name in self._hallucinated or name in self._missing for name in atom[1:])
        return Mistake(kind, detail, static=atom[0] in self._static, secondary=secondary)


def _written(atom: Atom, positive: bool = True) -> str:
    text = f"({' '.join(atom)})"
    return text if positive else f"(not {text})"
