"""What printing to a terminal shares: text that is data, and plain tables of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

__all__ = ["plain", "table"]


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, keep: bool = False) -> Table:
    """The first column folds and stands left; the others stand right. keep: these keep their width."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, name in enumerate(header):
        made.add_column(
            Text(plain(name)),
            overflow="fold",
            no_wrap=keep and bool(number),
            justify="right" if number else "left",
        )
    for row in rows:
        made.add_row(*(Text(plain(cell)) for cell in row))
    return made


def plain(text: str) -> str:
    """Names are data: no markup and no control codes may reach the terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
