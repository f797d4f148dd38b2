"""What a data file is, by its content: the sources that it could be read as."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis._siblings import Apart
from gumption.synthesis._sniff_text import block_source, csv_source
from gumption.synthesis._walk import IMAGES
from gumption.synthesis._withheld import words_of
from gumption.synthesis.contract import MOST_ROWS
from gumption.synthesis.recipes._cells import flat, is_messages
from gumption.synthesis.recipes._json_rows import json_of, jsonl_of, rows_at
from gumption.synthesis.recipes._tables import decoded, sheet_names
from gumption.synthesis.recipes._written import has_front, markdown_tables, yaml_of
from gumption.synthesis.spec import Format, Source

__all__ = ["NOT_DATA", "sources_of"]

NOT_DATA = (
    *IMAGES,
    ".py",
    ".sh",
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
_COMPARED = 20
"""Rows from which it is judged what lies in all of them."""
_DEEPEST_SHARED = 2
"""Down to where an object's parts are compared: each level doubles the work."""
_ROLES = (
    "questions", "question", "items", "answers", "answer", "solutions", "key", "keys", "labels", "gold",
    "images", "pictures", "photos", "annotations", "annos", "boxes", "masks", "options", "choices",
)  # fmt: skip
"""What parts of an object are called that tell different things of the same items."""
_MAPPING = 5
"""Entries that an object has at least for it to be rows by their keys."""


def sources_of(root: Path, path: str, apart: Apart) -> tuple[Source, ...]:
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
        found = _json_sources(text, path, apart)
        if found:
            return found
    if PurePosixPath(path).suffix in (".yaml", ".yml"):
        return _whole_sources(yaml_of(text, path), path, "yaml", apart)
    if has_front(text):
        return (Source(path, "front"),)
    if PurePosixPath(path).suffix == ".md":
        headers = [names for names, rows in markdown_tables(text) if len(rows) > 1]
        several = len(headers) > 1
        return tuple(Source(path, "markdown", sheet="|".join(one) if several else "") for one in headers)
    found_csv = csv_source(text, path)
    if found_csv is not None:
        return (found_csv,)
    found_blocks = block_source(text, path)
    return () if found_blocks is None else (found_blocks,)


def _json_sources(text: str, path: str, apart: Apart) -> tuple[Source, ...]:
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
            return tuple(
                Source(path, "jsonl", rows="" if at == "[]" else at) for at in _row_paths(lines, apart)
            )
    try:
        value = json_of(text, path)
    except GumptionError:
        return ()
    return _whole_sources(value, path, "json", apart)


def _whole_sources(value: Any, path: str, format: Format, apart: Apart) -> tuple[Source, ...]:
    """Where the rows of a nested value may lie."""
    if isinstance(value, dict) and _is_columns(value):
        return (Source(path, format, rows="columns"),)
    paths = _row_paths(value, apart)
    if isinstance(value, dict) and not paths and _is_mapping(value):
        paths = ["{}"]
    whole = (Source(path, format),) if isinstance(value, dict) and not paths else ()
    return (*(Source(path, format, rows=at) for at in paths), *whole)


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


def _row_paths(value: Any, apart: Apart, depth: int = 0) -> list[str]:
    """Where lists of objects lie, the outermost first; `depth` is that of the value in its file."""
    found: list[str] = []

    def look(ones: list[Any], at: str, depth: int) -> None:
        """`ones`: what stands at one place in some of the rows that it is of."""
        if depth > _DEEPEST or len(found) >= _PATHS:
            return
        inner = [row for one in ones if _is_rows(one) for row in one[:_COMPARED] if isinstance(row, dict)]
        objects = [one for one in ones if isinstance(one, dict) and one]
        if inner:
            found.append(at := f"{at}[]")
        elif _are_keyed(objects):
            found.append(at := f"{at}{{}}")
            inner = [row for one in objects for row in [*one.values()][:_COMPARED]]
        elif objects and (shared := _shared(objects, apart, depth)):
            found.extend(f"{at}{{}}.{path}" for path in shared)
        else:
            inner = objects
        below: dict[str, list[Any]] = {}
        for row in inner[:_COMPARED]:
            for name, one in row.items():
                if isinstance(one, list | dict) and not re.search(r"[.+\[\]{}]", name):
                    below.setdefault(name, []).append(one)
        for name, several in below.items():
            look(several, f"{at}.{name}" if at else name, depth + 1)

    look([value], "", depth)
    return found[:_PATHS]


def _are_keyed(objects: list[dict[str, Any]]) -> bool:
    """Whether objects hold rows by their keys: three in one, or in several whose keys differ."""
    if not objects or not all(_alike(one) for one in objects):
        return False
    names = [set(one) for one in objects]
    differ = not set.intersection(*names) and len(set.union(*names)) >= 3
    return differ or any(len(one) >= 3 for one in objects)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and not is_messages(value)


def _shared(objects: list[dict[str, Any]], apart: Apart, depth: int) -> list[str]:
    """Where rows lie in each of an object's parts, as in each room of a house; none where the parts differ.

    Parts of a data set that must not be mixed, and what must be joined by its keys, stay apart. `objects`
    are such objects, which may lack some parts.
    """
    named = {name: one for whole in objects for name, one in whole.items() if one or name not in whole}
    parts = [one for one in named.values() if isinstance(one, dict | list) and one]
    roles = any({*words_of(name)} & {*_ROLES} or apart(name) is not None for name in named)
    if roles or len(parts) < 2 or len({type(one) for one in parts}) > 1:
        return []
    if all(_is_rows(one) for one in parts):
        return ["[]"] if _same_fields([{*flat(one[0])} for one in parts]) else []
    if len(objects) > 1 or depth > _DEEPEST_SHARED or not _may_share(parts):
        return []
    paths = [_row_paths(one, apart, depth + 1) for one in parts]
    held = [one for one in zip(parts, paths, strict=True) if one[1]]
    by_name = all(not path.startswith(("[", "{")) for _, several in held for path in several)
    if len(held) < 2 or any(several != held[0][1] for _, several in held):
        return []
    if len(held) < len(named) and not by_name:
        return []
    fields = [{*rows_at(part, several[-1], "", MOST_ROWS)[0]} for part, several in held]
    return held[0][1] if _same_fields(fields) else []


def _same_fields(fields: list[set[str]]) -> bool:
    return all(len(fields[0] & one) * 2 > len(fields[0] | one) for one in fields)


def _may_share(parts: list[Any]) -> bool:
    """Whether at least two parts begin alike, so that it is worth looking deeper."""
    if isinstance(parts[0], list):
        return False
    names = Counter(name for one in parts for name, below in one.items() if isinstance(below, dict | list))
    return bool(names) and (names.most_common(1)[0][1] >= 2 or all(_alike(one) for one in parts))


def _alike(value: dict[str, Any]) -> bool:
    """Whether the values are objects with largely the same fields: rows by their keys."""
    several = list(value.values())[:_COMPARED]
    if not several or not all(isinstance(one, dict) and len(one) >= 2 for one in several):
        return False
    first = set(several[0])
    return all(len(first & set(one)) * 2 >= len(first | set(one)) for one in several)
