"""The F1 of sets: of one instance, and over instances.

The recipe is the seed's: strict sets; precision, recall and F1 are 0 where they are undefined; the headline
is the plain mean over instances (macro), with the F1 of the pooled counts (micro) beside it. What the
released SYMBOLIZER scorer does otherwise is in `release`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeAlias

import msgspec

__all__ = ["Counting", "Counts", "F1Summary", "count", "f1", "summarise"]


class Counts(msgspec.Struct, frozen=True):
    """True positives, false positives and false negatives. Those of several instances add up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """Share of the predicted that is right, in [0, 1]; 0 where nothing was predicted."""
        return self.tp / (self.tp + self.fp) if self.tp else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold that was found, in [0, 1]; 0 where there is no gold."""
        return self.tp / (self.tp + self.fn) if self.tp else 0.0

    @property
    def f1(self) -> float:
        """In [0, 1]; 0 where both sets are empty."""
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp else 0.0

    @property
    def exact(self) -> bool:
        """Whether the two sets are equal."""
        return not self.fp and not self.fn

    @property
    def gold_empty(self) -> bool:
        """Whether there was nothing to find."""
        return not self.tp and not self.fn

    @property
    def both_empty(self) -> bool:
        """Whether there was nothing to find and nothing was said."""
        return self.gold_empty and not self.fp


Counting: TypeAlias = Callable[[Collection[Any], Collection[Any]], Counts]
"""(predicted, gold) to counts: `count`, or another scorer's way."""


def count(predicted: Collection[Any], gold: Collection[Any]) -> Counts:
    """Compare two sets; what is named twice counts once."""
    said, wanted = set(predicted), set(gold)
    found = len(said & wanted)
    return Counts(found, len(said) - found, len(wanted) - found)


def f1(predicted: Collection[Any], gold: Collection[Any], empty_empty: float = 0.0) -> float:
    """The strict F1 of two sets, in [0, 1]. `empty_empty` is its value where both are empty."""
    counts = count(predicted, gold)
    return empty_empty if counts.both_empty else counts.f1


class F1Summary(msgspec.Struct, frozen=True):
    """The F1 of many instances."""

    values: tuple[float, ...]
    """One for each instance that could be compared, in the order given: what an interval is made from."""
    pooled: Counts
    """The sum over these instances; its F1 is the micro F1."""
    exact: int
    """Instances whose sets are equal."""
    gold_empty: int
    """Instances with nothing to find: their F1 is 0, or `empty_empty`, whatever was said."""
    macro_with_gold: float | None
    """The mean without those; None where none is left."""
    left_out: int = 0
    """Instances that could not be compared as sets; they are in no mean."""

    @property
    def n(self) -> int:
        """How many instances are in the mean."""
        return len(self.values)

    @property
    def macro(self) -> float | None:
        """The mean over instances; None where there is none."""
        return sum(self.values) / len(self.values) if self.values else None

    @property
    def micro(self) -> float:
        """The F1 of the pooled counts."""
        return self.pooled.f1

    @property
    def floor(self) -> float | None:
        """The mean if all that could not be compared were worth 0."""
        planned = self.n + self.left_out
        return sum(self.values) / planned if planned else None


def summarise(counts: Iterable[Counts | None], empty_empty: float = 0.0) -> F1Summary:
    """Take instances together; None is one that could not be compared."""
    given = list(counts)
    known = [one for one in given if one is not None]
    values = tuple(empty_empty if one.both_empty else one.f1 for one in known)
    with_gold = [one.f1 for one in known if not one.gold_empty]
    return F1Summary(
        values=values,
        pooled=sum(known, Counts()),
        exact=sum(one.exact for one in known),
        gold_empty=len(known) - len(with_gold),
        macro_with_gold=sum(with_gold) / len(with_gold) if with_gold else None,
        left_out=len(given) - len(known),
    )
