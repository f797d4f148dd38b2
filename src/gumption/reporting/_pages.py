"""The report's data files: pages of JSON rows that a script tag can load from a file system.

A page is a script `gumption("KIND", N, [row, ...]);`. Rows hold text that models wrote, so nothing in them
may be able to end the script or be read as markup, and no page may be larger than `FILE_LIMIT`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

import msgspec

from gumption.records import GumptionError

__all__ = ["FILE_LIMIT", "Pages", "clip", "encode", "fit", "script"]

P = ParamSpec("P")

FILE_LIMIT = 2_000_000
"""Bytes; no file of a report is larger."""
ROW_LIMIT = FILE_LIMIT - 1_000
TEXT_LIMIT = 100_000
"""Bytes of one text that are shown."""

# In JSON these stand inside strings only, where the escape means the same character.
_ESCAPES = [
    (letter.encode(), f"\\u{ord(letter):04x}".encode()) for letter in ("<", ">", "&", "\u2028", "\u2029")
]


def script(kind: str, page: int, rows: list[bytes]) -> bytes:
    """The bytes of one page; `rows` are made by `encode` or `fit`.

    Raises GumptionError if they pass FILE_LIMIT, as one row with very many parts could.
    """
    file = b'gumption("%s", %d, [\n%s\n]);\n' % (kind.encode(), page, b",\n".join(rows))
    if len(file) > FILE_LIMIT:
        raise GumptionError(
            f"{len(file):,} bytes in one row, over the {FILE_LIMIT:,} of a file",
            where=f"{kind}-{page}.js, {rows[0][:80].decode(errors='ignore')}",
            remedy="Split the item, or give it fewer parts, options or categories.",
        )
    return file


def clip(text: str, limit: int) -> str | dict[str, Any]:
    """The text, or `{"shown": its first `limit` bytes, "bytes": its full length}` if it is longer."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= limit:
        return raw.decode()
    return {"shown": raw[:limit].decode("utf-8", "ignore"), "bytes": len(raw)}


def encode(value: Any) -> bytes:
    """The value as JSON that may stand inside a script."""
    row = msgspec.json.encode(value)
    for letter, escape in _ESCAPES:
        row = row.replace(letter, escape)
    return row


def fit(build: Callable[Concatenate[int, P], Any], *about: P.args, **more: P.kwargs) -> bytes:
    """`build(limit, ...)` encoded, its texts cut to ever fewer bytes until the row fits into a file."""
    limit = TEXT_LIMIT
    while len(row := encode(build(limit, *about, **more))) > ROW_LIMIT and limit:
        limit //= 4
    return row


class Pages:
    """Writes rows to `FOLDER/KIND-0.js`, `FOLDER/KIND-1.js`, ...; a page is closed at about `size` bytes."""

    def __init__(self, folder: Path, kind: str, size: int = 100_000) -> None:
        self._folder, self._kind, self._size = folder, kind, min(size, ROW_LIMIT)
        self._rows: list[bytes] = []
        self._bytes = 0
        self._count = 0
        self.starts: list[int] = []
        """The number of the first row of each closed page: what a reader needs to find a row."""

    def add(self, row: bytes) -> None:
        if self._rows and self._bytes + len(row) > self._size:
            self.close()
        self._rows.append(row)
        self._bytes += len(row) + 2

    def close(self) -> None:
        """Write the rows at hand as a page. Call it once more after the last row."""
        if not self._rows:
            return
        page = len(self.starts)
        path = self._folder / f"{self._kind}-{page}.js"
        path.write_bytes(script(self._kind, page, self._rows))
        self.starts.append(self._count)
        self._count += len(self._rows)
        self._rows, self._bytes = [], 0
