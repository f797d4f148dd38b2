"""Run folders for the statistics: `run.json` and `scores.parquet`, and several of them side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from gumption.parquet import read_bounded
from gumption.ranking._columns import NEEDED, Columns, conform
from gumption.ranking._design import Floats
from gumption.ranking._parts import NESTED, part_values
from gumption.ranking.intervals import unit_scores
from gumption.records import Aggregate, GumptionError, Stopped, StopRule

__all__ = [
    "Aligned",
    "Head",
    "Run",
    "align",
    "differences",
    "epoch_means",
    "read_head",
    "read_nested",
    "read_run",
    "refuse_differences",
]

OF_THE_MODEL = frozenset({"model", "base_url", "provider"})
"""Keys of a protocol that say which model was asked and where: they may differ."""


class RunFile(msgspec.Struct, frozen=True):
    """What `run.json` says that statistics need."""

    model: str = ""
    official: Aggregate | None = None
    further: tuple[Aggregate, ...] = ()
    protocol: dict[str, Any] = msgspec.field(default_factory=dict)
    stop: StopRule | None = None
    stopped_early: Stopped | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """A run folder's description."""

    folder: Path
    file: RunFile

    @property
    def name(self) -> str:
        """The model's name, or the folder's where `run.json` names none."""
        return self.file.model or self.folder.name


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder's description and scores."""

    head: Head
    table: pa.Table
    columns: Columns


@dataclass(frozen=True, slots=True)
class Aligned:
    """Several runs over the union of their items."""

    values: Floats
    """Runs x items: the mean of an item's scored epochs, NaN where a run has none."""
    items: Columns
    """One row per item, in the order of `values`; its value and epoch mean nothing."""


def read_head(folder: str | Path) -> Head:
    """Raises GumptionError where `run.json` is missing or is none."""
    file = Path(folder) / "run.json"
    try:
        return Head(Path(folder), msgspec.json.decode(file.read_bytes(), type=RunFile))
    except OSError as error:
        raise GumptionError(
            f"cannot be read ({error.strerror})",
            where=str(file),
            remedy="name a run folder, as `gumption run` writes it",
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise GumptionError(
            f"not a run's description ({error})",
            where=str(file),
            remedy="it is a JSON object with `model`, `official` and `protocol`; run again if it was edited",
        ) from error


def read_run(folder: str | Path, part: str = "") -> Run:
    """part: which part of the scores to take for their value; "" is the value itself.

    Raises GumptionError where a file is missing, cannot be read, or has columns that do not fit.
    """
    head, file = read_head(folder), Path(folder) / "scores.parquet"
    table = conform(_read(file, NEEDED), str(file))
    columns = Columns.of(table, str(file))
    if part:
        columns = replace(columns, value=unit_scores(part_values(read_nested(folder), part), f"part {part}"))
    return Run(head, table, columns)


def read_nested(folder: str | Path) -> pa.Table:
    """The nested columns of a run's scores, as far as it has them."""
    return _read(Path(folder) / "scores.parquet", NESTED)


def _read(file: Path, names: Collection[str]) -> pa.Table:
    try:
        with pq.ParquetFile(file) as parquet:
            there = [name for name in parquet.schema_arrow.names if name in names]
        return read_bounded(file, there)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise GumptionError(
            f"cannot be read ({error})", where=str(file), remedy=f"run `gumption score {file.parent}`"
        ) from error


def align(runs: Iterable[Run]) -> Aligned:
    """Joins runs by (benchmark, item_id). An item's cluster and names come from the first run that has it."""
    places: dict[tuple[str, str], int] = {}
    first_rows, placed = [], []
    for run in runs:
        columns = run.columns
        first = np.unique(columns.item, return_index=True)[1]
        keys = zip(columns.benchmark.of(first), columns.item_id.of(first), strict=True)
        known = len(places)
        place = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)
        first_rows.append(run.table.take(first[place >= known]))
        placed.append((place, epoch_means(columns)))
    values = np.full((len(placed), len(places)), np.nan)
    for row, (place, means) in enumerate(placed):
        values[row, place] = means
    return Aligned(values, Columns.of(pa.concat_tables(first_rows), "the runs' items"))


def differences(first: Head, other: Head) -> tuple[str, ...]:
    """What two runs' protocols differ in, a line per key, the model's own keys aside."""
    left, right = (
        dict(_flat({**head.file.protocol, "official": msgspec.to_builtins(head.file.official)}))
        for head in (first, other)
    )
    return tuple(
        f"{key}: {_said(left, key)} in {first.folder.name}, {_said(right, key)} in {other.folder.name}"
        for key in sorted({*left, *right})
        if key.split(".")[0] not in OF_THE_MODEL and _said(left, key) != _said(right, key)
    )


def refuse_differences(found: Sequence[str], where: str) -> None:
    """Raises GumptionError listing them, if there are any."""
    if found:
        raise GumptionError(
            f"the runs followed different protocols: {'; '.join(found)}",
            where=where,
            remedy="run both under one protocol, or pass force=True to set them side by side all the same",
        )


def epoch_means(columns: Columns) -> Floats:
    """Of each item by its number: the mean of its scored epochs, NaN where none is."""
    scored = ~np.isnan(columns.value)
    items = int(columns.item.max(initial=-1)) + 1
    counts = np.bincount(columns.item[scored], minlength=items)
    sums = np.bincount(columns.item[scored], columns.value[scored], minlength=items)
    means: Floats = np.divide(sums, counts, out=np.full(items, np.nan), where=counts > 0)
    return means


def _flat(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(node, dict) and node:
        for key, value in node.items():
            yield from _flat(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, node


def _said(flat: dict[str, Any], key: str) -> str:
    return msgspec.json.encode(flat[key], order="sorted").decode() if key in flat else "absent"
