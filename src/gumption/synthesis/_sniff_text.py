"""Which separator a table in text has, and how the fields of blocks of lines begin."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath

from gumption.records import GumptionError
from gumption.synthesis.contract import MOST_ROWS
from gumption.synthesis.recipes._blocks import blocks_of, bracketed, is_rule
from gumption.synthesis.recipes._tables import csv_rows
from gumption.synthesis.spec import Source

__all__ = ["block_source", "csv_source"]

_SEPARATORS = ("\t", ",", ";", "|")
_BY_SUFFIX = {".tsv": "\t", ".psv": "|", ".tab": "\t"}
_SAMPLE = 400
"""Lines from which a separator is judged; the whole file is read once it is."""
_LOOKED_AT = 20_000
"""Lines from which the fields of blocks are judged."""
_MARKER = re.compile(
    r"(#+|@|[A-Za-z][\w -]{0,20}[:=]|[A-Za-z][.)](?=\s))|([^\w\s\"'`(\[{<\u201c-]{1,2}|->?|<)(?=\s|\w)"
)
_IDS = ("id", "no", "nr", "number", "item", "uid", "key")
_SIGNS = {"#": "id", "@": "id", "[": "id", "(": "id", "{": "id", "?": "question", "=": "answer"}
"""What signs at the beginning of lines usually mean; others are names of their own."""
_RARE = 10
"""One line in so many at most begins with a single sign where it is that of remarks."""
_REMARK = re.compile(r"\s*(%%|//|#(?=\s)|%(?=\s))")


def csv_source(text: str, path: str) -> Source | None:
    """The table that a text is, None where it is none: at least two columns that nearly all lines have."""
    lines = [line for line in text.split("\n", 20 * _SAMPLE)[: 20 * _SAMPLE] if line.strip()]
    if len(lines) < 2:
        return None
    remark = _remark_of(lines)
    best: tuple[tuple[bool, int], Source] | None = None
    for separator in _SEPARATORS:
        for quoting in (True, False):
            source = Source(path, "csv", separator=separator, quoting=quoting, remark=remark)
            columns = _columns(source, lines)
            rank = (_BY_SUFFIX.get(PurePosixPath(path).suffix) == separator, columns)
            if columns >= 2 and (best is None or rank > best[0]) and _reads(text, source):
                best = (rank, source)
    if best is None:
        return None
    source = best[1]
    return (
        source
        if _has_header(source, lines)
        else Source(
            path, "csv", separator=source.separator, quoting=source.quoting, remark=remark, header=False
        )
    )


def _remark_of(lines: list[str]) -> str:
    """How remarks before the header begin."""
    found = _REMARK.match(lines[0])
    return found.group(1) if found else ""


def _columns(source: Source, lines: list[str]) -> int:
    """How many columns nearly all of the first lines have; 0 where they differ."""
    kept = [
        line for line in lines[:_SAMPLE] if not (source.remark and line.lstrip().startswith(source.remark))
    ]
    counts = [len(cells) for cells in _cells(source, kept)]
    if not counts:
        return 0
    most, times = Counter(counts).most_common(1)[0]
    return most if times >= 0.9 * len(counts) and counts[0] >= most else 0


def _cells(source: Source, lines: list[str]) -> list[list[str]]:
    text = io.StringIO("\n".join(lines), newline="")
    try:
        if source.quoting:
            return list(csv.reader(text, delimiter=source.separator, strict=True))
        return list(csv.reader(text, delimiter=source.separator, quoting=csv.QUOTE_NONE))
    except csv.Error:
        return []


def _reads(text: str, source: Source) -> bool:
    try:
        return bool(csv_rows(text, source, source.path, MOST_ROWS))
    except GumptionError:
        return False


def _has_header(source: Source, lines: list[str]) -> bool:
    """A header is of short names: no number over a column of numbers, no file, no question."""
    kept = [line for line in lines if not (source.remark and line.lstrip().startswith(source.remark))]
    head, *rows = _cells(source, kept[:_SAMPLE])
    for n, cell in enumerate(head):
        below = [row[n] for row in rows if n < len(row) and row[n].strip()]
        asks = cell.strip().endswith("?") and len(cell.split()) > 2
        if len(cell) > 60 or asks or re.search(r"\.(png|jpe?g|webp)$", cell.lower()):
            return False
        if _is_number(cell) and below and sum(map(_is_number, below)) > 0.9 * len(below):
            return False
    return True


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", text))


def block_source(text: str, path: str) -> Source | None:
    """Blocks of lines whose beginnings come again and again; None where there are none such."""
    lines = [line.strip() for line in text.split("\n", _LOOKED_AT)[:_LOOKED_AT]]
    remark = _remarks_within(lines)
    blocks = _divided([line for line in lines if not (remark and line.startswith(remark))])
    counts: Counter[str] = Counter()
    unmarked = 0
    marked = [[_marker(line) for line in block] for block in blocks]
    for markers in marked:
        counts.update({one for one in markers if one})
        headed = bool(markers[0]) and _field(markers[0]).lower() in _IDS
        unmarked += not all(markers[: 1 + headed])
    fields = [marker for marker, count in counts.items() if count >= 0.6 * len(blocks)]
    if len(blocks) < 2 or len(fields) < 1 or (len(fields) == 1 and unmarked < 0.6 * len(blocks)):
        return None
    begins: dict[str, str] = {}
    for marker in sorted(fields):
        name = _field(marker)
        begins[marker if name in begins else name] = marker
    if unmarked >= 0.6 * len(blocks):
        begins["text"] = ""
    source = Source(path, "blocks", block=begins, remark=remark, several=_several(marked, fields))
    return source if len(blocks_of(text, begins, remark)) >= 2 else None


def _marker(line: str) -> str:
    """How a line begins, "" where that says nothing."""
    found = _MARKER.match(line)
    return bracketed(line)[0] or (next(filter(None, found.groups())) if found else "")


def _several(marked: list[list[str]], fields: list[str]) -> tuple[str, ...]:
    """Which fields blocks have more than once, where each block has what it begins with once only."""
    begins = Counter(markers[0] for markers in marked).most_common(1)[0][0]
    if begins and any(markers.count(begins) > 1 for markers in marked):
        return ()
    return tuple(one for one in fields if any(markers.count(one) > 1 for markers in marked))


def _divided(lines: list[str]) -> list[list[str]]:
    """The blocks: by ruled lines where they come again, else by blank ones; a title may have one too."""
    by_rules = _parted(lines, is_rule)
    blocks = by_rules if len(by_rules) > 2 else _parted(lines, lambda line: not line)
    first = _MARKER.match(blocks[0][0]) if len(blocks) == 1 else None
    if first:  # nothing divides but that the first field comes again
        begins = [n for n, line in enumerate(blocks[0]) if line.startswith(first.group())]
        blocks = [blocks[0][n:end] for n, end in zip(begins, [*begins[1:], None], strict=True)]
    return blocks


def _parted(lines: list[str], ends: Callable[[str], bool]) -> list[list[str]]:
    blocks: list[list[str]] = [[]]
    for line in lines:
        if ends(line):
            blocks.append([])
        elif line and not is_rule(line):
            blocks[-1].append(line)
    return [block for block in blocks if block]


def _field(marker: str) -> str:
    return _SIGNS.get(marker, marker.rstrip(":=.)").strip()) or marker


def _remarks_within(lines: list[str]) -> str:
    """How lines begin that are no data; a single sign may begin a field instead, and is frequent then."""
    for begins in ("%%", "//", "%", ";"):
        few = sum(line.startswith(begins) for line in lines)
        if few and (len(begins) > 1 or _RARE * few <= len(lines)):
            return begins
    return ""
