"""Pools: several benchmarks in one folder, with ids that stay unique."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gumption.records import Answer, GumptionError, Item, Text
from gumption.suites import Suite, add_to_pool, list_pools, read_folder, read_jsonl, write_folder

Make = Callable[..., Any]


def quiz(name: str, *ids: str, gold: str = "x") -> Suite:
    items = tuple(Item(id, name, (Text(f"{id}?"),), Answer("text", gold)) for id in ids)
    return Suite(name, "1", items, licences={name: "MIT"})


def test_benchmarks_gather_in_a_pool(tmp_path: Path, write_lines: Make, picture: Make) -> None:
    pool = tmp_path / "pools" / "first"
    (tmp_path / "red.png").write_bytes(picture())
    shown = read_jsonl(write_lines({"id": "s/1", "question": "?", "answer": "x", "images": "red.png"}))
    assert add_to_pool(pool, quiz("erqa", "e/1", "e/2")).added == 2
    change = add_to_pool(pool, shown)
    assert (change.added, change.already_there, change.rejected) == (1, 0, ())
    back = read_folder(pool)
    assert [item.id for item in back.items] == ["e/1", "e/2", "s/1"]
    assert back.licences == {"erqa": "MIT"}
    assert [back.media.read(sha256) for sha256 in back.media] == [picture()]
    assert [source["name"] for source in back.provenance["sources"]] == ["erqa", "quiz"]
    assert back.provenance["sources"][1]["checksum"] == shown.checksum
    assert change.pool.benchmarks == (("erqa", 2), ("quiz", 1))


def test_the_same_item_is_skipped_and_another_of_its_id_rejected(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    add_to_pool(pool, quiz("a", "1", "2"))
    before = read_folder(pool)
    change = add_to_pool(pool, replace(quiz("a", "2", "3"), name="again"))
    assert (change.added, change.already_there, change.rejected) == (1, 1, ())
    change = add_to_pool(pool, quiz("a", "2", "3", gold="y"))
    assert (change.added, change.already_there) == (0, 0)
    assert [(bad.file, bad.row, bad.id) for bad in change.rejected] == [("a", 1, "2"), ("a", 2, "3")]
    assert all("other content" in bad.problem and bad.remedy for bad in change.rejected)
    assert read_folder(pool).items[:2] == before.items


def test_adding_the_same_suite_again_changes_nothing(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    add_to_pool(pool, quiz("a", "1", "2"))
    before = {file: file.stat().st_mtime_ns for file in pool.iterdir()}
    assert add_to_pool(pool, quiz("a", "2", "1")).already_there == 2
    assert {file: file.stat().st_mtime_ns for file in pool.iterdir()} == before


def test_licences_that_disagree_are_an_error(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    add_to_pool(pool, quiz("a", "1"))
    with pytest.raises(GumptionError, match=r"licence of 'a' is 'MIT' here and 'GPL-3\.0' there"):
        add_to_pool(pool, replace(quiz("a", "2"), licences={"a": "GPL-3.0"}))
    assert len(read_folder(pool).items) == 1


def test_a_broken_pool_is_not_added_to(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    add_to_pool(pool, quiz("a", "1"))
    (pool / "items.parquet").write_bytes(b"")
    with pytest.raises(GumptionError):
        add_to_pool(pool, quiz("a", "2"))
    write_folder(replace(quiz("b", "1"), provenance={"sources": "x"}), tmp_path / "suite")
    with pytest.raises(GumptionError, match="not a list"):
        add_to_pool(tmp_path / "suite", quiz("a", "2"))


def test_pools_are_listed_and_a_broken_one_says_so(tmp_path: Path) -> None:
    add_to_pool(tmp_path / "b", quiz("x", "1", "2"))
    add_to_pool(tmp_path / "b", quiz("y", "3"))
    write_folder(quiz("z", "1"), tmp_path / "a", created="2025-01-01")
    for name, file in [("broken", "suite.json"), ("spoiled", "items.parquet")]:
        write_folder(quiz("z", "1"), tmp_path / name)
        (tmp_path / name / file).write_text("{")
    (tmp_path / "no pool").mkdir()
    found = list_pools(tmp_path)
    assert [pool.path.name for pool in found] == ["a", "b", "broken", "spoiled"]
    assert (found[0].name, found[0].created, found[0].items) == ("z", "2025-01-01", 1)
    assert (found[1].name, found[1].benchmarks, found[1].items) == ("b", (("x", 2), ("y", 1)), 3)
    assert found[1].checksum == read_folder(tmp_path / "b").checksum
    assert [bool(pool.problem) for pool in found] == [False, False, True, True]
    with pytest.raises(GumptionError, match="no such folder"):
        list_pools(tmp_path / "missing")
