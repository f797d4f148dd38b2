"""`gumption run --stop-when`: several models at once, an earlier run beside them, budgets, refusals."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gumption.cli import app
from gumption.records import GumptionError

ITEMS = 300
SHARES = {"good": 0.85, "fair": 0.5, "poor": 0.2}


def invoke(*arguments: object) -> Result:
    runner = CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"})
    return runner.invoke(app, ["run", *map(str, arguments)])


@pytest.fixture(scope="module")
def quiz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with quiz.jsonl and the replies of three models to it."""
    folder = tmp_path_factory.mktemp("quiz")
    draws = random.Random(5)
    questions, replies = [], []
    for number in range(ITEMS):
        choices = {"A": "left", "B": "right"}
        questions.append(
            {"id": f"q{number}", "question": f"Where, {number}?", "choices": choices, "answer": "A"}
        )
        for model, share in SHARES.items():
            reply = "A" if draws.random() < share else "B"
            replies.append({"id": f"q{number}", "model": model, "reply": reply})
    for name, lines in (("quiz", questions), ("replies", replies)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return folder


def named(quiz: Path, *models: str) -> list[str]:
    return [word for model in models for word in ("--model", f"replay/{quiz / 'replies.jsonl'}#{model}")]


def test_models_named_one_by_one_are_asked_until_they_are_told_apart(quiz: Path, tmp_path: Path) -> None:
    done = invoke(
        quiz / "quiz.jsonl", *named(quiz, "good", "poor"), "--stop-when", "settled", "--out", tmp_path
    )
    # A planned stop is no missing item: the exit code is 0.
    assert done.exit_code == 0, done.output
    assert "Stopped early, settled" in done.stdout and "better than poor" in done.stdout
    asked = json.loads((tmp_path / "good" / "run.json").read_text())["stopped_early"]["asked"]
    assert asked < ITEMS / 2
    saved = 100 * (1 - asked / ITEMS)
    assert f"Asked {2 * asked} of {2 * ITEMS} items over 2 models: {saved:.1f} % saved." in done.stdout
    assert f"  poor: stopped after {asked} items (settled)" in done.stdout


def test_an_earlier_run_is_not_asked_again_and_json_says_where_it_stopped(quiz: Path, tmp_path: Path) -> None:
    suite = quiz / "quiz.jsonl"
    assert invoke(suite, *named(quiz, "fair"), "--out", tmp_path / "fair").exit_code == 0
    done = invoke(
        suite,
        *named(quiz, "good"),
        *("--stop-when", "settled", "--against", tmp_path / "fair", "--out", tmp_path / "good", "--seed", 3),
        "--json",
    )
    card = json.loads(done.stdout)
    assert card["stopped"]["verdicts"] == {"fair": "better"} and card["coverage"] == 1.0
    assert card["official"]["method"] == "confidence sequence"
    rule = json.loads((tmp_path / "good" / "run.json").read_text())["stop"]
    assert rule["seed"] == 3 and rule["against"] == ["../fair"]


def test_several_models_without_a_rule_are_asked_every_item(quiz: Path, tmp_path: Path) -> None:
    done = invoke(quiz / "quiz.jsonl", *named(quiz, "good", "fair"), "--out", tmp_path, "--json")
    assert [json.loads(line)["n"] for line in done.stdout.splitlines()] == [ITEMS, ITEMS]


def test_a_budget_of_tokens(quiz: Path, tmp_path: Path) -> None:
    done = invoke(
        quiz / "quiz.jsonl", *named(quiz, "good"), "--stop-when", "tokens=1", "--out", tmp_path / "r"
    )
    assert done.exit_code == 0 and "its budget of tokens was used up" in done.stdout
    assert "good: stopped after 32 items (tokens)" in done.stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--stop-when", "soon"), "'soon' is no rule"),
        (("--stop-when", "tokens=-4"), "'tokens=-4' is no rule"),
        (("--stop-when", "time=30"), "'time=30' is no rule"),
        (("--stop-when", "cost=nan", "--prices", "1,1"), "'cost=nan' is no rule"),
        (("--stop-when", "cost=2"), "prices belong together"),
        (("--stop-when", "settled", "--prices", "1,1"), "prices belong together"),
        (("--stop-when", "settled", "--confidence", "95"), "a confidence of 95"),
        (("--stop-when", "settled", "--margin", "2"), "a margin of 2"),
        (("--stop-when", "settled", "--order", "easy"), "--order easy is not known"),
        (("--stop-when", "settled"), "nothing to settle"),
        (("--against", "earlier"), "--against is for --stop-when"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    quiz: Path, tmp_path: Path, options: tuple[str, ...], problem: str
) -> None:
    done = invoke(quiz / "quiz.jsonl", *named(quiz, "good"), "--out", tmp_path / "r", *options)
    assert isinstance(done.exception, GumptionError) and problem in str(done.exception)
    assert not (tmp_path / "r").exists()
