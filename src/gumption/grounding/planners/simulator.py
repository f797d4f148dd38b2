"""A problem as a world that is only seen by acting in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gumption.grounding.pddl import Atom, Domain, Problem
from gumption.grounding.planners.result import Step
from gumption.grounding.states import Dynamics, conjuncts, fluents

__all__ = ["ProblemSimulator"]


class ProblemSimulator:
    """A `Simulator` whose states are frozensets of atoms and whose actions are steps of a plan.

    Every choice of objects of the right types is tried in every state: for worlds of tens of objects.
    Raises UnsupportedPDDL for derived predicates, numeric fluents and durative actions.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self._dynamics = Dynamics(domain, problem)
        self._init = problem.init
        self._goals = [*dict.fromkeys(conjuncts(problem.goal))]
        self._fluents = fluents(domain)
        self._actions = sorted(domain.actions)

    def initial(self) -> frozenset[Atom]:
        """The initial state."""
        return self._init

    def actions(self, state: frozenset[Atom]) -> Iterator[Step]:
        """What can be done in a state, by name and then by arguments."""
        for name in self._actions:
            schema = self._dynamics.schema(name)
            if schema is None:
                continue
            ranges = [self._dynamics.of_types(parameter.types) for parameter in schema.action.parameters]
            for arguments in product(*ranges):
                if schema.applicable(state, arguments):
                    yield (name, *arguments)

    def step(self, state: frozenset[Atom], action: Step) -> frozenset[Atom]:
        """The state after an action that `actions` gave."""
        schema = self._dynamics.schema(action[0])
        if schema is None:
            raise KeyError(action[0])
        return schema.apply(state, action[1:])

    def goal_count(self, state: frozenset[Atom]) -> int:
        """How many parts of the goal do not hold."""
        return sum(not self._dynamics.holds(goal, state) for goal in self._goals)

    def facts(self, state: frozenset[Atom]) -> frozenset[Atom]:
        """The atoms of a state that actions can change."""
        return frozenset(atom for atom in state if atom[0] in self._fluents)
