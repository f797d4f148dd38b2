"""What a data file is, by its content: the sources that it could be read as."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis._sniff_text import block_source, csv_source
from gumption.synthesis._walk import IMAGES
from gumption.synthesis.contract import MOST_ROWS
from gumption.synthesis.recipes._cells import is_messages
from gumption.synthesis.recipes._json_rows import json_of, jsonl_of
from gumption.synthesis.recipes._tables import decoded, sheet_names
from gumption.synthesis.spec import Source

__all__ = ["NOT_DATA", "sources_of"]

NOT_DATA = (
    *IMAGES,
    ".py",
    ".sh",
    ".md",
    ".rst",
    ".html",
    ".pdf",
    ".zip",
    ".gz",
    ".tar",
    ".mp4",
    ".pddl",
    ".toml",
)
_LARGEST = 64 * 2**20
"""Bytes of a text file that is looked at; parquet is not bounded here, since its rows are counted first."""
_PATHS = 12
_DEEPEST = 6
_MAPPING = 5
"""Entries that an object has at least for it to be rows by their keys."""


def sources_of(root: Path, path: str) -> tuple[Source, ...]:
    """How a file could be read, nothing where it is no data. Raises GumptionError for one too large."""
    with (root / path).open("rb") as file:
        head = file.read(4096)
    if head[:4] == b"PAR1":
        return (Source(path, "parquet"),)
    if (root / path).stat().st_size > _LARGEST:
        raise GumptionError(f"{path} is too large to look into", where=path, remedy="split the file")
    data = (root / path).read_bytes()
    if data[:4] == b"PK\x03\x04" and b"xl/" in data:
        names = sheet_names(data, path)
        return tuple(Source(path, "xlsx", sheet=name if len(names) > 1 else "") for name in names)
    utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if not utf16 and b"\0" in head:
        return ()
    text = decoded(data)
    if text.count("\n") > 10 * MOST_ROWS:
        raise GumptionError(f"{path} has too many lines", where=path, remedy="split the file")
    if text.lstrip()[:1] in ("{", "["):
        found = _json_sources(text, path)
        if found:
            return found
    found_csv = csv_source(text, path)
    if found_csv is not None:
        return (found_csv,)
    found_blocks = block_source(text, path)
    return () if found_blocks is None else (found_blocks,)


def _json_sources(text: str, path: str) -> tuple[Source, ...]:
    """JSON as a whole, or by lines."""
    first, _, rest = text.lstrip().partition("\n")
    by_lines = PurePosixPath(path).suffix in (".jsonl", ".ndjson") or bool(rest.strip())
    if by_lines and first.lstrip().startswith("{"):
        try:
            json_of(first, path)
            lines = jsonl_of(text, path)
        except GumptionError:
            lines = []
        if lines:
            return tuple(Source(path, "jsonl", rows="" if at == "[]" else at) for at in _row_paths(lines))
    try:
        value = json_of(text, path)
    except GumptionError:
        return ()
    if isinstance(value, dict) and _is_columns(value):
        return (Source(path, "json", rows="columns"),)
    paths = _row_paths(value)
    if isinstance(value, dict) and not paths and _is_mapping(value):
        paths = ["{}"]
    whole = (Source(path, "json"),) if isinstance(value, dict) and not paths else ()
    return (*(Source(path, "json", rows=at) for at in paths), *whole)


def _is_columns(value: dict[str, Any]) -> bool:
    """An object of lists of one length, or of objects with the same many keys that are row numbers."""
    several = list(value.values())
    if len(several) < 2:
        return False
    if all(isinstance(one, list) and one and not isinstance(one[0], dict) for one in several):
        return len({len(one) for one in several}) == 1 and len(several[0]) >= len(several)
    if all(isinstance(one, dict) and one for one in several):
        keys = [tuple(one) for one in several]
        return len(set(keys)) == 1 and all(key.isdigit() for key in keys[0])
    return False


def _is_mapping(value: dict[str, Any]) -> bool:
    """From keys to plain values of one kind: answers by the ids of their questions."""
    kinds = {type(one) for one in value.values()}
    return len(value) >= _MAPPING and (kinds <= {int, float} or kinds in ({list}, {str}, {bool}))


def _row_paths(value: Any) -> list[str]:
    """Where lists of objects lie, the outermost first."""
    found: list[str] = []

    def look(one: Any, at: str, depth: int) -> None:
        if depth > _DEEPEST or len(found) >= _PATHS:
            return
        inner: list[Any] = []
        if isinstance(one, list) and one and isinstance(one[0], dict) and not is_messages(one):
            at = f"{at}[]"
            inner = [row for row in one[:20] if isinstance(row, dict)]
        elif isinstance(one, dict) and len(one) >= 3 and _alike(one):
            at = f"{at}{{}}"
            inner = list(one.values())[:20]
        if inner:
            if at not in found:
                found.append(at)
        elif isinstance(one, dict):
            inner = [one]
        for row in inner:
            for name, below in row.items():
                if isinstance(below, list | dict) and not re.search(r"[.\[\]{}]", name):
                    look(below, f"{at}.{name}" if at else name, depth + 1)

    look(value, "", 0)
    return found[:_PATHS]


def _alike(value: dict[str, Any]) -> bool:
    """Whether the values are objects with largely the same fields: rows by their keys."""
    several = list(value.values())[:20]
    if not all(isinstance(one, dict) and len(one) >= 2 for one in several):
        return False
    first = set(several[0])
    return all(len(first & set(one)) * 2 >= len(first | set(one)) for one in several)
