"""The model judge: what it may write, and that a judgement that cannot be used leaves the plan unscored."""

from __future__ import annotations

import json

import pytest

from gumption.planning.judging import ask_judge, read_verdicts
from gumption.planning.match import canonical, match
from gumption.records import Answer, Item, Reply

GOLD = canonical([["Pick", "Mug"], ["Place", "Mug", "Sink"], ["Pick", "Mug"]])
ITEM = Item("t1", "embodiedbrain-planning", (), Answer("actions"))


@pytest.mark.parametrize(
    ("reply", "row"),
    [
        ('{"matches": [["pick", "Mug"]]}', [True, False, True]),
        ('{"matches": [["PICK", " mug "]]}', [True, False, True]),
        ('{"matches": ["pick", "Mug"]}', [True, False, True]),
        ('```json\n{\'matches\': [\'["place", "Mug", "Sink"]\']}\n```', [False, True, False]),
        ('<think>{"matches": [["pick","Mug"]]}</think>{"matches": []}', [False, False, False]),
        ('{"matches": [["pick", "Cup"]]}', None),
        ('{"matches": "all of them"}', None),
        ('{"matches": [1]}', None),
        ("yes", None),
        ("", None),
    ],
)
def test_reading_one_row(reply, row):
    assert read_verdicts(reply, GOLD) == (None if row is None else [row])


def test_reading_a_whole_plan_wants_one_list_for_each_step():
    two = '{"matches": [[["pick", "Mug"]], []]}'
    assert read_verdicts(two, GOLD, rows=2) == [[True, False, True], [False, False, False]]
    assert read_verdicts(two, GOLD, rows=3) is None


def answered(per, answers):
    """Drive the judging with these texts; None of them: with what the questions say is right."""
    predicted = canonical([["pick up", "mug"], ["Open", "Fridge"]])
    judging = ask_judge(ITEM, predicted, GOLD, per)
    questions = next(judging)
    texts = answers or [question.answer.gold for question in questions]
    with pytest.raises(StopIteration) as stop:
        judging.send(tuple(Reply("t1", text=text) for text in texts))
    return predicted, questions, stop.value.value


@pytest.mark.parametrize("per", ["action", "plan"])
def test_the_matrix_goes_into_match(per):
    predicted, questions, matrix = answered(per, None)
    assert len(questions) == (2 if per == "action" else 1)
    assert all(question.id.startswith("t1/judge/") for question in questions)
    assert matrix == [[True, False, True], [False, False, False]]
    score = match(predicted, GOLD, matrix=matrix)
    assert (score.quantity.count, score.order.count) == (1, 1)


def test_one_answer_that_cannot_be_used_leaves_the_plan_unscored():
    assert answered("action", [json.dumps({"matches": []}), "hm"])[2] is None


def test_nothing_is_asked_about_an_empty_plan():
    with pytest.raises(StopIteration) as stop:
        next(ask_judge(ITEM, (), GOLD))
    assert stop.value.value == []
