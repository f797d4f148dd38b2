"""`gumption certify` as a person or a script meets it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import command_line


def gumption(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command_line.gumption(folder, *arguments, COLUMNS="100")


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    scores = (rng.random((8, 40)) < np.linspace(0.2, 0.8, 8)[:, None]).astype(np.int8)
    np.savez_compressed(
        tmp_path / "past.npz",
        X=scores,
        models=np.array([f"m{number}" for number in range(8)]),
        ids=np.array([f"q{number}" for number in range(40)]),
        groups=np.array(["left", "right"] * 20),
    )
    return tmp_path


def test_a_matrix_gets_a_certificate(matrix: Path) -> None:
    done = gumption(matrix, "certify", "past.npz", "--splits", "4", "--method", "stratified", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "8 models, 40 items; 6 kept" in done.stdout
    assert re.search(r"Random is as good|Take stratified", done.stdout)
    written = json.loads((matrix / "out" / "certificate.json").read_text())
    assert (written["pool_items"], written["suite_items"], written["origin"]["pool"]) == (40, 6, "past")
    assert written["balance"][0]["by"] == "group"
    assert "<!doctype html>" in (matrix / "out" / "certificate.html").read_text()


def test_json_is_one_object_and_says_the_same_again(matrix: Path) -> None:
    call = ("certify", "past.npz", "--splits", "3", "--k", "10", "--method", "item-total", "--json")
    one, other = (gumption(matrix, *call) for _ in range(2))
    assert one.returncode == 0, one.stderr
    found = json.loads(one.stdout)
    (certificate,) = found["fidelity"]["certificates"]
    assert (certificate["k"], certificate["method"], certificate["held_out"]) == (10, "item-total", True)
    assert one.stdout == other.stdout


def test_runs_and_a_suite_of_their_items(tmp_path: Path) -> None:
    rows = [
        {"id": n, "question": f"Is {n} even?", "answer": "no" if n % 2 else "yes", "category": str(n % 3)}
        for n in range(30)
    ]
    (tmp_path / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "part.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:8]))
    rng = np.random.default_rng(1)
    replies = [
        {
            "id": n,
            "model": f"m{model}",
            "reply": "yes" if (rng.random() < 0.15 * model + 0.2) ^ n % 2 else "no",
        }
        for model in range(5)
        for n in range(30)
    ]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in replies))
    assert gumption(tmp_path, "run", "quiz.jsonl", "--model", "replay/replies.jsonl#*").returncode == 0
    runs = sorted(str(path) for path in (tmp_path / "runs" / "quiz").iterdir())
    more = ("--suite", "part.jsonl", "--splits", "2", "--method", "stratified", "--no-texts", "-o", "out")
    done = gumption(tmp_path, "certify", *runs, *more)
    assert done.returncode == 0, done.stderr
    assert "this suite, all models" in done.stdout
    written = json.loads((tmp_path / "out" / "certificate.json").read_text())
    assert (written["pool_items"], written["suite_items"]) == (30, 8)
    assert len(written["cost"]["runs"]) == 5
    assert written["cost"]["runs"][0]["measured"] == {"pool": 30.0, "suite": 8.0}
    assert written["fidelity"]["suite"]["held_out"] is False


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.npz",), "not a response matrix"),
        (("nowhere",), "nowhere"),
        (("past.npz", "--method", "best"), "no method is called"),
        (("past.npz", "--share", "0"), "share"),
        (("past.npz", "--method", "kcenter"), "embeddings"),
        (("past.npz", "past.npz"), "several files"),
        (("past.npz", "--suite", "other.jsonl"), "no past results"),
        (("past.npz", "--splits", "1"), "--splits"),
    ],
)
def test_bad_usage_ends_with_2_and_says_what_to_do(
    matrix: Path, arguments: tuple[str, ...], words: str
) -> None:
    (matrix / "other.jsonl").write_text('{"id": "x", "question": "Where?", "answer": "here"}\n')
    done = gumption(matrix, "certify", *arguments)
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr
    assert not (matrix / "certificates").exists()


def test_help_has_an_example(tmp_path: Path) -> None:
    done = gumption(tmp_path, "certify", "--help")
    assert done.returncode == 0 and "gumption certify" in done.stdout.split("Example:", 1)[1]
