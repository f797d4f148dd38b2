"""What the model roles are shown: quoted, capped, and nothing of hidden items or of models' replies."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, get_args

import msgspec

from gumption.records import GumptionError, Outcome
from gumption.running.prompting import Prompts, cut, data
from gumption.synthesis import contract
from gumption.synthesis.feedback import shown
from gumption.synthesis.folder import BenchmarkFolder, Table
from gumption.synthesis.hidden import holds_items, showable
from gumption.synthesis.recipes import metrics, reading, scoring
from gumption.synthesis.recipes.loading import read
from gumption.synthesis.roles import Attempt
from gumption.synthesis.spec import Format, Source

__all__ = [
    "ALLOWED",
    "WORDS",
    "contract_text",
    "files",
    "joins",
    "past",
    "readme",
    "recipes_text",
    "record_text",
    "rows",
    "tables",
]

WORDS = Prompts("gumption.synthesis.by_model")
ALLOWED = ", ".join(name for name in contract.ALLOWED if not name.startswith("gumption"))

_README = 16_000
_FILES = 120
_TABLES = 12
_COLUMNS = 60
_ROWS = 5
_CELL = 400
"""Characters of one cell: a picture in base64 says nothing."""
_CODE = 12_000
_ATTEMPTS = 2
"""Attempts whose code is shown; of all, what refused them."""


@cache
def contract_text() -> str:
    """What a pipeline is, in the words of the contract itself."""
    classes = (contract.Part, contract.Request, contract.Verdict)
    outcomes = f"Outcome is one of {', '.join(get_args(Outcome))}."
    return "\n\n".join([(contract.__doc__ or "").strip(), *map(_source, classes), outcomes])


def record_text(*types: type) -> str:
    """Parts of the protocol record, as they are defined."""
    formats = [f"Format is one of {', '.join(get_args(Format))}."] if Source in types else []
    return "\n\n".join([*map(_source, types), *formats])


@cache
def recipes_text() -> str:
    """The public functions that a scorer may call, each with the first line of what it says of itself."""
    told = []
    for module in (reading, metrics, scoring):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                said = (inspect.getdoc(thing) or "").partition("\n")[0]
                place = module.__name__.rpartition(".")[2]
                told.append(f"{place}.{name}{inspect.signature(thing)}\n    {said}")
    return "\n".join(told)


@cache
def _source(type: type) -> str:
    return inspect.getsource(type).strip()


def readme(folder: BenchmarkFolder) -> str:
    """As one quoted text."""
    return data([cut(folder.readme, _README)])


def files(folder: BenchmarkFolder) -> str:
    """Names, without those that hold replies of models."""
    left_out = len(folder.files) - _FILES
    more = [f"and {left_out} more"] if left_out > 0 else []
    return data([cut(one, 200) for one in folder.files[:_FILES]] + more)


def tables(folder: BenchmarkFolder) -> str:
    """Sources, columns and some rows."""
    return data(map(_table, [folder] * _TABLES, folder.tables[:_TABLES]))


def joins(folder: BenchmarkFolder) -> str:
    """What goes with what."""
    return data([*map(msgspec.to_builtins, folder.joins), *map(_listing, folder.listings)])


def rows(found: Sequence[dict[str, Any]]) -> str:
    """Rows as they are loaded."""
    return data(map(_row, found))


def past(attempts: Sequence[Attempt], half: str, calls: Sequence[str]) -> str:
    """What the author of one half wrote, and what refused it."""
    told = []
    for attempt in attempts:
        logic = getattr(attempt, half)
        failures = shown(attempt.evidence.failures, calls)
        if logic is None or not failures:
            continue
        entry: dict[str, Any] = {"attempt": attempt.number, "refused because": failures}
        if attempt.number > len(attempts) - _ATTEMPTS:
            written = msgspec.to_builtins(logic)
            entry["you wrote"] = {**written, "code": cut(written["code"], _CODE)}
        told.append(entry)
    return data(told)


def _table(folder: BenchmarkFolder, table: Table) -> dict[str, Any]:
    names = [column.name for column in table.columns[:_COLUMNS]]
    return {
        "source": msgspec.to_builtins(table.source),
        "rows": table.rows,
        "columns": [
            {
                "name": column.name,
                "holds": column.holds,
                "distinct": column.distinct,
                "missing": column.missing,
            }
            for column in table.columns[:_COLUMNS]
        ],
        "some rows": [_row({name: row.get(name) for name in names}) for row in _some(folder, table)],
    }


def _some(folder: BenchmarkFolder, table: Table) -> Iterator[dict[str, Any]]:
    """Of a table that holds one item a row: what others lie in would show hidden ones whole."""
    if not holds_items(table, folder.tables):
        return
    try:
        found = showable(table, read(folder.path, table.source))
    except GumptionError:
        return  # it could be read when the folder was inspected; without rows the table is still told
    for _, row in zip(range(_ROWS), found, strict=False):
        yield row


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _cell(value) for name, value in row.items()}


def _cell(value: Any) -> Any:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return value if len(text) <= _CELL else cut(text, _CELL)


def _listing(listing: Any) -> Any:
    return {
        name: value for name, value in msgspec.to_builtins(listing).items() if not isinstance(value, list)
    }
