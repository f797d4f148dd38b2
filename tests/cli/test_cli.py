"""The command line as a person or a script meets it: output, exit codes, and what bad input gets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import command_line

KEYS = {
    "official",
    "micro",
    "macro",
    "n",
    "planned",
    "coverage",
    "unread",
    "refused",
    "truncated",
    "ambiguous",
    "protocol",
}


def gumption(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command_line.gumption(
        folder, *arguments, GUMPTION_CACHE=str(folder / "cache"), OPENAI_API_KEY=None
    )


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    """Four questions, one of them broken, and two models' replies."""
    rows = [
        {"id": 1, "question": "Where?", "choices": ["left", "right"], "answer": "A", "category": "side"},
        {"id": 2, "question": "How many?", "answer": 3, "category": "count"},
        {"id": 3, "question": "Is it red?", "answer": "yes", "category": "colour"},
    ]
    (tmp_path / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    broken = [*rows, {"id": 4, "question": "Which?", "choices": ["x", "y"], "answer": "Q"}]
    (tmp_path / "broken.jsonl").write_text("".join(json.dumps(row) + "\n" for row in broken))
    replies = [
        {"id": item, "model": model, "reply": reply}
        for model, texts in {"good": ["left", "three", "Yes."], "bad": ["B", "Failed: 502", "maybe"]}.items()
        for item, reply in zip((1, 2, 3), texts, strict=True)
    ]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in replies))
    return tmp_path


def test_a_complete_run_ends_with_0(quiz: Path) -> None:
    done = gumption(quiz, "run", "quiz.jsonl", "--model", "replay/replies.jsonl#good", "--json")
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert card.keys() >= KEYS
    assert all(card[name].keys() >= {"mean", "low", "high"} for name in ("official", "micro", "macro"))
    assert (card["official"]["mean"], card["n"], card["planned"], card["coverage"]) == (1.0, 3, 3, 1.0)
    assert (quiz / "runs" / "quiz" / "good" / "run.json").exists()


def test_a_process_of_its_own_says_the_same(quiz: Path) -> None:
    """The other tests call the command line in their own process."""
    call = ("run", "broken.jsonl", "--model", "replay/replies.jsonl#good", "--json", "--out")
    process = subprocess.run(
        [sys.executable, "-m", "gumption", *call, "outside"],
        cwd=quiz, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    done = gumption(quiz, *call, "inside")
    assert (process.returncode, process.stdout) == (done.returncode, done.stdout) and done.returncode == 1
    assert process.stderr.replace("outside", "inside") == done.stderr


def test_a_failed_request_ends_with_1_and_lowers_coverage_only(quiz: Path) -> None:
    arguments = (
        "run",
        "quiz.jsonl",
        "--model",
        "replay/replies.jsonl#bad",
        "--infra-text",
        "^Failed: 5",
        "--json",
    )
    done = gumption(quiz, *arguments)
    assert done.returncode == 1
    card = json.loads(done.stdout)
    assert (card["n"], card["planned"], card["micro"]["mean"]) == (2, 3, 0.0)
    assert (card["unread"], card["bounds"]) == (0.5, [0.0, 1 / 3])


def test_a_rejected_row_ends_with_1_and_the_others_are_scored(quiz: Path) -> None:
    done = gumption(quiz, "run", "broken.jsonl", "--model", "replay/replies.jsonl#good")
    assert done.returncode == 1
    assert "broken.jsonl, row 4 (4)" in done.stdout and "Scored 3 of 3" in done.stdout


def test_all_models_of_a_file_then_rank_then_report(quiz: Path) -> None:
    assert gumption(quiz, "run", "quiz.jsonl", "--model", "replay/replies.jsonl#*").returncode == 0
    ranked = gumption(quiz, "rank", "runs/quiz/good", "runs/quiz/bad")
    assert ranked.returncode == 0, ranked.stderr
    assert ranked.stdout.index("good") < ranked.stdout.index("bad")
    scored = gumption(quiz, "score", "runs/quiz/good", "runs/quiz/bad", "--csv", "all.csv")
    assert scored.returncode == 0 and (quiz / "all.csv").read_text().count("total") == 2
    report = gumption(quiz, "report", "runs/quiz/good", "runs/quiz/bad", "-o", "pages")
    assert report.returncode == 0, report.stderr
    assert (quiz / "pages" / "index.html").exists()


def test_pools_gather_and_are_listed(quiz: Path) -> None:
    added = gumption(quiz, "pool", "add", "pool", "quiz.jsonl")
    assert added.returncode == 0 and "3 items added" in added.stdout
    again = gumption(quiz, "pool", "add", "pool", "broken.jsonl")
    assert again.returncode == 1 and "row 4" in again.stdout
    assert "pool" in gumption(quiz, "pool", "list").stdout
    assert "3 items" in gumption(quiz, "pool", "show", "pool").stdout
    assert gumption(quiz, "run", "pool", "--model", "baseline/oracle").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "quiz.jsonl"), "--model"),
        (("run", "nowhere", "--model", "baseline/random"), "neither a benchmark nor a file"),
        (("run", "quiz.jsonl", "--model", "gpt"), "no model is called"),
        (("run", "quiz.jsonl", "--model", "replay/replies.jsonl"), "2 models in one file"),
        (("run", "quiz.jsonl", "--model", "baseline/oracle", "--accuracy", "2"), "between 0 and 1"),
        (("run", "quiz.jsonl", "--model", "baseline/oracle", "--limit", "0"), "--limit"),
        (("score", "nowhere"), "not a run"),
        (("rank", "nowhere"), "nowhere"),
        (("report", "nowhere"), "not a run"),
        (("pool", "show", "nowhere"), "nowhere"),
        (("dance",), "dance"),
    ],
)
def test_bad_usage_ends_with_2_and_says_what_to_do(
    quiz: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = gumption(quiz, *arguments)
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "verb", ["demo", "doctor", "run", "score", "rank", "report", "pool add", "pool list", "pool show"]
)
def test_every_verb_has_help_with_an_example(tmp_path: Path, verb: str) -> None:
    done = gumption(tmp_path, *verb.split(), "--help")
    assert done.returncode == 0
    assert f"gumption {verb}" in done.stdout.split("Example:", 1)[1]


def test_the_doctor_says_what_is_well_and_what_is_not(quiz: Path) -> None:
    well = gumption(quiz, "doctor", "--suite", "quiz.jsonl", "--model", "replay/replies.jsonl#good")
    assert well.returncode == 0, well.stdout
    by_machine = ("sandbox", "vllm", "sglang")
    told = [line[:4] for line in well.stdout.splitlines() if not any(one in line for one in by_machine)]
    assert told == ["ok  "] * 3
    assert "sandbox" in well.stdout
    ill = gumption(quiz, "doctor", "--suite", "absent", "--model", "openai/x", "--out", "/proc/nowhere")
    assert ill.returncode == 1
    assert ill.stdout.count("FAIL") == 3 and "OPENAI_API_KEY" in ill.stdout


def test_the_demo_finds_the_known_order(tmp_path: Path) -> None:
    done = gumption(tmp_path, "demo")
    assert done.returncode == 0, done.stderr
    names = ["oracle-0.95", "oracle-0.8", "oracle-0.65", "eyes"]
    places = [done.stdout.index(f"baseline/{name}") for name in names]
    assert places == sorted(places)
    assert "report/index.html" in done.stdout and (tmp_path / "report" / "index.html").exists()


def test_a_second_demo_in_the_same_place_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gumption.cli.demo._SCENES", 16)
    monkeypatch.setattr("gumption.cli.demo._ASKED", 40)
    first, second = gumption(tmp_path, "demo"), gumption(tmp_path, "demo")
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "16 tabletop scenes" in first.stdout and first.stdout == second.stdout
