"""`gumption ground` as a person or a script meets it."""

from __future__ import annotations

import json
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from PIL import Image

from gumption.cli import main

CASES = Path(__file__).parents[1] / "cases"
VERBS = ["check", "validate", "solve", "score", "diagnose", "render", "generate", "logs"]
PROBLEM = """(define (problem two) (:domain blocksworld) (:objects a b - block)
  (:init (clear a) (on a b) (ontable b) (handempty))
  (:goal (and (on b a))))
"""
PLAN = "(unstack a b)\n(put-down a)\n(pick-up b)\n(stack b a)\n"


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


def ground(folder: Path, *arguments: str, text: str = "") -> Done:
    """Run the command line in this process, which is ten times as fast as in one of its own."""
    out, err = StringIO(), StringIO()
    code = 0
    with (
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "argv", ["gumption", "ground", *arguments]),
        patch.object(sys, "stdin", TextIOWrapper(BytesIO(text.encode()))),
        patch.dict(os.environ, NO_COLOR="1", COLUMNS="100"),
    ):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def answer(done: Done, code: int = 0) -> Any:
    assert (done.returncode, done.stderr) == (code, "")
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_bytes((CASES / "blocksworld.pddl").read_bytes())
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    (tmp_path / "reply.txt").write_text(f"```pddl\n{PROBLEM.replace('(clear a)', '(clear c)')}```\n")
    (tmp_path / "plan.txt").write_text(PLAN)
    return tmp_path


def test_a_clean_problem(folder: Path) -> None:
    done = ground(folder, "check", "domain.pddl", "problem.pddl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "problem.pddl: problem two, 2 objects, 4 atoms, 1 goals; clean" in done.stdout


def test_findings_stand_where_editors_look_for_them(folder: Path) -> None:
    done = ground(folder, "check", "domain.pddl", "problem.pddl", "reply.txt")
    assert done.returncode == 1
    assert "reply.txt:3:17: undeclared object in init: c" in done.stdout
    assert "repaired: fence" in done.stdout
    found = answer(ground(folder, "check", "domain.pddl", "reply.txt", "--json"), 1)
    assert found["errors"] == []
    assert found["problems"]["reply.txt"] == {
        "clean": False,
        "repair": "fence",
        "repairs": ["fence"],
        "errors": [{"kind": "undeclared_object", "section": "init", "symbol": "c", "line": 3, "column": 17}],
        "notes": [],
        "objects": {"a": "block", "b": "block"},
        "init": [["clear", "c"], ["handempty"], ["on", "a", "b"], ["ontable", "b"]],
        "goal": "(on b a)",
    }


def test_what_is_no_problem_is_a_result_of_check(folder: Path) -> None:
    done = ground(folder, "check", "domain.pddl", "plan.txt")
    assert (done.returncode, done.stderr) == (1, "")
    assert "plan.txt: no problem can be read" in done.stdout


def test_plans_are_judged(folder: Path) -> None:
    done = ground(folder, "validate", "domain.pddl", "problem.pddl", "plan.txt")
    assert (done.returncode, done.stdout) == (0, "Valid: 4 steps reach the goal.\n")
    assert (
        answer(ground(folder, "validate", "domain.pddl", "problem.pddl", "plan.txt", "--json"))["valid"]
        is True
    )
    done = ground(folder, "validate", "domain.pddl", "problem.pddl", "-", text="(pick-up b)\n(stack b z)\n")
    assert done.returncode == 1
    assert "0 of 2 steps" in done.stdout
    assert "step 0 (pick-up b): missing_step: unmet: (clear b)\n" in done.stdout
    assert "step 1 (stack b z): hallucinated_object: there is no object 'z'  [secondary]" in done.stdout
    assert "goal: goal_unreached: unmet goal: (on b a)  [secondary]" in done.stdout


def test_what_is_solved_can_be_validated(folder: Path) -> None:
    done = ground(folder, "solve", "domain.pddl", "problem.pddl", "--planner", "astar", "--out", "found.txt")
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "found.txt").read_text() == done.stdout[: done.stdout.index(";")]
    assert ground(folder, "validate", "domain.pddl", "problem.pddl", "-", text=done.stdout).returncode == 0
    found = answer(ground(folder, "solve", "domain.pddl", "problem.pddl", "--planner", "astar", "--json"))
    assert (found["status"], len(found["plan"])) == ("solved", 4)


def test_no_plan_is_a_result_too(folder: Path) -> None:
    (folder / "never.pddl").write_text(PROBLEM.replace("(on b a)", "(on a b) (on b a)"))
    found = answer(ground(folder, "solve", "domain.pddl", "never.pddl", "--planner", "astar", "--json"), 1)
    assert (found["status"], found["plan"]) == ("unsolvable", None)


def test_outputs_are_scored_against_gold(folder: Path) -> None:
    gold, outputs = folder / "gold" / "blocks", folder / "outputs" / "blocks" / "first"
    (gold / "problems").mkdir(parents=True)
    (gold / "domain.pddl").write_bytes((folder / "domain.pddl").read_bytes())
    (gold / "problems" / "problem1.pddl").write_text(PROBLEM)
    (outputs / "problems").mkdir(parents=True)
    (outputs / "plans").mkdir()
    # One right; one whose init has 3 of 4 atoms right: F1 = 3/4; one that needs a repair.
    (outputs / "problems" / "problem1.pddl").write_text(PROBLEM)
    (outputs / "problems" / "problem2.pddl").write_text(PROBLEM.replace("(clear a)", "(clear b)"))
    (outputs / "problems" / "problem3.pddl").write_text(PROBLEM[:-3])
    (outputs / "plans" / "problem1.1").write_text(PLAN)
    (outputs / "plans" / "problem2.1").write_text(PLAN)
    command = ("score", "outputs", "gold", "--repeats", "3")
    table = ground(folder, *command).stdout.splitlines()
    assert table[1].split() == [
        "blocks",
        "first",
        "3",
        "2",
        "0.667",
        "0.583",
        "0.667",
        "1",
        *("2", "/", "1", "/", "2"),
    ]
    repaired = ground(folder, *command, "--repair", "--without", "derivable").stdout.splitlines()
    assert repaired[1].split()[4:8] == ["1.000", "1.000", "1.000", "3"]
    (step,) = answer(ground(folder, *command, "--planner", "astar", "--json"))
    assert step["planned"]["valid_own"] == 1  # the second cannot be solved, the third is not read
    assert step["scores"]["predicates"]["values"] == [1.0, 0.75, 0.0]


def test_a_fresh_problem_is_made_solved_and_drawn(folder: Path) -> None:
    done = ground(folder, "generate", "columns", "--blocks", "4", "--seed", "3", "--out", "fresh")
    assert (done.returncode, done.stderr) == (0, "")
    files = [str(folder / "fresh" / name) for name in ("domain.pddl", "problem.pddl", "plan.txt")]
    assert ground(folder, "check", *files[:2]).returncode == 0
    assert ground(folder, "validate", *files).returncode == 0
    sizes = ("--width", "320", "--height", "240")
    for style in ("sprite", "isometric"):
        done = ground(folder, "render", *files[:2], f"{style}.png", "--style", style, *sizes)
        assert (done.returncode, done.stdout) == (0, f"{style}.png\n")
        with Image.open(folder / f"{style}.png") as picture:
            assert picture.size == (320, 240)
    found = answer(ground(folder, "generate", "columns", "--blocks", "4", "--seed", "3", "--json"))
    assert found["problem"] == Path(files[1]).read_text()
    assert found["instruction"]


@pytest.mark.data
def test_logs_of_viplan_become_a_suite(folder: Path, public_data: Path) -> None:
    (log,) = (public_data / "viplan" / "vlm_answers" / "simple" / "gpt-4.1").glob("*.json.gz")
    found = answer(ground(folder, "logs", str(log), "made", "--data", str(public_data), "--json"))
    assert (found["items"], found["log"]) == (25, "blocksworld/grounder")
    assert round(found["logged"]["predicate_accuracy"], 4) == 0.9951
    assert (folder / "made" / "suite" / "suite.json").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "nowhere.pddl"], ["nowhere.pddl"]),
        (["check", "problem.pddl", "domain.pddl"], ["problem.pddl", "no (define (domain", "To mend it"]),
        (["validate", "domain.pddl", "plan.txt", "plan.txt"], ["plan.txt", "no problem", "ground check"]),
        (["validate", "domain.pddl", "reply.txt", "plan.txt", "--strict"], ["reply.txt", "no problem"]),
        (["solve", "domain.pddl", "problem.pddl", "--planner", "none"], ["none"]),
        (["score", "nowhere", "gold"], ["nowhere", "problems/problemK.pddl"]),
        (["render", "domain.pddl", "problem.pddl", "plan.txt/picture.png"], ["picture.png", "name another"]),
        (["render", "domain.pddl", "problem.pddl", "picture.png", "--width", "9"], ["9"]),
        (["generate", "moon"], ["moon", "blocksworld, columns"]),
        (["generate", "hanoi", "--blocks", "4"], ["blocks", "discs"]),
        (["generate", "hanoi", "--discs", "100"], ["discs is 100"]),
        (["logs", "plan.txt", "made"], ["plan.txt"]),
        (["validate", "derived.pddl", "problem.pddl", "plan.txt"], ["derived predicates", "To mend it"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_bad_input_is_said_with_what_to_do_next(folder: Path, arguments: list[str], words: list[str]) -> None:
    text = (folder / "domain.pddl").read_text()
    (folder / "derived.pddl").write_text(text[: text.rindex(")")] + "(:derived (above ?x) (clear ?x)))")
    done = ground(folder, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_an_example(folder: Path, verb: str) -> None:
    done = ground(folder, verb, "--help")
    assert done.returncode == 0
    assert f"gumption ground {verb}" in done.stdout


def test_all_verbs_are_tested(folder: Path) -> None:
    done = ground(folder, "--help")
    assert all(f" {verb} " in done.stdout for verb in VERBS)


def test_diagnose_says_which_stage_a_problem_fails_for(tmp_path: Path) -> None:
    """The facts are right and the goal asks for the wrong block: the goal's fault alone."""
    problem = (
        "(define (problem p) (:domain blocksworld) (:objects a b - block)"
        " (:init (clear a) (clear b) (ontable a) (ontable b) (handempty)) (:goal (and ({goal}))))"
    )
    gold, outputs = tmp_path / "gold" / "toy", tmp_path / "outputs" / "toy" / "plain"
    for folder in (gold / "problems", outputs / "problems"):
        folder.mkdir(parents=True)
    (gold / "domain.pddl").write_text((CASES / "blocksworld.pddl").read_text())
    (gold / "problems" / "problem1.pddl").write_text(problem.format(goal="on a b"))
    (outputs / "problems" / "problem1.pddl").write_text(problem.format(goal="on b a"))
    report = tmp_path / "report"
    arguments = [str(outputs.parents[1]), str(gold.parent), "--repeats", "1", "--report", str(report)]
    done = ground(tmp_path, "diagnose", *arguments)
    assert done.returncode == 0, done.stderr
    row = next(line.split() for line in done.stdout.splitlines() if line.startswith("plain"))
    assert row[1:4] == ["1", "1", "0"] and row[-3:] == ["0.0", "0.0", "1.0"]
    assert "goal" in (report / "index.html").read_text()
