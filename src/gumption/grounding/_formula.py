"""Conditions, effects and typed lists out of nested lists. What cannot be understood is a fault and is passed
over; the rest is kept."""

from __future__ import annotations

from collections.abc import Iterator

from gumption.grounding._findings import Checker, Findings, Scope
from gumption.grounding._sexpr import Group
from gumption.grounding.pddl import (
    And,
    Condition,
    Equal,
    Exists,
    Fact,
    Forall,
    Imply,
    Not,
    Or,
    Parameter,
    When,
)

__all__ = [
    "joined",
    "misplaced",
    "parameters",
    "read_formula",
    "typed",
]

_TRUE = And(())
_NUMERIC = ("=", "<", ">", "<=", ">=", "increase", "decrease", "assign", "scale-up", "scale-down")
_LATER = ("preference", "always", "sometime", "within", "at-most-once", "over", "at-end")
_WORDS = frozenset({"and", "or", "not", "imply", "implies", "when", "forall", "exists", *_NUMERIC, *_LATER})
"""What no atom begins with."""


def read_formula(node: Group | str, index: int, checker: Checker, scope: Scope) -> Condition:
    """A condition or an effect, its atoms checked on the way; `()` is true.

    index: of the node's first token. scope: the variables that stand for something here, with their types.
    """
    fault = checker.fault
    if isinstance(node, str):
        fault("syntax", node, index)
        return _TRUE
    if not node:
        return _TRUE
    head = node[0]
    if isinstance(head, Group):  # a pair of parentheses too many, or a conjunction without its `and`
        fault("syntax", "(", index)
        return joined(node, 0, checker, scope)
    if head not in _WORDS:
        return _atom(node, index, checker, scope)
    match head:
        case "and":
            return joined(node, 1, checker, scope)
        case "or":
            return Or(_parts(node, 1, checker, scope))
        case "not":
            if len(node) != 2:
                fault("syntax", "not", index)
            return Not(joined(node, 1, checker, scope))
        case "imply" | "implies" | "when":
            if len(node) != 3:
                fault("syntax", head, index)
            first, *rest = _parts(node, 1, checker, scope) or (_TRUE,)
            return (When if head == "when" else Imply)(first, _one(tuple(rest)))
        case "forall" | "exists":
            if len(node) < 2 or not isinstance(node[1], Group):
                fault("syntax", head, index)
                return _TRUE
            variables = parameters(node[1], checker)
            within = {**scope, **{variable.name: variable.types for variable in variables}}
            return (Forall if head == "forall" else Exists)(variables, joined(node, 2, checker, within))
        case "=" if len(node) == 3 and isinstance(node[1], str) and isinstance(node[2], str):
            checker.names(node[1:], index + 2, scope)
            return Equal(node[1], node[2])
        case "increase" if len(node) == 3 and isinstance(node[1], Group) and node[1].head == "total-cost":
            return _TRUE
    fault("unsupported", "numeric fluents" if head in _NUMERIC else head, index)
    return _TRUE


def _atom(node: Group, index: int, checker: Checker, scope: Scope) -> Condition:
    if node.flat:
        atom = tuple(node)
        checker.atom(atom, index, scope)
        return Fact(atom)
    # It was not closed before the next one began: both are kept.
    if checker.unclosed:
        checker.fault(checker.unclosed, node.head, index)
    number = next(number for number, item in enumerate(node) if isinstance(item, Group))
    atom = tuple(node[:number])
    checker.atom(atom, index, scope)
    return And((Fact(atom), joined(node, number, checker, scope)))


def _parts(node: Group, first: int, checker: Checker, scope: Scope) -> tuple[Condition, ...]:
    return tuple([read_formula(item, index, checker, scope) for index, item in node.placed(first)])


def _one(parts: tuple[Condition, ...]) -> Condition:
    return parts[0] if len(parts) == 1 else And(parts)


def joined(node: Group, first: int, checker: Checker, scope: Scope) -> Condition:
    """The items from `first` on, all of them to hold."""
    return _one(_parts(node, first, checker, scope))


def typed(node: Group, first: int, fault: Findings) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """(name, types, token index) of a typed list; several names before one dash share the type."""
    names: list[tuple[str, int]] = []
    dash = False
    for index, item in node.placed(first):
        kinds: tuple[str, ...] = ()
        if isinstance(item, Group):
            if dash and item.head == "either":
                kinds = tuple(word for word in item[1:] if isinstance(word, str))
            else:
                fault("syntax", item.head or "(", index)
                yield from typed(item, 0, fault)
        elif dash:
            kinds = (item,)
        elif item == "-":
            dash = True
        elif item[0] == "-" and names:
            kinds = (item[1:],)
        else:
            names.append((item, index))
        if kinds:
            yield from ((name, kinds, at) for name, at in names)
            names, dash = [], False
    if dash:
        fault("syntax", "-", node.end)
    yield from ((name, ("object",), at) for name, at in names)


def parameters(node: Group, checker: Checker) -> tuple[Parameter, ...]:
    """The variables of an action or a quantifier, their types checked."""
    found = []
    for name, kinds, index in typed(node, 0, checker.fault):
        checker.types(kinds, index)
        found.append(Parameter(name, kinds))
    return tuple(found)


def misplaced(formula: Condition, *, effect: bool) -> Iterator[str]:
    """What has no meaning where it stands: a `when` in a condition; anything but facts, their negation,
    `and`, `forall` and `when` in an effect."""
    match formula:
        case Fact() | Not(Fact()):
            return
        case And(parts):
            for part in parts:
                yield from misplaced(part, effect=effect)
        case Forall(_, part):
            yield from misplaced(part, effect=effect)
        case When(condition, part) if effect:
            yield from misplaced(condition, effect=False)
            yield from misplaced(part, effect=True)
        case When():
            yield "when in a condition"
        case _ if effect:
            yield f"{type(formula).__name__.lower()} in an effect"
        case Or(parts):
            for part in parts:
                yield from misplaced(part, effect=False)
        case Not(part) | Exists(_, part):
            yield from misplaced(part, effect=False)
        case Imply(condition, part):
            yield from misplaced(condition, effect=False)
            yield from misplaced(part, effect=False)
