"""Capability dimensions, and what is known of the items that fall under each."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.curation._inputs import Ints
from gumption.records import GumptionError, Item, Text

__all__ = [
    "ABSENT",
    "MOST_DIMENSIONS",
    "OTHER",
    "UNREAD",
    "Assignment",
    "Dimension",
    "Dimensions",
    "Example",
    "Flags",
    "example_of",
]

OTHER = "Other"
"""What fits no dimension. Counted and shown; left out of a suite unless asked for."""
MOST_DIMENSIONS = 40
LONGEST = 2_000
"""Characters of an item's text that a role sees."""

Flags: TypeAlias = npt.NDArray[np.bool_]

ABSENT = -1
"""A vote that was not asked for, since it could no longer change the label."""
UNREAD = -2
"""A vote that was asked for and not to be had: a failed request, a refusal, no dimension named."""


class Dimension(Struct, frozen=True, forbid_unknown_fields=True):
    """One capability."""

    name: str
    definition: str
    """What an item asks of a model that falls under it, and what does not."""
    terms: tuple[str, ...] = ()
    """Words and phrases that mark its items, the most telling first."""


class Dimensions(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A set of dimensions, in the order proposed.

    Raises GumptionError for none or too many, for names that are empty, repeated or "Other", and for a
    dimension without a definition.
    """

    all: tuple[Dimension, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.all) <= MOST_DIMENSIONS:
            raise _refused(f"{len(self.all)} dimensions", f"give 1 to {MOST_DIMENSIONS}")
        seen: set[str] = set()
        for one in self.all:
            name = one.name.strip().lower()
            if not name or name == OTHER.lower() or name in seen:
                raise _refused(
                    f"a dimension is called {one.name!r}", "give each a name of its own, other than Other"
                )
            if not one.definition.strip():
                raise _refused(f"{one.name} has no definition", "say what belongs to it")
            seen.add(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The label of each number; `Other` is one beyond the last."""
        return tuple(one.name for one in self.all)

    @cached_property
    def sha256(self) -> str:
        """Hash of names and definitions whatever their order, case and spacing: a set that was rejected is
        known again by it."""
        said = sorted((_plain(one.name), _plain(one.definition)) for one in self.all)
        return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


class Example(Struct, frozen=True):
    """What the roles see of an item."""

    id: str
    benchmark: str
    category: str
    text: str
    """The texts of the question and its options, cut at LONGEST."""
    kind: str


class Assignment(Struct, frozen=True):
    """Which dimension each of n items falls under, and how the voters voted."""

    dimensions: Dimensions
    ids: tuple[str, ...]
    label: Ints
    """int[n]: number of the dimension, len(dimensions.all) for Other."""
    votes: Ints
    """int[n, voters]: labels, ABSENT or UNREAD."""
    full: Flags
    """bool[n]: whether all voters were asked, so that agreement may be computed on these items."""
    adjudicated: Flags
    """bool[n]: whether a tie was broken."""
    asked: int
    """Votes asked for, those that broke ties included."""
    evidence: str
    """What agreement between these voters is worth: "" or a warning like "same embedding, not evidence"."""

    @property
    def counts(self) -> Ints:
        """Items of each dimension, of Other last."""
        return np.bincount(self.label, minlength=len(self.dimensions.all) + 1).astype(np.int64)


def example_of(item: Item) -> Example:
    """What the roles see of an item: its texts and options, never its pictures or its gold. Options that the
    texts spell out already are not said twice."""
    said = "\n".join(part.text for part in item.parts if isinstance(part, Text))
    options = {letter: text for letter, text in (item.answer.choices or {}).items() if text}
    if not all(text in said for text in options.values()):
        said = "\n".join([said, *(f"{letter}. {text}" for letter, text in options.items())])
    return Example(item.id, item.benchmark, item.category, said[:LONGEST], item.answer.kind)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _refused(problem: str, remedy: str) -> GumptionError:
    return GumptionError(problem, where="dimensions", remedy=remedy)
