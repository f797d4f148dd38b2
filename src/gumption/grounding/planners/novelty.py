"""How new a state is: whether it holds a fact, or a pair of facts, that no expanded state has held."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

__all__ = ["MaskNovelty", "Novelty"]


class MaskNovelty:
    """Novelty over sets of facts as bit masks."""

    def __init__(self) -> None:
        self._facts = 0
        self._together: list[int] = []
        """By fact: all facts that were seen together with it."""

    def rank(self, facts: int, known: int = 0) -> int:
        """1 if a fact is new, 2 if a pair of facts is, 3 if neither.

        known: facts of a state that has been added: pairs among them are not looked at.
        """
        if facts & ~self._facts:
            return 1
        together = self._together
        rest = facts & ~known
        while rest:
            fact = rest & -rest
            if facts & ~together[fact.bit_length() - 1]:
                return 2
            rest ^= fact
        return 3

    def add(self, facts: int) -> None:
        """All facts and pairs of this state are known from now on."""
        self._facts |= facts
        together = self._together
        if len(together) < facts.bit_length():
            together.extend([0] * (facts.bit_length() - len(together)))
        rest = facts
        while rest:
            fact = rest & -rest
            together[fact.bit_length() - 1] |= facts
            rest ^= fact


class Novelty:
    """Novelty over facts of any kind. Facts that never change make no difference and are best left out."""

    def __init__(self) -> None:
        self._masks = MaskNovelty()
        self._bits: dict[Hashable, int] = {}

    def rank(self, facts: Iterable[Hashable], known: Iterable[Hashable] = ()) -> int:
        """1 if a fact is new, 2 if a pair of facts is, 3 if neither.

        known: facts of a state that has been added, most often the parent: saves time, changes nothing.
        """
        return self._masks.rank(self._mask(facts), self._mask(known))

    def add(self, facts: Iterable[Hashable]) -> None:
        """All facts and pairs of this state are known from now on: call it when a state is expanded."""
        self._masks.add(self._mask(facts))

    def _mask(self, facts: Iterable[Hashable]) -> int:
        bits, mask = self._bits, 0
        for fact in facts:
            mask |= bits.setdefault(fact, 1 << len(bits))
        return mask
