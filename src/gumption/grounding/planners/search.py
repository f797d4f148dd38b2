"""A* with a goal count and a novelty tie-break, over anything that can be simulated.

The order of the open list is that of SYMBOLIZER (arXiv 2604.17830; zlatanajanovic/symbolizer,
experiments/run_planning_benchmark.py): steps so far plus unmet goals, then steps so far, then novelty, then
the order in which states were reached. Actions are tried in the simulator's own order, which is by name and
then by arguments. The goal count may exceed the steps that are left, so that plans need not be shortest.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

from gumption.grounding.planners._budget import Budget, Exhausted
from gumption.grounding.planners.novelty import Novelty

__all__ = ["Frontier", "SearchResult", "Simulator", "astar", "search"]

Node = TypeVar("Node")
State = TypeVar("State", bound=Hashable)
Act = TypeVar("Act")
Act_co = TypeVar("Act_co", covariant=True)
Facts = TypeVar("Facts")
Facts_co = TypeVar("Facts_co", covariant=True)
Facts_contra = TypeVar("Facts_contra", contravariant=True)


class Simulator(Protocol[State, Act]):
    """What a search needs to know of a world. No action model: what an action does is seen by taking it."""

    def initial(self) -> State:
        """The state to start from."""

    def actions(self, state: State, /) -> Iterable[Act]:
        """What can be done in a state, in a fixed order: by name and then by arguments."""

    def step(self, state: State, action: Act, /) -> State:
        """The state after an action. Same state and action, same outcome."""

    def goal_count(self, state: State, /) -> int:
        """How many goals are unmet; 0 at the goal."""

    def facts(self, state: State, /) -> Iterable[Hashable]:
        """What is true in a state, for the novelty of it. What never changes is best left out."""


class Space(Protocol[State, Act_co, Facts_co]):
    """The same with successors in one go, and facts of any kind that a table of novelty takes."""

    def initial(self) -> State: ...

    def successors(self, state: State, /) -> Iterable[tuple[Act_co, State]]: ...

    def goal_count(self, state: State, /) -> int: ...

    def facts(self, state: State, /) -> Facts_co: ...


class NoveltyTable(Protocol[Facts_contra]):
    """See Novelty."""

    def rank(self, facts: Facts_contra, known: Facts_contra, /) -> int: ...

    def add(self, facts: Facts_contra, /) -> None: ...


class Frontier(Generic[Node]):
    """The open list: the least g + h first, of equal ones the least g, then rank, then the first pushed."""

    def __init__(self) -> None:
        self._keys: list[tuple[int, int, int]] = []
        self._nodes: dict[tuple[int, int, int], deque[Node]] = {}

    def push(self, node: Node, *, g: int, h: int, rank: int) -> None:
        """g: steps so far. h: unmet goals. rank: novelty, 1 to 3."""
        key = (g + h, g, rank)
        nodes = self._nodes.get(key)
        if nodes is None:
            nodes = self._nodes[key] = deque()
            heapq.heappush(self._keys, key)
        nodes.append(node)

    def pop(self) -> Node:
        """Take out the first. Raises IndexError if there is none."""
        key = self._keys[0]
        nodes = self._nodes[key]
        node = nodes.popleft()
        if not nodes:
            heapq.heappop(self._keys)
            del self._nodes[key]
        return node

    def __bool__(self) -> bool:
        return bool(self._keys)


class SearchResult(msgspec.Struct, Generic[Act], frozen=True):
    """What a search came to."""

    status: Literal["solved", "unsolvable", "gave_up", "timeout", "memory"]
    """unsolvable: every state that can be reached was seen. gave_up: `max_expansions` were not enough."""
    plan: list[Act] | None
    expansions: int
    """States taken from the open list, the goal among them."""
    detail: str = ""


class _Tree(Generic[State, Act]):
    """How each node was reached. Nodes are numbers: millions of objects would slow collecting garbage."""

    def __init__(self, root: State) -> None:
        self.states, self.steps = [root], [0]
        self._parents: list[int] = []
        self._actions: list[Act] = []
        """Of all nodes but the root, which is node 0."""

    def add(self, state: State, steps: int, parent: int, action: Act) -> int:
        """The number of a new node."""
        self._actions.append(action)
        self._parents.append(parent)
        self.steps.append(steps)
        self.states.append(state)
        return len(self._actions)

    def path(self, node: int) -> list[Act]:
        """The actions from the root to a node."""
        found = []
        while node:
            found.append(self._actions[node - 1])
            node = self._parents[node - 1]
        return found[::-1]


class _Simulated(Generic[State, Act]):
    """A simulator as a space to search."""

    def __init__(self, simulator: Simulator[State, Act], budget: Budget) -> None:
        self._simulator, self._budget = simulator, budget
        self.initial, self.goal_count, self.facts = simulator.initial, simulator.goal_count, simulator.facts

    def successors(self, state: State) -> Iterator[tuple[Act, State]]:
        for action in self._simulator.actions(state):
            self._budget.spend()
            yield action, self._simulator.step(state, action)


def search(
    simulator: Simulator[State, Act],
    max_expansions: int | None = None,
    *,
    timeout_s: float | None = None,
    memory_mb: float | None = None,
) -> SearchResult[Act]:
    """Search a world that is known only by simulating it.

    max_expansions: give up after as many, which is the same everywhere and every time; seconds, and
    mebibytes of growth of this process, are not.
    """
    budget = Budget(timeout_s, memory_mb)
    return astar(_Simulated(simulator, budget), Novelty(), max_expansions, budget)


def astar(
    space: Space[State, Act, Facts],
    novelty: NoveltyTable[Facts],
    max_expansions: int | None,
    budget: Budget,
) -> SearchResult[Act]:
    """Search a space with a table of novelty that fits its facts."""
    expansions = 0
    frontier: Frontier[int] = Frontier()
    try:
        start = space.initial()
        tree: _Tree[State, Act] = _Tree(start)
        frontier.push(0, g=0, h=space.goal_count(start), rank=1)
        least = {start: 0}
        while frontier:
            node = frontier.pop()
            state, g = tree.states[node], tree.steps[node]
            if least[state] < g:
                continue
            if expansions == max_expansions:
                return SearchResult("gave_up", None, expansions, f"{expansions} expansions were not enough")
            expansions += 1
            facts = space.facts(state)
            novelty.add(facts)
            if space.goal_count(state) == 0:
                return SearchResult("solved", tree.path(node), expansions)
            seen = len(tree.states)
            g += 1
            for action, after in space.successors(state):
                known = least.get(after)
                if known is not None and known <= g:
                    continue
                least[after] = g
                rank = novelty.rank(space.facts(after), facts)
                frontier.push(tree.add(after, g, node, action), g=g, h=space.goal_count(after), rank=rank)
            budget.spend(1 + len(tree.states) - seen)
    except Exhausted as stop:
        return SearchResult(stop.status, None, expansions, stop.detail)
    return SearchResult("unsolvable", None, expansions, "no state that can be reached meets the goal")
