"""The model in the loop: what it is shown, what it costs it to be wrong, and who judges."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import pytest

from gumption.grounding import validate
from gumption.grounding.loop import in_the_loop
from gumption.grounding.pipeline import Task, task_of
from gumption.grounding.plans import read_actions
from gumption.models.drawn import Drawn
from gumption.records import Answer, ErrorKind, Item, Reply, Score, Text

DOMAIN = """
(define (domain blocks) (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  (:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
  (:action put-down :parameters (?x) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""
PROBLEM = """
(define (problem p) (:domain blocks) (:objects red green)
  (:init (ontable red) (ontable green) (clear red) (clear green) (handempty)) (:goal (and (on red green))))
"""
STATES = 5
"""Both on the table; either in the hand; either on the other."""

Model = Callable[[Item], str]


def task(**options: object) -> Task:
    return task_of(
        Item(
            "t",
            "small",
            (Text("Put red on green."),),
            Answer("problem", PROBLEM),
            meta={
                "domain": DOMAIN,
                "examples": [{"instruction": "Put green on red.", "problem": PROBLEM}] * 1,
                "options": {"mode": "loop", **options},
            },
        )
    )


def right(question: Item) -> str:
    return json.dumps(question.answer.gold)


def run(model: Model, **options: object) -> tuple[Score, list[tuple[Item, ...]]]:
    episode = in_the_loop(task(**options))
    asked = [next(episode)]
    try:
        while True:
            asked.append(episode.send(tuple(Reply("t", text=model(one)) for one in asked[-1])))
    except StopIteration as stop:
        return stop.value, asked


def test_a_model_that_sees_rightly_finds_a_plan_that_is_valid() -> None:
    score, asked = run(right)
    assert score.value == 1.0 and score.reading is not None
    plan = read_actions(score.reading.value)
    assert plan == [("pick-up", "red"), ("stack", "red", "green")]
    small = task()
    assert validate(small.domain, small.gold, plan).valid
    parts = score.parts
    assert (parts["wrong_states"], parts["predicate_f1"], parts["goal_f1"], parts["plan_own"]) == (0, 1, 1, 1)
    assert parts["observations"] == sum(map(len, asked[1:])) <= STATES
    assert parts["shots"] == len(small.examples) == 1
    assert not score.errors


def test_every_state_is_drawn_once_and_shown_as_it_is() -> None:
    _, asked = run(right)
    (goal,), *rounds = asked
    assert goal.id == "t/goal" and not any(isinstance(part, Drawn) for part in goal.parts)
    states = [question for one in rounds for question in one]
    assert [question.id for question in states] == [f"t/state/{number}" for number in range(len(states))]
    shown = []
    for question in states:
        example, picture = (part for part in question.parts if isinstance(part, Drawn))
        assert hashlib.sha256(picture.data).hexdigest() == picture.sha256 and picture.data[:4] == b"\x89PNG"
        shown.append(picture.sha256)
    assert len(set(shown)) == len(shown)
    assert example.sha256 == shown[0]  # drawn too, of the example's initial state


def test_the_same_replies_give_the_same_episode() -> None:
    one, other = run(right), run(right)
    assert one == other


def test_the_true_state_judges_and_not_the_model() -> None:
    def optimist(question: Item) -> str:
        """Sees red on green wherever it looks."""
        if question.id == "t/goal":
            return right(question)
        return json.dumps({"grounded_predicates": ["(on red green)"]})

    score, _ = run(optimist)
    assert (score.value, score.parts["plan_own"], score.parts["plan_gold"]) == (0.0, 1.0, 0.0)
    assert score.parts["steps"] == 0 and score.parts["wrong_states"] == 1.0
    assert ErrorKind.GOAL_UNREACHED in {mistake.kind for mistake in score.errors}


def test_a_model_that_never_sees_the_goal_looks_at_every_state_and_gives_up() -> None:
    def blind(question: Item) -> str:
        return right(question) if question.id == "t/goal" else "I see nothing."

    score, _ = run(blind)
    assert (score.value, score.parts["plan_own"], score.parts["observations"]) == (0.0, 0.0, STATES)
    assert score.parts["unread_states"] == score.parts["wrong_states"] == 1.0
    assert {mistake.kind for mistake in score.errors} == {ErrorKind.GOAL_UNREACHED}


@pytest.mark.parametrize("budget", [{"observations": 2}, {"expansions": 1}])
def test_budgets_are_counts(budget: dict[str, int]) -> None:
    score, _ = run(right, **budget)
    assert score.value == 0.0
    assert score.parts["observations"] <= budget.get("observations", STATES)
    assert score.parts["expansions"] <= budget.get("expansions", STATES)
    assert ErrorKind.BUDGET_EXCEEDED in {mistake.kind for mistake in score.errors}


def test_a_state_counts_as_wrong_for_any_atom_and_share_is_of_those_seen() -> None:
    def once(question: Item) -> str:
        gold = question.answer.gold["grounded_predicates"]
        return json.dumps({"grounded_predicates": gold[1:] if question.id == "t/state/0" else gold})

    score, _ = run(once)
    seen = score.parts["observations"]
    assert score.value == 1.0
    assert score.parts["wrong_states"] == score.parts["wrong_states_fluent"] == pytest.approx(1 / seen)


def test_the_goal_is_the_models_own_and_an_unreadable_one_ends_it() -> None:
    def muddled(question: Item) -> str:
        return right(question) if question.id != "t/goal" else '{"grounded_predicates": ["(on green red)"]}'

    score, _ = run(muddled)
    assert (score.value, score.parts["plan_own"], score.parts["goal_f1"]) == (0.0, 1.0, 0.0)
    assert {ErrorKind.MISSING_GOAL, ErrorKind.EXTRA_GOAL} <= {mistake.kind for mistake in score.errors}
    score, asked = run(lambda question: "?")
    assert score.value == 0.0 and len(asked) == 1
    assert score.reading is not None and score.reading.outcome == "unanswered"
