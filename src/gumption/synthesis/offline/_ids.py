"""Which column holds the rows' own ids, or which two together."""

from __future__ import annotations

import re
from itertools import permutations

from gumption.synthesis._withheld import words_of
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.offline._words import named, said

__all__ = ["id_of"]

_BY_FILE = re.compile(r"(?i)file(?:'s)? ?name\b.{0,60}\bids?\b|\bids?\b.{0,40}\bfile ?name\b")
_EXAMPLE = re.compile(r"[`\"'\u201c]([\w./:# -]{3,60})[`\"'\u201d]")
_JOINED = ("-", "_", "/", ".", ":", "#", "")
_COMPARED = 2000
"""Rows in which an example of an id is looked for."""


def id_of(view: View) -> str:
    """The column of the rows' own ids, two with their names in braces, or `@row` with a doubt."""
    rows = len(view.rows)
    by_file = bool(_BY_FILE.search(view.readme))
    # What names a row of another table by its bare id, as `image_id` does, is not the row's own.
    elsewhere = {one.on for one in view.sources if words_of(one.key) == ["id"] and len(words_of(one.on)) > 1}
    own = {
        column.name
        for table in view.folder.tables
        if table.source == view.sources[0]
        for column in table.columns
    }
    best: tuple[float, int, str] | None = None
    for place, (name, column) in enumerate(view.columns.items()):
        if name in view.asked or column.distinct < rows or column.missing or name == "@file":
            continue
        told = 3.0 * said(view.note(name), "id")
        path = column.holds == "path"
        if column.holds not in ("text", "integer", "number", "path") or (path and not (told or by_file)):
            continue
        if max(len(text) for text in texts(view, name)) > 100:
            continue
        score = 3.0 * named(name, "id") + told + 1.0 * (place == 0)
        score += 2.0 * (words_of(name)[-1:] in (["id"], ["uid"], ["qid"], ["key"]))
        score += (4.0 if by_file else 1.0) * (name in ("@stem", "@folder")) + 4.0 * (path and by_file)
        score -= 3.0 * (name not in own or name in elsewhere)
        if score >= 1 and (best is None or (score, -place) > best[:2]):
            best = (score, -place, name)
    if best is None or best[0] < 3:
        together = _together(view)
        if together:
            return together
    if best is None:
        view.doubts.append("no column is an id of its own for each row: rows are counted")
        return "@row"
    return best[2]


def _together(view: View) -> str:
    """Two columns that make the README's example of an id, as `attic-3` of a section and a number."""
    examples = {found for found in _EXAMPLE.findall(view.readme) if re.search(r"\w\W?\w", found)}
    short = [
        name
        for name, column in view.columns.items()
        if column.holds in ("text", "integer") and not column.missing
    ]
    cells = {name: texts(view, name)[:_COMPARED] for name in short}
    cells = {name: found for name, found in cells.items() if max(map(len, found)) <= 40}
    for one, two in permutations(list(cells)[:20], 2):
        for sign in _JOINED:
            whole = [f"{first}{sign}{second}" for first, second in zip(cells[one], cells[two], strict=True)]
            if examples & set(whole) and len(set(whole)) == len(whole):
                return f"{{{one}}}{sign}{{{two}}}"
    return ""
