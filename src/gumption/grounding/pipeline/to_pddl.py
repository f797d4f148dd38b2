"""Objects, atoms and a goal to a PDDL problem. Nothing is left out, whatever it names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from gumption.grounding.pddl import Atom
from gumption.grounding.pipeline.schema import Literal

__all__ = ["write_problem"]


def write_problem(
    name: str,
    domain_name: str,
    objects: Mapping[str, str],
    atoms: Collection[Atom],
    goal: Collection[Literal],
) -> str:
    """The text of a problem that reads back as exactly these sets.

    Negated goals stay negated; atoms of unknown objects and predicates and those without arguments stay, and
    reading the text reports what is wrong with them. No goal is `(and)`, which always holds. Names have to be
    words of PDDL; a type may be "either a b".
    """
    lines = [f"(define (problem {name})", f"  (:domain {domain_name})", "  (:objects"]
    lines += [f"    {one} - {_type(kind)}" for one, kind in objects.items()]
    lines += ["  )", "  (:init", *(f"    {_atom(atom)}" for atom in sorted(atoms)), "  )"]
    lines += ["  (:goal (and", *(f"    {_literal(literal)}" for literal in _sorted(goal)), "  ))", ")"]
    return "\n".join(lines) + "\n"


def _sorted(goal: Iterable[Literal]) -> list[Literal]:
    return sorted(goal, key=lambda literal: (literal[1], literal[0]))


def _type(kind: str) -> str:
    return f"({kind})" if kind.startswith("either ") else kind


def _atom(atom: Atom) -> str:
    return f"({' '.join(atom)})"


def _literal(literal: Literal) -> str:
    positive, atom = literal
    return _atom(atom) if positive else f"(not {_atom(atom)})"
