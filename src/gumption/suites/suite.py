"""A suite: items, the pictures they show, and where it all came from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import msgspec

from gumption.records import Aggregate, GumptionError, Item, Text
from gumption.suites.media import Media

__all__ = ["Origin", "Place", "Rejected", "Suite", "canonical", "shown_media"]


@dataclass(frozen=True)
class Rejected:
    """A row that cannot be asked, and why. The other rows of its file are not touched by it."""

    file: str
    row: int
    """From 1: the line of a JSONL file, the row below the header of a TSV file, the place in a suite."""
    id: str
    """"" when the row did not get as far as an id."""
    problem: str
    remedy: str

    def __str__(self) -> str:
        name = f" ({self.id})" if self.id else ""
        return f"{self.file}, row {self.row}{name}: {self.problem}"


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a suite was opened from, and can be opened from again."""

    kind: Literal["benchmark", "path"]
    address: str
    """A benchmark's name with its options, or the path of a file or folder: absolute in memory, relative to
    the folder (forward slashes) in a `suite.json`."""


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The suite that items kept by reference are taken from when their own is opened."""

    place: Place
    name: str
    version: str
    checksum: str
    provenance: dict[str, Any]
    """Repository, revision and files, where the suite says them."""


@dataclass(frozen=True)
class Suite:
    """Questions that are asked together. A pool is a suite of several benchmarks.

    Raises GumptionError if two items have the same id.
    """

    name: str
    version: str
    items: tuple[Item, ...]
    media: Media = field(default_factory=Media)
    provenance: dict[str, Any] = field(default_factory=dict)
    licences: dict[str, str] = field(default_factory=dict)
    """Benchmark to licence (an SPDX name where there is one)."""
    rejected: tuple[Rejected, ...] = ()
    place: Place | None = field(default=None, compare=False)
    """None for a suite that was made and not opened."""
    official: Aggregate | None = None
    """How scores become one number, where the suite says so; else its benchmark does."""
    references: dict[str, Origin] = field(default_factory=dict, compare=False)
    """Id to origin of the items that a folder of this suite names and does not hold: see `by_licence`."""

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for item in self.items:
            if item.id in seen:
                raise GumptionError(
                    f"two items have the id {item.id!r}", where=self.name, remedy="rename one"
                )
            seen.add(item.id)

    @cached_property
    def checksum(self) -> str:
        """SHA-256 (hex) of the items, sorted by id, each as canonical JSON; pictures enter by their hash.

        It does not depend on the order of the items, on how they are stored, or on name and provenance.
        """
        digest = hashlib.sha256()
        for item in sorted(self.items, key=lambda item: item.id):
            digest.update(canonical(item) + b"\n")
        return digest.hexdigest()

    def first(self, count: int) -> Suite:
        """The same suite with its first `count` items only."""
        return replace(self, items=self.items[:count])


def canonical(item: Item) -> bytes:
    """The item as JSON with sorted keys. The choices' letters stand beside it, for their order is shown."""
    return msgspec.json.encode((item, list(item.answer.choices or ())), order="sorted")


def shown_media(items: Iterable[Item]) -> dict[str, str]:
    """SHA-256 to media type of every picture and clip in these items."""
    return {
        part.sha256: part.media_type for item in items for part in item.parts if not isinstance(part, Text)
    }
