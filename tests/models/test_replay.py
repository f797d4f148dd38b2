"""Recorded replies: by model, by key, and what a failed request looks like in them."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from gumption.models import open_models
from gumption.records import Answer, GumptionError, Item, Reply

NO_MEDIA = {}.__getitem__
QUESTION = Item("q", "b", (), Answer("text"))


def record(path: Path, *rows: dict[str, Any] | str) -> Path:
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def ask(address: str, *key: Any, **options: Any) -> Reply | None:
    (model,) = open_models(f"replay/{address}", **options)
    return asyncio.run(model.ask(QUESTION, key, NO_MEDIA))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_replies_by_item_epoch_and_call(tmp_path: Path, name: str) -> None:
    path = record(
        tmp_path / name,
        {"id": 7, "reply": "first", "extra": [1]},
        "",
        {"id": "7", "reply": "second", "epoch": 1},
        {"id": "7", "reply": "marked", "call": "judge"},
        {"id": "8", "reply": "cut", "status": "truncated"},
    )
    assert ask(str(path), "7", 0, "") == Reply("7", text="first")
    assert ask(str(path), "7", 1, "").text == "second"  # type: ignore[union-attr]
    assert ask(str(path), "7", 0, "judge").text == "marked"  # type: ignore[union-attr]
    assert ask(str(path), "8", 0, "").status == "truncated"  # type: ignore[union-attr]
    assert ask(str(path), "9", 0, "") is None


def test_models_of_one_file(tmp_path: Path) -> None:
    path = record(tmp_path / "r.jsonl", *({"id": "q", "reply": name, "model": name} for name in ("x/1", "y")))
    assert ask(f"{path}#x/1", "q", 0, "").text == "x/1"  # type: ignore[union-attr]
    assert [model.name for model in open_models(f"replay/{path}#*")] == ["x/1", "y"]
    with pytest.raises(GumptionError, match="2 models in one file: x/1, y"):
        open_models(f"replay/{path}")
    with pytest.raises(GumptionError, match="no replies of a model called 'z'"):
        open_models(f"replay/{path}#z")


def test_recorded_failures_are_failed_requests(tmp_path: Path) -> None:
    path = record(
        tmp_path / "r.jsonl",
        {"id": "a", "reply": "Failed to obtain answer via API."},
        {"id": "b", "reply": "HTTP 503 after 10 tries"},
        {"id": "c", "reply": None, "status": "infra_error"},
        {"id": "d", "reply": "It failed to obtain the cup."},
    )
    statuses = {key: ask(str(path), key, 0, "", infra_text="^HTTP 5") for key in "abcd"}
    assert [reply.status for reply in statuses.values() if reply] == ["infra_error"] * 3 + ["ok"]
    assert statuses["b"].text == "" and statuses["b"].error == "HTTP 503 after 10 tries"  # type: ignore[union-attr]
    assert ask(str(path), "b", 0, "").status == "ok"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("rows", "problem", "line"),
    [
        (["{"], "not a recorded reply", 1),
        ([{"id": "q", "reply": "a"}, {"reply": "b"}], "not a recorded reply", 2),
        ([{"id": "q", "reply": ["a"]}], "not a recorded reply", 1),
        ([{"id": "q", "reply": "a", "status": "late"}], "not a recorded reply", 1),
        ([{"id": "q", "reply": "a"}, {"id": "q", "reply": "b"}], "a second reply", 2),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, rows: list[Any], problem: str, line: int) -> None:
    with pytest.raises(GumptionError, match=problem) as caught:
        open_models(f"replay/{record(tmp_path / 'r.jsonl', *rows)}")
    assert caught.value.where.endswith(f"r.jsonl, line {line}") and caught.value.remedy


def test_a_missing_or_damaged_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl.gz").write_bytes(b"\x1f\x8bnot gzip")
    for name in ("r.jsonl.gz", "absent.jsonl"):
        with pytest.raises(GumptionError, match="cannot be read") as caught:
            open_models(f"replay/{tmp_path / name}")
        assert caught.value.remedy


@pytest.mark.parametrize("name", ["gpt", "replay/", "baseline/best", "openai"])
def test_unknown_models_are_said(name: str) -> None:
    with pytest.raises(GumptionError, match="no model is called") as caught:
        open_models(name)
    assert "replay/FILE.jsonl" in caught.value.remedy
