"""Counting votes: who leads, and whether the votes still to come can change that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

__all__ = ["decided", "first_named", "leaders"]


def leaders(votes: Iterable[int], labels: int) -> list[int]:
    """The labels with the most votes, ascending: several on a tie, all where nobody has named one.

    votes: labels from 0, or negative for a vote that names none.
    """
    counts = Counter(vote for vote in votes if vote >= 0)
    most = max(counts.values(), default=0)
    return sorted(label for label in (counts or range(labels)) if counts[label] == most)


def decided(votes: Iterable[int], left: int) -> bool:
    """Whether no outcome of `left` further votes can change who leads, nor make a tie of it."""
    (first, second) = ([n for _, n in Counter(v for v in votes if v >= 0).most_common(2)] + [0, 0])[:2]
    return first > second + left


def first_named(votes: Sequence[int], tied: Sequence[int], otherwise: int) -> int:
    """The rule that breaks a tie which nobody could: the tied label that the first voter in order named, and
    `otherwise` where no voter named one."""
    return next((vote for vote in votes if vote in tied), otherwise)
