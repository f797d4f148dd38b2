"""Questions as JSON lines: one object a line, the keys of which are listed at `read_jsonl`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast, get_args

import msgspec

from gumption.lines import decode, read_lines
from gumption.records import Convention, GumptionError, Image, Item
from gumption.suites._answers import letters, make_answer
from gumption.suites._gathering import Gathering, file_stem
from gumption.suites._values import check_value
from gumption.suites.layout import lay_out
from gumption.suites.pictures import Pictures
from gumption.suites.suite import Suite

__all__ = ["read_jsonl"]


def read_jsonl(path: Path | str, *, name: str | None = None) -> Suite:
    """A suite from a `.jsonl` or `.jsonl.gz` file.

    Keys of a line:
    - `id`: text or number; `question`: text, in which `<image>` and `<image 2>` place the pictures
    - `images` (or `image`): a path relative to the file, a data URL, or a list of them
    - `choices`: a list of texts, or letter to text
    - `answer`: a letter or the text of one choice; yes, no, true, false; a number; a text or a list of
      accepted texts; for points {"box": ...}, {"polygon": ...} or {"points": ...} in pixels
    - `kind`: choice, yes_no, number, text or point; left out, it follows from choices and answer
    - `convention`, `size` [width, height], `tolerance`: for points and numbers, as in `Answer`.
      The size of points defaults to that of the only picture
    - `benchmark`, `category`, `dimension`, `cluster`: texts. The benchmark defaults to `name`, else to the
      file's name; the cluster to the first picture, when several rows show it
    - all others are kept in `meta`

    A line that cannot be used is in `rejected` and the others still load. Raises GumptionError if the file
    cannot be read or if no line can be used.
    """
    path = Path(path)
    gathering = Gathering(path)
    pictures = Pictures(path.parent)
    benchmark = name or file_stem(path)
    for number, line in read_lines(path):
        if line is not None and not line.strip():
            continue
        id = ""
        try:
            row = _row(decode(line))
            id = _id(row)
            gathering.keep(number, _item(row, id, benchmark, pictures))
        except GumptionError as error:
            gathering.reject(number, id, error)
    return gathering.suite(benchmark, pictures.media, "jsonl")


def _row(line: str) -> dict[str, Any]:
    try:
        row = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(f"not valid JSON: {error}", remedy="write one JSON object a line") from error
    if not isinstance(row, dict):
        raise GumptionError("the line is not a JSON object", remedy="write one JSON object a line")
    check_value(row)
    return {key: value for key, value in row.items() if value is not None}


def _id(row: dict[str, Any]) -> str:
    id = row.pop("id", "")
    if isinstance(id, bool) or not isinstance(id, str | int | float) or not str(id).strip():
        raise GumptionError("there is no id", remedy="give every line an id: a text or a number")
    return str(id)


def _item(row: dict[str, Any], id: str, benchmark: str, pictures: Pictures) -> Item:
    question = _take(row, "question", str, "a text")
    if question is None:
        raise GumptionError("there is no question", remedy="write the question, or drop the line")
    options = _take(row, "choices", (list, dict), "a list of texts or letter to text")
    fields = {key: _take(row, key, str, "a text") for key in ("category", "dimension", "cluster", "kind")}
    own_benchmark = _take(row, "benchmark", str, "a text")
    convention = _convention(row)
    size = _size(row)
    tolerance = _tolerance(row)
    gold = row.pop("answer", None)
    kind = fields.pop("kind")
    images = _images(row, pictures)
    if kind == "point" and size is None and len(images) == 1:
        size = images[0].width, images[0].height
    return Item(
        id=id,
        benchmark=own_benchmark or benchmark,
        parts=lay_out(question, images),
        answer=make_answer(
            gold,
            kind=kind,
            choices=letters(options) if options else None,
            convention=convention,
            size=size,
            tolerance=tolerance,
        ),
        meta=row,
        **{key: text or "" for key, text in fields.items()},
    )


def _images(row: dict[str, Any], pictures: Pictures) -> list[Image]:
    given = [row.pop(key) for key in ("images", "image") if key in row]
    if len(given) > 1:
        raise GumptionError("both `images` and `image` are given", remedy="keep one of them")
    references = given[0] if given and isinstance(given[0], list) else given
    if not all(isinstance(reference, str) and reference for reference in references):
        raise GumptionError("`images` is not a path or a list of paths", remedy="give paths or data URLs")
    return [pictures.read(reference) for reference in references]


def _convention(row: dict[str, Any]) -> Convention | None:
    convention = row.pop("convention", None)
    if convention is not None and convention not in get_args(Convention):
        problem = f"unknown convention {convention!r}"
        raise GumptionError(problem, remedy=f"use one of {', '.join(get_args(Convention))}")
    return cast(Convention | None, convention)


def _size(row: dict[str, Any]) -> tuple[int, int] | None:
    match row.pop("size", None):
        case None:
            return None
        case [int() as width, int() as height] if width > 0 and height > 0:
            return width, height
    raise GumptionError("`size` is not [width, height] in pixels", remedy="give two whole numbers above 0")


def _tolerance(row: dict[str, Any]) -> float:
    tolerance = row.pop("tolerance", 0.0)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or tolerance < 0:
        raise GumptionError(
            "`tolerance` is not a number of at least 0", remedy="give it in the answer's unit"
        )
    return float(tolerance)


def _take(row: dict[str, Any], key: str, type: Any, expected: str) -> Any:
    value = row.pop(key, None)
    if value is not None and not isinstance(value, type):
        raise GumptionError(
            f"`{key}` is not {expected}: {value!r:.80}", remedy=f"write `{key}` as {expected}"
        )
    return value
