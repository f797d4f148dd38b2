"""A problem made ready for search: its actions over objects, its states as bit masks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from gumption.grounding.pddl import Action, Atom, Domain, Fact, Not, Problem
from gumption.grounding.planners._bindings import bindings
from gumption.grounding.planners._budget import Budget
from gumption.grounding.planners._masks import Change, Formula, Grounder, Test
from gumption.grounding.planners.result import Step
from gumption.grounding.states import Dynamics, conjuncts

__all__ = ["Operator", "Task"]

_REMEMBERED = 1_000_000
"""Operators in lists of applicable ones: many states differ only in what no precondition asks for."""


class Operator:
    """An action over objects."""

    __slots__ = ("adds", "keep", "precondition", "step", "whens")

    def __init__(self, step: Step, precondition: Formula, change: Change) -> None:
        self.step, self.precondition = step, precondition
        self.adds, self.keep = change.adds, ~change.deletes
        self.whens = tuple(
            (given.care, given.want, given.tests, adds, deletes) for given, adds, deletes in change.whens
        )

    def apply(self, state: int) -> int:
        """The state after it. Conditions are tested in the state before; an add wins over a delete."""
        adds, keep = self.adds, self.keep
        for care, want, tests, more, less in self.whens:
            if state & care == want and (not tests or all(test(state) for test in tests)):
                adds |= more
                keep &= ~less
        return state & keep | adds


_Filed: TypeAlias = tuple[int, int, tuple[Test, ...], int]
"""An operator's precondition and its number. Tuples: this is the innermost loop of a search."""


class Task:
    """A problem as a space to search. States are bit masks, and so are their facts.

    Raises UnsupportedPDDL, and Exhausted where the budget or a bound on the size is reached.
    """

    def __init__(self, domain: Domain, problem: Problem, budget: Budget) -> None:
        dynamics = Dynamics(domain, problem)
        grounder = Grounder(dynamics, problem, budget)
        known: dict[str, list[Atom]] = defaultdict(list)
        for atom in problem.init:
            known[atom[0]].append(atom)
        self._operators = [
            operator
            for action in domain.actions.values()
            for operator in _operators(action, dynamics, known, grounder)
        ]
        self._operators.sort(key=lambda operator: operator.step)
        self._file(budget)
        self._goal(problem, grounder)
        self._initial = grounder.mask(problem.init)

    def _goal(self, problem: Problem, grounder: Grounder) -> None:
        """Literals go to a pair of masks, other parts to tests, and those decided already to a number."""
        self._true = self._false = self._never = 0
        self._tests = []
        for part in dict.fromkeys(conjuncts(problem.goal)):
            found = grounder.condition(part, {})
            if isinstance(found, bool):
                self._never += not found
            elif isinstance(part, Fact) or (isinstance(part, Not) and isinstance(part.part, Fact)):
                self._true |= found.want
                self._false |= found.care ^ found.want
            else:
                self._tests.append(found.test())

    def _file(self, budget: Budget) -> None:
        """File each operator under the rarest of the atoms it needs, so that few are tested in a state."""
        needs = [list(_places(operator.precondition.want)) for operator in self._operators]
        users = Counter(place for places in needs for place in places)
        self._always: list[_Filed] = []
        self._by_atom: dict[int, list[_Filed]] = defaultdict(list)
        self._applicable: dict[int, list[Operator]] = {}
        self._remembered = self._watched = self._relevant = 0
        for number, (operator, places) in enumerate(zip(self._operators, needs, strict=True)):
            budget.spend()
            needed = operator.precondition
            self._relevant |= needed.atoms
            filed = (needed.care, needed.want, needed.tests, number)
            if places:
                rarest = min(places, key=users.__getitem__)
                self._by_atom[rarest].append(filed)
                self._watched |= 1 << rarest
            else:
                self._always.append(filed)

    def initial(self) -> int:
        """The initial state."""
        return self._initial

    def successors(self, state: int) -> list[tuple[Operator, int]]:
        """The operators that can be applied, by name and then by arguments, and the states after them."""
        relevant = state & self._relevant
        operators = self._applicable.get(relevant)
        if operators is None:
            operators = self._find(relevant)
        return [
            (operator, operator.apply(state) if operator.whens else state & operator.keep | operator.adds)
            for operator in operators
        ]

    def _find(self, relevant: int) -> list[Operator]:
        """The operators that can be applied where this much of a state is true; remembered."""
        found = []
        watched = [self._by_atom[place] for place in _places(relevant & self._watched)]
        for filed in (self._always, *watched):
            for care, want, tests, number in filed:
                if relevant & care == want:
                    for test in tests:
                        if not test(relevant):
                            break
                    else:
                        found.append(number)
        found.sort()
        self._remembered += 1 + len(found)
        if self._remembered > _REMEMBERED:
            self._applicable.clear()
            self._remembered = 1 + len(found)
        operators = self._applicable[relevant] = [self._operators[number] for number in found]
        return operators

    def goal_count(self, state: int) -> int:
        """How many parts of the goal do not hold."""
        unmet = self._never + (self._true & ~state).bit_count() + (self._false & state).bit_count()
        if self._tests:
            unmet += sum(not test(state) for test in self._tests)
        return unmet

    def facts(self, state: int) -> int:
        """The state itself: atoms that never change have no bit."""
        return state


def _operators(
    action: Action,
    dynamics: Dynamics,
    known: Mapping[str, Sequence[Atom]],
    grounder: Grounder,
) -> Iterator[Operator]:
    """The action for all objects under which its precondition is not impossible."""
    parts = tuple(conjuncts(action.precondition))
    static = [part.atom for part in parts if isinstance(part, Fact) and grounder.is_static(part.atom)]
    domains = {parameter.name: dynamics.of_types(parameter.types) for parameter in action.parameters}
    for values in bindings(domains, static, known, grounder.spend):
        precondition = grounder.conjunction(parts, values)
        if precondition is False:
            continue
        change = Change()
        grounder.effect(action.effect, values, change)
        step = (action.name, *[values[parameter.name] for parameter in action.parameters])
        yield Operator(step, Formula(True, 0, 0) if precondition is True else precondition, change)


def _places(mask: int) -> Iterator[int]:
    """The numbers of the atoms in a mask."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit
