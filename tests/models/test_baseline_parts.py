"""The oracle on answers that have parts: each atom by itself, problems and plans as a whole."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import Any

import pytest

from gumption.models import open_models
from gumption.records import Answer, Item

NO_MEDIA = {}.__getitem__
BLOCKS = "abcdef"
ATOMS = {
    "grounded_predicates": [
        {"predicate_type": "On", "x": {"name": one}, "y": {"name": other}} for one, other in pairwise(BLOCKS)
    ]
}
OBJECTS = {"objects": [{"name": one, "type": "block"} for one in BLOCKS]}
PROBLEM = "(define (problem p) (:init (on a b)) (:goal (and (on b a) (clear b) (not (on a b)))))"
PLAN = {"plan": [{"action": "lift", "parameters": ["a"]}, {"action": "put", "parameters": ["a", "b"]}]}


def replies(answer: Answer, accuracy: float, *, name: str = "baseline/oracle", asked: int = 100) -> list[str]:
    options = {"accuracy": accuracy} if name == "baseline/oracle" else {}
    (model,) = open_models(name, **options)
    questions = [Item(f"q{number}", "b", (), answer) for number in range(asked)]
    model.prepare([Item(f"item{number}", "b", (), Answer("problem", PROBLEM)) for number in range(9)])
    found = []
    for question in questions:
        reply = asyncio.run(model.ask(question, (question.id, 0, ""), NO_MEDIA))
        assert reply is not None
        found.append(reply.text)
    return found


@pytest.mark.parametrize("gold", [ATOMS, OBJECTS], ids=["atoms", "objects"])
def test_each_entry_is_right_by_itself(gold: dict[str, list[Any]]) -> None:
    ((key, entries),) = gold.items()
    right = {json.dumps(entry) for entry in entries}
    answer = Answer("atoms", gold)
    assert all(json.loads(text) == gold for text in replies(answer, 1.0, asked=20))
    kept = [{json.dumps(e) for e in json.loads(text)[key]} for text in replies(answer, 0.8, asked=200)]
    shares = [sum(entry in one for one in kept) / 200 for entry in sorted(right)]
    # 200 draws of probability .8 leave [.68, .92] less than once in 10,000 times.
    assert all(0.68 < share < 0.92 for share in shares)
    # Independent: all are right about as often as the product says.
    assert abs(sum(right <= one for one in kept) / 200 - 0.8 ** len(right)) < 0.12
    # Some of the wrong ones are left out, some are changed.
    assert any(one - right for one in kept) and any(len(one) < len(right) for one in kept)


@pytest.mark.parametrize("gold", [ATOMS, OBJECTS], ids=["atoms", "objects"])
def test_at_zero_nothing_is_right_and_wrong_ones_differ_in_one_name(gold: dict[str, list[Any]]) -> None:
    ((key, entries),) = gold.items()
    for text in replies(Answer("atoms", gold), 0.0):
        for entry in json.loads(text)[key]:
            assert entry not in entries
            assert any(sum(entry[field] != one[field] for field in one) == 1 for one in entries)


def test_a_wrong_problem_forgets_a_part_of_its_goal() -> None:
    answer = Answer("problem", PROBLEM)
    assert set(replies(answer, 1.0, asked=10)) == {PROBLEM}
    wrong = set(replies(answer, 0.0))
    assert wrong == {
        PROBLEM.replace("(on b a) ", ""),
        PROBLEM.replace("(clear b) ", ""),
        PROBLEM.replace("(not (on a b))", ""),
    }
    share = sum(text == PROBLEM for text in replies(answer, 0.7, asked=200)) / 200
    assert 0.55 < share < 0.85


def test_a_wrong_plan_lacks_its_first_step() -> None:
    answer = Answer("actions", PLAN)
    assert json.loads(replies(answer, 1.0, asked=1)[0]) == PLAN
    assert json.loads(replies(answer, 0.0, asked=1)[0]) == {"plan": PLAN["plan"][1:]}
    single = Answer("actions", {"plan": PLAN["plan"][:1]})
    assert json.loads(replies(single, 0.0, asked=1)[0]) == {"plan": []}


def test_a_wrong_reply_to_what_cannot_be_done_does_not_say_so() -> None:
    refusal = Answer("actions", {"this cannot be done": []})
    assert json.loads(replies(refusal, 1.0, asked=1)[0]) == {"this cannot be done": []}
    assert json.loads(replies(refusal, 0.0, asked=1)[0]) == {"actions": []}


@pytest.mark.parametrize("name", ["baseline/random", "baseline/blind"])
@pytest.mark.parametrize(
    "answer",
    [Answer("atoms", ATOMS), Answer("problem", PROBLEM), Answer("actions", PLAN)],
    ids=lambda answer: answer.kind,
)
def test_the_floors_answer_every_kind(name: str, answer: Answer) -> None:
    (text,) = replies(answer, 1.0, name=name, asked=1)
    assert isinstance(text, str)
