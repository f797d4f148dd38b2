"""Items whose licence forbids a copy: named in the folder, taken from their origin, checked by hash."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gumption.benchmarks import open_suite
from gumption.models import open_models
from gumption.records import Answer, GumptionError, Item, Text
from gumption.running import Run, run, score_run
from gumption.suites import (
    Suite,
    add_to_pool,
    by_licence,
    diff,
    licence_rule,
    read_folder,
    read_items,
    write_folder,
)

Make = Callable[..., Any]
SECRETS = ("Wombat", "marsupial", "teapot")
"""Words of the question, the options and the gold that may not be copied."""


@pytest.fixture
def quiz(tmp_path: Path, write_lines: Make, picture: Make) -> Path:
    """A question file of two benchmarks, "free" and "closed", with pictures."""
    for colour in ("red", "blue"):
        (tmp_path / f"{colour}.png").write_bytes(picture(colour))
    free = {"benchmark": "free", "images": "red.png"}
    closed = {"benchmark": "closed", "images": "blue.png", "category": "beasts", "note": "teapot"}
    path: Path = write_lines(
        {"id": "f/1", "question": "Is it red?", "answer": "yes", **free},
        {"id": "c/1", "question": "Wombat?", "choices": ["marsupial", "no"], "answer": "A", **closed},
        {"id": "f/2", "question": "How many?", "answer": 3, **free},
        {"id": "c/2", "question": "What is it?", "answer": "teapot", **closed},
    )
    return path


def opened(path: Path) -> Suite:
    return replace(open_suite(str(path)), licences={"free": "MIT", "closed": "GPL-3.0"})


def compact(pool: Suite) -> Suite:
    """Another suite of the same items, each with a dimension."""
    items = tuple(
        msgspec.structs.replace(item, dimension=f"d{n % 2}", cluster=f"s{n}")
        for n, item in enumerate(pool.items)
    )
    return Suite("compact", "1", items, pool.media, {"seed": 0}, pool.licences)


def written(tmp_path: Path, quiz: Path) -> tuple[Path, Suite]:
    pool = opened(quiz)
    suite = compact(pool)
    return write_folder(by_licence(suite, pool), tmp_path / "out" / "compact"), suite


# ── what may be copied ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("licence", "may_copy"),
    [
        ("Apache-2.0", True),
        ("mit", True),
        ("BSD-3-Clause", True),
        ("CC-BY-4.0", True),
        ("CC-BY-SA-4.0", True),
        ("CC0-1.0", True),
        ("CC-BY-NC-4.0", False),
        ("CC-BY-NC-SA-4.0", False),
        ("CC-BY-ND-4.0", False),
        ("GPL-3.0", False),
        ("GPL-3.0-or-later", False),
        ("", False),
        ("none stated", False),
        ("Apache-2.0 (of the code; none is stated for the data)", False),
        ("MIT AND CC-BY-NC-4.0", False),
    ],
)
def test_which_licences_allow_a_copy(licence: str, may_copy: bool) -> None:
    rule = licence_rule(licence)
    assert rule.may_copy == may_copy
    assert rule.why


def test_share_alike_is_told(quiz: Path) -> None:
    pool = replace(opened(quiz), licences={"free": "CC-BY-SA-4.0", "closed": "MIT"})
    kept = by_licence(pool, pool)
    assert kept.references == {}
    assert "same licence" in kept.provenance["copying"]["free"]["why"]


# ── what is in the folder ────────────────────────────────────────────────────────────────────────────


def test_no_word_of_a_forbidden_item_is_in_the_folder(tmp_path: Path, quiz: Path, picture: Make) -> None:
    folder, _ = written(tmp_path, quiz)
    table = pq.read_table(folder / "items.parquet").to_pylist()
    said = json.dumps(table) + (folder / "suite.json").read_text()
    assert not [word for word in SECRETS if word in said]
    assert "Is it red?" in said
    assert [file.read_bytes() for file in (folder / "media").iterdir()] == [picture("red")]
    closed = [row for row in table if row["benchmark"] == "closed"]
    assert [(row["id"], row["category"], row["dimension"], row["cluster"]) for row in closed] == [
        ("c/1", "beasts", "d1", "s1"),
        ("c/2", "beasts", "d1", "s3"),
    ]
    assert all(len(row["sha256"]) == 64 and row["source"] == "../../quiz.jsonl" for row in closed)
    assert str(tmp_path) not in said


def test_a_copy_on_request_is_recorded(tmp_path: Path, quiz: Path) -> None:
    pool = opened(quiz)
    folder = write_folder(by_licence(pool, pool, copy=["closed"]), tmp_path / "suite")
    assert "Wombat" in json.dumps(pq.read_table(folder / "items.parquet").to_pylist())
    about = json.loads((folder / "suite.json").read_text())
    copying = about["provenance"]["copying"]
    assert {name: one["held"] for name, one in copying.items()} == {
        "free": "copied",
        "closed": "copied on request",
    }
    assert "origins" not in about
    with pytest.raises(GumptionError, match="'closde'"):
        by_licence(pool, pool, copy=["closde"])


def test_the_suite_comes_back_as_if_it_were_copied(tmp_path: Path, quiz: Path) -> None:
    folder, suite = written(tmp_path, quiz)
    back = open_suite(str(folder))
    copied = read_folder(write_folder(suite, tmp_path / "copied"))
    assert back.items == copied.items == suite.items
    assert back.checksum == copied.checksum
    assert {sha256: back.media.read(sha256) for sha256 in back.media} == {
        sha256: copied.media.read(sha256) for sha256 in copied.media
    }
    assert set(back.references) == {"c/1", "c/2"}
    assert diff(back, copied).same


def test_reading_and_writing_again_copies_nothing(tmp_path: Path, quiz: Path) -> None:
    folder, suite = written(tmp_path, quiz)
    again = write_folder(
        replace(open_suite(str(folder)), version="2"), tmp_path / "elsewhere" / "x" / "again"
    )
    third = by_licence(compact(open_suite(str(again))), open_suite(str(again)))
    last = write_folder(third, tmp_path / "third")
    for place in (again, last):
        assert not [
            word for word in SECRETS if word in str(pq.read_table(place / "items.parquet").to_pylist())
        ]
    shutil.rmtree(folder)
    shutil.rmtree(again)
    assert open_suite(str(last)).items == suite.items  # it leads to the file itself, not through the others


def test_both_can_move_together(tmp_path: Path, quiz: Path) -> None:
    written(tmp_path, quiz)
    for name in ("out", "quiz.jsonl", "blue.png", "red.png"):
        (tmp_path / "new").mkdir(exist_ok=True)
        (tmp_path / name).rename(tmp_path / "new" / name)
    assert len(open_suite(str(tmp_path / "new" / "out" / "compact")).items) == 4


# ── what cannot be resolved ──────────────────────────────────────────────────────────────────────────


def test_a_lost_origin_is_named_with_what_to_do(tmp_path: Path, quiz: Path) -> None:
    folder, suite = written(tmp_path, quiz)
    (tmp_path / "kept").mkdir()
    for name in ("quiz.jsonl", "red.png", "blue.png"):
        (tmp_path / name).rename(tmp_path / "kept" / name)
    with pytest.raises(GumptionError, match=r"2 of 4 items are references .*closed 2.*c/1, c/2") as caught:
        open_suite(str(folder))
    assert str(folder) in caught.value.where
    assert "quiz.jsonl" in caught.value.remedy
    assert "--data" in caught.value.remedy
    for data in (tmp_path / "kept", tmp_path / "kept" / "quiz.jsonl"):
        assert open_suite(str(folder), data).checksum == suite.checksum


def test_only_the_changed_item_of_an_origin_is_refused(tmp_path: Path, quiz: Path) -> None:
    folder, _ = written(tmp_path, quiz)
    quiz.write_text(quiz.read_text().replace("Wombat?", "Wombats?"))
    with pytest.raises(GumptionError, match=r"1 of 4 items .* c/1\. .*other content"):
        open_suite(str(folder))


def test_a_pool_that_is_gone_is_replaced_by_the_benchmark_itself(tmp_path: Path, quiz: Path) -> None:
    source = opened(quiz)
    add_to_pool(tmp_path / "pool", source)
    pool = open_suite(str(tmp_path / "pool"))
    suite = compact(pool)
    folder = write_folder(by_licence(suite, pool), tmp_path / "suite")
    assert read_folder(folder).checksum == suite.checksum
    shutil.rmtree(tmp_path / "pool")
    asked = []

    def open_benchmark(address: str, data: Path | None = None, /) -> Suite:
        asked.append((address, data))
        return source

    assert read_folder(folder, open_benchmark=open_benchmark).checksum == suite.checksum
    assert asked == [("closed", None)]


def test_an_item_that_no_origin_holds_cannot_be_kept(quiz: Path) -> None:
    pool = opened(quiz)
    changed = replace(
        pool,
        items=(*pool.items[:3], msgspec.structs.replace(pool.items[3], answer=Answer("text", "cup"))),
        place=None,
    )
    for origins in ((), (changed,), (replace(pool, items=pool.items[:2]),), (replace(pool, place=None),)):
        with pytest.raises(GumptionError, match=r"may not be copied \(licence GPL-3\.0") as caught:
            by_licence(replace(pool, place=None), *origins)
        assert "closed" in caught.value.remedy
    with pytest.raises(GumptionError, match="'c/2'"):
        by_licence(changed, pool)


def test_a_folder_does_not_refer_to_itself(tmp_path: Path, quiz: Path) -> None:
    folder = write_folder(opened(quiz), tmp_path / "pool")
    pool = open_suite(str(folder))
    with pytest.raises(GumptionError, match="itself"):
        write_folder(by_licence(pool, pool), folder, overwrite=True)
    assert read_folder(folder).items == pool.items


# ── a folder that was tampered with ──────────────────────────────────────────────────────────────────


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    about = json.loads((folder / "suite.json").read_text())
    change(about)
    (folder / "suite.json").write_text(json.dumps(about))


def edit_rows(folder: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    pq.write_table(change(pq.read_table(folder / "items.parquet")), folder / "items.parquet")


def with_column(name: str, value: Any) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        column = [value if cell is not None else None for cell in table.column(name).to_pylist()]
        return table.set_column(table.column_names.index(name), name, pa.array(column))

    return change


def renamed_to(name: str, other: str) -> Callable[[pa.Table], pa.Table]:
    return lambda table: table.rename_columns([other if one == name else one for one in table.column_names])


def address(value: str) -> Callable[[dict[str, Any]], object]:
    return lambda about: about["origins"][0]["place"].update(address=value)


def deep(about: dict[str, Any]) -> None:
    value: Any = 1
    for _ in range(100):
        value = [value]
    about["origins"][0]["provenance"] = {"x": value}


HOSTILE: dict[str, Callable[[Path], object]] = {
    "itself": lambda folder: edit(folder, address(".")),
    "no such kind": lambda folder: edit(
        folder, lambda about: about["origins"][0]["place"].update(kind="url")
    ),
    "no origin": lambda folder: edit(folder, lambda about: about.pop("origins")),
    "deep provenance": lambda folder: edit(folder, deep),
    "another hash": lambda folder: edit_rows(folder, with_column("sha256", "0" * 64)),
    "no hash": lambda folder: edit_rows(folder, with_column("sha256", None)),
    "hashes of another type": lambda folder: edit_rows(folder, with_column("sha256", 7)),
    "sources of another type": lambda folder: edit_rows(folder, with_column("source", 7)),
    "no column of hashes": lambda folder: edit_rows(folder, lambda table: table.drop_columns("sha256")),
    "two columns of sources": lambda folder: edit_rows(folder, renamed_to("sha256", "source")),
    "whole without content": lambda folder: edit_rows(
        folder, lambda table: table.drop_columns(["source", "sha256"])
    ),
}


@pytest.mark.parametrize("path", ["{}", "x\0y"])
def test_an_origin_is_a_path_relative_to_the_folder(tmp_path: Path, quiz: Path, path: str) -> None:
    folder, _ = written(tmp_path, quiz)
    edit(folder, address(path.format(quiz)))
    with pytest.raises(GumptionError, match="not a path relative to the folder"):
        open_suite(str(folder))


@pytest.mark.parametrize("change", HOSTILE)
def test_a_tampered_folder_is_an_error(tmp_path: Path, quiz: Path, change: str) -> None:
    folder, _ = written(tmp_path, quiz)
    HOSTILE[change](folder)
    with pytest.raises(GumptionError) as caught:
        open_suite(str(folder))
    assert str(folder) in caught.value.where
    assert caught.value.remedy


def test_two_folders_that_refer_to_each_other_come_to_an_end(tmp_path: Path, quiz: Path) -> None:
    pool = opened(quiz)
    for name in ("one", "two"):
        write_folder(by_licence(compact(pool), pool), tmp_path / name)
    for name, other in (("one", "two"), ("two", "one")):
        edit(tmp_path / name, address(f"../{other}"))
        edit_rows(tmp_path / name, with_column("source", f"../{other}"))
    with pytest.raises(GumptionError, match="2 of 4 items"):
        open_suite(str(tmp_path / "one"))


def test_an_items_file_with_references_is_not_read_as_whole_items(tmp_path: Path, quiz: Path) -> None:
    folder, _ = written(tmp_path, quiz)
    with pytest.raises(GumptionError, match="2 of its 4 items are references"):
        read_items(folder / "items.parquet")


# ── pools and runs ───────────────────────────────────────────────────────────────────────────────────


def test_a_pool_keeps_references_as_references(tmp_path: Path, quiz: Path) -> None:
    folder, suite = written(tmp_path, quiz)
    pool = tmp_path / "pool"
    more = Suite(
        "more", "1", (Item("m", "more", (Text("?"),), Answer("text", "x")),), licences={"more": "MIT"}
    )
    assert add_to_pool(pool, open_suite(str(folder))).added == 4
    change = add_to_pool(pool, more)
    assert (change.added, change.pool.items) == (1, 5)
    assert change.pool.benchmarks == (("closed", 2), ("free", 2), ("more", 1))
    assert not [word for word in SECRETS if word in str(pq.read_table(pool / "items.parquet").to_pylist())]
    assert open_suite(str(pool)).items == (*suite.items, *more.items)


def test_a_suite_that_goes_back_into_its_own_pool_changes_nothing(tmp_path: Path, quiz: Path) -> None:
    add_to_pool(tmp_path / "pool", opened(quiz))
    pool = open_suite(str(tmp_path / "pool"))
    folder = write_folder(by_licence(pool, pool), tmp_path / "suite")
    assert add_to_pool(tmp_path / "pool", open_suite(str(folder))).already_there == 4
    assert read_folder(tmp_path / "pool").references == {}


def test_a_run_of_references_is_scored_again_without_its_suite(tmp_path: Path, quiz: Path) -> None:
    folder, suite = written(tmp_path, quiz)
    (model,) = open_models("baseline/oracle")
    done = run(open_suite(str(folder)), model, tmp_path / "run", address=str(folder))
    assert done.info.protocol.suite == suite.checksum
    assert done.scores().column("value").to_pylist() == [1.0] * 4
    address, data = Run.open(tmp_path / "run").suite_address()
    assert len(open_suite(address, data).media) == 2
    quiz.unlink()
    shutil.rmtree(folder)
    assert score_run(tmp_path / "run").scores().column("value").to_pylist() == [1.0] * 4


@pytest.mark.data
def test_the_question_pool_without_its_gpl_questions(tmp_path: Path, public_data: Path) -> None:
    pool = open_suite("question-pool", public_data)
    chosen = tuple(msgspec.structs.replace(item, dimension="all") for item in pool.items[::20])
    suite = Suite("compact", "1", chosen, licences=pool.licences)
    folder = write_folder(by_licence(suite, pool), tmp_path / "suite")
    rows = pq.read_table(folder / "items.parquet").to_pylist()
    assert {row["benchmark"] for row in rows if row["source"]} == {"VisOnlyQA"}
    of_it = [row for row in rows if row["benchmark"] == "VisOnlyQA"]
    assert len(of_it) == sum(item.benchmark == "VisOnlyQA" for item in chosen) > 0
    assert {(row["source"], row["parts"], row["meta"]) for row in of_it} == {("question-pool", "[]", "{}")}
    back = open_suite(str(folder), public_data)
    assert (back.items, back.checksum) == (suite.items, suite.checksum)
    with pytest.raises(GumptionError, match=f"{len(of_it)} of {len(rows):,} items .*VisOnlyQA") as caught:
        open_suite(str(folder), tmp_path)
    assert "--data" in caught.value.remedy
