"""Reading plans: the hand-made cases, the 69 gold plans, and what hostile or broken replies must do."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.planning import read_plan
from gumption.planning.reader import REPAIRS

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "action_plans.jsonl").read_text().splitlines()
]
TWO = [["Pick", "Apple"], ["Place", "Apple", "Table"]]
ONE = TWO[:1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["reply"][:40])
def test_hand_made_cases(case):
    reading = read_plan(case["reply"])
    assert reading.actions == case["actions"]
    assert list(reading.repairs) == case["repairs"]
    assert (reading.repaired, reading.refused) == (case["repaired"], case["refused"])


@pytest.mark.data
def test_the_gold_plans_read_as_python_reads_them_without_repair(public_data):
    tasks = json.loads((public_data / "embodiedbrain" / "simulation_benchmark_set.json").read_text())
    assert len(tasks) == 69
    for task in tasks:
        reply = task["conversations"][1]["content"]
        inside = re.search("<actions>(.*)</actions>", reply, re.DOTALL)
        reading = read_plan(reply)
        assert inside and reading.actions == ast.literal_eval(inside[1])
        assert reading.repairs == ()


@pytest.mark.parametrize(
    ("reply", "actions", "repairs"),
    [
        ("<actions>[('Pick','Apple'),('Place','Apple','Table')]</actions>", TWO, {"tuple"}),
        ("<actions>[['Pick','Apple'],['Place','Apple','Table']</actions>", TWO, {"unbalanced"}),
        ("<actions>[['Pick','Apple']],['Place','Apple','Table']]</actions>", TWO, {"unbalanced"}),
        ("<actions>['Pick','Apple'],['Place','Apple','Table']</actions>", TWO, {"unbalanced"}),
        ("<actions>[['Pick','Apple',None],['Place','Apple','Table']]</actions>", TWO, {"null_argument"}),
        ('<actions>[["Pick","Apple",null],["Place","Apple","Table"]]</actions>', TWO, {"null_argument"}),
        ("<actions>[[Pick, Apple], [Place, Apple, Table]]</actions>", TWO, {"quote"}),
        ("<actions>[[‘Pick’, ‘Apple’], [“Place”, “Apple”, “Table”]]</actions>", TWO, {"quote"}),
        ("<actions>[['Pick\",'Apple'],['Place','Apple','Table']]</actions>", TWO, {"quote"}),
        ("<actions>['Pick','Apple','Place','Apple','Table']</actions>", TWO, {"flat_list"}),
        ("<actions>[]</actions><actions>['Pick','Apple']</actions>", ONE, {"first_block_empty", "flat_list"}),
        ("<actions>[['Open','X']]</actions> <actions>[['Pick','Apple']]</actions>", ONE, {"repeated_block"}),
        ("<actions>[['Pick','Apple']]</actions> or <actions>[['Open','Fri", ONE, {"repeated_block"}),
        (f"```json\n{json.dumps(TWO)}\n```", TWO, {"no_tag", "code_fence"}),
        ("The plan: [['Pick','Apple'],['Place','Apple','Table']]. Done.", TWO, {"no_tag"}),
        ('{"plan":[{"verb":"Pick","object":"Apple"},{"verb":"Place","object":"Apple","to":"Table"}]}', TWO,
         {"no_tag", "json_object"}),
        ("<actions>{'Pick': 'Apple', 'Place': ['Apple', 'Table']}</actions>", TWO, {"json_object"}),
        ("<actions>1. Pick up the apple\n2. Place the apple on the table</actions>", TWO, {"prose_steps"}),
        ("- [Manipulate] Pick the apple.\n- [Manipulate] Place the apple on the table.", TWO,
         {"no_tag", "prose_steps"}),
        ("Step 1: pick up the apple and place it on the table", [["Pick", "Apple"], ["Place", "It", "Table"]],
         {"no_tag", "prose_steps"}),
        ("1. Turn the faucet on", [["Turn on", "Faucet"]], {"no_tag", "prose_steps"}),
        ("Pick(Apple)\nPlace(Apple, Table)", TWO, {"no_tag", "prose_steps"}),
        ("<think><actions>[['Open','X']]</actions></think><actions>[['Pick','Apple']]</actions>", ONE, set()),
    ],
)  # fmt: skip
def test_what_models_write_instead(reply, actions, repairs):
    reading = read_plan(reply)
    assert reading.actions == actions
    assert set(reading.repairs) == repairs


def test_an_action_that_was_cut_off_is_no_action():
    assert read_plan("<actions>[['Pick','Apple'],['Place','App").actions == [["Pick", "Apple"]]


def test_nothing_inside_an_open_reasoning_block_is_a_plan():
    assert read_plan("<think>I could <actions>[['Pick','Apple']]</actions>").actions is None


@pytest.mark.parametrize(
    "reply",
    [
        "<response>Error: there is no apple here.</response><plans></plans><actions></actions>",
        "<response>Error: there is no apple here.</response><plans></plans><actions>[]</actions>",
        "I'm sorry, I cannot do that.",
        "<response>Sorry, I can't reach it.</response><actions/>",
    ],
)
def test_a_refusal_is_an_empty_plan(reply):
    reading = read_plan(reply)
    assert (reading.actions, reading.refused, reading.repairs) == ([], True, ())


@pytest.mark.parametrize("reply", ['{"actions": []}', "[]", '{"plan": []}'])
def test_an_empty_list_is_an_empty_plan(reply):
    assert read_plan(reply).actions == []


def test_an_empty_plan_without_a_word_of_refusal_is_just_empty():
    reading = read_plan("<response>I will.</response><actions></actions>")
    assert (reading.actions, reading.refused) == ([], False)


@pytest.mark.parametrize(
    "reply",
    ["", "   ", "The apple is red. It is on the table.", "<actions>[['Pick','Apple']] + [[1]]</actions>"],
)
def test_what_is_no_plan_is_unreadable_and_says_so(reply):
    reading = read_plan(reply)
    assert reading.actions is None and reading.error and reading.repairs == ()


HOSTILE = [
    "__import__('os').system('touch {path}')",
    "[__import__('pathlib').Path('{path}').touch()]",
    "[['Pick', open('{path}', 'w')]]",
    "exec(\"open('{path}','w')\")",
    "(lambda: open('{path}', 'w'))()",
    "[[x for x in (open('{path}','w'),)]]",
]


@pytest.mark.parametrize("code", HOSTILE)
@pytest.mark.parametrize("frame", ["<actions>{}</actions>", "{}", "```python\n{}\n```", "<actions>{}"])
def test_a_reply_that_tries_to_run_code_does_nothing(code, frame, tmp_path):
    target = tmp_path / "owned"
    read_plan(frame.format(code.format(path=target)))
    assert not target.exists()


def test_the_format_score_by_hand():
    """R 1, S 1 of 2 tagged, A (1 + .5 + 0) / 3; 2 steps and 3 actions differ, so S and A are halved."""
    reply = (
        "<response>Yes.</response><plans>1.[Navigate] go\n2.[manipulate] pick</plans>"
        "<actions>[['Pick','Apple'],['Wave'],['Find','Mug']]</actions>"
    )
    assert read_plan(reply).format_score == pytest.approx(0.2 + 0.5 * (0.3 * 0.5 + 0.5 * 0.5))
    assert read_plan("no tags").format_score == 0


def test_a_huge_reply_is_read_at_its_end():
    reading = read_plan("word " * 100_000 + "<actions>[['Pick','Apple']]</actions>")
    assert reading.actions == [["Pick", "Apple"]]
    assert "truncated_input" in reading.repairs


@pytest.mark.parametrize(
    "piece", ["[", "[[", "<actions>", "'", "```", "{'a':", "1. pick ", "(", "\\", "[['a'"]
)
def test_repeated_pieces_are_read_in_bounded_time(piece):
    reading = read_plan(piece * (200_000 // len(piece)))
    assert reading.actions is None or isinstance(reading.actions, list)


pieces = st.sampled_from(
    ["<actions>", "</actions>", "<Actions>", "[", "]", "(", ")", "{", "}", ",", ":", "'", '"', "Pick",
     "Apple", " ", "\n", "None", "null", "1", "1. ", "- ", "```", "json", "\\", "Turn on", "the ", "Error:",
     "<response>", "’"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(pieces, max_size=60).map("".join)))
def test_any_text_is_read_without_an_exception(text):
    reading = read_plan(text)
    assert set(reading.repairs) <= set(REPAIRS)
    assert 0 <= reading.format_score <= 1
    if reading.actions is not None:
        assert all(action and all(isinstance(word, str) for word in action) for action in reading.actions)


words = st.text(alphabet=st.characters(whitelist_categories=("Lu", "Ll")), min_size=1, max_size=8)
plans = st.lists(st.lists(words, min_size=1, max_size=3), min_size=1, max_size=6)


@given(plans, st.sampled_from(["json", "python"]))
def test_a_well_formed_plan_is_read_as_it_stands(plan, language):
    written = json.dumps(plan) if language == "json" else repr(plan)
    reading = read_plan(f"<actions>{written}</actions>")
    assert reading.actions == plan and reading.repairs == ()
