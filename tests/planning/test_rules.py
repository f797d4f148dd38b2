"""The rule judge on pairs that a person has judged, and what must hold for any pair."""

from __future__ import annotations

import json

import pytest

from gumption.planning import read_plan
from gumption.planning.match import match
from gumption.planning.rules import RuleJudge

JUDGE = RuleJudge()
SAME = [
    ("Pick, Mug", "Pick, Cup"),
    ("Pick up, the red apple", "Grasp, Apple"),
    ("Take, apples", "Pick, Apple"),
    ("Turn on, Faucet", "Turn on, Water"),
    ("Switch off, the tap", "Turn off, Faucet"),
    ("Place, Paper, GarbageCan", "Place, Paper, Waste Bin"),
    ("Place, Paper, Trash Can", "Insert, Paper, Garbage Can"),
    ("Put, Apple, Refrigerator", "Place, Apple, Fridge"),
    ("Cut, Bread, Knife", "Cut, Knife, Bread"),
    ("Slice, Bread", "Cut, Bread"),
    ("Clean, Mug", "Wash, Mug"),
    ("Place, Apple, Counter", "Place, Apple"),
    ("Pick, Slice of bread", "Pick, Bread Slice"),
    ("Pick, the zorgon", "Pick, Zorgon"),
    ("Wave", "wave"),
]
DIFFERENT = [
    ("Open, Fridge", "Close, Fridge"),
    ("Turn on, Tap", "Turn off, Tap"),
    ("Pick, Apple", "Place, Apple, Table"),
    ("Pick, Bread Slice", "Pick, Bread"),
    ("Place, Apple, Counter", "Place, Apple, Sink"),
    ("Pick, White Cup", "Pick, Blue Cup"),
    ("Pick, Fork", "Pick, Spoon"),
    ("Pick, Zorgon", "Pick, Apple"),
    ("Wave", "Pick, Apple"),
]


def action(text):
    return text.split(", ")


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_thing_done(one, other):
    assert JUDGE.judge(action(one), [action(other)]).row == (True,)
    assert JUDGE.judge(action(other), [action(one)]).row == (True,)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_thing_done(one, other):
    assert JUDGE.judge(action(one), [action(other)]).row == (False,)
    assert JUDGE.judge(action(other), [action(one)]).row == (False,)


@pytest.mark.data
def test_it_is_the_default_and_gives_a_gold_plan_all_it_is_worth(public_data):
    tasks = json.loads((public_data / "embodiedbrain" / "simulation_benchmark_set.json").read_text())
    for task in tasks:
        plan = read_plan(task["conversations"][1]["content"]).actions
        score = match(plan, plan)
        assert (score.judge, score.quantity.f1, score.order.f1) == ("rule", 1, 1)
