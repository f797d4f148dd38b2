"""Collecting the rows of a question file into a suite: those that can be asked, and those that cannot."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import msgspec

from gumption.records import GumptionError, Image, Item
from gumption.suites.media import Media
from gumption.suites.suite import Rejected, Suite

_CLUSTER_DIGITS = 16


class Gathering:
    """The items and rejected rows of one file, in the file's order whatever the order they come in."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: list[tuple[int, Item]] = []
        self._rejected: list[Rejected] = []
        self._first: dict[str, int] = {}

    def keep(self, row: int, item: Item) -> None:
        """Raises GumptionError if an earlier row has the item's id."""
        first = self._first.setdefault(item.id, row)
        if first != row:
            raise GumptionError(f"row {first} has this id already", remedy="give every row an id of its own")
        self._kept.append((row, item))

    def reject(self, row: int, id: str, error: GumptionError) -> None:
        self._rejected.append(Rejected(str(self._path), row, id, error.problem, error.remedy))

    def suite(self, name: str, media: Media, layout: str) -> Suite:
        """What was gathered. `layout` is the kind of file. GumptionError if no row can be used."""
        rejected = sorted(self._rejected, key=lambda rejected: rejected.row)
        if not self._kept:
            why = f"; row {rejected[0].row}: {rejected[0].problem}" if rejected else ""
            problem = f"none of its {len(rejected)} rows can be used{why}" if rejected else "it holds no rows"
            remedy = rejected[0].remedy if rejected else "give a file with one question a row"
            raise GumptionError(problem, where=str(self._path), remedy=remedy)
        with self._path.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        return Suite(
            name=name,
            version=sha256[:12],
            items=_clustered([item for _, item in sorted(self._kept, key=lambda kept: kept[0])]),
            media=media,
            provenance={"file": self._path.name, "layout": layout, "sha256": sha256},
            rejected=tuple(rejected),
        )


def file_stem(path: Path) -> str:
    """The file's name without ".jsonl", ".tsv" and ".gz": the benchmark's name if nothing else gives one."""
    return Path(path.name.removesuffix(".gz")).stem


def _clustered(items: list[Item]) -> tuple[Item, ...]:
    """Items without a cluster that show the same first picture become one, so that they resample together."""
    first = {item.id: next((part for part in item.parts if isinstance(part, Image)), None) for item in items}
    shared = Counter(image.sha256 for image in first.values() if image)
    return tuple(
        msgspec.structs.replace(item, cluster=image.sha256[:_CLUSTER_DIGITS])
        if not item.cluster and (image := first[item.id]) and shared[image.sha256] > 1
        else item
        for item in items
    )
