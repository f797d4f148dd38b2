"""Rows and run folders for the tests of this room."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gumption.records import Scored

RowMaker = Callable[..., Scored]
RunMaker = Callable[..., Path]


@pytest.fixture
def row() -> RowMaker:
    def make(item: str, value: float | None = None, **other: Any) -> Scored:
        plain = {
            "epoch": 0,
            "benchmark": "toy",
            "category": "",
            "dimension": "",
            "cluster": "",
            "kind": "choice",
            "status": "infra_error" if value is None else "ok",
            "outcome": "" if value is None else "answered",
            "chance": 0.0,
        }
        return Scored(item_id=item, value=value, **{**plain, **other})

    return make


@pytest.fixture
def write_run(tmp_path: Path) -> RunMaker:
    def write(name: str, rows: Sequence[Scored], **run: Any) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        columns = [msgspec.structs.asdict(row) for row in rows]
        names = [
            n for n in msgspec.structs.asdict(rows[0]) if n not in ("repairs", "errors", "details", "parts")
        ]
        pq.write_table(pa.table({n: [row[n] for row in columns] for n in names}), folder / "scores.parquet")
        (folder / "run.json").write_text(json.dumps({"model": name, "created": "today", **run}))
        return folder

    return write
