"""L3: what has been said and done in this episode. A plan's steps are taken to have had their effect."""

from __future__ import annotations

from collections.abc import Iterable

from gumption.planning.worlds.scenes import SceneObject

__all__ = ["Context"]


class Context:
    """What the words of later steps may point back to."""

    def __init__(self) -> None:
        self.held: str | None = None
        self.opened: list[str] = []
        """Open now and opened in this episode, the last one last."""
        self.called: dict[str, str] = {}
        """Phrases, in lower case, and what they were used for."""
        self.used: dict[str, frozenset[str]] = {}
        """What was used, the last one last, and the adjectives it went by."""
        self.parents: dict[str, str] = {}
        """Where things were put."""
        self.origins: dict[str, str] = {}
        """Where things were taken from."""
        self.cut: list[str] = []
        """The slices of what was cut, the last cut last."""
        self.at: str | None = None
        """The receptacle or fixture that was last put into or gone to."""

    def use(self, phrase: str, thing: str, adjectives: frozenset[str]) -> None:
        """Remembers that a phrase was used for a thing; an empty one names nothing."""
        if phrase:
            self.called[phrase] = thing
        self.used[thing] = self.used.pop(thing, frozenset()) | adjectives

    def take(self, thing: str, parent: str | None) -> None:
        self.held = thing
        if parent is not None:
            self.origins[thing] = parent
        self.parents.pop(thing, None)

    def put(self, thing: str, into: str | None) -> None:
        if self.held == thing:
            self.held = None
        if into is not None:
            self.parents[thing] = into
            self.at = into

    def open(self, thing: str) -> None:
        self.close(thing)
        self.opened.append(thing)

    def close(self, thing: str) -> None:
        if thing in self.opened:
            self.opened.remove(thing)

    def slice(self, whole: str, slices: Iterable[str], where: str | None) -> None:
        """The whole thing is no more; its slices lie where it lay."""
        new = list(slices)
        self.cut += new
        self.used.pop(whole, None)
        self.origins.pop(whole, None)
        self.parents.pop(whole, None)
        self.called = {phrase: thing for phrase, thing in self.called.items() if thing != whole}
        if self.held == whole:
            self.held = None
        if where is not None:
            self.parents |= dict.fromkeys(new, where)

    def parent(self, thing: SceneObject) -> str | None:
        """What the thing is in or on: the innermost, where it touches several."""
        if thing.object_id in self.parents:
            return self.parents[thing.object_id]
        # A basin's id is its sink's with one segment more.
        return max(thing.parents, key=lambda one: one.count("|"), default=None)

    def contradicts(self, thing: str, adjectives: frozenset[str]) -> bool:
        """Whether it went by other adjectives: the white cup is not the green one."""
        known = self.used.get(thing, frozenset())
        return bool(known and adjectives and not known & adjectives)
