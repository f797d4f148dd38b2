"""What fuzzing found: each of these once raised something else, took minutes, or took gigabytes."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gumption.benchmarks._archives import _UNPACK, _once
from gumption.exchange import read_logs
from gumption.models.replay import Replay
from gumption.planning import load_scene, read_plan
from gumption.ranking.people_file import read_people
from gumption.ranking.rating_form import read_form
from gumption.records import Answer, GumptionError, Item
from gumption.running import Run, run
from gumption.running.store import _held
from gumption.suites import Suite, read_folder, read_items

COLUMNS = ("id", "benchmark", "category", "dimension", "cluster", "kind", "parts", "answer", "meta")
DEEP = "[" * 100_000 + "]" * 100_000


def test_a_plan_may_hold_a_number_beyond_every_float() -> None:
    for digits in (400, 5000):
        read_plan(f"<actions>[['Open', {'9' * digits}]]</actions>")


def test_a_text_that_every_row_means_is_not_written_out(tmp_path: Path) -> None:
    """4,096 rows of one megabyte are 4 GB; the file has a few kB."""
    large = pa.DictionaryArray.from_arrays(pa.array([0] * 4096, pa.int32()), pa.array(["x" * 2**20]))
    short = pa.array(["x"] * 4096)
    table = pa.table({name: large if name == "meta" else short for name in COLUMNS})
    pq.write_table(table, tmp_path / "items.parquet", store_schema=False)
    before = pa.total_allocated_bytes()
    with pytest.raises(GumptionError, match="unpacked"):
        read_items(tmp_path / "items.parquet")
    assert pa.total_allocated_bytes() - before < 2**28


def test_cells_that_are_no_text_and_names_that_come_twice(tmp_path: Path) -> None:
    for column in (_no_utf8(), pa.array([["a"]])):
        pq.write_table(pa.table([column] * len(COLUMNS), list(COLUMNS)), tmp_path / "items.parquet")
        with pytest.raises(GumptionError):
            read_items(tmp_path / "items.parquet")
    twice = [*COLUMNS, "id"]
    pq.write_table(pa.table([pa.array(["a"])] * len(twice), twice), tmp_path / "items.parquet")
    with pytest.raises(GumptionError, match="id"):
        read_items(tmp_path / "items.parquet")


def _no_utf8() -> pa.Array:
    return pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xe4(")]
    )


def test_a_loop_of_links_in_a_suite(tmp_path: Path) -> None:
    (tmp_path / "suite.json").symlink_to("suite.json")
    with pytest.raises(GumptionError):
        read_folder(tmp_path)


def test_a_run_with_nested_json_and_lost_parts(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"protocol": ' + DEEP + "}")
    with pytest.raises(GumptionError, match="damaged"):
        Run.open(tmp_path)


def test_a_room_that_unpacks_to_more_than_any_room(tmp_path: Path) -> None:
    (tmp_path / "rooms.json.gz").write_bytes(gzip.compress(bytes(2**20)) * 200)
    with pytest.raises(GumptionError, match="over 128 MiB"):
        load_scene("FloorPlan1", tmp_path / "rooms.json.gz")


def test_a_name_twice_among_a_hundred_thousand_is_found_at_once(tmp_path: Path) -> None:
    units = [str(number) for number in range(99_999)]
    file = {"models": ["a"], "units": [*units, units[-1]], "dimensions": ["d"], "scores": [[1]], "raters": 1}
    (tmp_path / "people.json").write_text(json.dumps(file))
    with pytest.raises(GumptionError, match="twice"):
        read_people(tmp_path / "people.json")


def test_a_form_with_a_number_of_20_000_digits(tmp_path: Path) -> None:
    (tmp_path / "form.toml").write_text(f"low = {'9' * 20_000}")
    with pytest.raises(GumptionError, match="no rating form"):
        read_form(tmp_path / "form.toml")


@pytest.mark.parametrize(
    "table",
    [
        {"columns": [["index"]], "data": [[1]]},
        {"columns": ["index"], "data": [1.5]},
        [{"index": 1, "question": "?", "answer": "a", "prediction": "a", "hit": 10**400}],
    ],
)
def test_tables_of_vlmevalkit_that_are_none(tmp_path: Path, table: object) -> None:
    (tmp_path / "m").mkdir()
    path = tmp_path / "m" / "m_set.json"
    path.write_text(json.dumps(table))
    if isinstance(table, list):
        (log,), _ = read_logs(path, "m")
        assert log.rows[0].score is None
    else:
        with pytest.raises(GumptionError):
            read_logs(path, "m")


def test_an_archive_is_not_unpacked_through_a_link(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "data"
    outside.write_text("SECRET")
    folder.mkdir()
    (folder / "clip.mp4").symlink_to(outside)
    with zipfile.ZipFile(folder / "clips.zip", "w") as archive:
        archive.writestr("clip.mp4", b"")
    with pytest.raises(GumptionError, match="leads out"):
        _once(folder / "clips.zip", _UNPACK[".zip"])
    assert outside.read_text() == "SECRET"


def test_a_run_from_elsewhere_is_not_locked_through_a_link(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "run"
    outside.write_text("SECRET")
    folder.mkdir()
    (folder / "run.lock").symlink_to(outside)
    with pytest.raises(GumptionError), _held(folder):
        pass
    assert outside.read_text() == "SECRET"


def test_a_runs_description_is_not_written_through_a_link(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "run"
    outside.write_text("SECRET")
    folder.mkdir()
    (folder / "run.json.new").symlink_to(outside)
    run(
        Suite("quiz", "1", (Item("q", "quiz", (), Answer("yes_no", "yes")),)),
        Replay("m", {}, "r.jsonl"),
        folder,
    )
    assert outside.read_text() == "SECRET"
    assert not (folder / "run.json").is_symlink()
