"""Rows out of tables: separated text, spreadsheets, parquet."""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.recipes._bounded import check_bounded
from gumption.synthesis.recipes._cells import flat, plain
from gumption.synthesis.recipes._paths import LARGEST
from gumption.synthesis.spec import Source

_MOST_COLUMNS = 1000
_UNPACKED = 64 * 2**20
"""Bytes of a spreadsheet's parts."""
_ROWS_AT_ONCE = 256
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ValueError,
    OSError,
    EOFError,
    RuntimeError,  # a password
    SyntaxError,  # of XML
)
"""What is raised by the reader of spreadsheets for such as are damaged."""

__all__ = ["csv_rows", "decoded", "parquet_rows", "sheet_names", "xlsx_rows"]


def decoded(data: bytes) -> str:
    """Text of a file, its byte order mark dropped; what is no UTF-8 or UTF-16 is read as Windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def csv_rows(text: str, source: Source, where: str, most: int) -> list[dict[str, Any]]:
    """Cells as text. Blank lines are passed over; a row may be short, and may be long by empty cells only."""
    csv.field_size_limit(LARGEST)  # pictures as base64 are far beyond the usual limit
    if source.remark:
        lines = text.splitlines(keepends=True)
        text = "".join(line for line in lines if not line.lstrip().startswith(source.remark))
    stream = io.StringIO(text, newline="")
    if source.quoting:
        table = csv.reader(stream, delimiter=source.separator, strict=True)
    else:
        table = csv.reader(stream, delimiter=source.separator, quoting=csv.QUOTE_NONE)
    names: list[str] = []
    rows: list[dict[str, Any]] = []
    try:
        for cells in table:
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = _names(cells) if source.header else [str(n) for n in range(len(cells))]
                if source.header:
                    continue
            if any(cell.strip() for cell in cells[len(names) :]):
                raise GumptionError(
                    f"line {table.line_num} has {len(cells)} cells and the header {len(names)}",
                    where=where,
                    remedy="check separator and quoting",
                )
            if len(rows) >= most:
                raise GumptionError(f"over {most:,} rows", where=where, remedy="split the file")
            padded = [*cells, *[""] * (len(names) - len(cells))]
            rows.append({name: cell.strip() for name, cell in zip(names, padded, strict=False)})
    except csv.Error as error:
        raise GumptionError(f"line {table.line_num}: {error}", where=where, remedy="mend the file") from error
    return rows


def _names(cells: list[Any]) -> list[str]:
    names: list[str] = []
    seen: dict[str, int] = {}
    for number, cell in enumerate(cells):
        name = ("" if cell is None else str(cell)).strip() or f"Unnamed: {number}"
        again = seen.get(name, 0)
        seen[name] = again + 1
        names.append(f"{name}.{again}" if again else name)
    return names


def sheet_names(data: bytes, where: str) -> list[str]:
    """The sheets of a spreadsheet."""
    return [str(name) for name in _workbook(data, where).sheetnames]


def xlsx_rows(data: bytes, sheet: str, where: str, most: int) -> list[dict[str, Any]]:
    """The first line with two filled cells names the columns; what stands above it is a title."""
    book = _workbook(data, where)
    if sheet and sheet not in book.sheetnames:
        raise GumptionError(f"no sheet is called {sheet!r}", where=where, remedy=", ".join(book.sheetnames))
    names: list[str] = []
    rows: list[dict[str, Any]] = []
    for cells in _lines(book[sheet] if sheet else book.worksheets[0], where):
        if len(cells) > _MOST_COLUMNS:
            raise GumptionError(f"over {_MOST_COLUMNS:,} columns", where=where, remedy="save it as CSV")
        filled = sum(cell is not None for cell in cells)
        if not names:
            names = _names(list(cells)) if filled >= 2 else []
        elif filled:
            if len(rows) >= most:
                raise GumptionError(f"over {most:,} rows", where=where, remedy="split the file")
            rows.append({name: plain(cell) for name, cell in zip(names, cells, strict=False)})
    # A column without name and content is none: formatted cells to the right of a table.
    used = {name for row in rows for name, cell in row.items() if cell is not None}
    kept = [name for name in names if name in used or not name.startswith("Unnamed: ")]
    return [{name: row.get(name) for name in kept} for row in rows]


def _lines(page: Any, where: str) -> Iterator[tuple[Any, ...]]:
    page.reset_dimensions()  # what a file says of its own size is not to be relied on
    lines = page.iter_rows(values_only=True)
    while True:
        try:
            line = next(lines, None)
        except _DAMAGED as error:
            raise GumptionError(f"no spreadsheet: {error}", where=where, remedy="save it as CSV") from error
        if line is None:
            return
        yield line


def _workbook(data: bytes, where: str) -> Any:
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(one.file_size for one in archive.infolist())
        if size > _UNPACKED:
            raise GumptionError("the sheet unpacks to too much", where=where, remedy="save it as CSV")
        return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except _DAMAGED as error:
        raise GumptionError(f"no spreadsheet: {error}", where=where, remedy="save it as CSV") from error


def parquet_rows(path: Path, where: str, most: int) -> list[dict[str, Any]]:
    """Rows with their nested columns flattened; pictures that carry their bytes come as base64.

    A file may be small and yet hold one long text that millions of cells name. So texts are read as numbers
    of such, a few rows at a time, and are counted before they are written out.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from gumption.parquet import written_out

    try:
        size = path.stat().st_size
        if size <= LARGEST:
            check_bounded(path, where, most)
        whole = pq.read_metadata(path) if size <= LARGEST else None
        if whole is None or whole.num_rows > most or _claimed(whole) > LARGEST:
            raise GumptionError("too many rows or bytes", where=where, remedy="split the file")
        leaves = [whole.schema.column(n) for n in range(whole.num_columns)]
        named = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
        rows: list[dict[str, Any]] = []
        read = 0
        with pq.ParquetFile(path, read_dictionary=named) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE, use_threads=False):
                read += sum(written_out(column) for column in batch.columns)
                if read > LARGEST or len(rows) + batch.num_rows > most:
                    raise GumptionError("it unpacks to too much", where=where, remedy="split the file")
                rows += [flat(plain(row)) for row in batch.to_pylist()]
        return rows
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise GumptionError(f"no parquet file: {error}", where=where, remedy="write it again") from error


def _claimed(whole: Any) -> int:
    """Bytes that the columns take without compression, as the file says."""
    return sum(whole.row_group(n).total_byte_size for n in range(whole.num_row_groups))
