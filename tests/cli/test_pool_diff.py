"""`gumption pool diff`, and suites with references on the command line."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import command_line
from gumption.suites import by_licence, read_file_or_folder, write_folder


def gumption(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command_line.gumption(folder, *arguments, GUMPTION_CACHE=str(folder / "cache"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two question files: 40 of the first's 50 items are in the second, 3 with another gold, 5 renamed."""
    rows = [{"id": f"q{n}", "question": f"{n}?", "answer": n, "category": "sums"} for n in range(50)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    kept = [{**row, "benchmark": "a"} for row in rows[:40]]
    kept = [{**row, "answer": -1} if n < 3 else row for n, row in enumerate(kept)]
    kept = [{**row, "category": "products"} if 3 <= n < 8 else row for n, row in enumerate(kept)]
    kept.append({"id": "new\x1b[2J", "question": "New?", "answer": "yes", "benchmark": "a"})
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in kept))
    return tmp_path


def test_a_stranger_reads_what_differs(files: Path) -> None:
    done = gumption(files, "pool", "diff", "a.jsonl", "b.jsonl", "--limit", "4")
    assert done.returncode == 1, done.stderr
    said = done.stdout.splitlines()
    assert said[0].startswith("a  a ")
    assert "50 items" in said[0]
    assert "41 items" in said[1]
    assert said[3] == (
        "32 items are the same, 5 ask the same under another dimension, category or cluster; "
        "3 ask something else, 10 are only in a, 1 only in b."
    )
    assert "  q40" in said
    assert "  q43" in said
    assert "  q44" not in said
    assert "  ... and 6 more" in said
    assert "Other content: category of 5, gold of 3" in said
    assert "\x1b" not in done.stdout
    assert "  new?[2J" in said


def test_json_has_everything(files: Path) -> None:
    done = gumption(files, "pool", "diff", "a.jsonl", "b.jsonl", "--json", "--limit", "1")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert found["only_a"] == [f"q{n}" for n in range(40, 50)]
    assert [one["id"] for one in found["changed"] if one["fields"] == ["gold"]] == ["q0", "q1", "q2"]
    assert (found["same"], found["unchanged"]) == (False, 32)


def test_the_same_questions_end_with_0_however_they_are_stored(files: Path) -> None:
    write_folder(read_file_or_folder(files / "a.jsonl"), files / "folder")
    done = gumption(files, "pool", "diff", "a.jsonl", "folder")
    assert done.returncode == 0, done.stderr
    assert "The same 50 items under the same licences." in done.stdout


def test_bad_usage_ends_with_2(files: Path) -> None:
    for arguments in (("a.jsonl", "missing"), ("a.jsonl", "b.jsonl", "--limit", "-1")):
        done = gumption(files, "pool", "diff", *arguments)
        assert done.returncode == 2
        assert done.stderr
        assert "Traceback" not in done.stderr


def test_a_suite_with_references_runs_and_says_what_it_lacks(files: Path) -> None:
    pool = read_file_or_folder(files / "a.jsonl")
    suite = by_licence(replace(pool, licences={"a": "CC-BY-NC-4.0"}), pool)
    write_folder(suite, files / "suites" / "closed", attachments={"certificate.json": b"{}"})
    shown = gumption(files, "pool", "show", "suites/closed")
    assert shown.returncode == 0, shown.stderr
    assert "50 of the items are references" in shown.stdout
    assert "certificate.json" in shown.stdout
    arguments = ("run", "suites/closed", "--model", "baseline/oracle", "--json", "--out", "run")
    done = gumption(files, *arguments)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n"] == 50
    (files / "mirror").mkdir()
    (files / "a.jsonl").rename(files / "mirror" / "a.jsonl")
    lost = gumption(files, *arguments)
    assert lost.returncode == 2
    assert "50 of 50 items are references" in lost.stderr
    assert "a.jsonl" in lost.stderr.splitlines()[-1]
    assert gumption(files, *arguments, "--data", "mirror").returncode == 0
