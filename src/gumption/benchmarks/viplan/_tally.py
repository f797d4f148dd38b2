"""What is counted while an episode goes on, and the score that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from gumption.grounding.enumeration import Believed
from gumption.grounding.metrics import f1
from gumption.grounding.pddl import Atom
from gumption.grounding.states import State
from gumption.records import ErrorKind, Mistake, Reading, Score

__all__ = ["Tally"]


class Tally:
    """The counts of one task. static: predicates that no action changes."""

    def __init__(self, static: Collection[str]) -> None:
        self._static = static
        self._asked: Counter[str] = Counter()
        self._correct: Counter[str] = Counter()
        self._first: dict[str, float] = {}
        self._mistakes: list[Mistake] = []
        self._unread: list[Reading] = []
        self._action_correct = 0
        self.planned = False
        """Whether there was a plan from the state first stated."""
        self.actions = 0
        self.replans = 0

    def read(self, readings: Iterable[Reading]) -> None:
        """Note the replies that could not be read."""
        self._unread += [reading for reading in readings if reading.outcome != "answered"]

    def acted(self, *, right: bool) -> None:
        """One action was tried; right: all answers were as they should be and it was possible."""
        self.actions += 1
        self._action_correct += right

    def enumerated(self, said: Believed, state: State, *, initial: bool) -> None:
        """The state was asked for. An unread answer counts as asked and not as correct."""
        right = [atom for atom in said.asked - said.unread if (atom in said.true) == (atom in state)]
        if initial:
            self._first = self._of_first(said, state, len(right))
        self._asked.update(atom[0] for atom in said.asked)
        self._correct.update(atom[0] for atom in right)

    def _of_first(self, said: Believed, state: State, right: int) -> dict[str, float]:
        gold = state & said.asked
        for kind, atoms in (
            (ErrorKind.FALSE_ATOM, said.true - gold),
            (ErrorKind.MISSING_ATOM, gold - said.true - said.unread),
            (ErrorKind.UNREADABLE, said.unread),
        ):
            self._mistakes += [
                Mistake(kind, " ".join(atom), static=atom[0] in self._static) for atom in sorted(atoms)
            ]
        return {
            "initial_accuracy": right / len(said.asked),
            "f1": f1(said.true, gold),
            "f1_without_static": f1(self._changing(said.true), self._changing(gold)),
            "exact_state": float(said.true == gold and not said.unread),
            "initial_asked": len(said.asked),
            "initial_correct": right,
        }

    def _changing(self, atoms: Iterable[Atom]) -> set[Atom]:
        return {atom for atom in atoms if atom[0] not in self._static}

    def score(self, *, solved: bool, left: int) -> Score:
        """The worth of the task: whether the goal holds on the true state.

        left: steps of the last plan that were not tried. Parts are counts, so that tasks can be pooled, and
        ratios of this task. An unsolved task with unread answers has the outcome of the first of them.
        """
        asked, correct = self._asked.total(), self._correct.total()
        names = sorted(self._asked)
        parts = {
            **({"predicate_accuracy": correct / asked} if asked else {}),
            **self._first,
            "planned": self.planned,
            "replans": self.replans,
            "actions": self.actions,
            "action_correct": self._action_correct,
            # A task that never had a plan counts as one action, not taken.
            "action_total": self.actions + left if self.planned else 1,
            "unread": len(self._unread),
            "asked": asked,
            "correct": correct,
            **{f"asked/{name}": self._asked[name] for name in names},
            **{f"correct/{name}": self._correct[name] for name in names},
        }
        if not solved:
            self._mistakes.append(Mistake(ErrorKind.GOAL_UNREACHED))
        outcome = self._unread[0].outcome if self._unread and not solved else "answered"
        return Score(
            float(solved),
            {name: float(value) for name, value in parts.items()},
            tuple(self._mistakes),
            Reading(outcome, rule="episode"),
        )
