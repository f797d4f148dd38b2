"""Parquet files from outside, bounded: a small one may stand for more than there is memory.

A text may stand once in a column's dictionary and be meant by every row. So texts are read as numbers of such
and counted before they are written out.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from gumption.records import GumptionError

__all__ = ["read_bounded", "written_out"]

MAX_UNPACKED = 8 * 2**30
"""Bytes of all columns of a file once unpacked."""
_ALWAYS = 64 * 2**20
_MOST_TIMES = 1000
"""A file that unpacks to more than `_ALWAYS` bytes and this many times its own is a bomb."""


def read_bounded(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The table of a file, or some columns of it, without dictionaries.

    Raises GumptionError where it is over `MAX_UNPACKED`; OSError, pa.ArrowException or UnicodeDecodeError
    where it cannot be read.
    """
    # pq.read_table would load a room of its own for what one file does not need.
    with pq.ParquetFile(path) as file:
        groups = range(file.metadata.num_row_groups)
        _check(sum(file.metadata.row_group(group).total_byte_size for group in groups), path)
        leaves = [file.schema.column(number).path for number in range(len(file.schema))]
    with pq.ParquetFile(path, read_dictionary=leaves) as file:
        table = file.read(columns)
    _check(sum(written_out(chunk) for column in table.columns for chunk in column.chunks), path)
    plain = [column.cast(_plain(column.type)) for column in table.columns]
    return pa.table(plain, table.column_names)


def _check(size: int, path: Path) -> None:
    most = min(MAX_UNPACKED, max(_ALWAYS, _MOST_TIMES * path.stat().st_size))
    if size > most:
        raise GumptionError(
            f"its table is over {most / 2**30:.3g} GiB unpacked", where=str(path), remedy="split the file"
        )


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type without dictionaries."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    if pa.types.is_map(kind):
        return pa.map_(_plain(kind.key_type), _plain(kind.item_type))
    return kind


def written_out(array: pa.Array) -> int:
    """Bytes that the cells of an array take once each has its own text."""
    import pyarrow.compute as pc  # takes a while

    kind = array.type
    if pa.types.is_dictionary(kind) and not pa.types.is_nested(kind.value_type):
        if pa.types.is_primitive(kind.value_type):
            return int(array.nbytes)
        lengths = pc.take(pc.binary_length(array.dictionary), array.indices)
        return int(array.indices.nbytes + (pc.sum(lengths).as_py() or 0))
    if pa.types.is_struct(kind):
        return sum(written_out(one) for one in array.flatten())
    if pa.types.is_map(kind):
        return written_out(array.keys) + written_out(array.items)
    if pa.types.is_nested(kind) and hasattr(array, "flatten"):
        return written_out(array.flatten())
    return int(array.nbytes)
