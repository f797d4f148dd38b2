"""Conditions and effects over objects, turned into bit masks. What never changes is decided here and now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

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
    MalformedPDDL,
    Not,
    Or,
    Parameter,
    Problem,
    When,
)
from gumption.grounding.planners._budget import Budget, Exhausted
from gumption.grounding.states import Dynamics, State, fluents, written

__all__ = ["Change", "Formula", "Grounder", "Test", "Values"]

Values: TypeAlias = Mapping[str, str]
"""Variables and the objects they stand for."""
Test: TypeAlias = Callable[[int], bool]
MAX_BYTES = 512 * 2**20
"""What a problem over objects may fill, by a rough count that is the same everywhere."""
_PIECE_BYTES = 100


class Formula:
    """Literals, and tests of whatever is no literal: all of them are to hold, or any one.

    care: the atoms of the literals. want: those of them that are to be true. atoms: those that matter in any
    way.
    """

    __slots__ = ("atoms", "care", "every", "tests", "want")

    def __init__(
        self, every: bool, care: int, want: int, tests: tuple[Test, ...] = (), atoms: int = 0
    ) -> None:
        self.every, self.care, self.want, self.tests = every, care, want, tests
        self.atoms = care | atoms

    def test(self) -> Test:
        """As a function of the state."""
        care, want, tests = self.care, self.want, self.tests
        if self.every:
            return lambda state: state & care == want and all(test(state) for test in tests)
        # Of the literals none holds where every atom that matters is the opposite of what is wanted.
        never = care ^ want
        if not tests:
            return lambda state: state & care != never
        return lambda state: state & care != never or any(test(state) for test in tests)


class Change:
    """What an action does: at once, and where a condition holds."""

    def __init__(self) -> None:
        self.adds = self.deletes = 0
        self.whens: list[tuple[Formula, int, int]] = []
        """(condition, adds, deletes)."""

    def add(self, given: Formula | None, adds: int, deletes: int) -> None:
        """given: None where it comes about in any case."""
        if given is None or (not adds and not given.tests and given.care == given.want == deletes):
            # Deleting what does not hold does nothing: "when p, not p" is "not p".
            self.adds |= adds
            self.deletes |= deletes
        elif self.whens and self.whens[-1][0] is given:
            _, *before = self.whens.pop()
            self.whens.append((given, before[0] | adds, before[1] | deletes))
        else:
            self.whens.append((given, adds, deletes))


class Grounder:
    """Numbers the atoms that actions can change, and turns formulas into masks over these numbers.

    Raises MalformedPDDL for what is no formula, Exhausted where the budget or MAX_BYTES is reached.
    """

    def __init__(self, dynamics: Dynamics, problem: Problem, budget: Budget) -> None:
        self._dynamics, self._init, self._budget = dynamics, problem.init, budget
        self._fluents = fluents(dynamics.domain)
        self._bits: dict[Atom, int] = {}
        self._bytes = 0

    def spend(self) -> None:
        """Count a piece of work, of which masks as long as the atoms so far may be kept. Raises Exhausted."""
        self._bytes += _PIECE_BYTES + len(self._bits) // 8
        if self._bytes > MAX_BYTES:
            raise Exhausted("gave_up", "too many actions over these objects")
        self._budget.spend()

    def mask(self, state: State) -> int:
        """The atoms of a state that have a number by now: those that some action or goal speaks of."""
        mask = 0
        for atom in state:
            mask |= self._bits.get(atom, 0)
        return mask

    def is_static(self, atom: Atom) -> bool:
        """Whether no action can change it."""
        return atom[0] not in self._fluents

    def _bit(self, atom: Atom) -> int:
        return self._bits.setdefault(atom, 1 << len(self._bits))

    def condition(self, condition: Condition, values: Values, wanted: bool = True) -> Formula | bool:
        """The condition (or its opposite) for these objects; True or False where no action matters to it."""
        self.spend()
        match condition:
            case Fact(atom):
                atom = _put(atom, values)
                if atom[0] not in self._fluents:
                    return (atom in self._init) == wanted
                bit = self._bit(atom)
                return Formula(True, bit, bit if wanted else 0)
            case Equal(left, right):
                return (values.get(left, left) == values.get(right, right)) == wanted
            case Not(part):
                return self.condition(part, values, not wanted)
            case And(parts):
                return self._joined((self.condition(part, values, wanted) for part in parts), wanted)
            case Or(parts):
                return self._joined((self.condition(part, values, wanted) for part in parts), not wanted)
            case Imply(given, then):
                sides = ((given, not wanted), (then, wanted))
                return self._joined((self.condition(part, values, sign) for part, sign in sides), not wanted)
            case Forall(variables, part):
                each = (self.condition(part, inner, wanted) for inner in self._inner(variables, values))
                return self._joined(each, wanted)
            case Exists(variables, part):
                each = (self.condition(part, inner, wanted) for inner in self._inner(variables, values))
                return self._joined(each, not wanted)
        raise _misplaced("an effect where a condition is wanted", condition)

    def conjunction(self, parts: Sequence[Condition], values: Values) -> Formula | bool:
        """All of the conditions as one; if a Formula, one of which every part is to hold."""
        return self._joined((self.condition(part, values) for part in parts), True)

    @staticmethod
    def _joined(parts: Iterator[Formula | bool], every: bool) -> Formula | bool:
        """All of the parts, or any of them."""
        care = want = atoms = 0
        tests: list[Test] = []
        for part in parts:
            if isinstance(part, bool):
                if part != every:
                    return part
                continue
            atoms |= part.atoms
            if part.every == every or (not part.tests and part.care.bit_count() == 1):
                if (care & part.care) & (want ^ part.want):
                    return not every  # p and not p; p or not p
                care |= part.care
                want |= part.want
                tests += part.tests
            else:
                tests.append(part.test())
        if not care and not tests:
            return every
        return Formula(every, care, want, tuple(tests), atoms)

    def _inner(self, variables: Sequence[Parameter], values: Values) -> Iterator[Values]:
        names = [variable.name for variable in variables]
        ranges = [self._dynamics.of_types(variable.types) for variable in variables]
        for objects in product(*ranges):
            yield {**values, **dict(zip(names, objects, strict=True))}

    def effect(self, effect: Effect, values: Values, change: Change, given: Formula | None = None) -> None:
        """Add an effect for these objects to a change. given: the condition it stands under."""
        self.spend()
        match effect:
            case Fact(atom):
                change.add(given, self._bit(_put(atom, values)), 0)
            case Not(Fact(atom)):
                change.add(given, 0, self._bit(_put(atom, values)))
            case And(parts):
                for part in parts:
                    self.effect(part, values, change, given)
            case Forall(variables, part):
                for inner in self._inner(variables, values):
                    self.effect(part, inner, change, given)
            case When(condition, part):
                both = self._joined(iter((given or True, self.condition(condition, values))), True)
                if both is not False:
                    self.effect(part, values, change, None if both is True else both)
            case _:
                raise _misplaced("a condition where an effect is wanted", effect)


def _misplaced(problem: str, part: Condition) -> MalformedPDDL:
    return MalformedPDDL(f"{problem}: {written(part)}", remedy="mend the domain or the goal")


def _put(atom: Atom, values: Values) -> Atom:
    return (atom[0], *[values.get(word, word) for word in atom[1:]])
