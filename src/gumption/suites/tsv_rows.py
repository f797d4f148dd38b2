"""Rows of a tab separated file, whether or not its release used quotes.

Some releases write every cell as it is. Others write a cell that holds a quote, a tab or a line break in
double quotes, with the quotes inside doubled, so that a row may span lines. A look at the whole file
decides which. A row that is broken does not take the rows after it along.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gumption.lines import MAX_LINE, decode, read_lines
from gumption.records import GumptionError

__all__ = ["read_header", "read_rows"]

_CELL = re.compile(r'(?:"([^"]*+(?:""[^"]*+)*+)"|((?!")[^\t]*+))(\t|\Z)')
_OPEN = re.compile(rb'"[^"]*+(?:""[^"]*+)*+')
_CLOSED = re.compile(rb'"[^"]*+(?:""[^"]*+)*+"')


def read_header(path: Path) -> list[str]:
    """The column names. Raises GumptionError if there is no header, or if it names a column twice."""
    for _, line in read_lines(path):
        try:
            header = [name.strip() for name in _cells(decode(line), quoted=True)]
        except GumptionError as error:
            raise GumptionError(error.problem, where=f"{path} header", remedy=error.remedy) from error
        twice = sorted(name for name, times in Counter(header).items() if times > 1)
        if twice:
            problem = f"the header names the column {', '.join(map(repr, twice))} more than once"
            raise GumptionError(problem, where=str(path), remedy="rename or drop a column")
        return header
    raise GumptionError(
        "the file is empty", where=str(path), remedy="give a file with a header line and rows"
    )


def read_rows(path: Path, width: int) -> Iterator[tuple[int, list[str] | GumptionError]]:
    """Number (from 1, below the header) and cells of each row; for a row that cannot be split, the error.

    `width` is the number of columns. Blank lines between rows are skipped.
    """
    quoted = _has_quoted(path) and _wrecks(path, width, quoted=True) <= _wrecks(path, width, quoted=False)
    return enumerate(_split(path, width, quoted), 1)


def _wrecks(path: Path, width: int, quoted: bool) -> int:
    """Rows that cannot be split if the whole file is read one way: the fewer, the likelier the way."""
    return sum(isinstance(cells, GumptionError) for cells in _split(path, width, quoted))


def _split(path: Path, width: int, quoted: bool) -> Iterator[list[str] | GumptionError]:
    for record in _records(path, width) if quoted else _lines_below_header(path):
        if record == b"":
            continue
        try:
            cells = _cells(decode(record), quoted)
            if len(cells) != width:
                problem = f"{len(cells)} cells where the header has {width}"
                raise GumptionError(problem, remedy="give one cell for every column, separated by tabs")
            yield cells
        except GumptionError as error:
            yield error


def _cells(text: str, quoted: bool) -> list[str]:
    if not quoted or '"' not in text:
        return text.split("\t")
    cells: list[str] = []
    end, more = 0, True
    while more:
        cell = _CELL.match(text, end)
        if cell is None:
            problem = f"the quotes of cell {len(cells) + 1} do not close where the cell ends"
            raise GumptionError(problem, remedy="double the quotes inside a quoted cell and close it")
        cells.append(cell[2] if cell[1] is None else cell[1].replace('""', '"'))
        end, more = cell.end(), cell[3] != ""
    return cells


def _records(path: Path, width: int) -> Iterator[bytes | None]:
    """Rows of a quoted file: lines, joined while a quote is open. None for one over the size limit."""
    held: list[bytes] = []
    size = 0
    for line in _lines_below_header(path):
        if held and (line is None or _is_row(line, width, held[0])):
            yield b"\n".join(held)  # its quote is never closed, as the reader of cells will find
            held = []
        if line is None or not (held or _opens(line)):
            yield line
            continue
        size = len(line) + (size if held else 0)
        closes = bool(held) and _odd_quotes(line)
        held.append(line)
        if closes or size > MAX_LINE:
            yield b"\n".join(held) if size <= MAX_LINE else None
            held = []
    if held:
        yield b"\n".join(held)


def _lines_below_header(path: Path) -> Iterator[bytes | None]:
    return (line for number, line in read_lines(path) if number > 1)


def _has_quoted(path: Path) -> bool:
    return any(_starts_quoted(line) for line in _lines_below_header(path) if line)


def _starts_quoted(line: bytes) -> bool:
    return line.startswith(b'"') or b'\t"' in line


def _odd_quotes(line: bytes) -> bool:
    return line.count(b'"') % 2 == 1


def _opens(line: bytes) -> bool:
    """Whether a quoted cell begins in this line and goes on in the next."""
    return _starts_quoted(line) and _odd_quotes(line)


def _is_row(line: bytes, width: int, opening: bytes) -> bool:
    """Whether a line met inside a quote that `opening` left open is a row of its own.

    It is if it has all cells and they are sound, or if it too breaks off after all of them. A quoted cell
    would have to hold a line with just as many tabs to be mistaken for one.
    """
    cells = line.split(b"\t")
    unsound = [cell for cell in cells if b'"' in cell and not _CLOSED.fullmatch(cell)]
    breaks_off = opening.count(b"\t") == width - 1 and [bool(_OPEN.fullmatch(cell)) for cell in unsound] == [
        True
    ]
    return len(cells) == width and (not unsound or breaks_off)
