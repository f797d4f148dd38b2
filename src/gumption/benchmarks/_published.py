"""From a source's published rows to a suite: what the loaders of picture benchmarks have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from gumption.benchmarks._hub import Row, Shelf, Source, fetch, provenance, rows
from gumption.records import GumptionError, Image, Item, Part
from gumption.suites import Suite

__all__ = ["chosen", "pictures_in", "suite_of"]

_CLUSTER_DIGITS = 16

Make = Callable[[Row, Shelf, int], Item | None]
"""The item of a row, given its number from 0; None for a row that is no question of its own."""


def suite_of(
    name: str,
    source: Source,
    data: Path | None,
    columns: Mapping[str, str],
    make: Make,
    *,
    version: str,
    files: str = "",
) -> Suite:
    """The items that `make` makes of the rows in `files` (a pattern; without it the source's first one).

    Items that show the same first picture are one cluster, unless they say otherwise. Raises GumptionError,
    naming file and row, for a row that is not as published.
    """
    folder = fetch(source, data)
    shelf = Shelf(folder)
    items = tuple(_items(rows(folder, files or source.files[0], columns), shelf, make))
    return Suite(
        name=name,
        version=version,
        items=items,
        media=shelf.media(),
        provenance={**provenance(source, folder), "split": version},
        licences={name.partition(":")[0]: source.licence},
    )


def _items(published: Iterator[Row], shelf: Shelf, make: Make) -> Iterator[Item]:
    for number, row in enumerate(published):
        try:
            item = make(row, shelf, number)
        except GumptionError as error:
            where = error.where or row.where
            raise GumptionError(error.problem, where=where, remedy=error.remedy) from error
        if item is not None:
            first = next((part for part in item.parts if isinstance(part, Image)), None)
            same_picture = first.sha256[:_CLUSTER_DIGITS] if first else ""
            yield item if item.cluster else replace(item, cluster=same_picture)


def pictures_in(shelf: Shelf, paths: Iterable[str], get_from: str) -> tuple[Part, ...]:
    """Pictures beside the questions, by their paths. GumptionError says where to get missing ones."""
    try:
        return tuple(shelf.file(path) for path in paths)
    except GumptionError as error:
        remedy = f"unpack the pictures of {get_from} beside the questions and name that folder with --data"
        raise GumptionError(error.problem, where=error.where, remedy=remedy) from error


def chosen(benchmark: str, told: Mapping[str, str], options: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The value of every option: as told, else its first. GumptionError for what there is not."""
    for name, value in told.items():
        if name not in options:
            known = ", ".join(f"{one}={'|'.join(values)}" for one, values in options.items())
            raise GumptionError(f"{benchmark} has no option {name!r}", remedy=f"there is {known}")
        if value not in options[name]:
            raise GumptionError(
                f"{name}={value} is none of {benchmark}'s", remedy=f"one of: {', '.join(options[name])}"
            )
    return {name: told.get(name, values[0]) for name, values in options.items()}
