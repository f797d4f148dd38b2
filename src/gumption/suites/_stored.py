"""What a suite's folder holds of its items: some whole with their media, some as references."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from gumption.records import Answer, GumptionError, Item
from gumption.suites._about import ITEMS, MEDIA, inside
from gumption.suites.media import Media
from gumption.suites.suite import canonical
from gumption.suites.table import SOURCE, items_of, items_to_table, read_table, write_table

_SHA256 = "sha256"
_MEDIA_NAME = re.compile(r"([0-9a-f]{64})\.[a-z0-9]{1,5}", re.ASCII)


class Reference(msgspec.Struct, frozen=True):
    """An item that is not here. `known` has id, benchmark, category, dimension, cluster and kind alone."""

    known: Item
    source: str
    """Address of its origin, as `suite.json` has it."""
    sha256: str
    """Of the item's canonical form in this suite."""


def read_stored(folder: Path) -> list[Item | Reference]:
    """The rows of a folder's items file, in order."""
    path = inside(folder, ITEMS)
    table = read_table(path)
    items = items_of(table, path)
    if SOURCE not in table.column_names:
        return list(items)
    try:
        sources, hashes = (table.column(name).to_pylist() for name in (SOURCE, _SHA256))
    except KeyError as error:
        problem = f"the columns {SOURCE} and {_SHA256} are not there once each"
        raise GumptionError(problem, where=str(path), remedy="fetch or write the folder again") from error
    return [
        item if source is None else Reference(item, str(source), str(sha256))
        for item, source, sha256 in zip(items, sources, hashes, strict=True)
    ]


def write_stored(folder: Path, items: Sequence[Item], sources: Mapping[str, str]) -> None:
    """Write the items file. Of an item whose id is in `sources`, only what a `Reference` has."""
    table = items_to_table([_known(item) if item.id in sources else item for item in items])
    if sources:
        hashes = [
            hashlib.sha256(canonical(item)).hexdigest() if item.id in sources else None for item in items
        ]
        table = table.append_column(SOURCE, pa.array([sources.get(item.id) for item in items], pa.string()))
        table = table.append_column(_SHA256, pa.array(hashes, pa.string()))
    write_table(inside(folder, ITEMS), table)


def stored_media(folder: Path) -> Media:
    """The media files of a folder by hash. Hidden files are ignored; any other foreign name is an error."""
    place = inside(folder, MEDIA)
    paths: dict[str, Path] = {}
    for entry in sorted(os.scandir(place), key=lambda entry: entry.name) if place.is_dir() else ():
        if entry.name.startswith("."):
            continue
        name = _MEDIA_NAME.fullmatch(entry.name)
        file = inside(place, entry.name, folder) if entry.is_symlink() else place / entry.name
        if name is None or not file.is_file():
            problem = f"{entry.name!r} is not a media file named by its SHA-256"
            raise GumptionError(problem, where=str(place), remedy="take it out")
        paths.setdefault(name[1], file)
    return Media(paths)


def _known(item: Item) -> Item:
    return Item(
        id=item.id,
        benchmark=item.benchmark,
        parts=(),
        answer=Answer(item.answer.kind),
        cluster=item.cluster,
        category=item.category,
        dimension=item.dimension,
    )
