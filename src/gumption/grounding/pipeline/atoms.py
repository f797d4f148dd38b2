"""Atoms and signed literals out of a stage's reply."""

from __future__ import annotations

import re
from typing import Any

from gumption.grounding.pipeline.reading import Found, entries_of, listed, pddl_name
from gumption.grounding.pipeline.schema import ATOMS, Literal, argument_key
from gumption.grounding.plans import read_actions
from gumption.records import ErrorKind, Mistake, Reply

__all__ = ["read_literals"]

_NAMES = ("predicate_type", "predicate")
_SIGN = "is_negated"
_WORDS = re.compile(
    "and|or|not|imply|implies|when|forall|exists|increase|decrease|assign|scale-up|scale-down|preference"
    "|always|sometime|within|at-most-once|over|at-end"
)
"""Of PDDL itself: no predicates."""
_NOT = re.compile(r"\(?\s*not\b", re.IGNORECASE)


def read_literals(reply: Reply) -> Found[frozenset[Literal]]:
    """The (positive, atom) of a list, each once. An unreadable reply says nothing.

    Entries have the schema's form, `predicate_type` with arguments under x, y, z, ..., which may also be the
    list `arguments` or stand under other names in order; or they are texts like "(on a b)" and "on(a, b)".
    Atoms with unknown predicates or objects are kept as they are. An entry that is nothing of the kind is a
    mistake.
    """
    reading = listed(reply, ATOMS)
    entries, mistakes = entries_of(reading, "atoms")
    found: set[Literal] = set()
    for entry in entries:
        literal = _from_text(entry) if isinstance(entry, str) else _from_fields(entry)
        if literal is None:
            mistakes.append(Mistake(ErrorKind.UNREADABLE, f"not an atom: {str(entry)[:80]}"))
        else:
            found.add(literal)
    return Found(frozenset(found), reading, tuple(mistakes))


def _from_text(entry: str) -> Literal | None:
    atoms = read_actions(entry)
    if len(atoms) != 1:
        return None
    atom = tuple(map(pddl_name, atoms[0]))
    return (_NOT.match(entry.strip()) is None, atom) if _is_atom(atom) else None


def _from_fields(entry: Any) -> Literal | None:
    if not isinstance(entry, dict):
        return None
    predicate = next((entry[name] for name in _NAMES if name in entry), None)
    fields = {name: value for name, value in entry.items() if name not in (*_NAMES, _SIGN)}
    match fields:
        case {"arguments": list(told)} if len(fields) == 1:
            arguments = told
        case _:
            keys = [argument_key(number) for number in range(len(fields))]
            arguments = [fields[key] for key in (keys if set(keys) == set(fields) else fields)]
    atom = (pddl_name(predicate), *map(pddl_name, arguments))
    negated = str(entry.get(_SIGN, False)).lower() == "true"
    return (not negated, atom) if _is_atom(atom) else None


def _is_atom(words: tuple[str, ...]) -> bool:
    return all(words) and not _WORDS.fullmatch(words[0])
