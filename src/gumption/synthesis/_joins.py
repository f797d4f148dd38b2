"""What joins tables with each other, and pictures with the cells that they are called after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from msgspec import Struct

from gumption.synthesis._profile import Column
from gumption.synthesis._walk import IMAGES
from gumption.synthesis._withheld import words_of
from gumption.synthesis.recipes._cells import text_of
from gumption.synthesis.recipes.loading import read
from gumption.synthesis.spec import Source

__all__ = ["Join", "Listing", "joins_of", "listings_of"]

Tables: TypeAlias = Sequence[tuple[Source, tuple[Column, ...]]]
_NEARLY = 0.95
_MOST_TEMPLATES = 60
_IDS = {"id", "uid", "key", "ref", "name", "index", "idx"}


class Join(Struct, frozen=True):
    """A column of one table whose cells are the keys of another."""

    table: int
    column: str
    other: int
    key: str


class Listing(Struct, frozen=True):
    """Pictures that are called after the cells of a table's column."""

    table: int
    source: Source
    """Of the format `files`, ready to be joined."""


def joins_of(root: Path, tables: Tables) -> tuple[Join, ...]:
    """Pairs of columns of one name, or of `image_id` and `id`, of which the second is unique and holds nearly
    all cells of the first."""
    cells: dict[tuple[int, str], list[str]] = {}
    for number, (source, columns) in enumerate(tables):
        rows = read(root, source) if len(tables) > 1 else []
        for column in columns:
            if column.holds in ("text", "integer", "path"):
                cells[number, column.name] = [text_of(row.get(column.name)) for row in rows]
    found = []
    for (table, name), values in cells.items():
        for (other, key), keys in cells.items():
            if table == other or _nested(tables[table][0], tables[other][0]) or not _may_join(name, key):
                continue
            there = set(keys)
            if (
                values
                and len(there) > 1
                and len(there) == len(keys)
                and sum(v in there for v in values) >= _NEARLY * len(values)
            ):
                found.append(Join(table, name, other, key))
    called = {one for one in found if _called(one, tables)}
    taken = {pair for one in called for pair in ((one.table, one.column), (one.table, one.other))}
    return tuple(
        one for one in found if one in called or not {(one.table, one.column), (one.table, one.other)} & taken
    )


def _called(join: Join, tables: Tables) -> bool:
    """Whether the other table is called after the column: `ann_id` is of `annotations`."""
    source = tables[join.other][0]
    called = words_of(source.rows.rpartition(".")[2] or PurePosixPath(source.path).stem)
    return any(
        one.startswith(word.removesuffix("s"))
        for word in set(words_of(join.column)) - _IDS
        if len(word) > 2
        for one in called
    )


def _nested(one: Source, two: Source) -> bool:
    """Whether one lies within the other, so that its fields come along anyway."""
    return one.path == two.path and (one.rows.startswith(two.rows) or two.rows.startswith(one.rows))


def _may_join(column: str, key: str) -> bool:
    """`question` and `question_id`, `image_id` and `id`: the same but for the word that says it is a key."""
    if column == key:
        return True
    one, two = words_of(column), words_of(key)
    if not one or not two or not {one[-1], two[-1]} & _IDS:
        return False
    return set(one) - _IDS <= set(two) or set(two) - _IDS <= set(one)


def listings_of(root: Path, tables: Tables, files: Sequence[str]) -> tuple[Listing, ...]:
    """Patterns such as `frames/*.png` of which `*` is nearly every cell of a column, or `*` is a folder."""
    stems: dict[str, list[str]] = {}
    for one in files:
        if one.lower().endswith(IMAGES):
            stems.setdefault(one[: -len(PurePosixPath(one).suffix)], []).append(one)
    folders = {PurePosixPath(stem).parent.as_posix() for stem in stems}
    found: list[Listing] = []
    for number, (source, columns) in enumerate(tables):
        rows = read(root, source) if stems else []
        for column in columns:
            cells = list(dict.fromkeys(_stem(text_of(row.get(column.name))) for row in rows))
            if len(cells) == 1 < len(rows):
                continue  # then every row would have all of them
            short = re.fullmatch(r"[\w.-]{1,100}", (cells or [""])[0])
            if column.holds not in ("text", "integer", "path") or not short:
                continue
            # Few numbers are parts of many names by chance.
            few = column.holds == "integer" and len(cells) < len(rows)
            if few and len(cells) < 0.2 * len(rows):
                continue
            for before, after in _templates(cells, stems, not few):
                if column.holds == "path" and not after and before == _before(column):
                    continue  # the very files that the cells name
                named = [one for cell in cells for one in stems.get(f"{before}{cell}{after}", ())]
                suffixes = {PurePosixPath(one).suffix for one in named}
                end = suffixes.pop() if len(suffixes) == 1 else ".*"
                found.append(Listing(number, _files(f"{before}*{after}{end}", column.name)))
            for above in sorted({PurePosixPath(one).parent.as_posix() for one in folders}):
                prefix = "" if above == "." else f"{above}/"
                if sum(f"{prefix}{cell}" in folders for cell in cells) >= _NEARLY * len(cells):
                    found.append(Listing(number, _files(f"{prefix}*/*.*", column.name)))
    return tuple(found)


def _before(column: Column) -> str:
    return f"{column.folder}/" if column.folder else ""


def _stem(cell: str) -> str:
    return PurePosixPath(cell).stem if cell.lower().endswith(IMAGES) else cell


def _templates(cells: list[str], stems: dict[str, list[str]], apart: bool) -> list[tuple[str, str]]:
    """What stands before and behind each cell in the files' paths, guessed from the first.

    `apart`: whether cells are so different that letters and digits may touch them.
    """
    tried = []
    for stem in stems:
        name = PurePosixPath(stem).name
        if cells[0] in name:
            at = len(stem) - len(name) + name.index(cells[0])
            tried.append((stem[:at], stem[at + len(cells[0]) :]))
    return [
        (before, after)
        for before, after in tried[:_MOST_TEMPLATES]
        if "*" not in before + after
        and (apart or not (before[-1:].isalnum() or after[:1].isalnum()))
        and sum(f"{before}{cell}{after}" in stems for cell in cells) >= _NEARLY * len(cells)
    ]


def _files(pattern: str, on: str) -> Source:
    folder = "/".join(part for part in PurePosixPath(pattern).parent.parts if "*" not in part)
    mark = re.sub(r"[*.]", "", PurePosixPath(pattern).stem)
    return Source(
        pattern, "files", column=f"@{folder}/{mark}" if mark else f"@{folder or 'file'}", key="@key", on=on
    )
