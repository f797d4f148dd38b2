"""Items as a table, one row each, for Parquet and everything that reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from gumption.atomic import replacing
from gumption.parquet import read_bounded
from gumption.records import Answer, GumptionError, Item, Part
from gumption.suites._values import check_value

__all__ = [
    "SOURCE",
    "items_from_table",
    "items_of",
    "items_to_table",
    "read_items",
    "read_table",
    "write_items",
    "write_table",
]

ROWS_PER_GROUP = 8192
SOURCE = "source"
"""Column of a file that holds references: where the row's item is, empty for an item that is here."""

_SCHEMA = pa.schema(
    [
        pa.field(name, pa.large_string(), nullable=False)
        for name in ("id", "benchmark", "category", "dimension", "cluster", "kind", "parts", "answer", "meta")
    ]
)

T = TypeVar("T")


def items_to_table(items: Sequence[Item]) -> pa.Table:
    """One row an item: id, benchmark, category, dimension, cluster, kind; parts, answer and meta as JSON.

    Raises GumptionError for a gold or meta value that JSON would not keep (NaN, bytes, keys that are no
    text). A tuple in them comes back as a list.
    """
    encode = msgspec.json.Encoder().encode

    def row(item: Item) -> dict[str, str]:
        try:
            check_value(item.answer.gold)
            check_value(item.meta)
            cells = {
                "id": item.id,
                "benchmark": item.benchmark,
                "category": item.category,
                "dimension": item.dimension,
                "cluster": item.cluster,
                "kind": item.answer.kind,
                "parts": encode(item.parts).decode(),
                "answer": encode(item.answer).decode(),
                "meta": encode(item.meta).decode(),
            }
            "".join(cells.values()).encode()
        except GumptionError as error:
            raise GumptionError(error.problem, where=f"item {item.id!r}", remedy=error.remedy) from error
        except UnicodeEncodeError as error:
            problem = "a text holds half of a surrogate pair, which is not Unicode"
            raise GumptionError(problem, where=f"item {item.id!r}", remedy="mend the text") from error
        return cells

    starts = range(0, len(items), ROWS_PER_GROUP)
    groups = [[row(item) for item in items[start : start + ROWS_PER_GROUP]] for start in starts]
    return pa.Table.from_batches([pa.RecordBatch.from_pylist(rows, _SCHEMA) for rows in groups], _SCHEMA)


def items_from_table(table: pa.Table) -> list[Item]:
    """The items of a table made by `items_to_table`, in its order.

    Raises GumptionError if a column is missing or empty in a row, or if a cell does not hold what it should.
    """
    missing = [name for name in _SCHEMA.names if table.column_names.count(name) != 1]
    if missing:
        problem = f"no column {', '.join(missing)}; found: {', '.join(table.column_names) or 'none'}"
        raise GumptionError(problem, remedy="give the items file of a suite or run folder")
    nested = [name for name in _SCHEMA.names if pa.types.is_nested(table.schema.field(name).type)]
    if nested:
        raise GumptionError(f"the column {', '.join(nested)} is not text", remedy="write the file again")
    parts = msgspec.json.Decoder(tuple[Part, ...])
    answer = msgspec.json.Decoder(Answer)
    meta = msgspec.json.Decoder(dict[str, Any])
    items: list[Item] = []
    for batch in table.select(_SCHEMA.names).to_batches(ROWS_PER_GROUP):
        for row in batch.to_pylist():
            where = f"row {len(items) + 1}"
            if not all(isinstance(cell, str) for cell in row.values()):
                raise GumptionError("a cell is empty or not text", where=where, remedy="write the file again")
            items.append(
                Item(
                    id=row["id"],
                    benchmark=row["benchmark"],
                    parts=_decode(parts.decode, row["parts"], where),
                    answer=_decode(answer.decode, row["answer"], where),
                    cluster=row["cluster"],
                    category=row["category"],
                    dimension=row["dimension"],
                    meta=_decode(meta.decode, row["meta"], where),
                )
            )
    return items


def write_items(path: Path | str, items: Sequence[Item]) -> Path:
    """Write an items file (Parquet, zstd), whole or not at all. Raises as `items_to_table` does."""
    path = Path(path)
    write_table(path, items_to_table(items))
    return path


def write_table(path: Path, table: pa.Table) -> None:
    """Write an items file (Parquet, zstd), whole or not at all."""
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", row_group_size=ROWS_PER_GROUP)


def read_items(path: Path | str) -> list[Item]:
    """The items of a file written by `write_items`.

    Raises GumptionError if it is missing, damaged, too large, no items file, or if some of its items are
    references (see `by_licence`).
    """
    path = Path(path)
    table = read_table(path)
    index = table.schema.get_field_index(SOURCE)
    if index >= 0 and (count := len(table) - table.column(index).null_count):
        problem = f"{count:,} of its {len(table):,} items are references to another suite"
        raise GumptionError(problem, where=str(path), remedy="open the suite's folder instead of this file")
    return items_of(table, path)


def read_table(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The table of an items file, or some columns of it, bounded in size.

    GumptionError if it is missing, damaged or too large.
    """
    try:
        return read_bounded(path, columns)
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
        raise _no_items_file(path, error) from error


def items_of(table: pa.Table, path: Path) -> list[Item]:
    """The items of a table that was read from `path`, which an error names."""
    try:
        return items_from_table(table)
    except GumptionError as error:
        where = f"{path} {error.where}".strip()
        raise GumptionError(error.problem, where=where, remedy=error.remedy) from error
    except (UnicodeDecodeError, pa.ArrowException) as error:
        raise _no_items_file(path, error) from error


def _no_items_file(path: Path, error: Exception) -> GumptionError:
    problem = f"not an items file: {str(error).splitlines()[0]}"
    return GumptionError(problem, where=str(path), remedy="fetch or write the folder again")


def _decode(decode: Callable[[str], T], text: str, where: str) -> T:
    try:
        return decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(
            f"unreadable cell: {error}", where=where, remedy="write the file again"
        ) from error
