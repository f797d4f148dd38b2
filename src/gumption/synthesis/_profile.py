"""What the columns of a table hold."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from gumption.synthesis._walk import IMAGES
from gumption.synthesis.recipes._cells import is_messages, listed, text_of

__all__ = ["Column", "Holds", "Media", "profile"]

Holds: TypeAlias = Literal[
    "text", "integer", "number", "boolean", "list", "object", "messages", "base64", "path", "empty"
]
_MAGIC = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")
_EXAMPLES = 4
_CLIPPED = 100
"""Characters of an example."""
_NEARLY = 0.98
"""Share of the filled cells that must be of a kind."""
_NONE = ("", "nan", "none", "null", "n/a")


class Media(Struct, frozen=True):
    """The pictures of a folder."""

    folder: str
    """"" is the benchmark's own."""
    paths: tuple[str, ...]
    masks: bool
    """Whether they are black and white only: targets, not views."""


class Column(Struct, frozen=True):
    """One column of a table."""

    name: str
    holds: Holds
    missing: int
    distinct: int
    examples: tuple[str, ...]
    low: float | None = None
    high: float | None = None
    """Of numbers, also such as are written as text."""
    folder: str | None = None
    """path: what must be put before the cells so that they name files."""
    separator: str = ""
    """path: what stands between several in one cell."""
    masks: bool = False
    """path: whether the files are black and white masks."""
    elsewhere: tuple[str, ...] = ()
    """path: other folders of pictures, or of masks as these are, that have files of these names too."""
    stored: str = ""
    """base64, path: the column of the keys that some cells hold in place of a picture, which is that of the
    row with this key."""


def profile(
    rows: Sequence[dict[str, Any]], media: Sequence[Media], files: frozenset[str]
) -> tuple[Column, ...]:
    """The columns in the order in which they first appear."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [_column(name, [row.get(name) for row in rows], media, files) for name in names]
    unique = [one for one in columns if len(rows) == one.distinct and one.holds in ("text", "integer")]
    return tuple(_as_stored(one, rows, unique, media, files) for one in columns)


def _as_stored(
    column: Column,
    rows: Sequence[dict[str, Any]],
    unique: Sequence[Column],
    media: Sequence[Media],
    files: frozenset[str],
) -> Column:
    """A column of text as one of pictures, where all that are not their own are keys of rows with such."""
    texts = [text_of(row.get(column.name)) for row in rows] if column.holds == "text" else []
    pictures = [_is_picture(text) or text.lower().endswith(IMAGES) for text in texts]
    others = {
        text for text, one in zip(texts, pictures, strict=True) if not one and text.lower() not in _NONE
    }
    for key in unique if any(pictures) and others else ():
        keyed = {text_of(row.get(key.name)) for row, one in zip(rows, pictures, strict=True) if one}
        if key is not column and others <= keyed:
            kept = [row.get(column.name) for row, one in zip(rows, pictures, strict=True) if one]
            found = _column(column.name, kept, media, files)
            return msgspec.structs.replace(found, stored=key.name, missing=column.missing)
    return column


def _column(name: str, cells: list[Any], media: Sequence[Media], files: frozenset[str]) -> Column:
    filled = [cell for cell in cells if text_of(cell).lower() not in _NONE]
    texts = [text_of(cell) for cell in filled]
    distinct = list(dict.fromkeys(texts))
    column = Column(
        name,
        "empty" if not filled else _holds(filled, texts),
        len(cells) - len(filled),
        len(distinct),
        tuple(text if len(text) <= _CLIPPED else f"{text[:_CLIPPED]}..." for text in distinct[:_EXAMPLES]),
    )
    if column.holds in ("integer", "number"):
        numbers = [float(text) for text in texts if _is_number(text)]
        return msgspec.structs.replace(column, low=min(numbers), high=max(numbers))
    if column.holds in ("text", "list"):
        separator = _separator(texts)
        paths = [text_of(one) for cell in filled for one in _several(cell, separator)]
        folders = _folders(paths, media, files)
        if folders:
            masks, *others = (
                all(one.masks for one in media if _within(one, folder, paths)) for folder in folders
            )
            alike = [folder for folder, other in zip(folders[1:], others, strict=True) if other == masks]
            return msgspec.structs.replace(
                column,
                holds="path",
                folder=folders[0],
                elsewhere=tuple(alike),
                masks=masks,
                separator=separator,
            )
    return column


def _holds(filled: list[Any], texts: list[str]) -> Holds:
    def nearly(flags: list[bool]) -> bool:
        return sum(flags) >= _NEARLY * len(flags)

    if nearly([is_messages(cell) for cell in filled]):
        return "messages"
    if nearly(
        [isinstance(cell, bool) or text.lower() in ("true", "false") for cell, text in _both(filled, texts)]
    ):
        return "boolean"
    if nearly([_is_number(text) and float(text).is_integer() for text in texts]):
        return "integer"
    if nearly([_is_number(text) for text in texts]):
        return "number"
    kinds = [listed(cell) for cell in filled]
    if nearly([isinstance(kind, list) for kind in kinds]):
        return "list"
    if nearly([isinstance(kind, dict) for kind in kinds]):
        return "object"
    if nearly([_is_picture(text) for text in texts]):
        return "base64"
    return "text"


def _both(filled: list[Any], texts: list[str]) -> list[tuple[Any, str]]:
    return list(zip(filled, texts, strict=True))


def _is_number(text: str) -> bool:
    try:
        return len(text) < 40 and float(text) - float(text) == 0  # neither infinite nor NaN
    except ValueError:
        return False


def _is_picture(text: str) -> bool:
    head = text.partition(";base64,")[2] if text.startswith("data:image/") else text
    if len(head) < 40:
        return False
    try:
        return base64.b64decode(head[:32], validate=True).startswith(_MAGIC)
    except (binascii.Error, ValueError):
        return False


def _separator(texts: list[str]) -> str:
    """What stands between several pictures in one cell, "" where no cell names several."""
    for mark in (";", "|", ",", " "):
        pieces = [piece.strip() for text in texts for piece in text.split(mark)]
        if len(pieces) > len(texts) and all(piece.lower().endswith(IMAGES) for piece in pieces):
            return mark
    return ""


def _several(cell: Any, separator: str) -> list[Any]:
    found = listed(cell, separator)
    return found if isinstance(found, list) else [cell]


def _folders(paths: list[str], media: Sequence[Media], files: frozenset[str]) -> list[str]:
    """What may be put before paths so that nearly all are files of the folder."""
    if not paths or any(len(path) > 500 or "\n" in path for path in paths[:50]):
        return []
    with_suffix = sum(path.lower().endswith(IMAGES) for path in paths)
    if with_suffix < _NEARLY * len(paths):
        return []
    tried = [""]
    for one in media:
        parts = PurePosixPath(one.folder).parts
        tried += ["/".join(parts[: n + 1]) for n in range(len(parts))]
    return [
        folder
        for folder in dict.fromkeys(tried)
        if sum(PurePosixPath(folder, path.removeprefix("./")).as_posix() in files for path in paths)
        >= _NEARLY * len(paths)
    ]


def _within(one: Media, folder: str, paths: list[str]) -> bool:
    """Whether any of the paths lies in these media."""
    named = {PurePosixPath(folder, path.removeprefix("./")).parent.as_posix() for path in paths}
    return (one.folder or ".") in named
