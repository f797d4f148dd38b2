"""What actions do to states, over tuples. Conditions are tested in the state before an action; then all its
effects come about at once, deletes first, so that an add wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from gumption.grounding.pddl import (
    Action,
    And,
    Atom,
    Condition,
    Domain,
    Effect,
    Equal,
    Exists,
    Fact,
    Forall,
    Imply,
    Not,
    Or,
    Parameter,
    Problem,
    UnsupportedPDDL,
    When,
)

__all__ = ["Dynamics", "Schema", "State", "conjuncts", "fluents", "written"]

State: TypeAlias = Set[Atom]
"""The atoms that are true; all others are false."""

_Values: TypeAlias = list[str]
_Test: TypeAlias = Callable[[State, _Values], bool]
_Apply: TypeAlias = Callable[[State, _Values, set[Atom], set[Atom]], None]
_Slots: TypeAlias = Mapping[str, int]


class Schema:
    """An action made ready to run: tests of the parts of its precondition, and its effect."""

    def __init__(self, action: Action, dynamics: Dynamics) -> None:
        self.action = action
        self.parts = tuple(conjuncts(action.precondition))
        slots = {parameter.name: number for number, parameter in enumerate(action.parameters)}
        compiler = _Compiler(dynamics, len(slots))
        self._tests = [compiler.test(part, slots) for part in self.parts]
        self._effect = compiler.effect(action.effect, slots)
        self._room = [""] * compiler.room

    def applicable(self, state: State, arguments: Sequence[str]) -> bool:
        """Whether the precondition holds; the arguments are taken to be of the right number and types."""
        values = [*arguments, *self._room]
        for test in self._tests:  # noqa: SIM110 - the hottest line of validation; a generator doubles it
            if not test(state, values):
                return False
        return True

    def unmet(self, state: State, arguments: Sequence[str]) -> list[int]:
        """Which parts of the precondition do not hold, as indices into `parts`."""
        values = [*arguments, *self._room]
        return [number for number, test in enumerate(self._tests) if not test(state, values)]

    def part_holds(self, number: int, state: State, arguments: Sequence[str]) -> bool:
        """Whether one part of the precondition holds."""
        return self._tests[number](state, [*arguments, *self._room])

    def apply(self, state: State, arguments: Sequence[str]) -> frozenset[Atom]:
        """The state after the action, whether or not it was applicable."""
        adds: set[Atom] = set()
        deletes: set[Atom] = set()
        self._effect(state, [*arguments, *self._room], adds, deletes)
        return frozenset((state - deletes) | adds)


class Dynamics:
    """A domain over some objects. Schemas are made ready when they are first used.

    Raises UnsupportedPDDL for domains and problems with features that have no place here.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        domain.raise_unsupported()
        if problem.unsupported:
            raise UnsupportedPDDL(
                f"not supported: {', '.join(problem.unsupported)}",
                where=f"problem {problem.name}",
                remedy="leave them out",
            )
        self.domain = domain
        self.objects = {**problem.objects, **domain.constants}
        self._by_types: dict[tuple[str, ...], list[str]] = {}
        self._schemas: dict[str, Schema] = {}

    def of_types(self, types: tuple[str, ...]) -> list[str]:
        """The objects and constants of these types, subtypes included, in alphabetical order."""
        found = self._by_types.get(types)
        if found is None:
            is_a = self.domain.is_a
            found = sorted(name for name, kind in self.objects.items() if is_a(kind, types))
            self._by_types[types] = found
        return found

    def schema(self, name: str) -> Schema | None:
        """The action of that name, ready to run; None where there is none."""
        schema = self._schemas.get(name)
        if schema is None and name in self.domain.actions:
            schema = self._schemas[name] = Schema(self.domain.actions[name], self)
        return schema

    def holds(self, condition: Condition, state: State) -> bool:
        """Whether a condition without free variables holds."""
        compiler = _Compiler(self, 0)
        test = compiler.test(condition, {})
        return test(state, [""] * compiler.room)

    def unmet(self, condition: Condition, state: State) -> list[Condition]:
        """The parts of a conjunction that do not hold."""
        return [part for part in conjuncts(condition) if not self.holds(part, state)]


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """The parts of a conjunction, nested ones flattened; of anything else, itself."""
    if isinstance(condition, And):
        for part in condition.parts:
            yield from conjuncts(part)
    else:
        yield condition


def fluents(domain: Domain) -> frozenset[str]:
    """The predicates that some action changes; all others are static."""
    found: set[str] = set()
    waiting: list[Effect] = [action.effect for action in domain.actions.values()]
    while waiting:
        match waiting.pop():
            case Fact(atom) | Not(Fact(atom)):
                found.add(atom[0])
            case And(parts):
                waiting.extend(parts)
            case When(_, part) | Forall(_, part):
                waiting.append(part)
    return frozenset(found)


def written(condition: Condition, values: Mapping[str, str] | None = None) -> str:
    """The condition as PDDL, with variables replaced where values are given."""
    known = values or {}
    match condition:
        case Fact(atom):
            return f"({' '.join(known.get(word, word) for word in atom)})"
        case Equal(left, right):
            return f"(= {known.get(left, left)} {known.get(right, right)})"
        case Not(part):
            return f"(not {written(part, known)})"
        case And(parts):
            return f"(and{''.join(f' {written(part, known)}' for part in parts)})"
        case Or(parts):
            return f"(or{''.join(f' {written(part, known)}' for part in parts)})"
        case Imply(first, second):
            return f"(imply {written(first, known)} {written(second, known)})"
        case When(first, second):
            return f"(when {written(first, known)} {written(second, known)})"
        case Forall(variables, part):
            return f"(forall ({_typed(variables)}) {written(part, known)})"
        case Exists(variables, part):
            return f"(exists ({_typed(variables)}) {written(part, known)})"


def _typed(variables: Iterable[Parameter]) -> str:
    def kinds(types: tuple[str, ...]) -> str:
        return types[0] if len(types) == 1 else f"(either {' '.join(types)})"

    return " ".join(f"{one.name} - {kinds(one.types)}" for one in variables)


class _Compiler:
    """Turns formulas into functions of a state and the values of the variables, one slot each."""

    def __init__(self, dynamics: Dynamics, taken: int) -> None:
        self._dynamics = dynamics
        self._taken = taken
        self.room = 0
        """Slots needed beyond those of the parameters."""

    def test(self, condition: Condition, slots: _Slots) -> _Test:
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

                def every(state: State, values: _Values) -> bool:
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
                inner, ranges = self._bound(variables, slots)
                test = self.test(part, inner)
                wanted = isinstance(condition, Exists)

                def quantified(state: State, values: _Values) -> bool:
                    for _ in _bindings(values, ranges):
                        if test(state, values) == wanted:
                            return wanted
                    return not wanted

                return quantified
        raise TypeError(f"an effect where a condition is wanted: {written(condition)}")

    def effect(self, effect: Effect, slots: _Slots) -> _Apply:
        match effect:
            case Fact(atom):
                make = _maker(atom, slots)
                return lambda _, values, adds, __: adds.add(make(values))
            case Not(Fact(atom)):
                make = _maker(atom, slots)
                return lambda _, values, __, deletes: deletes.add(make(values))
            case And(parts):
                effects = [self.effect(part, slots) for part in parts]

                def together(state: State, values: _Values, adds: set[Atom], deletes: set[Atom]) -> None:
                    for one in effects:
                        one(state, values, adds, deletes)

                return together
            case When(condition, part):
                test, then = self.test(condition, slots), self.effect(part, slots)

                def when(state: State, values: _Values, adds: set[Atom], deletes: set[Atom]) -> None:
                    if test(state, values):
                        then(state, values, adds, deletes)

                return when
            case Forall(variables, part):
                inner, ranges = self._bound(variables, slots)
                one = self.effect(part, inner)

                def each(state: State, values: _Values, adds: set[Atom], deletes: set[Atom]) -> None:
                    for _ in _bindings(values, ranges):
                        one(state, values, adds, deletes)

                return each
        raise TypeError(f"a condition where an effect is wanted: {written(effect)}")

    def _bound(
        self, variables: Sequence[Parameter], slots: _Slots
    ) -> tuple[dict[str, int], list[tuple[int, list[str]]]]:
        """The slots inside a quantifier, and what each new one ranges over."""
        inner = dict(slots)
        ranges = []
        for variable in variables:
            slot = inner[variable.name] = self._taken + self.room
            self.room += 1
            ranges.append((slot, self._dynamics.of_types(variable.types)))
        return inner, ranges


def _bindings(values: _Values, ranges: list[tuple[int, list[str]]], first: int = 0) -> Iterator[None]:
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


def _fact(atom: Atom, slots: _Slots) -> _Test:
    """The most frequent shapes are written out: they are where validation spends its time."""
    name = atom[0]
    match [slots.get(word, -1) for word in atom[1:]]:
        case [first] if first >= 0:
            return lambda state, values: (name, values[first]) in state
        case [first, second] if first >= 0 and second >= 0:
            return lambda state, values: (name, values[first], values[second]) in state
    make = _maker(atom, slots)
    return lambda state, values: make(values) in state


def _maker(atom: Atom, slots: _Slots) -> Callable[[_Values], Atom]:
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


def _equal(left: str, right: str, slots: _Slots) -> _Test:
    first, second = slots.get(left, -1), slots.get(right, -1)
    return lambda _, values: (
        (left if first < 0 else values[first]) == (right if second < 0 else values[second])
    )
