"""Questions about a state: every ground atom, the atoms an action turns on, and those it changes.

ViPlan (arXiv 2505.13180) asks a model for each of them whether it is true in a picture. The order of the
atoms never tells which are: predicates as the domain lists them, arguments by the alphabet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

import msgspec

from gumption.grounding.pddl import (
    And,
    Atom,
    Condition,
    Effect,
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
from gumption.grounding.states import Dynamics, State
from gumption.records import Answer, GumptionError, Item, Part, Reading, Text

__all__ = ["Believed", "believe", "changed", "ground", "ground_atoms", "label", "mentioned", "questions"]

MAX_ATOMS = 100_000


class Believed(msgspec.Struct, frozen=True):
    """What the answers about a state say."""

    asked: frozenset[Atom]
    true: frozenset[Atom]
    """Atoms answered with yes."""
    unread: frozenset[Atom]
    """Atoms whose answer is neither yes nor no."""


def ground_atoms(dynamics: Dynamics) -> tuple[Atom, ...]:
    """Every atom over the objects that the predicates' types allow, such as `on r r` of blocks.

    Raises GumptionError for more than 100,000.
    """
    ranges = {
        name: [dynamics.of_types(parameter.types) for parameter in parameters]
        for name, parameters in dynamics.domain.predicates.items()
    }
    size = sum(prod(map(len, places)) for places in ranges.values())
    if size > MAX_ATOMS:
        raise GumptionError(
            f"{size:,} ground atoms", where=dynamics.domain.name, remedy="ask about fewer objects"
        )
    return tuple((name, *words) for name, places in ranges.items() for words in product(*places))


def label(atom: Atom) -> str:
    """The atom as ViPlan's logs name it: `on r,g`."""
    return f"{atom[0]} {','.join(atom[1:])}".rstrip()


def questions(
    item: Item,
    call: str,
    atoms: Iterable[Atom],
    state: State,
    shown: tuple[Part, ...],
    words: Callable[[Atom], str],
) -> tuple[Item, ...]:
    """A yes/no question for each atom, with its gold from the true state.

    shown: the parts that show the state. words: the question about an atom. The calls are
    `<call>/<atom as ViPlan's logs name it>`.
    """
    return tuple(
        Item(
            id=f"{item.id}/{call}/{label(atom)}",
            benchmark=item.benchmark,
            parts=(*shown, Text(words(atom))),
            answer=Answer("yes_no", gold="yes" if atom in state else "no"),
        )
        for atom in atoms
    )


def believe(atoms: Iterable[Atom], readings: Iterable[Reading]) -> Believed:
    """What answers say about the atoms, one reading each. An unread atom is not among the true ones."""
    values = {atom: reading.value for atom, reading in zip(atoms, readings, strict=True)}
    return Believed(
        frozenset(values),
        frozenset(atom for atom, value in values.items() if value == "yes"),
        frozenset(atom for atom, value in values.items() if value not in {"yes", "no"}),
    )


# ── what an action turns on, and what it changes ─────────────────────────────────────────────────────


def ground(condition: Condition, values: Mapping[str, str], dynamics: Dynamics) -> Condition:
    """The condition with objects for its variables, and each quantifier written out over the objects."""
    match condition:
        case Fact(atom):
            return Fact(_atom(atom, values))
        case Equal(left, right):
            same = values.get(left, left) == values.get(right, right)
            return And(()) if same else Or(())
        case Not(part):
            return Not(ground(part, values, dynamics))
        case And(parts):
            return And(tuple(ground(part, values, dynamics) for part in parts))
        case Or(parts):
            return Or(tuple(ground(part, values, dynamics) for part in parts))
        case Imply(first, second) | When(first, second):
            return type(condition)(ground(first, values, dynamics), ground(second, values, dynamics))
        case Forall(variables, part) | Exists(variables, part):
            each = tuple(ground(part, one, dynamics) for one in _bindings(variables, values, dynamics))
            return And(each) if isinstance(condition, Forall) else Or(each)


def mentioned(condition: Condition) -> tuple[Atom, ...]:
    """The atoms of a ground condition, each once, in their order."""
    match condition:
        case Fact(atom):
            return (atom,)
        case Not(part):
            return mentioned(part)
        case And(parts) | Or(parts):
            return tuple(dict.fromkeys(atom for part in parts for atom in mentioned(part)))
        case Imply(first, second) | When(first, second):
            return tuple(dict.fromkeys((*mentioned(first), *mentioned(second))))
        case _:
            return ()


def changed(dynamics: Dynamics, step: Sequence[str], state: State) -> dict[Atom, bool]:
    """What a step sets in a state, as atom to whether it is true afterwards; an add wins over a delete.

    Conditional effects count where their condition holds in the state. Atoms that stay as they were are
    listed too. step: an action of the domain with as many arguments as it has parameters.
    """
    action = dynamics.domain.actions[step[0]]
    values = dict(zip((one.name for one in action.parameters), step[1:], strict=True))
    found: dict[Atom, bool] = {}
    for atom, true in _literals(ground(action.effect, values, dynamics), dynamics, state):
        found[atom] = found.get(atom, False) or true
    return found


def _literals(effect: Effect, dynamics: Dynamics, state: State) -> Iterator[tuple[Atom, bool]]:
    match effect:
        case Fact(atom):
            yield atom, True
        case Not(Fact(atom)):
            yield atom, False
        case And(parts):
            for part in parts:
                yield from _literals(part, dynamics, state)
        case When(condition, part):
            if dynamics.holds(condition, state):
                yield from _literals(part, dynamics, state)


def _bindings(
    variables: Collection[Parameter], values: Mapping[str, str], dynamics: Dynamics
) -> Iterator[dict[str, str]]:
    for words in product(*(dynamics.of_types(one.types) for one in variables)):
        yield {**values, **dict(zip((one.name for one in variables), words, strict=True))}


def _atom(atom: Atom, values: Mapping[str, str]) -> Atom:
    return (atom[0], *(values.get(word, word) for word in atom[1:]))
