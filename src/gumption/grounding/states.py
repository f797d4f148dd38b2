"""What actions do to states, over tuples. Conditions are tested in the state before an action; then all its
effects come about at once, deletes first, so that an add wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gumption.grounding._compile import Compiler, State
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


class Schema:
    """An action made ready to run: tests of the parts of its precondition, and its effect."""

    def __init__(self, action: Action, dynamics: Dynamics) -> None:
        self.action = action
        self.parts = tuple(conjuncts(action.precondition))
        slots = {parameter.name: number for number, parameter in enumerate(action.parameters)}
        compiler = Compiler(dynamics.of_types, len(slots))
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
        compiler = Compiler(self.of_types, 0)
        test = compiler.test(condition, {})
        return test(state, [""] * compiler.room)

    def unmet(self, condition: Condition, state: State) -> list[Condition]:
        """The parts of a conjunction that do not hold."""
        compiler = Compiler(self.of_types, 0)
        tests = [(part, compiler.test(part, {})) for part in conjuncts(condition)]
        values = [""] * compiler.room
        return [part for part, test in tests if not test(state, values)]


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
