"""From a benchmark's files to its rows, as a `Loading` says. Pure, bounded, without network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from gumption.records import GumptionError
from gumption.synthesis.contract import MOST_ROWS
from gumption.synthesis.recipes._blocks import blocks_of
from gumption.synthesis.recipes._cells import composed, filled, flat, number_of, plain, text_of
from gumption.synthesis.recipes._json_rows import json_of, jsonl_of, rows_at
from gumption.synthesis.recipes._paths import matching, read_bytes, star
from gumption.synthesis.recipes._tables import csv_rows, decoded, parquet_rows, xlsx_rows
from gumption.synthesis.recipes._written import front_of, markdown_rows, yaml_of
from gumption.synthesis.spec import Loading, Source

_PICTURE = re.compile(r"\.(?:png|jpe?g|webp|gif|bmp|tiff?)$", re.IGNORECASE)

__all__ = ["joined", "load", "read", "resolved"]


def load(folder: str | Path, loading: Loading | Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a benchmark, in the order of its first source, each with an `id` of its own.

    Rows keep all their columns under the names that the files give; only `id` is overwritten. A row for which
    another source has nothing lacks that source's columns. Raises GumptionError for files that are missing,
    too large or not as the `Loading` says, and for ids that are missing or not unique.
    """
    loading = loading if isinstance(loading, Loading) else msgspec.convert(loading, Loading)
    rows = joined(folder, loading.sources)
    for column, key in loading.stored.items():
        rows = resolved(rows, column, key)
    seen: set[str] = set()
    out = []
    for number, row in enumerate(rows, 1):
        together = "{" in loading.id and loading.id not in row
        own = filled(loading.id, row) if together else row.get(loading.id)
        id = _id(number if loading.id == "@row" else own)
        if not str(id) or str(id) in seen:
            what = f"a second row has the id {id!r}" if str(id) else "it has no id"
            raise GumptionError(what, where=f"load, row {number}", remedy="choose another column, or @row")
        seen.add(str(id))
        gathered = {
            name: [number_of(row.get(one)) for one in columns] for name, columns in loading.gather.items()
        }
        made = {name: composed(text, row) for name, text in loading.compose.items()}
        out.append({**row, **gathered, **made, "id": id})
    return out


def joined(folder: str | Path, sources: Sequence[Source]) -> list[dict[str, Any]]:
    """The rows of the first source with the columns of the others. Raises GumptionError as `load` does."""
    rows = read(folder, sources[0])
    for source in sources[1:]:
        rows = _joined(rows, read(folder, source), source)
    return rows


def resolved(rows: list[dict[str, Any]], column: str, key: str) -> list[dict[str, Any]]:
    """The rows with the other's cell where one holds the key of another row in place of a cell of its own."""
    own = {text_of(row.get(key)): row.get(column) for row in rows}
    return [
        {**row, column: own[text_of(row[column])]} if text_of(row.get(column)) in own else row for row in rows
    ]


def read(folder: str | Path, source: Source | Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of one source. Raises GumptionError as `load` does."""
    source = source if isinstance(source, Source) else msgspec.convert(source, Source)
    root = Path(folder)
    paths = matching(root, source.path)
    if source.format == "files":
        return _listing([path for path in paths if _PICTURE.search(path)], source)
    rows: list[dict[str, Any]] = []
    for path in paths:
        found = _rows(root, path, source)
        if path != source.path:
            at = PurePosixPath(path)
            told = {"@file": path, "@stem": at.stem, "@folder": at.parent.name}
            found = [{**row, **told} for row in found]
        rows += found
        if len(rows) > MOST_ROWS:
            raise GumptionError(f"over {MOST_ROWS:,} rows", where=source.path, remedy="split the folder")
    return rows


def _rows(root: Path, path: str, source: Source) -> list[dict[str, Any]]:
    if source.format == "parquet":
        return parquet_rows(root / path, path, MOST_ROWS)
    data = read_bytes(root, path)
    if source.format == "xlsx":
        return xlsx_rows(data, source.sheet, path, MOST_ROWS)
    text = decoded(data)
    if source.format == "csv":
        return csv_rows(text, source, path, MOST_ROWS)
    if source.format == "json":
        return rows_at(json_of(text, path), source.rows, path, MOST_ROWS)
    if source.format == "jsonl":
        return rows_at(jsonl_of(text, path), source.rows or "[]", path, MOST_ROWS)
    if source.format == "yaml":
        return rows_at(yaml_of(text, path), source.rows, path, MOST_ROWS)
    if source.format == "markdown":
        return markdown_rows(text, source.sheet, path, MOST_ROWS)
    if source.format == "front":
        return [flat(plain(front_of(text, path)))]
    if source.format == "blocks":
        return list(blocks_of(text, source.block, source.remark, source.several))
    return [{"text": text.strip()}]


def _listing(paths: list[str], source: Source) -> list[dict[str, Any]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(star(source.path, path), []).append(path)
    return [
        {source.key: key, source.column: sorted(several) if len(several) > 1 else several[0]}
        for key, several in found.items()
    ]


def _joined(rows: list[dict[str, Any]], others: list[dict[str, Any]], source: Source) -> list[dict[str, Any]]:
    """Each row with the columns of the other that has its key; names that it has already stay its own."""
    by_key: dict[str, dict[str, Any]] = {}
    for other in others:
        key = text_of(other.get(source.key))
        if key in by_key:
            raise GumptionError(
                f"two rows have {source.key} {key!r}",
                where=source.path,
                remedy="join by a column that is unique",
            )
        by_key[key] = other
    if source.format == "files":  # its key is part of a file's name, not data
        by_key = {key: {source.column: other[source.column]} for key, other in by_key.items()}
    on = source.on or source.key
    found = (by_key.get(_key(row.get(on), source), {}) for row in rows)
    return [
        {**row, **{name: cell for name, cell in other.items() if name not in row}}
        for row, other in zip(rows, found, strict=True)
    ]


def _key(cell: Any, source: Source) -> str:
    """A cell as a key; of a path to a file the stem, where what it is joined with are files."""
    text = text_of(cell)
    return PurePosixPath(text).stem if source.format == "files" and _PICTURE.search(text) else text


def _id(value: Any) -> str | int:
    return value if isinstance(value, int) and not isinstance(value, bool) else text_of(value)
