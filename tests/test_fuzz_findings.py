"""What fuzzing found: each of these once raised something else, took minutes, or took gigabytes."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gumption import answers
from gumption.answers._evidence import first_line
from gumption.benchmarks import open_suite
from gumption.benchmarks._archives import _UNPACK, _once
from gumption.exchange import inspect_logs, read_logs, vlmevalkit
from gumption.exchange._files import open_archive
from gumption.models.replay import Replay, open_replay
from gumption.planning import load_scene, read_plan
from gumption.planning._pairs import read_judgements, read_pairs
from gumption.ranking.people_file import read_people
from gumption.ranking.rating_form import read_form
from gumption.records import Answer, GumptionError, Item
from gumption.running import Run, run
from gumption.running._holding import held
from gumption.running.scores import SCHEMA, read_scores
from gumption.suites import Suite, read_folder, read_items
from gumption.synthesis._siblings import _about
from gumption.synthesis.contract import requests_of, verdicts_of
from gumption.synthesis.recipes._tables import parquet_rows

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


@pytest.mark.parametrize("name", ["answer", "details", "parts"])
def test_a_text_that_every_score_means_is_not_written_out(tmp_path: Path, name: str) -> None:
    """4,096 rows of one megabyte are 4 GB, as a text, in a list and as the name of a part."""
    large = pa.DictionaryArray.from_arrays(pa.array([0] * 4096, pa.int32()), pa.array(["x" * 2**20]))
    offsets = pa.array(range(4097), pa.int32())
    made = {
        "answer": lambda: large,
        "details": lambda: pa.ListArray.from_arrays(offsets, large),
        "parts": lambda: pa.MapArray.from_arrays(offsets, large, pa.array([0.5] * 4096)),
    }
    columns = {field.name: pa.nulls(4096, field.type) for field in SCHEMA} | {name: made[name]()}
    pq.write_table(pa.table(columns), tmp_path / "scores.parquet", store_schema=False)
    before = pa.total_allocated_bytes()
    with pytest.raises(GumptionError, match="unpacked"):
        read_scores(tmp_path / "scores.parquet")
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


def test_deep_json_under_keys_that_nobody_reads(tmp_path: Path) -> None:
    """As in recorded replies, pairs of plans, verdicts on actions and lists of benchmarks."""
    path = tmp_path / "rows.jsonl"
    rows = {
        '"id": "q", "reply": "A"': lambda: list(open_replay(str(path))),
        '"predicted": [], "gold": []': lambda: read_pairs(path),
        '"predicted": ["a"], "gold": ["a"], "match": true': lambda: read_judgements(path),
    }
    for row, taken in rows.items():
        path.write_text(f'{{{row}}}\n\n{{{row}, "more": {DEEP}}}\n')
        with pytest.raises(GumptionError, match="line 3"):
            taken()
        path.write_text(f'{{{row}, "more": [1]}}\n')
        taken()
    (tmp_path / "question_pool").mkdir()
    packed = gzip.compress(f'{{"id": "q", "more": {DEEP}}}'.encode())
    (tmp_path / "question_pool" / "pool.jsonl.gz").write_bytes(packed)
    assert len(open_suite("question-pool", tmp_path).rejected) == 1


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
    with pytest.raises(GumptionError), held(folder):
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


def test_a_field_with_half_a_letter() -> None:
    assert answers.read('{"answer": "cup\udc9a"}', Answer("text", ["cup"])).value == "cup\udc9a"


def test_a_member_of_a_zip_without_a_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "clips.zip", "w") as archive:
        archive.writestr("Qx", b"x")
        archive.writestr("./", b"")
        archive.writestr("clip.mp4", b"clip")
    # A name ends with its first zero.
    (tmp_path / "clips.zip").write_bytes((tmp_path / "clips.zip").read_bytes().replace(b"Qx", b"\0x"))
    _once(tmp_path / "clips.zip", _UNPACK[".zip"])
    assert (tmp_path / "clip.mp4").read_bytes() == b"clip"


def test_an_inspect_log_whose_samples_are_a_number(tmp_path: Path) -> None:
    log = {"version": 2, "eval": {"task": "t", "model": "m"}, "samples": 3}
    (tmp_path / "l.json").write_text(json.dumps(log))
    with pytest.raises(GumptionError, match="samples"):
        inspect_logs.read(tmp_path / "l.json")


@pytest.mark.parametrize(
    "change", [(b"PK\1\2\x14\3\x14", b"PK\1\2\x14\3\xe8"), (b"head\xc3\xa9", b"head\xd3\xd3")]
)
def test_a_zip_of_another_age_or_with_a_name_in_no_letters(
    tmp_path: Path, change: tuple[bytes, bytes]
) -> None:
    with zipfile.ZipFile(tmp_path / "l.eval", "w") as archive:
        archive.writestr("head\u00e9.json", b"{}")
    data = (tmp_path / "l.eval").read_bytes()
    assert change[0] in data
    (tmp_path / "l.eval").write_bytes(data.replace(*change))
    with pytest.raises(GumptionError, match="zip"):
        inspect_logs.read(tmp_path / "l.eval")


def test_a_member_whose_own_head_has_another_name_in_no_letters(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "l.eval", "w") as archive:
        archive.writestr("header\u00e9.json", b"{}")
        archive.writestr("header.json", b"{}")
    data = (tmp_path / "l.eval").read_bytes().replace(b"header\xc3\xa9", b"header\xd3\xd3", 1)
    (tmp_path / "l.eval").write_bytes(data)
    with open_archive(tmp_path / "l.eval") as archive, pytest.raises(GumptionError):
        archive.read("header\u00e9.json")


def test_half_a_letter_for_the_name_of_a_field(tmp_path: Path) -> None:
    header = {"version": 2, "eval": {"task": "t", "model": "m"}}
    (tmp_path / "l.json").write_text(json.dumps(header | {"samples": [{"\ud800": 1}]}))
    with pytest.raises(GumptionError):
        inspect_logs.read(tmp_path / "l.json")
    for check in (requests_of, verdicts_of):
        with pytest.raises(GumptionError, match="0"):
            check([{"\ud800": 1}])


def test_a_file_that_is_no_table_of_vlmevalkit(tmp_path: Path) -> None:
    (tmp_path / "m_t.gz").write_bytes(b"")
    with pytest.raises(GumptionError, match="table"):
        vlmevalkit.read(tmp_path / "m_t.gz")


def test_long_texts_are_gone_through_once() -> None:
    """By square of the length these four would take from half a minute to an hour."""
    quotes = "'" * 2**20
    assert first_line(f"{quotes}\n it is {quotes}\n") == f"it is {quotes}"
    assert read_plan("<plans>1" * 60_000).actions is None
    lines = "\n" * 90_000
    assert read_plan(
        f"<plans>{lines}1. [Navigate]</plans><actions>[]</actions>"
    ).format_score == pytest.approx(0.3)
    assert (
        _about("use `t.csv`: " + "a" * 100_000 + ", not", re.compile("t.csv"))
        == "use `t.csv` " + "a" * 100_000
    )


def test_a_column_of_a_parquet_file_with_a_name_in_no_letters(tmp_path: Path) -> None:
    pq.write_table(pa.table({"head\u00e9": ["a"]}), tmp_path / "t.parquet", store_schema=False)
    data = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(data.replace(b"head\xc3\xa9", b"head\xd3\xd3"))
    with pytest.raises(UnicodeDecodeError):
        pq.ParquetFile(tmp_path / "t.parquet")
    with pytest.raises(GumptionError, match="parquet"):
        parquet_rows(tmp_path / "t.parquet", "t.parquet", 10)
