"""What a data file is, by its content: the sources that it could be read as."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis._sniff_text import block_source, csv_source
from gumption.synthesis._walk import IMAGES
from gumption.synthesis._withheld import words_of
from gumption.synthesis.contract import MOST_ROWS
from gumption.synthesis.recipes._cells import is_messages
from gumption.synthesis.recipes._json_rows import json_of, jsonl_of, rows_at
from gumption.synthesis.recipes._tables import decoded, sheet_names
from gumption.synthesis.spec import Source

__all__ = ["NOT_DATA", "SPLITS", "sources_of"]

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
_DEEPEST_SHARED = 2
"""Down to where an object's parts are compared: each level doubles the work."""
SPLITS = (
    "test",
    "eval",
    "val",
    "validation",
    "valid",
    "dev",
    "train",
    "training",
    "fewshot",
    "shots",
    "demo",
)
"""Words of parts of a data set that are not to be mixed, the one to evaluate on first."""
_ROLES = (
    "questions", "question", "items", "answers", "answer", "solutions", "key", "keys", "labels", "gold",
    "images", "pictures", "photos", "annotations", "annos", "boxes", "masks", "options", "choices",
)  # fmt: skip
"""What parts of an object are called that tell different things of the same items."""
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


def _row_paths(value: Any, depth: int = 0) -> list[str]:
    """Where lists of objects lie, the outermost first; `depth` is that of the value in its file."""
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
        elif isinstance(one, dict) and (shared := _shared(one, depth)):
            found.extend(f"{at}{{}}.{path}" for path in shared)
        elif isinstance(one, dict):
            inner = [one]
        for row in inner:
            for name, below in row.items():
                if isinstance(below, list | dict) and not re.search(r"[.\[\]{}]", name):
                    look(below, f"{at}.{name}" if at else name, depth + 1)

    look(value, "", depth)
    return found[:_PATHS]


def _shared(value: dict[str, Any], depth: int) -> list[str]:
    """Where rows lie in each of an object's parts, as in each room of a house; none where the parts differ.

    Parts of a data set that must not be mixed, and what must be joined by its keys, stay apart.
    """
    apart = any({*words_of(name)} & {*SPLITS, *_ROLES} for name in value)
    parts = [one for one in value.values() if isinstance(one, dict | list) and one]
    alike = len(parts) >= 2 and len({type(one) for one in parts}) == 1
    if depth > _DEEPEST_SHARED or apart or not alike or not _may_share(parts):
        return []
    paths = [_row_paths(one, depth + 1) for one in parts]
    held = [one for one in zip(parts, paths, strict=True) if one[1]]
    named = all(not path.startswith(("[", "{")) for _, several in held for path in several)
    if len(held) < 2 or any(several != held[0][1] for _, several in held):
        return []
    if len(held) < len(value) and not named:
        return []
    fields = [{*rows_at(part, several[-1], "", MOST_ROWS)[0]} for part, several in held]
    return held[0][1] if all(len(fields[0] & one) * 2 > len(fields[0] | one) for one in fields) else []


def _may_share(parts: list[Any]) -> bool:
    """Whether at least two parts begin alike, so that it is worth looking deeper."""
    if isinstance(parts[0], list):
        return all(isinstance(one[0], dict) for one in parts)
    names = Counter(name for one in parts for name, below in one.items() if isinstance(below, dict | list))
    return bool(names) and (names.most_common(1)[0][1] >= 2 or all(_alike(one) for one in parts))


def _alike(value: dict[str, Any]) -> bool:
    """Whether the values are objects with largely the same fields: rows by their keys."""
    several = list(value.values())[:20]
    if not all(isinstance(one, dict) and len(one) >= 2 for one in several):
        return False
    first = set(several[0])
    return all(len(first & set(one)) * 2 >= len(first | set(one)) for one in several)
