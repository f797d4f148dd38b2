"""Items through Parquet: nothing is lost, and nothing that would be is taken."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, get_args

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gumption.records import Answer, AnswerKind, Convention, GumptionError, Image, Item, Text, Video
from gumption.suites import items_from_table, items_to_table, read_items, write_items

TEXT = st.text(max_size=20)
HASH = st.text("0123456789abcdef", min_size=64, max_size=64)
NUMBER = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**70), 2**70)
VALUE = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
PARTS = st.lists(
    st.builds(Text, TEXT)
    | st.builds(Image, HASH, st.just("image/webp"), st.integers(0, 9999), st.integers(0, 9999))
    | st.builds(Video, HASH, st.just("video/mp4"), st.none() | st.floats(0, 1e6)),
    max_size=4,
)
ANSWER = st.builds(
    Answer,
    kind=st.sampled_from(get_args(AnswerKind)),
    gold=VALUE,
    choices=st.none() | st.dictionaries(st.sampled_from("ABCDEF"), TEXT, max_size=4),
    convention=st.none() | st.sampled_from(get_args(Convention)),
    size=st.none() | st.tuples(st.integers(1, 9999), st.integers(1, 9999)),
    tolerance=st.floats(0, 100),
)
ITEM = st.builds(
    Item,
    id=TEXT,
    benchmark=TEXT,
    parts=PARTS.map(tuple),
    answer=ANSWER,
    cluster=TEXT,
    category=TEXT,
    dimension=TEXT,
    meta=st.dictionaries(TEXT, VALUE, max_size=3),
)


def keys(value: Any) -> Any:
    """The order of keys, which equality of dicts does not look at."""
    return list(value or ())


@given(st.lists(ITEM, max_size=5))
@settings(max_examples=150, deadline=None)
def test_items_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, items: list[Item]) -> None:
    path = write_items(tmp_path_factory.mktemp("table") / "items.parquet", items)
    back = read_items(path)
    assert back == items
    assert [keys(item.answer.choices) for item in back] == [keys(item.answer.choices) for item in items]
    assert [type(item.answer.gold) for item in back] == [type(item.answer.gold) for item in items]


def question(id: str, **answer: Any) -> Item:
    return Item(id, "b", (Text("?"),), Answer(**({"kind": "text", "gold": "x"} | answer)))


def test_rows_keep_their_order_over_many_row_groups(tmp_path: Path) -> None:
    items = [question(str(number)) for number in range(20_000)]
    path = write_items(tmp_path / "items.parquet", items)
    assert pq.ParquetFile(path).metadata.num_row_groups > 1
    assert read_items(path) == items


def test_other_programs_read_the_columns(tmp_path: Path) -> None:
    path = write_items(tmp_path / "items.parquet", [question("a"), question("b", kind="number", gold=2)])
    rows = duckdb.sql(f"select kind, answer->>'gold' from '{path}' order by id").fetchall()
    assert rows == [("text", "x"), ("number", "2")]
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize("gold", [math.nan, math.inf, b"bytes", {1: 2}, {"a", "b"}, 10**400, "half \ud800"])
def test_what_json_would_lose_is_refused(gold: Any) -> None:
    with pytest.raises(GumptionError) as caught:
        items_to_table([question("fine"), question("odd one", gold=gold)])
    assert "odd one" in caught.value.where


def test_deep_nesting_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(GumptionError, match="nested"):
        items_to_table([question("deep", gold=deep)])


def test_a_missing_column_is_named_with_those_found() -> None:
    table = items_to_table([question("a")]).drop_columns(["meta", "answer"])
    with pytest.raises(GumptionError, match=r"no column answer, meta; found: id, benchmark"):
        items_from_table(table)


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("parts", "[1]"),
        ("parts", "{"),
        ("answer", '{"kind": "guess"}'),
        ("meta", "[" * 100_000),
        ("id", None),
    ],
)
def test_a_spoiled_cell_names_its_row(column: str, cell: str | None) -> None:
    table = items_to_table([question("a"), question("b")])
    place = table.schema.get_field_index(column)
    cells = pa.array([table[column][0].as_py(), cell], pa.string())
    with pytest.raises(GumptionError) as caught:
        items_from_table(table.set_column(place, column, cells))
    assert caught.value.where == "row 2"


@pytest.mark.parametrize("content", [b"", b"not parquet at all", None])
def test_a_file_that_is_no_table_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "items.parquet"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(GumptionError) as caught:
        read_items(path)
    assert str(path) in caught.value.where


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = write_items(tmp_path / "items.parquet", [question("old")])
    with pytest.raises(GumptionError):
        write_items(path, [question("new", gold=math.nan)])
    assert [item.id for item in read_items(path)] == ["old"]
    assert [file.name for file in tmp_path.iterdir()] == ["items.parquet"]
