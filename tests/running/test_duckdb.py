"""What a run leaves is read by other tools."""

from __future__ import annotations

from pathlib import Path

import duckdb

from gumption.models import open_models
from gumption.records import Answer, Item
from gumption.running import run
from gumption.suites import Suite


def test_duckdb_reads_scores_and_replies(tmp_path: Path) -> None:
    items = tuple(Item(f"q{n}", "quiz", (), Answer("yes_no", "yes"), category="ab"[n % 2]) for n in range(10))
    (model,) = open_models("baseline/oracle")
    run(Suite("quiz", "1", items), model, tmp_path / "run")
    query = (
        f"select category, avg(value), count(*) from '{tmp_path}/run/scores.parquet' group by 1 order by 1"
    )
    assert duckdb.sql(query).fetchall() == [("a", 1.0, 5), ("b", 1.0, 5)]
    joined = f"""select count(*) from '{tmp_path}/run/parts/*.jsonl' r
        join '{tmp_path}/run/items.parquet' i on r.item_id = i.id where r.text = 'yes'"""
    assert duckdb.sql(joined).fetchall() == [(10,)]
