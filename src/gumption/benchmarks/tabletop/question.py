"""What a question is before it becomes an item, and how options are laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from gumption.benchmarks.tabletop.layout import Unaskable
from gumption.benchmarks.tabletop.scene import Thing
from gumption.records import Answer

__all__ = ["Question", "coin", "options", "pick", "separated", "window"]

T = TypeVar("T")
_LETTERS = "ABCD"
_TRIES = 60


@dataclass(frozen=True)
class Question:
    """Words, pictures and the answer."""

    category: str
    text: str
    answer: Answer
    pictures: tuple[bytes, ...] = ()
    """PNG files to show in place of the scene's front view."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the pictures show beyond the scene graph, for whoever wants to compute the gold again."""


def coin(generator: Random) -> str:
    """Which answer is wanted: drawn before the question looks for things, so yes is as frequent as no."""
    return generator.choice(("yes", "no"))


def pick(candidates: Sequence[T], count: int, generator: Random) -> list[T]:
    """`count` of them by lot. Raises Unaskable if there are fewer."""
    if len(candidates) < count:
        raise Unaskable("too few things")
    return generator.sample(candidates, count)


def separated(
    candidates: Sequence[Thing], clear: Callable[[list[Thing]], bool], generator: Random, count: int = 4
) -> list[Thing]:
    """`count` things among which the answer is clear. Raises Unaskable if no such draw turns up."""
    for _ in range(_TRIES):
        drawn = pick(candidates, count, generator)
        if clear(drawn):
            return drawn
    raise Unaskable("near ties only")


def options(gold: str, others: Sequence[str], generator: Random) -> Answer:
    """A choice with the gold at a place drawn by lot."""
    texts = [gold, *others]
    generator.shuffle(texts)
    return Answer("choice", _LETTERS[texts.index(gold)], dict(zip(_LETTERS, texts, strict=False)))


def window(count: int, low: int, generator: Random) -> Answer:
    """A choice of four neighbouring counts, in order, for a count that is `low` + few().

    The window is one of the three from which few() can have drawn it, so each place is as likely as another.
    """
    start = generator.choice([start for start in range(low, low + 3) if start <= count <= start + 3])
    counts = [str(number) for number in range(start, start + 4)]
    return Answer("choice", _LETTERS[count - start], dict(zip(_LETTERS, counts, strict=True)))
