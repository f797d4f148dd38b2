"""Questions as tab separated values in the layout of VLMEvalKit."""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from gumption.records import GumptionError, Image, Item
from gumption.suites._answers import make_answer
from gumption.suites._gathering import Gathering, file_stem
from gumption.suites.layout import lay_out
from gumption.suites.pictures import Pictures
from gumption.suites.suite import Suite
from gumption.suites.tsv_rows import read_header, read_rows

__all__ = ["read_tsv"]

_REQUIRED = ("question", "answer")
_LONGEST_INDEX = 64
"""Characters: a shorter image cell is the index of the row that holds the picture."""
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,15})(?:\.\d{1,17})?", re.ASCII)
_QUOTED = re.compile(r"""\s*+(?:'([^'\\]*+)'|"([^"\\]*+)")\s*+(,|\Z)""")


def read_tsv(path: Path | str, *, name: str | None = None) -> Suite:
    """A suite from a `.tsv` (or `.tsv.gz`) file in VLMEvalKit's layout, with or without csv quotes.

    Columns `index` (or `id`), `question, [hint], [A ... Z], answer, [category], [l2-category], [split],
    [image], [image_path]`; an empty cell, or one that says NaN, holds nothing. A file without a picture
    column asks in text alone; in a file with one, every row needs its picture. `image` is a picture as
    base64, the
    text of a list of such, or (64 characters at most) the index of the row that holds the pictures;
    without it, `image_path` is a path, or the text of a list of paths, relative to the file. Options make
    a choice item; else Yes or No a yes_no, a numeral a number, and all else a text item. Columns beyond
    these go to `meta`.

    Decoded pictures go to the media store, one row at a time. A row that cannot be used is in `rejected`
    and the others still load. Raises GumptionError if the file cannot be read, if the column `index`,
    `question` or `answer` is missing, or if no row can be used.
    """
    path = Path(path)
    header = read_header(path)
    key = "index" if "index" in header or "id" not in header else "id"
    missing = [column for column in (key, *_REQUIRED) if column not in header]
    if missing:
        found = ", ".join(column[:40] for column in header[:60])
        problem = f"no column {', '.join(missing)}; found: {found}"
        raise GumptionError(problem, where=str(path), remedy="rename the columns, or give a .jsonl file")
    pictured = "image" in header or "image_path" in header
    gathering = Gathering(path)
    pictures = Pictures(path.parent)
    benchmark = name or file_stem(path)
    held: dict[str, list[Image]] = {}
    referring: list[tuple[int, str, dict[str, str]]] = []
    for number, cells in read_rows(path, len(header)):
        if isinstance(cells, GumptionError):
            gathering.reject(number, "", cells)
            continue
        row = {column: cell for column, cell in zip(header, cells, strict=True) if not _is_blank(cell)}
        id = row.get(key, "").strip()
        try:
            if not id:
                raise GumptionError(f"the {key} is empty", remedy=f"give every row an {key} of its own")
            if _reference(row):
                referring.append((number, id, row))
                continue
            images = _images(row, pictures) if pictured else []
            held.setdefault(id, images)
            gathering.keep(number, _item(row, id, benchmark, images))
        except GumptionError as error:
            gathering.reject(number, id, error)
    for number, id, row in referring:  # they may point forward
        try:
            reference = _reference(row)
            if reference not in held:
                raise GumptionError(
                    f"the image cell points to row {reference!r}, which has no usable picture of its own",
                    remedy="give the picture as base64, or the index of a row that does",
                )
            gathering.keep(number, _item(row, id, benchmark, held[reference]))
        except GumptionError as error:
            gathering.reject(number, id, error)
    return gathering.suite(benchmark, pictures.media, "tsv")


def _is_blank(cell: str) -> bool:
    return not cell or cell.isspace() or (len(cell) < 10 and cell.strip().lower() == "nan")


def _reference(row: dict[str, str]) -> str:
    """The index that the image cell gives in place of a picture, or ""."""
    cell = row.get("image", "")
    return cell.strip() if len(cell) <= _LONGEST_INDEX and not cell.lstrip().startswith("[") else ""


def _images(row: dict[str, str], pictures: Pictures) -> list[Image]:
    if "image" in row:
        return [pictures.from_base64(text) for text in _texts(row["image"])]
    if "image_path" in row:
        return [pictures.from_file(text) for text in _texts(row["image_path"])]
    raise GumptionError("the image cell is empty", remedy="give the picture as base64, or drop the row")


def _texts(cell: str) -> list[str]:
    """One text, or those of a Python or JSON list of plain texts. Read, never evaluated."""
    cell = cell.strip()
    if not cell.startswith("["):
        return [cell]
    inside = cell[1:-1] if cell.endswith("]") else ""
    texts: list[str] = []
    end, more = 0, True
    while more:
        text = _QUOTED.match(inside, end)
        if text is None:
            problem = f"the list of pictures cannot be read after {len(texts)} of them"
            raise GumptionError(problem, remedy="write a JSON list of texts")
        texts.append(text[2] if text[1] is None else text[1])
        end, more = text.end(), text[3] == "," and text.end() < len(inside)
    return texts


def _item(row: dict[str, str], id: str, benchmark: str, images: list[Image]) -> Item:
    if "question" not in row:
        raise GumptionError("the question is empty", remedy="write the question, or drop the row")
    finer = row.get("l2-category") or row.get("l2_category") or ""
    category = row.get("category") or finer
    choices = {letter: row[letter].strip() for letter in ascii_uppercase if letter in row}
    used = {
        "index",
        "id",
        "question",
        "hint",
        "answer",
        "image",
        "category",
        "l2-category",
        "l2_category",
        "cluster",
        *choices,
    }
    if "image" not in row:
        used.add("image_path")
    return Item(
        id=id,
        benchmark=benchmark,
        parts=lay_out(row["question"], images, row.get("hint", "")),
        cluster=row.get("cluster", "").strip(),
        answer=make_answer(_gold(row.get("answer"), bool(choices)), choices=choices or None),
        category=category.strip(),
        dimension=finer.strip() if "category" in row else "",
        meta={column: cell for column, cell in row.items() if column not in used},
    )


def _gold(cell: str | None, among_choices: bool) -> Any:
    """The cell, as a number if it is a plain numeral (007 and 1e5 are not) and no choice."""
    text = (cell or "").strip()
    if among_choices or not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)
