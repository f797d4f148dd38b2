"""The rows of published files, one at a time: Parquet, JSON lines, JSON lists and tab separated values."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from gumption.benchmarks._hub.columns import converted
from gumption.benchmarks._hub.source import matching
from gumption.lines import decode, read_lines
from gumption.records import GumptionError
from gumption.suites.tsv_rows import read_header, read_rows

__all__ = ["Row", "rows"]

_ROWS_AT_ONCE = 16
_BUFFER = 2**20
"""Bytes of a column that Parquet reads ahead. Without it a whole row group of pictures would be read."""
_object = msgspec.json.Decoder(dict[str, Any])
_list = msgspec.json.Decoder(list[msgspec.Raw])

_Reader: TypeAlias = Callable[[Path, Mapping[str, str]], Iterator[tuple[int, dict[str, Any]]]]


class Row(dict[str, Any]):
    """A row by column, which knows where it stands."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        super().__init__(values)
        self.where = where
        """File and number of the row, from 1; for errors."""


def rows(folder: Path, pattern: str, columns: Mapping[str, str]) -> Iterator[Row]:
    """Every row of the files that match, file by file in the order of their names.

    columns: name to what it holds. `text`, `int`, `number`, `bool`, `list`, `dict`, `any`; `texts`, `ints`,
    `numbers`: a list of such; `image`: the bytes of a picture, whether the file has it as binary, as the
    struct {bytes, path} of a data set, or as base64; `images`: a list of them. `a|b` takes either, and a `?`
    behind it all lets the column or a value of it be missing (None). Columns that are not named are not read.
    The ending of a file says what it is: .parquet, .jsonl, .json (one list of objects) or .tsv; the middle
    two and the last may end in .gz.

    Memory: a few rows, and of a Parquet file one page of each column. Raises GumptionError, naming the file
    and the row, where no file matches, a file is damaged, or a column is missing or holds something else.
    """
    names = matching(folder, (pattern,))
    if not names:
        raise GumptionError(
            f"no file {pattern} in {folder}", remedy="fetch the data again, or name their folder with --data"
        )
    for name in names:
        path = folder / name
        for number, values in _reader(path)(path, columns):
            where = f"{path}, row {number}"
            try:
                yield Row(converted(values, columns, path.parent), where)
            except GumptionError as error:
                raise GumptionError(error.problem, where=where, remedy=error.remedy) from error


def _reader(path: Path) -> _Reader:
    endings: dict[str, _Reader] = {
        ".parquet": _parquet,
        ".jsonl": _json_lines,
        ".json": _json_list,
        ".tsv": _tsv,
    }
    kind = Path(path.name.lower().removesuffix(".gz")).suffix
    if kind not in endings:
        raise GumptionError(
            f"no file of rows: {path.name}", where=str(path), remedy=f"give one of {', '.join(endings)}"
        )
    return endings[kind]


def _parquet(path: Path, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    try:
        with pq.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False) as file:
            there = set(file.schema_arrow.names)
            _check_names(path, there, columns)
            wanted = [name for name in columns if name in there]
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=wanted, use_threads=False):
                for values in batch.to_pylist():
                    number += 1
                    yield number, values
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise _damaged(path, number, str(error).splitlines()[0]) from error


def _json_lines(path: Path, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in read_lines(path):
        if line is None or line.strip():
            try:
                values = _object.decode(decode(line))
            except (msgspec.MsgspecError, RecursionError, GumptionError) as error:
                raise _damaged(path, number, str(error)) from error
            _check_names(path, values.keys(), columns, number)
            yield number, values


def _json_list(path: Path, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The file stays on disk: what is held of it is where each object begins."""
    try:
        with path.open("rb") as stream:
            if path.name.endswith(".gz"):
                data: bytes | mmap.mmap = b"".join(line for _, line in read_lines(path) if line)
            else:
                data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        objects = _list.decode(data)
    except (OSError, ValueError, RecursionError) as error:  # an empty file cannot be mapped
        raise _damaged(path, 0, str(error)) from error
    for number, raw in enumerate(objects, 1):
        try:
            values = _object.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise _damaged(path, number, str(error)) from error
        _check_names(path, values.keys(), columns, number)
        yield number, values


def _tsv(path: Path, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, Any]]]:
    header = read_header(path)
    _check_names(path, set(header), columns)
    for number, cells in read_rows(path, len(header)):
        if isinstance(cells, GumptionError):
            raise _damaged(path, number - 1, cells.problem) from cells
        yield number, {name: _cell(cell) for name, cell in zip(header, cells, strict=True) if name in columns}


def _cell(cell: str) -> str | None:
    """What a cell holds; as everywhere in these files, a blank one and NaN hold nothing."""
    return None if not cell.strip() or cell.strip().lower() == "nan" else cell


def _check_names(path: Path, there: Set[str], columns: Mapping[str, str], row: int = 0) -> None:
    missing = [name for name, kind in columns.items() if name not in there and not kind.endswith("?")]
    if missing:
        found = ", ".join(sorted(there)[:60]) or "none"
        raise _damaged(path, row, f"no column {', '.join(missing)}; found: {found}")


def _damaged(path: Path, row: int, problem: str) -> GumptionError:
    where = f"{path}, row {row}" if row else str(path)
    return GumptionError(problem, where=where, remedy="fetch the file again; it is not as published")
