"""`gumption plan` as a person or a script meets it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import command_line

VERBS = ["read", "match", "resolve", "execute", "judge-agreement", "generate"]
GOLD = [["Pick", "Tomato"], ["Open", "Fridge"], ["Place", "Tomato", "Fridge"], ["Close", "Fridge"]]


def plan(folder: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return command_line.gumption(folder, "plan", *arguments, text=text, COLUMNS="100")


def answer(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.json").write_text(json.dumps(GOLD))
    (tmp_path / "reply.txt").write_text(f"<Actions>{GOLD[:2] + GOLD[3:]}</Actions>")
    return tmp_path


def test_a_reply_is_read_with_its_repairs(folder: Path) -> None:
    found = answer(plan(folder, "read", "reply.txt", "--json"))
    assert found["actions"] == GOLD[:2] + GOLD[3:]
    assert (found["repairs"], found["refused"], found["error"]) == (["tag_case"], False, "")
    said = plan(folder, "read", "reply.txt").stdout
    assert "2. Open, Fridge" in said and "tag_case" in said


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("<actions>__import__('os').system('touch broken')</actions>", "Unreadable"),
        ("<response>Error: there is no tomato</response><actions></actions>", "Refused"),
    ],
)
def test_what_is_no_plan_is_a_result_too(folder: Path, reply: str, words: str) -> None:
    done = plan(folder, "read", "-", text=reply)
    assert (done.returncode, done.stderr) == (0, "")
    assert words in done.stdout
    assert not (folder / "broken").exists()


def test_a_plan_is_matched_with_its_gold(folder: Path) -> None:
    found = answer(plan(folder, "match", "reply.txt", "gold.json", "--judge", "exact", "--json"))
    for score in (found["quantity"], found["order"]):  # three of three predicted, three of four gold
        assert (score["count"], score["precision"], score["recall"]) == (3, 1.0, 0.75)
    assert found["judge"] == "exact"
    official = ("match", "reply.txt", "gold.json", "--judge", "exact", "--official", "--json")
    assert answer(plan(folder, *official))["quantity"]["f1"] == 0  # it cannot read <Actions>
    assert "recall 0.7500" in plan(folder, "match", "reply.txt", "gold.json").stdout


def test_pairs_are_averaged_over_plans_and_over_actions(folder: Path) -> None:
    rows = [
        {"predicted": GOLD, "gold": GOLD},
        {"predicted": [["Pick", "Mug"]], "gold": [["Pick", "Apple"]]},
    ]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = answer(plan(folder, "match", "pairs.jsonl", "--judge", "exact", "--json"))
    assert (found["n"], found["planned"]) == (2, 2)
    assert found["macro"] == {"quantity": 0.5, "order": 0.5}
    assert found["micro"]["quantity"]["f1"] == pytest.approx(4 / 5)


def test_a_judge_that_cannot_say_ends_with_1(folder: Path) -> None:
    (folder / "people.jsonl").write_text(
        '{"predicted": ["pick", "A"], "gold": ["pick", "A"], "match": true}\n'
    )
    done = plan(folder, "match", "reply.txt", "gold.json", "--judge", "recorded/people.jsonl", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["flags"]["judge_failed"] and found["quantity"]["f1"] is None


def test_a_plan_is_resolved_in_a_room(folder: Path) -> None:
    (folder / "plan.txt").write_text("[['Open','refrigerator'],['Close','it'],['Pick','unicorn']]")
    steps = answer(plan(folder, "resolve", "plan.txt", "--room", "kitchen", "--json"))
    opened, closed, picked = (step["object"] for step in steps)
    assert opened["object_type"] == "Fridge" and opened["layer"] == "static"
    assert closed["object_id"] == opened["object_id"] and closed["layer"] == "context"
    assert (picked["outcome"], picked["object_id"]) == ("unresolved", None)
    said = plan(folder, "resolve", "plan.txt").stdout
    assert "3 arguments, 1 without an object" in said


def test_a_plan_is_executed_towards_a_goal(folder: Path) -> None:
    done = answer(plan(folder, "execute", "gold.json", "--gold", "gold.json", "--json"))
    assert done["execution"]["completed"] and done["execution"]["success"]
    assert done["errors"] == []
    goal = {"propositions": [{"predicate": "in", "objects": ["Tomato"], "targets": ["Fridge"]}]}
    (folder / "goal.json").write_text(json.dumps(goal))
    failed = plan(folder, "execute", "reply.txt", "--goal", "goal.json")
    assert failed.returncode == 0, "that a plan fails is a result"
    assert "Goal: 0 of 1" in failed.stdout and "missing: Tomato in Fridge" in failed.stdout


def test_everything_that_is_wrong_is_said(folder: Path) -> None:
    (folder / "bad.txt").write_text("[['Place','Tomato','Fridge'],['Pick','Fridge'],['Fly','Apple']]")
    found = answer(plan(folder, "execute", "bad.txt", "--json"))
    assert not found["execution"]["executable"]
    kinds = {(error["step"], error["kind"]) for error in found["errors"]}
    assert kinds >= {(0, "missing_step"), (2, "unknown_action")}
    assert any(step == 1 for step, _ in kinds)


def test_a_simulator_that_is_not_there_ends_with_1(folder: Path) -> None:
    done = plan(folder, "execute", "gold.json", "--world", "ai2thor", "--unity", "nowhere")
    assert done.returncode == 1
    assert "The simulator failed, not the plan" in done.stderr and "To mend it" in done.stderr


def test_judges_are_compared(folder: Path) -> None:
    rows = [
        {"predicted": [["Pick", "Cup"], ["Open", "Fridge"]], "gold": [["Pick", "Mug"], ["Open", "Fridge"]]},
        {"predicted": [["Pick", "Cup"]], "gold": [["Wash", "Fork"]], "model": "m"},
    ]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    verdicts = [
        (["pick", "Cup"], ["pick", "Mug"], True), (["pick", "Cup"], ["open", "Fridge"], False),
        (["open", "Fridge"], ["pick", "Mug"], False), (["open", "Fridge"], ["open", "Fridge"], True),
    ]  # fmt: skip
    lines = [json.dumps({"predicted": one, "gold": other, "match": same}) for one, other, same in verdicts]
    (folder / "people.jsonl").write_text("\n".join(lines))
    options = ("--first", "exact", "--second", "recorded/people.jsonl")
    done = plan(folder, "judge-agreement", "pairs.jsonl", *options, "--json")
    assert done.returncode == 1, "the people did not see the second pair"
    found = json.loads(done.stdout)
    assert (found["pairs"], found["unscored"], found["cells"]) == (1, 1, 4)
    assert found["table"] == {"both": 1, "only_first": 0, "only_second": 1, "neither": 2}
    assert found["kappa"] == pytest.approx(0.5)
    assert (found["quantity"]["first"], found["quantity"]["second"]) == (0.5, 1.0)
    said = plan(folder, "judge-agreement", "pairs.jsonl", *options).stdout
    assert "kappa 0.5000" in said and "only recorded: pick, Cup = pick, Mug" in said


def test_tasks_are_drawn_and_their_plans_do_them(folder: Path) -> None:
    arguments = ("generate", "--tasks", "2", "--seed", "5", "--steps", "2", "--room", "kitchen", "--json")
    first, again = plan(folder, *arguments), plan(folder, *arguments)
    assert first.stdout == again.stdout
    tasks = [json.loads(line) for line in first.stdout.splitlines()]
    assert len(tasks) == 2 and tasks[0]["instruction"] != tasks[1]["instruction"]
    for name in ("plan", "goal"):
        (folder / f"{name}.json").write_text(json.dumps(tasks[0][name]))
    (folder / "room.json").write_text(json.dumps(tasks[0]["scene"]["objects"]))
    arguments = ("execute", "plan.json", "--goal", "goal.json", "--data", "room.json", "--json")
    assert answer(plan(folder, *arguments))["execution"]["success"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("read", "nowhere.txt"), "cannot be read"),
        (("match", "reply.txt", "gold.json", "--judge", "guess"), "there is no judge"),
        (("match", "reply.txt", "gold.json", "--judge", "embedding@2"), "threshold"),
        (("match", "reply.txt", "gold.json", "--judge", "recorded/nowhere.jsonl"), "cannot be read"),
        (("match", "gold.json"), "gold.json, line 1"),
        (("resolve", "reply.txt", "--room", "attic"), "no room 'attic'"),
        (("resolve", "empty.txt"), "gumption plan read"),
        (("execute", "gold.json", "--goal", "reply.txt"), "not a goal"),
        (("execute", "gold.json", "--goal", "goal.json", "--gold", "gold.json"), "--goal or --gold"),
        (("execute", "gold.json", "--gold", "unicorn.json"), "unicorn"),
        (("execute", "gold.json", "--world", "moon"), "moon"),
        (("judge-agreement", "nowhere.jsonl"), "cannot be read"),
        (("generate", "--steps", "9"), "1 to 6"),
        (("generate", "--tasks", "0"), "--tasks"),
    ],
)
def test_bad_usage_ends_with_2_and_says_what_to_do(
    folder: Path, arguments: tuple[str, ...], words: str
) -> None:
    (folder / "empty.txt").write_text("I do not know.")
    (folder / "unicorn.json").write_text('[["Pick", "Unicorn"]]')
    done = plan(folder, *arguments)
    assert done.returncode == 2, done.stdout
    assert words in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(tmp_path: Path, verb: str) -> None:
    done = plan(tmp_path, verb, "--help")
    assert done.returncode == 0
    assert f"gumption plan {verb}" in done.stdout.split("Example:", 1)[1]
