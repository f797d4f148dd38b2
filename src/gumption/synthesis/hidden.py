"""Which items those who write a pipeline may see: the others show whether it was fitted to what was seen.

The split is by the hash of an item's id, so it survives reordering and needs no list of its own. Before there
is a `load` nobody knows which column is the id, so a raw row is shown only where no cell that may be one is
on the hidden side. So no row of a hidden item is ever shown, whichever column becomes the id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from gumption.synthesis.folder import BenchmarkFolder, Table
from gumption.synthesis.recipes._cells import text_of
from gumption.synthesis.recipes.loading import read
from gumption.synthesis.spec import Source

__all__ = ["HIDDEN", "Secret", "holds_items", "is_hidden", "secret_of", "showable"]

Secret: TypeAlias = frozenset[str]
"""Cells of hidden items that no other row has."""

HIDDEN = 4
"""One item in so many is hidden."""
_LONGEST_ID = 100
"""Characters of a cell that may be an id."""
_TELLING = range(3, 400)
"""Characters of a cell that is looked for in what code says: a letter says nothing by itself."""


def is_hidden(id: object) -> bool:
    """Whether the item of this id is kept from those who write a pipeline."""
    return hashlib.sha256(text_of(id).encode(errors="replace")).digest()[0] % HIDDEN == 0


def showable(table: Table, rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows of a table that may be shown, in their order."""
    ids = [
        column.name
        for column in table.columns
        if column.distinct == table.rows
        and not column.missing
        and column.holds in ("text", "integer", "path")
        and all(len(text) <= _LONGEST_ID for text in column.examples)
    ]
    for number, row in enumerate(rows, 1):
        if not is_hidden(number) and not any(is_hidden(row.get(name)) for name in ids):
            yield row


def holds_items(table: Table, tables: Sequence[Table]) -> bool:
    """Whether a table has an item a row, and is not what others lie in or a file that is one row."""
    return table.rows > 1 and not any(_inside(other.source, table.source) for other in tables)


def secret_of(folder: BenchmarkFolder) -> Secret:
    """What must not be said to those who write a pipeline, though their code may see it and print it."""
    shown: set[str] = set()
    hidden: set[str] = set()
    for table in folder.tables:
        if not holds_items(table, folder.tables):
            continue
        rows = read(folder.path, table.source)
        open_rows = {id(row) for row in showable(table, rows)}
        for row in rows:
            (shown if id(row) in open_rows else hidden).update(map(text_of, row.values()))
    return frozenset(text for text in hidden - shown if len(text) in _TELLING)


def _inside(inner: Source, outer: Source) -> bool:
    return inner.path == outer.path and inner.rows != outer.rows and inner.rows.startswith(outer.rows)
