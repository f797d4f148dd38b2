"""The roles of the induction. Each is a protocol with an implementation by a model and one without any.

A role's method is a *talk*: a generator that yields questions to be asked side by side, is sent their
replies, and returns what it made of them, exactly as an episode does. A role without a model yields nothing.
So one loop serves both, the engine asks and records, and a loop that was cut short is taken up by running it
again on the replies that were recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from gumption.curation.dimensions import Assignment, Dimensions, Example
from gumption.running.talks import Talk

__all__ = ["Assigner", "Balance", "Brief", "Change", "Past", "Proposer", "Review", "Reviewer", "Talk"]


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a Reviewer asks for."""

    action: str
    """merge | split | sharpen | add | drop."""
    dimensions: tuple[str, ...]
    """The names that it is about: two or more to merge, none to add."""
    reason: str
    suggestion: str = ""


class Review(Struct, frozen=True, forbid_unknown_fields=True):
    """A Reviewer's judgement of a set: redundancy, coverage and balance, each in a sentence."""

    accepted: bool
    redundancy: str = ""
    coverage: str = ""
    balance: str = ""
    changes: tuple[Change, ...] = ()


class Balance(Struct, frozen=True):
    """What is counted and measured of a set of dimensions on the probe that the Assigner labelled."""

    counts: dict[str, int]
    """Items by dimension, Other last."""
    sources: dict[str, dict[str, int]]
    """Items by dimension and source benchmark."""
    other: float
    """Share of Other."""
    entropy: float
    """Of the dimensions without Other, in [0, 1]: 1 is even."""
    overlap: dict[str, float]
    """"A | B" to the cosine of two dimensions' definitions and items: high is redundant. Highest first."""
    confusion: dict[str, float]
    """"A | B" to the share of split votes that fell on just these two. Highest first."""
    examples: dict[str, tuple[str, ...]]
    """A few texts of each dimension."""


class Past(Struct, frozen=True):
    """One iteration of the loop, as the memory keeps it."""

    number: int
    """From 1."""
    dimensions: Dimensions
    balance: Balance
    review: Review
    quality: float
    """By which the best so far is kept; higher is better."""


class Brief(Struct, frozen=True):
    """What the Proposer is given."""

    benchmarks: dict[str, str]
    """Name to description: what it is, its categories and how many items each has."""
    probe: tuple[Example, ...]
    """A diverse sample of items."""
    past: tuple[Past, ...]
    """All iterations so far, rejected sets with their critiques."""
    wanted: tuple[int, int]
    """Fewest and most dimensions."""


class Proposer(Protocol):
    """Proposes dimensions, or refines the last ones by what the Reviewer said."""

    @property
    def name(self) -> str:
        """Goes into the log."""

    def propose(self, brief: Brief) -> Talk[Dimensions | None]:
        """A set, or None where none could be had (refusal, no readable reply, budget used up)."""


class Reviewer(Protocol):
    """Accepts a set or says what to change."""

    @property
    def name(self) -> str:
        """Goes into the log."""

    def review(self, dimensions: Dimensions, balance: Balance, past: Sequence[Past]) -> Talk[Review | None]:
        """A judgement, or None where none could be had."""


class Assigner(Protocol):
    """Labels items by the majority of its voters."""

    @property
    def name(self) -> str:
        """Goes into the log."""

    def assign(
        self, examples: Sequence[Example], dimensions: Dimensions, full: frozenset[str] = frozenset()
    ) -> Talk[Assignment]:
        """The items' dimensions. `full`: ids on which every voter votes, so that agreement can be computed;
        elsewhere voting stops when no remaining vote can change the plurality. Items can be labelled in
        shards: an item's label does not depend on the others that it is labelled with."""
