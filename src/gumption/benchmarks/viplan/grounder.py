"""The model as grounder: it says what is true, a planner plans from that, and its plan is carried out.

ViPlan (arXiv 2505.13180): every ground atom is asked as a yes/no question; the answers are the initial state
of a copy of the problem, which is solved; of each action the precondition is asked, the action is taken in
the simulator, and what it should have changed is asked. Where an answer is not as it should be, or the action
is not possible, everything is asked again and planned again. At most 20 actions.

An answer that is neither yes nor no is *unread*: its atom is left false in the state that is planned from,
an action with an unread answer counts as failed, and the outcome of an unsolved task tells of it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

from gumption.benchmarks.viplan._tally import Tally
from gumption.benchmarks.viplan.planning import Plan, Step
from gumption.benchmarks.viplan.reading import read_yes_no_reply
from gumption.benchmarks.viplan.scene import Scene, question_words
from gumption.benchmarks.viplan.world import read_world
from gumption.grounding import read_actions
from gumption.grounding.enumeration import Believed, believe, changed, ground, mentioned, questions
from gumption.grounding.pddl import Atom
from gumption.records import Episode, Item, Part, Reply

__all__ = ["MAX_ACTIONS", "episode"]

MAX_ACTIONS = 20
_T = TypeVar("_T")
_Asking: TypeAlias = Generator[tuple[Item, ...], tuple[Reply, ...], _T]


def episode(item: Item, scene: Scene) -> Episode:
    """Ground, plan, act, and again, until the plan is at its end, there is none, or 20 actions were tried.

    `item.meta`: `domain` and `problem` (PDDL), `yes_no` and `style` (see `options`) and, for recorded logs,
    the `plans` in place of ours: one for each enumeration, None where there was none. Logs show nothing.
    """
    return (yield from _Run(item, scene).episode())


class _Run:
    def __init__(self, item: Item, scene: Scene) -> None:
        self._item, self._scene = item, scene
        self._world = read_world(item)
        self._tally = Tally(self._world.static)
        self._plans: list[list[str] | None] | None = item.meta.get("plans")
        self._enumerations = 0

    def episode(self) -> Episode:
        tally = self._tally
        if self._scene.enumerates_first:
            plan = None if self._log_is_at_its_end else (yield from self._enumerated())
        else:
            plan = self._planned_from(self._world.state)
        tally.planned = plan is not None
        left = list(plan or ())
        while left and tally.actions < MAX_ACTIONS:
            right = yield from self._taken(left.pop(0))
            tally.acted(right=right)
            if right:
                continue
            plan = None if self._log_is_at_its_end else (yield from self._enumerated())
            if plan is None:
                break
            tally.replans += 1
            left = list(plan)
        return tally.score(solved=self._world.solved, left=len(left))

    @property
    def _log_is_at_its_end(self) -> bool:
        return self._plans is not None and self._enumerations == len(self._plans)

    def _enumerated(self) -> _Asking[Plan | None]:
        """Ask for all of the state that can be seen, and plan from the answers."""
        world = self._world
        atoms = self._seen(world.atoms)
        said = yield from self._asked(f"enum/{self._enumerations}", atoms)
        initial = self._scene.enumerates_first and not self._enumerations
        self._tally.enumerated(said, world.state, initial=initial)
        recorded = self._plans[self._enumerations] if self._plans else None
        self._enumerations += 1
        if self._plans is None:
            return self._planned_from(self._with_hidden(said))
        return None if recorded is None else read_actions("\n".join(recorded))

    def _planned_from(self, state: Iterable[Atom]) -> Plan | None:
        return self._scene.plan(self._world.domain, self._world.problem_from(state))

    def _taken(self, step: Step) -> _Asking[bool]:
        """Ask what the step needs, take it, ask what it changed. Whether all was as it should be."""
        world, call = self._world, f"act/{self._tally.actions}"
        action = world.domain.actions.get(step[0])
        if action is None or len(action.parameters) != len(step) - 1:
            return False
        values = dict(zip((one.name for one in action.parameters), step[1:], strict=True))
        needed = ground(action.precondition, values, world.dynamics)
        said = yield from self._asked(f"{call}/needs", self._seen(mentioned(needed)))
        if said.unread or not world.dynamics.holds(needed, self._with_hidden(said)):
            return False
        before = world.state
        if world.act(step):
            return False
        expected = changed(world.dynamics, step, before)
        said = yield from self._asked(f"{call}/shows", self._seen(expected))
        return not said.unread and all((atom in said.true) == expected[atom] for atom in said.asked)

    def _asked(self, call: str, atoms: Sequence[Atom]) -> _Asking[Believed]:
        """The answers about some atoms, asked side by side."""
        if not atoms:
            return believe((), ())
        shown: tuple[Part, ...] = ()
        if self._plans is None:
            shown = (self._scene.shown(self._world, self._item.meta["style"]),)
        words = partial(question_words, self._scene)
        replies = yield questions(self._item, call, atoms, self._world.state, shown, words)
        readings = [read_yes_no_reply(reply, self._item.meta["yes_no"]) for reply in replies]
        self._tally.read(readings)
        return believe(atoms, readings)

    def _seen(self, atoms: Iterable[Atom]) -> tuple[Atom, ...]:
        in_sight = self._scene.in_sight(self._world)
        return tuple(atom for atom in atoms if all(word in in_sight for word in atom[1:]))

    def _with_hidden(self, said: Believed) -> frozenset[Atom]:
        """What was answered, and the truth of all that was not asked."""
        return said.true | (self._world.state - said.asked)
