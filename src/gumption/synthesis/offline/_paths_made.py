"""Pictures whose paths are made of several columns' cells, as `plates/{room}/{number:02}.jpg`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any

from gumption.synthesis._walk import IMAGES
from gumption.synthesis.recipes._cells import composed, text_of

__all__ = ["path_template"]

_CELL = re.compile(r"\w[\w.-]{0,60}")
_PATH = re.compile(r"(?i)\w[\w./-]{0,200}\.(?:png|jpe?g|webp|gif|bmp|tiff?)")
_MOST_COLUMNS = 12
_MOST_FILES = 300
"""Columns and files of which templates are tried, with up to three columns each."""
_NEARLY = 0.98


def path_template(rows: Sequence[Mapping[str, Any]], files: Sequence[str]) -> tuple[str, float]:
    """The template that names a file for each row and its share of all pictures; "" where none does.

    Of several it is the one that names the most pictures, with the fewest columns. Columns that are the same
    in all rows are left out.
    """
    pictures = [one for one in files if one.lower().endswith(IMAGES)]
    names = list(_short(rows))[:_MOST_COLUMNS]
    known = set(pictures)
    best = (0, "")
    for count in (1, 2, 3):
        for several in combinations(names, count):
            for template in dict.fromkeys(_templates(rows[0], several, pictures[:_MOST_FILES])):
                made = [composed(template, row) for row in rows]
                there = sum(one in known for one in made) >= _NEARLY * len(rows)
                if there and len(set(made)) > max(1, best[0]):
                    best = (len(set(made)), template)
    return best[1], best[0] / max(1, len(pictures))


def _short(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Columns that vary and whose cells may be parts of a file's name."""
    for name in rows[0] if rows else ():
        cells = [text_of(row.get(name)) for row in rows]
        if len(set(cells)) > 1 and all(_CELL.fullmatch(cell) or _PATH.fullmatch(cell) for cell in cells):
            yield name


def _templates(row: Mapping[str, Any], names: Sequence[str], pictures: Sequence[str]) -> Iterator[str]:
    """Paths with the row's cells, each of which they hold, as places."""
    for path in pictures:
        suffix = PurePosixPath(path).suffix
        if any(text_of(row[name]).endswith(suffix) for name in names):
            suffix = ""  # a cell has it already
        # Marks stand for the places at first, since a name may be part of a path as well.
        made = path.removesuffix(suffix)
        for n, name in enumerate(names):
            made = _place(made, text_of(row[name]), chr(0xE000 + 16 * n))
        places = {chr(0xE000 + 16 * n + width) for n in range(len(names)) for width in range(10)}
        if all(any(chr(0xE000 + 16 * n + width) in made for width in range(10)) for n in range(len(names))):
            yield "".join(_written(one, names) if one in places else one for one in made) + suffix


def _place(path: str, cell: str, mark: str) -> str:
    """The path with `mark` for the cell, or the mark `width` behind it for a number with zeros before it."""
    if not cell.isdigit():
        return re.sub(rf"(?<![A-Za-z0-9]){re.escape(cell)}(?![A-Za-z0-9])", mark, path)

    def placed(found: re.Match[str]) -> str:
        return chr(ord(mark) + (len(found[0]) if len(found[0]) > len(cell) else 0))

    return re.sub(rf"(?<!\d)0{{0,8}}{cell}(?!\d)", placed, path)


def _written(mark: str, names: Sequence[str]) -> str:
    n, width = divmod(ord(mark) - 0xE000, 16)
    return f"{{{names[n]}:0{width}}}" if width else f"{{{names[n]}}}"
