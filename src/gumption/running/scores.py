"""`scores.parquet`: one row an item and epoch, with the evidence behind its score."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from gumption.atomic import replacing, written
from gumption.parquet import read_bounded
from gumption.records import GumptionError, Scored

__all__ = ["SCHEMA", "read_scores", "scores_table", "write_scores"]

SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("epoch", pa.int32()),
        ("benchmark", pa.string()),
        ("category", pa.string()),
        ("dimension", pa.string()),
        ("cluster", pa.string()),
        ("kind", pa.string()),
        ("value", pa.float64()),
        ("status", pa.string()),
        ("outcome", pa.string()),
        ("chance", pa.float64()),
        ("rule", pa.string()),
        ("answer", pa.string()),
        ("repairs", pa.list_(pa.string())),
        ("errors", pa.list_(pa.string())),
        ("details", pa.list_(pa.string())),
        ("parts", pa.map_(pa.string(), pa.float64())),
    ]
)
"""The fields of `Scored`."""


def scores_table(rows: Iterable[Scored]) -> pa.Table:
    """The rows as a table of SCHEMA."""
    columns: list[list[Any]] = [[] for _ in SCHEMA]
    for row in rows:
        for column, value in zip(columns, msgspec.structs.astuple(row), strict=True):
            column.append(value)
    columns[-1] = [list(parts.items()) for parts in columns[-1]]
    return pa.table(
        [pa.array(c, field.type) for c, field in zip(columns, SCHEMA, strict=True)], schema=SCHEMA
    )


def write_scores(path: Path, rows: Iterable[Scored]) -> None:
    """Replace the file as a whole. Raises GumptionError where it cannot be written."""
    with written(path), replacing(path) as temporary:
        pq.write_table(scores_table(rows), temporary, compression="zstd")


def read_scores(path: Path) -> pa.Table:
    """Raises GumptionError where the run was not scored yet, and for a table that unpacks to too much."""
    try:
        return read_bounded(path).cast(SCHEMA)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise GumptionError(
            "the run has no scores that can be read", where=str(path), remedy="gumption score RUN makes them"
        ) from error
