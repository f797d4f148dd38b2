"""Predictions of VLMEvalKit (open-compass/VLMEvalKit): `MODEL/[RUN/]MODEL_DATASET[_VERDICT].{xlsx,tsv,json}`.

One row a question: `index, question, [hint], [A ... Z], answer, prediction, [category], [l2-category]`. The
file as it was inferred has no verdict; the kit writes copies with one: `hit` of multiple choice
(`..._result`), or `extracted` and `score` of yes and no (`..._auxmatch`). Its pickles are never opened:
reading one runs whatever code is in it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from gumption.exchange._answers import answer_of, unit_score
from gumption.exchange._files import json_of_file, open_archive
from gumption.exchange.log import Gathered, KitLog, Recorded, short
from gumption.records import GumptionError, Item, Reply, Text

__all__ = ["read"]

MAX_XLSX = 1 * 2**30
"""Bytes of a workbook, unpacked."""
MAX_CELL = 16 * 2**20
"""Characters of one cell of a table of text."""
_KIT = "vlmevalkit"
_RUN = re.compile(r"T\d{8}[-_]\w+")
"""The folder of one run of the kit, between the model's and its files."""
_JUDGES = r"exact_matching|(?:openai|chatgpt|gpt|qwen|deepseek|claude|gemini|llama)[^_]*"
_VERDICT = re.compile(rf"_(?:(?:{_JUDGES})_)?result$|_auxmatch$|_score$|_extract(?:_matching)?$|_judge$")
"""What the kit appends for the file with its verdicts, where the file without them is gone."""
_FAILED = "Failed to obtain answer"
"""How the text begins that the kit keeps in place of an answer when a request failed."""
_READ = ("pred_extracted", "extracted", "extracted_pred", "extracted_answer")
_NOT_CARRIED = {"prediction", "question", "image", "log", *ascii_uppercase}
_VERDICTS = ("hit", "score", "correct", "is_correct")


def read(path: Path, model: str = "") -> KitLog:
    """The log in one prediction file.

    model: its name, where the file's folder does not say it. Raises GumptionError for a pickle, for a table
    without `index`, `question`, `answer` and `prediction`, and where no row can be used.
    """
    if path.suffix.lower() in {".pkl", ".pickle"}:
        raise GumptionError(
            "a pickle runs code when it is read, so it is not",
            where=str(path),
            remedy="give the .xlsx, .tsv or .json file of the same run; the kit writes one with PRED_FORMAT",
        )
    if path.suffix.lower() not in _tables:
        raise GumptionError(
            "not a table of predictions", where=str(path), remedy=f"one of {', '.join(_tables)} is read"
        )
    model, dataset = _named(path, model)
    gathered = Gathered(_KIT, dataset, model, path)
    for number, cells in enumerate(_tables[path.suffix.lower()](path), 1):
        row = {_column(name): cell for name, cell in cells.items() if not _is_blank(cell)}
        if number == 1:
            _check_columns({_column(name) for name in cells}, path)
        id = _text(row.get("index", ""))
        try:
            gathered.keep(_recorded(row, id, dataset, model, gathered, number))
        except GumptionError as error:
            gathered.reject(number, id, error)
    return gathered.log()


def _recorded(
    row: dict[str, Any], id: str, dataset: str, model: str, gathered: Gathered, number: int
) -> Recorded:
    if not id or "question" not in row:
        raise GumptionError("no index or no question", remedy="give every row both")
    choices = {letter: _text(row[letter]) for letter in ascii_uppercase if letter in row}
    parts = [_text(row[name]) for name in ("hint", "question") if name in row]
    verdict = next((row[name] for name in _VERDICTS if name in row), None)
    score = unit_score(verdict)
    if verdict is not None and score is None:
        gathered.note("verdicts outside 0 to 1 are left out")
    text = _text(row.get("prediction", ""))
    failed = text.startswith(_FAILED)
    return Recorded(
        item=Item(
            id=id,
            benchmark=f"{_KIT}:{dataset}",
            parts=tuple(map(Text, parts)),
            answer=answer_of(row.get("answer"), choices if len(choices) > 1 else None),
            category=_text(row.get("category", "")),
            dimension=_text(row.get("l2-category", "")),
        ),
        replies=(
            Reply(id, 0, "", model, "infra_error", error=text)
            if failed
            else Reply(id, 0, "", model, text=text),
        ),
        score=score,
        read=next((_text(row[name]) for name in _READ if name in row), ""),
        where=gathered.where(number),
        gold=row.get("answer"),
        carried=short({name: cell for name, cell in row.items() if name not in _NOT_CARRIED}),
    )


def _named(path: Path, model: str) -> tuple[str, str]:
    """Model and data set, from the kit's own layout of folders and names."""
    folder = path.parent.parent if _RUN.fullmatch(path.parent.name) else path.parent
    stem = path.stem
    name = model or folder.resolve().name
    if not stem.startswith(f"{name}_"):
        if not model:
            raise GumptionError(
                f"which part of {stem!r} is the model is not known: its folder has another name",
                where=str(path),
                remedy="name the model with --model",
            )
        return model, _VERDICT.sub("", stem)
    plain = [other.stem for other in path.parent.glob("*") if other.suffix.lower() in _tables]
    whole = min((one for one in plain if stem.startswith(f"{one}_")), key=len, default="")
    return name, (whole or _VERDICT.sub("", stem))[len(name) + 1 :] or stem


def _check_columns(columns: set[str], path: Path) -> None:
    missing = [name for name in ("index", "question", "answer", "prediction") if name not in columns]
    if missing:
        raise GumptionError(
            f"no column {', '.join(missing)}",
            where=str(path),
            remedy="give the file of predictions, or the one with verdicts, not a table of means",
        )


def _column(name: Any) -> str:
    """As the kit does: lower case, but for the letters of the options."""
    text = str(name).strip()
    return text if text in ascii_uppercase else text.lower()


def _is_blank(cell: Any) -> bool:
    """Nothing, or the NaN that pandas writes for it, as a number or as a word."""
    return cell is None or str(cell).strip().lower() in {"", "nan"}


def _text(cell: Any) -> str:
    """A cell as text. Tables of numbers write 3 as 3.0."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


# ── the three formats ────────────────────────────────────────────────────────────────────────────────


def _xlsx(path: Path) -> Iterator[dict[str, Any]]:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise GumptionError(
            "an .xlsx file needs openpyxl", where=str(path), remedy="pip install 'gumption[exchange]'"
        ) from error
    with open_archive(path) as archive:
        if archive.sizes() > MAX_XLSX:
            raise GumptionError(
                f"unpacks to over {MAX_XLSX // 2**20} MiB", where=str(path), remedy="give it as .tsv"
            )
    try:
        with path.open("rb") as stream:
            book = load_workbook(stream, read_only=True, data_only=True)
            yield from _under_header(book.worksheets[0].iter_rows(values_only=True))
    except GumptionError:
        raise
    except Exception as error:  # openpyxl raises whatever its XML and its parts make it raise
        raise GumptionError(
            f"not a workbook that can be read: {error}", where=str(path), remedy="give it as .tsv or .json"
        ) from error


def _tsv(path: Path) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(MAX_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            yield from _under_header(csv.reader(stream, delimiter="\t"))
    except (OSError, csv.Error, UnicodeDecodeError) as error:
        raise GumptionError(f"cannot be read: {error}", where=str(path), remedy="fetch it again") from error


def _json(path: Path) -> Iterator[dict[str, Any]]:
    """A list of rows; columns by name; or the names of the columns beside the rows."""
    value = json_of_file(path)
    match value:
        case {"columns": list() as columns, "data": list() as rows} if all(
            isinstance(name, str) for name in columns
        ) and all(isinstance(row, list) for row in rows):
            yield from _under_header([columns, *rows])
        case dict() if value and all(isinstance(column, list) for column in value.values()):
            yield from _under_header([list(value), *zip(*value.values(), strict=False)])
        case list() if all(isinstance(row, dict) for row in value):
            yield from value
        case _:
            raise GumptionError(
                "not a table of rows", where=str(path), remedy="give a prediction file of the kit"
            )


def _under_header(rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
    header: list[Any] = []
    for row in rows:
        if not header:
            header = list(row)
        elif any(not _is_blank(cell) for cell in row):
            yield dict(zip(header, row, strict=False))


_tables = {".xlsx": _xlsx, ".tsv": _tsv, ".json": _json}
