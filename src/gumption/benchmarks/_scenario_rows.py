"""The list of a scenario folder: scenarios.json or scenarios.jsonl, checked row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gumption.lines import decode, read_lines
from gumption.records import GumptionError

__all__ = ["ScenarioRow", "read_rows"]

_FILES = ("scenarios.json", "scenarios.jsonl")
_LARGEST = 16 * 2**20
"""Bytes of the list."""
_MOST_ROWS = 1_000
_ROW = (
    "a row has id, setting, instruction, sub_tasks (1 to 6 texts), media (a clip or up to 16 pictures, by "
    "their paths in the folder) and licence"
)

_Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
_Words = Annotated[str, Meta(min_length=1, max_length=4_000, pattern=r"\S")]


class ScenarioRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario as its folder lists it."""

    id: _Name
    setting: _Name
    """household, grocery store, school, office, warehouse, hospital, workshop, laboratory, or another."""
    instruction: _Words
    sub_tasks: Annotated[tuple[_Words, ...], Meta(min_length=1, max_length=6)]
    """What the instruction comes to; raters see it, models never do."""
    media: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=16)]
    """One clip or some pictures, by their paths in the folder."""
    licence: _Name


def read_rows(folder: Path) -> Iterator[tuple[str, ScenarioRow]]:
    """Each row, with the file and row that it stands in (from 1; the line of a .jsonl file).

    Raises GumptionError, naming them, for a row that is none, for an id that was there before, and for a
    folder with no list or with two.
    """
    there = [folder / name for name in _FILES if (folder / name).is_file()]
    if len(there) != 1:
        raise GumptionError(
            "both scenarios.json and scenarios.jsonl" if there else "no scenarios.json or scenarios.jsonl",
            where=str(folder),
            remedy="keep one of them" if there else "write one: see docs/benchmarks/human-scenarios.md",
        )
    (file,) = there
    seen: dict[str, int] = {}
    for number, value in _rows(file):
        where = f"{file}, row {number}"
        if len(seen) >= _MOST_ROWS:
            raise GumptionError(f"more than {_MOST_ROWS:,} scenarios", where=where, remedy="split the folder")
        try:
            row = msgspec.convert(value, ScenarioRow)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the second for a lone surrogate
            raise GumptionError(f"not a scenario: {error}", where=where, remedy=_ROW) from error
        if row.id in seen:
            problem = f"the id {row.id!r} is that of row {seen[row.id]} too"
            raise GumptionError(problem, where=where, remedy="rename one")
        seen[row.id] = number
        yield where, row
    if not seen:
        raise GumptionError("there is no scenario in it", where=str(file), remedy=_ROW)


def _rows(file: Path) -> Iterator[tuple[int, Any]]:
    try:
        if file.stat().st_size > _LARGEST:
            remedy = "keep pictures and clips in files of their own"
            raise GumptionError(f"over {_LARGEST // 2**20} MiB", where=str(file), remedy=remedy)
        if file.suffix == ".jsonl":
            for number, line in read_lines(file):
                if line is None or line.strip():
                    yield number, _json(decode(line).encode(), f"{file}, row {number}")
            return
        found = _json(file.read_bytes(), str(file))
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        raise GumptionError(problem, where=str(file), remedy="check the permissions") from error
    if not isinstance(found, list):
        raise GumptionError("not a list of scenarios", where=str(file), remedy=f"write [...]; {_ROW}")
    yield from enumerate(found, 1)


def _json(text: bytes, where: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise GumptionError(f"not valid JSON: {error}", where=where, remedy="mend it there") from error
