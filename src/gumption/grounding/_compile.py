"""Turning conditions and effects into functions of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import TypeAlias, TypeVar

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
    UnsupportedPDDL,
    When,
)

__all__ = ["Compiler", "State"]

State: TypeAlias = Set[Atom]
"""The atoms that are true; all others are false."""

Values: TypeAlias = list[str]
"""What each variable stands for, by its slot."""
Slots: TypeAlias = Mapping[str, int]
Test: TypeAlias = Callable[[State, Values], bool]
Apply: TypeAlias = Callable[[State, Values, set[Atom], set[Atom]], None]
"""Puts what it adds into the first set and what it deletes into the second."""

_Compiled = TypeVar("_Compiled", Test, Apply)

MAX_COMBINATIONS = 1_000_000
"""Of objects in the quantifiers of one formula: a goal that a model wrote may nest a dozen of them."""


class Compiler:
    """Turns the formulas of an action, or a goal, into functions of a state and the values of the variables,
    one slot each. Raises UnsupportedPDDL where quantifiers range over too much."""

    def __init__(self, of_types: Callable[[tuple[str, ...]], list[str]], taken: int) -> None:
        self._of_types = of_types
        self._taken = taken
        self.room = 0
        """Slots needed beyond those of the parameters."""
        self._rounds = 1
        """How often what is compiled now may be evaluated in one evaluation of the whole."""
        self._combinations = 0

    def test(self, condition: Condition, slots: Slots) -> Test:
        match condition:
            case Fact(atom):
                return _fact(atom, slots)
            case Not(Fact(atom)):
                fact = _fact(atom, slots)
                return lambda state, values: not fact(state, values)
            case Not(part):
                test = self.test(part, slots)
                return lambda state, values: not test(state, values)
            case Equal(left, right):
                return _equal(left, right, slots)
            case And(parts):
                tests = [self.test(part, slots) for part in parts]
                if len(tests) == 2:
                    first, second = tests
                    return lambda state, values: first(state, values) and second(state, values)

                def every(state: State, values: Values) -> bool:
                    for test in tests:  # noqa: SIM110 - as above
                        if not test(state, values):
                            return False
                    return True

                return every
            case Or(parts):
                tests = [self.test(part, slots) for part in parts]
                return lambda state, values: any(test(state, values) for test in tests)
            case Imply(left, right):
                given, then = self.test(left, slots), self.test(right, slots)
                return lambda state, values: not given(state, values) or then(state, values)
            case Forall(variables, part) | Exists(variables, part):
                test, ranges = self._within(variables, slots, partial(self.test, part))
                wanted = isinstance(condition, Exists)

                def quantified(state: State, values: Values) -> bool:
                    for _ in _bindings(values, ranges):
                        if test(state, values) == wanted:
                            return wanted
                    return not wanted

                return quantified
        raise TypeError(f"an effect where a condition is wanted: {type(condition).__name__}")

    def effect(self, effect: Effect, slots: Slots) -> Apply:
        match effect:
            case Fact(atom):
                make = _maker(atom, slots)
                return lambda _, values, adds, __: adds.add(make(values))
            case Not(Fact(atom)):
                make = _maker(atom, slots)
                return lambda _, values, __, deletes: deletes.add(make(values))
            case And(parts):
                effects = [self.effect(part, slots) for part in parts]

                def together(state: State, values: Values, adds: set[Atom], deletes: set[Atom]) -> None:
                    for one in effects:
                        one(state, values, adds, deletes)

                return together
            case When(condition, part):
                test, then = self.test(condition, slots), self.effect(part, slots)

                def when(state: State, values: Values, adds: set[Atom], deletes: set[Atom]) -> None:
                    if test(state, values):
                        then(state, values, adds, deletes)

                return when
            case Forall(variables, part):
                one, ranges = self._within(variables, slots, partial(self.effect, part))

                def each(state: State, values: Values, adds: set[Atom], deletes: set[Atom]) -> None:
                    for _ in _bindings(values, ranges):
                        one(state, values, adds, deletes)

                return each
        raise TypeError(f"a condition where an effect is wanted: {type(effect).__name__}")

    def _within(
        self, variables: Sequence[Parameter], slots: Slots, compiled: Callable[[Slots], _Compiled]
    ) -> tuple[_Compiled, list[tuple[int, list[str]]]]:
        """What stands inside a quantifier, and the slot and the range of each of its variables."""
        inner = dict(slots)
        ranges = []
        rounds = self._rounds
        for variable in variables:
            slot = inner[variable.name] = self._taken + self.room
            self.room += 1
            ranges.append((slot, self._of_types(variable.types)))
            self._rounds *= len(ranges[-1][1])
            if self._rounds + self._combinations > MAX_COMBINATIONS:
                raise UnsupportedPDDL(
                    f"quantifiers over more than {MAX_COMBINATIONS:,} combinations of objects",
                    where="a condition or an effect",
                    remedy="give it fewer variables, or the problem fewer objects",
                )
        self._combinations += self._rounds
        inside = compiled(inner)
        self._rounds = rounds
        return inside, ranges


def _bindings(values: Values, ranges: list[tuple[int, list[str]]], first: int = 0) -> Iterator[None]:
    """Puts every combination into the slots in turn."""
    if first == len(ranges):
        yield
        return
    slot, objects = ranges[first]
    for name in objects:
        values[slot] = name
        if first + 1 == len(ranges):
            yield
        else:
            yield from _bindings(values, ranges, first + 1)


def _fact(atom: Atom, slots: Slots) -> Test:
    """The most frequent shapes are written out: they are where validation spends its time."""
    name = atom[0]
    match [slots.get(word, -1) for word in atom[1:]]:
        case [first] if first >= 0:
            return lambda state, values: (name, values[first]) in state
        case [first, second] if first >= 0 and second >= 0:
            return lambda state, values: (name, values[first], values[second]) in state
    make = _maker(atom, slots)
    return lambda state, values: make(values) in state


def _maker(atom: Atom, slots: Slots) -> Callable[[Values], Atom]:
    name = atom[0]
    places = [slots.get(word, -1) for word in atom[1:]]
    match places:
        case [first] if first >= 0:
            return lambda values: (name, values[first])
        case [first, second] if first >= 0 and second >= 0:
            return lambda values: (name, values[first], values[second])
    if all(place < 0 for place in places):
        return lambda _: atom
    pairs = tuple(zip(atom[1:], places, strict=True))
    return lambda values: (name, *[word if place < 0 else values[place] for word, place in pairs])


def _equal(left: str, right: str, slots: Slots) -> Test:
    first, second = slots.get(left, -1), slots.get(right, -1)
    return lambda _, values: (
        (left if first < 0 else values[first]) == (right if second < 0 else values[second])
    )
