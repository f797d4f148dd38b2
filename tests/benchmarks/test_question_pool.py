"""The question pool: every published count is found again, and a bad row does not stop the others."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from oracle_runs import card_of

from gumption.benchmarks import get
from gumption.records import Item
from gumption.suites import Suite, add_to_pool, read_folder

load = get("question-pool").load


@pytest.fixture(scope="module")
def pool(public_data: Path) -> Suite:
    return load(public_data)


@pytest.mark.data
def test_the_published_counts(pool: Suite) -> None:
    assert Counter(item.benchmark for item in pool.items) == {
        "VSR": 10_972,
        "ViewSpatial": 5_712,
        "OpenEQA": 1_636,
        "SpatialScore-Hard": 1_400,
        "VisOnlyQA": 1_200,
        "MathVista": 1_000,
        "EgoThink": 700,
        "LogicVista": 448 - 1,
    }
    assert [(row.id, row.problem) for row in pool.rejected] == [
        ("logicvista/v1_382", "it has no question or no answer")
    ]


@pytest.mark.data
def test_the_published_kinds(pool: Suite) -> None:
    def kinds(benchmark: str) -> dict[str, int]:
        return dict(Counter(item.answer.kind for item in pool.items if item.benchmark == benchmark))

    hard = kinds("SpatialScore-Hard")
    assert (hard["choice"], hard["yes_no"], hard["number"] + hard["text"]) == (1_121, 92, 187)
    assert kinds("ViewSpatial") == {"choice": 5_712}
    assert kinds("VSR") == {"yes_no": 10_972}
    assert kinds("OpenEQA") == {"text": 1_636} and kinds("EgoThink") == {"text": 700}
    types = Counter(item.category for item in pool.items if item.benchmark == "ViewSpatial")
    assert sorted(types.values()) == [842, 996, 996, 1_105, 1_773]


@pytest.mark.data
def test_it_becomes_a_pool(pool: Suite, tmp_path: Path) -> None:
    change = add_to_pool(tmp_path / "pool", pool)
    assert change.added == len(pool.items) and not change.rejected
    assert read_folder(tmp_path / "pool").checksum == pool.checksum


def one(tmp_path: Path, **fields: object) -> Item:
    row = {"id": "x", "benchmark": "New", "category": "c", "question": "q?", "answer": "a", **fields}
    (tmp_path / "pool.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    (item,) = load(tmp_path).items
    return item


@pytest.mark.parametrize(
    ("answer", "kind", "gold"),
    [
        (False, "yes_no", "no"),
        ("True", "yes_no", "yes"),
        ("Yes", "yes_no", "yes"),
        ("b", "choice", "B"),
        ("(c)", "choice", "C"),
        ("-3.5", "number", -3.5),
        ("a,b,d", "text", "a,b,d"),
        ("7 meters", "text", "7 meters"),
    ],
)
def test_the_kind_follows_from_the_answer(tmp_path: Path, answer: object, kind: str, gold: object) -> None:
    item = one(tmp_path, answer=answer)
    assert (item.answer.kind, item.answer.gold) == (kind, gold)


def test_free_text_stays_text_and_listed_options_are_choices(tmp_path: Path) -> None:
    assert one(tmp_path, benchmark="OpenEQA", answer="Yes", image="hm3d/1").answer.kind == "text"
    item = one(
        tmp_path, benchmark="ViewSpatial", choices="A. up\nB. down", answer="B. down", image=["p/1.jpg"]
    )
    assert item.answer.choices == {"A": "up", "B": "down"} and item.answer.gold == "B"
    assert item.cluster == item.meta["image"] == "p/1.jpg"


def test_oracles_on_every_kind(tmp_path: Path) -> None:
    """It has no official rule: each question is scored by its kind."""
    usual = {"benchmark": "New", "category": "c", "question": "Which? (A) x (B) y"}
    golds = [False, "B", "3.5", "7 meters", "a,b,d"]
    rows = [{**usual, "id": str(at), "answer": gold} for at, gold in enumerate(golds)]
    listed = {
        **usual,
        "id": "v",
        "benchmark": "ViewSpatial",
        "choices": "A. up\nB. down",
        "answer": "B. down",
    }
    text = "\n".join(map(json.dumps, [*rows, listed]))
    (tmp_path / "pool.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    suite = load(tmp_path)
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.micro.mean, wrong.micro.mean, right.total.n) == (1.0, 0.0, 6)
    assert right.official.name == "micro (no official aggregate given)"


def test_bad_rows_are_rejected_with_their_number(tmp_path: Path) -> None:
    good = {"id": "a", "benchmark": "New", "category": "c", "question": "q?", "answer": "a"}
    bad = [
        {**good, "id": "b", "benchmark": "ViewSpatial", "choices": "A. x\nB. y", "answer": "C. z"},
        {**good, "id": "c", "question": ""},
        {**good, "id": "d", "answer": [1]},
        {**good, "id": "e", "question": "x" * 200_000},
    ]
    text = "\n".join(map(json.dumps, [good, *bad])) + "\n{"
    (tmp_path / "pool.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    suite = load(tmp_path)
    assert [item.id for item in suite.items] == ["a"]
    assert [row.row for row in suite.rejected] == [2, 3, 4, 5, 6]
    assert all(row.remedy for row in suite.rejected)
