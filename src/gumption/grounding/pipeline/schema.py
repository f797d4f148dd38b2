"""The form of a stage's reply: a JSON schema out of the domain and the objects, and gold in that form.

One form a predicate, as in SYMBOLIZER (arXiv 2604.17830): its name capitalised, arguments keyed x, y, z, ...
in order, each restricted to the objects of the right type, subtypes and constants included. A predicate that
no objects fit cannot be said and has no form. Predicates that share their name with an action are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from gumption.grounding.pddl import Atom, Domain

__all__ = [
    "ATOMS",
    "OBJECTS",
    "Literal",
    "argument_key",
    "atom_entry",
    "atoms_schema",
    "expressible",
    "object_entry",
    "objects_schema",
    "types_of",
]

OBJECTS = "objects"
"""The key of the list of objects."""
ATOMS = "grounded_predicates"
"""The key of the list of atoms, of a state or of a goal."""

Literal: TypeAlias = tuple[bool, Atom]
"""Whether the atom is to be true, and the atom."""

_KEYS = "xyzwvu"


def argument_key(number: int) -> str:
    """What an argument is called: x, y, z, w, v, u, then x7, x8, ..., the first being number 0."""
    return _KEYS[number] if number < len(_KEYS) else f"x{number + 1}"


def types_of(domain: Domain) -> tuple[str, ...]:
    """The types that objects may be said to be of; "object" alone where the domain declares none."""
    return tuple(name for name in domain.types if name != "object") or ("object",)


def objects_schema(domain: Domain) -> dict[str, Any]:
    """The schema of the list of objects, with its name."""
    return _listed(OBJECTS, _record({"name": {"type": "string"}, "type": _one_of(types_of(domain))}))


def atoms_schema(domain: Domain, objects: Mapping[str, str], *, signed: bool) -> dict[str, Any] | None:
    """The schema of a list of atoms over these objects, with its name; None where no atom can be said.

    signed: for a goal, whose atoms say whether they are negated.
    """
    names: dict[str, Any] = {}
    forms: list[dict[str, Any]] = []
    for predicate, parameters in domain.predicates.items():
        fields: dict[str, Any] = {"predicate_type": _one_of([predicate.capitalize()])}
        if signed:
            fields["is_negated"] = {"type": "boolean"}
        for number, parameter in enumerate(parameters):
            label = "_or_".join(parameter.types)
            fitting = _fitting(domain, objects, parameter.types)
            if not fitting:
                break
            names[label] = _record({"name": _one_of(fitting)})
            fields[argument_key(number)] = {"$ref": f"#/$defs/{label}"}
        else:
            forms.append(_record(fields))
    if not forms:
        return None
    listed = _listed(ATOMS, {"anyOf": forms}, name="goal" if signed else "state")
    listed["schema"]["$defs"] = names
    return listed


def _fitting(domain: Domain, objects: Mapping[str, str], types: tuple[str, ...]) -> list[str]:
    return sorted(name for name, kind in {**domain.constants, **objects}.items() if domain.is_a(kind, types))


def _listed(key: str, entry: dict[str, Any], name: str = "") -> dict[str, Any]:
    return {"name": name or key, "schema": _record({key: {"type": "array", "items": entry}})}


def _one_of(values: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": [*values]}


def _record(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


def object_entry(name: str, kind: str) -> dict[str, Any]:
    """An object in the form of a reply."""
    return {"name": name, "type": kind}


def atom_entry(atom: Atom, positive: bool | None = None) -> dict[str, Any]:
    """An atom in the form of a reply. positive: None in a state; in a goal, whether it is to be true."""
    entry: dict[str, Any] = {"predicate_type": atom[0].capitalize()}
    if positive is not None:
        entry["is_negated"] = not positive
    return entry | {argument_key(number): {"name": name} for number, name in enumerate(atom[1:])}


def expressible(domain: Domain, objects: Mapping[str, str], atoms: Iterable[Atom]) -> list[Atom]:
    """The atoms that the schema over these objects has a form for, in alphabetical order."""
    known = {**domain.constants, **objects}

    def fits(atom: Atom) -> bool:
        parameters = domain.predicates.get(atom[0])
        return (
            parameters is not None
            and len(parameters) == len(atom) - 1
            and all(
                name in known and domain.is_a(known[name], parameter.types)
                for name, parameter in zip(atom[1:], parameters, strict=True)
            )
        )

    return sorted(filter(fits, atoms))
