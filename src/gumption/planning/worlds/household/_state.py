"""The state of a household, and the record of every change to it, which can be undone and done again."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from msgspec import Struct

from gumption.planning.worlds.world import Thing

__all__ = ["Agent", "Journal", "State"]


class Agent(Struct):
    """Where the agent is, and what it holds."""

    held: str = ""
    at: str = ""
    """The piece of furniture it went to; "" if it has not gone anywhere."""


class State(Struct):
    """Everything that steps change. As JSON it is complete: `Household.restore` goes on from it."""

    scene: str
    things: dict[str, Thing]
    agent: Agent

    def copied(self) -> State:
        return State(self.scene, {name: copy(thing) for name, thing in self.things.items()}, copy(self.agent))


_Change = tuple[str, str, Any]
"""(objectId or "" for the agent, field, the value it had). The field "" is an object that came to be."""


class Journal:
    """All changes to a state in order, by step. Objects are named, not held, so that a copy can follow."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._changes: list[_Change] = []
        self._steps: list[int] = []
        """How many changes there were before each step."""

    def begin(self) -> int:
        """A new step begins; how many changes there have been."""
        before = len(self._changes)
        self._steps.append(before)
        return before

    def end(self) -> int:
        """How many changes there have been by now."""
        return len(self._changes)

    def put(self, owner: Thing | Agent, field: str, value: Any) -> None:
        """Give a field its new value."""
        old = getattr(owner, field)
        if old != value:
            self._changes.append((owner.id if owner.__class__ is Thing else "", field, old))
            setattr(owner, field, value)

    def add(self, thing: Thing) -> None:
        """An object comes to be."""
        self._changes.append((thing.id, "", None))
        self._state.things[thing.id] = thing

    def earlier(self, holds: Callable[[], bool], names: tuple[str, ...]) -> bool:
        """Whether something held before some earlier step, while all of the named objects were there."""
        things = self._state.things
        undone: list[_Change] = []
        found = False
        for start in reversed(self._steps):
            if start == len(self._changes):
                continue
            while len(self._changes) > start:
                undone.append(self._reverse(self._changes.pop()))
            if not all(name in things for name in names):
                break
            if holds():
                found = True
                break
        while undone:
            self._changes.append(self._reverse(undone.pop()))
        return found

    def followed_by(self, state: State) -> Journal:
        """The same record for a copy of the state."""
        other = Journal(state)
        other._changes, other._steps = self._changes.copy(), self._steps.copy()
        return other

    def _reverse(self, change: _Change) -> _Change:
        """Swap what a change holds with what the state holds."""
        name, field, value = change
        if field:
            owner = self._state.things[name] if name else self._state.agent
            now = getattr(owner, field)
            setattr(owner, field, value)
            return name, field, now
        if value is None:
            return name, field, self._state.things.pop(name)
        self._state.things[name] = value
        return name, field, None
