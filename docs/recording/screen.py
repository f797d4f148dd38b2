"""What a terminal shows after so much output: as much of one as the output of this package needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

__all__ = ["Cell", "Screen"]

_CODE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\].*?(?:\x07|\x1b\\)")


@dataclass(frozen=True)
class Cell:
    """A character and how it looks."""

    text: str = " "
    colour: int | None = None
    """One of the 16 of a terminal, from 0; None is that of plain text."""
    bold: bool = False
    dim: bool = False


class Screen:
    """Lines that scroll, a cursor, colours; anything else that a program asks for is refused."""

    def __init__(self, columns: int, lines: int) -> None:
        self._columns, self._most = columns, lines
        self._lines: list[list[Cell]] = [[]]
        self._row, self._column, self._style = 0, 0, Cell()
        self._cut = ""

    def feed(self, output: str) -> None:
        """Take output as it comes; a code may be cut in two. Raises ValueError for one that is not known."""
        output, place = self._cut + output, 0
        for found in _CODE.finditer(output):
            self._write(output[place : found.start()])
            place = found.end()
            if found[2]:
                self._obey(found[2], found[1])
        rest, code, begun = output[place:].partition("\x1b")
        self._write(rest)
        self._cut = code + begun

    def shown(self) -> tuple[tuple[Cell, ...], ...]:
        """The lines from the top, without blanks at their ends."""
        lines = []
        for line in self._lines:
            length = max((place + 1 for place, cell in enumerate(line) if cell.text != " "), default=0)
            lines.append(tuple(line[:length]))
        return tuple(lines)

    def _write(self, text: str) -> None:
        for character in text:
            match character:
                case "\n":
                    self._down()
                case "\r":
                    self._column = 0
                case _ if character >= " ":
                    if self._column == self._columns:
                        self._column = 0
                        self._down()
                    line = self._lines[self._row]
                    line += [Cell()] * (self._column + 1 - len(line))
                    line[self._column] = replace(self._style, text=character)
                    self._column += 1

    def _down(self) -> None:
        self._row += 1
        if self._row == len(self._lines):
            self._lines.append([])
        if len(self._lines) > self._most:
            del self._lines[0]
            self._row -= 1

    def _obey(self, code: str, given: str) -> None:
        numbers = [int(part or 0) for part in given.lstrip("?").split(";")]
        match code:
            case "A":
                self._row = max(0, self._row - max(1, numbers[0]))
            case "K":
                kept = {0: self._column, 2: 0}[numbers[0]]
                del self._lines[self._row][kept:]
            case "m":
                self._look(numbers)
            case "h" | "l":
                pass  # the cursor, shown or hidden
            case _:
                raise ValueError(f"the terminal does not know {given}{code}")

    def _look(self, numbers: list[int]) -> None:
        for number in numbers:
            if number == 0:
                self._style = Cell()
            elif number == 1:
                self._style = replace(self._style, bold=True)
            elif number == 2:
                self._style = replace(self._style, dim=True)
            elif 30 <= number <= 37 or 90 <= number <= 97:
                self._style = replace(self._style, colour=number - 30 if number < 90 else number - 82)
            elif number == 39:
                self._style = replace(self._style, colour=None)
            elif number == 22:
                self._style = replace(self._style, bold=False, dim=False)
            elif number not in (3, 23, 4, 24):
                raise ValueError(f"the terminal does not know the look {numbers}")
