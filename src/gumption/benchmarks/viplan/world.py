"""A task as it truly stands: the state, what can be done in it, and whether the goal is reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from gumption.grounding import Domain, Problem, read_domain, read_problem
from gumption.grounding.enumeration import ground_atoms
from gumption.grounding.pddl import Atom
from gumption.grounding.states import Dynamics, fluents
from gumption.records import GumptionError, Item

__all__ = ["World", "closed", "read_world"]

_TRANSITIVE = ("leftof", "rightof")
"""Blocksworld's files list neighbouring columns alone; the simulator's truth is the closed relation."""


class World:
    """The simulator. Steps are tuples of lower-case words, (action, argument, ...)."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain = domain
        self.problem = replace(problem, init=closed(problem.init, _TRANSITIVE))
        self.dynamics = Dynamics(domain, self.problem)
        self.state: frozenset[Atom] = self.problem.init
        self.atoms = ground_atoms(self.dynamics)
        self.static = frozenset(domain.predicates) - fluents(domain)
        self.parameters = {
            name: tuple(parameter.types[0] for parameter in action.parameters)
            for name, action in domain.actions.items()
        }
        """What each action's parameters are called in a plan: by their types."""

    @property
    def solved(self) -> bool:
        """Whether the goal holds now."""
        return self.dynamics.holds(self.problem.goal, self.state)

    def fault(self, step: Sequence[str]) -> str:
        """Why a step cannot be taken now; "" if it can."""
        schema = self.dynamics.schema(step[0]) if step else None
        if schema is None:
            return "there is no such action"
        wanted, given = schema.action.parameters, step[1:]
        if len(given) != len(wanted):
            return f"it takes {len(wanted)} parameters, not {len(given)}"
        for name, parameter in zip(given, wanted, strict=True):
            kind = self.dynamics.objects.get(name)
            if kind is None:
                return f"there is no {name}"
            if not self.domain.is_a(kind, parameter.types):
                return f"{name} is no {' or '.join(parameter.types)}"
        return "" if schema.applicable(self.state, given) else "it is not possible now"

    def act(self, step: Sequence[str]) -> str:
        """Take a step. Where it has a fault, the state stays as it is and the fault is returned."""
        fault = self.fault(step)
        schema = self.dynamics.schema(step[0]) if step else None
        if schema is not None and not fault:
            self.state = schema.apply(self.state, step[1:])
        return fault

    def problem_from(self, state: Iterable[Atom]) -> Problem:
        """The problem with this state as its beginning."""
        return replace(self.problem, init=frozenset(state))


def read_world(item: Item) -> World:
    """The world at the start of an item, from the PDDL in its `meta`.

    Raises GumptionError where that cannot be read.
    """
    domain = _domain(item.meta["domain"])
    problem = read_problem(item.meta["problem"], domain).problem
    if problem is None:
        raise GumptionError("no problem that can be read", where=item.id, remedy="make the suite again")
    return World(domain, problem)


def closed(state: frozenset[Atom], predicates: Iterable[str]) -> frozenset[Atom]:
    """The state with these relations of two closed transitively."""
    found = set(state)
    for name in predicates:
        pairs = {atom[1:] for atom in state if atom[0] == name and len(atom) == 3}
        names = sorted({word for pair in pairs for word in pair})
        for middle, first, last in product(names, repeat=3):  # Warshall, 1962
            if (first, middle) in pairs and (middle, last) in pairs:
                pairs.add((first, last))
        found |= {(name, *pair) for pair in pairs}
    return frozenset(found)


@lru_cache(maxsize=16)
def _domain(text: str) -> Domain:
    return read_domain(text)
