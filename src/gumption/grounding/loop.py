"""The model in the loop of the search, as in SYMBOLIZER (arXiv 2604.17830).

No action model guides it: a simulator says what can be done in a state and what comes of it. Every state that
is reached for the first time is drawn and grounded by the model, and A* goes by how many goals hold and how
new the state is *as the model sees it*. The search ends where the model believes the goal reached; whether it
is, the true state says.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeAlias

from msgspec import structs

from gumption.grounding.metrics import f1
from gumption.grounding.mistakes import mistakes
from gumption.grounding.pddl import And, Atom, Fact, Not
from gumption.grounding.pipeline.goals import ask_goal, read_goal
from gumption.grounding.pipeline.predicates import ask_predicates, read_predicates
from gumption.grounding.pipeline.schema import Literal
from gumption.grounding.pipeline.task import Task
from gumption.grounding.planners import Frontier, Novelty
from gumption.grounding.plans import write_actions
from gumption.grounding.render import SIZE, render
from gumption.grounding.states import Dynamics, fluents
from gumption.models.drawn import Drawn, drawn
from gumption.records import Episode, ErrorKind, Item, Mistake, Outcome, Reading, Reply, Score

__all__ = ["in_the_loop"]

_State: TypeAlias = frozenset[Atom]
_Step: TypeAlias = tuple[str, ...]
_Asking: TypeAlias = Generator[tuple[Item, ...], tuple[Reply, ...], None]


def in_the_loop(task: Task) -> Episode:
    """The goal from the instruction, then the search; objects are given, and the task's photo is not used.

    The value is 1 where the true state meets the gold goal at the end. parts: plan_gold, the same; plan_own,
    whether the model believed so; goal_f1; predicate_f1, the mean over states; observations and expansions
    used; steps of the plan; wrong_states and wrong_states_fluent, the share of the observed states that were
    not grounded exactly, the latter without atoms that no action changes; unread_states, the share whose
    reply could not be read. The options bound observations and expansions.
    """
    task = replace(
        task,
        examples=tuple(
            structs.replace(one, picture=_picture(task, one.problem.objects, one.problem.init))
            for one in task.examples
        ),
    )
    question = ask_goal(task, task.gold.objects)
    if question is None:
        raise ValueError(f"nothing can be said about the objects of {task.item.id!r}")
    (reply,) = yield (question,)
    goal = read_goal(reply)
    search = _Search(task, goal.value)
    if goal.value:
        yield from search.run()
    reached = search.reached
    solved = reached is not None and search.dynamics.holds(task.gold.goal, reached.state)
    said = structs.replace(task.gold, goal=_condition(goal.value))
    found = [*goal.mistakes, *mistakes(task.domain, said, task.gold)]
    if not solved:
        found.append(
            Mistake(ErrorKind.BUDGET_EXCEEDED, "the search ended before all states were seen")
            if search.spent
            else Mistake(ErrorKind.GOAL_UNREACHED, "the goal does not hold where the search ended")
        )
    steps = reached.steps() if reached else []
    parts = {
        "plan_gold": float(solved),
        "plan_own": float(reached is not None),
        "goal_f1": f1(goal.value, task.gold.goal_literals or ()),
        "observations": float(len(search.believed)),
        "expansions": float(search.expansions),
        "steps": float(len(steps)),
        "shots": float(len(task.examples)),
        **search.accuracy(),
    }
    outcome: Outcome = goal.reading.outcome
    reading = Reading(outcome, write_actions(steps), goal.reading.rule, goal.reading.repairs)
    return Score(float(solved), parts, tuple(found), reading)


def _picture(task: Task, objects: dict[str, str], state: _State) -> Drawn:
    return drawn(render(task.domain, objects, state, seed=task.options.seed), size=SIZE)


def _condition(literals: Iterable[Literal]) -> And:
    return And(tuple(Fact(atom) if positive else Not(Fact(atom)) for positive, atom in sorted(literals)))


@dataclass(frozen=True)
class _Node:
    """A way to a state."""

    state: _State
    g: int = 0
    parent: _Node | None = field(default=None, repr=False)
    step: _Step = ()

    def steps(self) -> list[_Step]:
        found: list[_Step] = []
        at: _Node | None = self
        while at is not None and at.parent is not None:
            found.append(at.step)
            at = at.parent
        return found[::-1]


class _Search:
    """A* over true states, ordered by what the model believes of them."""

    def __init__(self, task: Task, goal: Collection[Literal]) -> None:
        self._task, self._goal = task, goal
        self.dynamics = Dynamics(task.domain, task.gold)
        self._fluents = fluents(task.domain)
        self._steps = sorted(
            (name, *arguments)
            for name, action in task.domain.actions.items()
            for arguments in product(*(self.dynamics.of_types(one.types) for one in action.parameters))
        )
        self.believed: dict[_State, frozenset[Atom]] = {}
        """What the model says of each state that it was shown."""
        self._unread = 0
        self._unseen = 0
        """States that were reached when no more could be shown."""
        self.spent = False
        """Whether a budget ended the search."""
        self.expansions = 0
        self.reached: _Node | None = None
        """Where the model believes the goal reached."""

    def run(self) -> _Asking:
        """Search until the model believes the goal reached, all is seen, or the budgets are spent.

        When no more states can be shown, those that were shown are still searched.
        """
        start = _Node(self._task.gold.init)
        yield from self._show([start.state])
        frontier: Frontier[_Node] = Frontier()
        frontier.push(start, g=0, h=self._unmet(start.state), rank=1)
        novelty, least = Novelty(), {start.state: 0}
        while frontier and self.expansions < self._task.options.expansions:
            node = frontier.pop()
            if least[node.state] < node.g:
                continue
            self.expansions += 1
            facts = self._changing(self.believed[node.state])
            novelty.add(facts)
            if self._unmet(node.state) == 0:
                self.reached = node
                return
            reached = []
            for step, after in self._successors(node.state):
                if least.get(after, node.g + 2) > node.g + 1:
                    least[after] = node.g + 1
                    reached.append(_Node(after, node.g + 1, node, step))
            yield from self._show([one.state for one in reached])
            for one in reached:
                if one.state in self.believed:
                    rank = novelty.rank(self._changing(self.believed[one.state]), facts)
                    frontier.push(one, g=one.g, h=self._unmet(one.state), rank=rank)
        self.spent = bool(frontier) or self._unseen > 0

    def _successors(self, state: _State) -> Iterator[tuple[_Step, _State]]:
        """What the simulator offers, by action and then by arguments."""
        for step in self._steps:
            schema = self.dynamics.schema(step[0])
            if schema is not None and schema.applicable(state, step[1:]):
                yield step, schema.apply(state, step[1:])

    def _show(self, states: Iterable[_State]) -> _Asking:
        """Have the model ground the states that it has not seen yet, side by side."""
        new = [state for state in dict.fromkeys(states) if state not in self.believed]
        room = self._task.options.observations - len(self.believed)
        self._unseen += len(new[room:])
        new = new[:room]
        questions = [
            ask_predicates(
                self._task,
                self._task.gold.objects,
                call=f"state/{number}",
                picture=_picture(self._task, self._task.gold.objects, state),
                state=state,
            )
            for number, state in enumerate(new, len(self.believed))
        ]
        if not new:
            return
        replies = yield tuple(question for question in questions if question is not None)
        for state, reply in zip(new, replies, strict=True):
            found = read_predicates(reply)
            self._unread += found.reading.outcome != "answered"
            self.believed[state] = found.value

    def _unmet(self, state: _State) -> int:
        believed = self.believed[state]
        return sum((atom in believed) != positive for positive, atom in self._goal)

    def _changing(self, atoms: Iterable[Atom]) -> frozenset[Atom]:
        return frozenset(atom for atom in atoms if atom[0] in self._fluents)

    def accuracy(self) -> dict[str, float]:
        """How right the states were grounded; nothing where none was shown."""
        seen = len(self.believed)
        if not seen:
            return {}
        pairs = self.believed.items()
        return {
            "predicate_f1": sum(f1(said, true) for true, said in pairs) / seen,
            "wrong_states": sum(said != true for true, said in pairs) / seen,
            "wrong_states_fluent": sum(self._changing(said) != self._changing(true) for true, said in pairs)
            / seen,
            "unread_states": self._unread / seen,
        }
