"""The episode on a task worked out by hand: what is asked, what a failed stage costs, what retries record."""

from __future__ import annotations

import json
from typing import Any

import pytest
from small_task import EXAMPLE, PHOTO, PROBLEM, RIGHT, answered, atom, said, small_task

from gumption.grounding.pipeline import direct, options_of, staged
from gumption.records import ErrorKind, GumptionError, Image, Reply, Text


def words(question: Any) -> str:
    return "\n".join(part.text for part in question.parts if isinstance(part, Text))


def pictures(question: Any) -> list[Image]:
    return [part for part in question.parts if isinstance(part, Image)]


def test_three_right_stages_make_a_plan_that_is_valid_in_gold() -> None:
    score, asked = answered(staged(small_task()), RIGHT)
    assert list(asked) == ["objects", "predicates", "goal"]
    names = (
        "object_f1",
        "predicate_f1",
        "goal_f1",
        "plan_own",
        "plan_gold",
        "readable",
        "clean",
        "state_exact",
    )
    assert score.value == 1.0 and [score.parts[name] for name in names] == [1.0] * len(names)
    assert not score.errors and score.reading is not None and score.reading.outcome == "answered"


def test_the_gold_of_each_question_is_the_right_reply() -> None:
    _, asked = answered(staged(small_task()), RIGHT)
    for call, question in asked.items():
        ((key, entries),) = question.answer.gold.items()
        ((right_key, right),) = json.loads(RIGHT[call]).items()
        assert key == right_key
        assert sorted(map(json.dumps, entries)) == sorted(map(json.dumps, right))


def test_the_goal_is_asked_of_the_text_alone() -> None:
    _, asked = answered(staged(small_task(shots=1)), RIGHT)
    assert pictures(asked["objects"]) == pictures(asked["predicates"]) == [EXAMPLE, PHOTO]
    assert pictures(asked["goal"]) == []
    assert "Put the red cup" in words(asked["goal"]) and "Put the red cup" not in words(asked["predicates"])
    assert "Clear the tray." in words(asked["goal"])


def test_later_stages_are_held_to_the_objects_that_were_found() -> None:
    objects = said(objects=[{"name": "red", "type": "cup"}, {"name": "moon", "type": "tray"}])
    score, asked = answered(staged(small_task()), {**RIGHT, "objects": objects})
    schema = asked["goal"].meta["json_schema"]["schema"]
    assert schema["$defs"]["tray"]["properties"]["name"]["enum"] == ["moon", "shelf"]
    # Of the gold goal only (not (wet red)) can be said; a missed object costs what it stands in.
    assert asked["goal"].answer.gold["grounded_predicates"] == [atom("Wet", "red", is_negated=True)]
    # red right; moon invented; blue and oak missed: one of two said, one of three wanted.
    assert score.parts["object_f1"] == pytest.approx(2 * 1 / (2 + 3))
    kinds = {mistake.kind for mistake in score.errors}
    assert {ErrorKind.HALLUCINATED_OBJECT, ErrorKind.MISSING_OBJECT} <= kinds


def test_an_unreadable_goal_is_an_empty_goal_and_not_the_gold_one() -> None:
    score, _ = answered(staged(small_task()), {**RIGHT, "goal": "The red cup, I think."})
    assert score.value == 0.0 and score.reading is not None and score.reading.outcome == "unanswered"
    parts = score.parts
    assert (parts["goal_f1"], parts["predicate_f1"], parts["plan_own"], parts["plan_gold"]) == (0, 1, 0, 0)
    assert parts["readable"] == 0.0
    assert [e.kind for e in score.errors] == [ErrorKind.UNREADABLE, *[ErrorKind.MISSING_GOAL] * 2]


def test_a_goal_that_names_an_unknown_object_keeps_it() -> None:
    goal = said(grounded_predicates=[atom("On", "red", "moon", is_negated=False)])
    score, _ = answered(staged(small_task()), {**RIGHT, "goal": goal})
    assert score.reading is not None and "(on red moon)" in score.reading.value
    assert score.parts["clean"] == 0.0 and score.parts["plan_own"] == 0.0


def test_a_lost_sign_shows_as_an_extra_and_a_missing_goal() -> None:
    goal = said(grounded_predicates=[atom("On", "red", "oak"), atom("Wet", "red")])
    score, _ = answered(staged(small_task()), {**RIGHT, "goal": goal})
    assert score.parts["goal_f1"] == pytest.approx(0.5)
    # The own goal, wet and on the tray, cannot be reached: only dry cups move, and nothing makes them wet.
    assert (score.parts["plan_own"], score.parts["plan_gold"]) == (0.0, 0.0)
    assert {ErrorKind.EXTRA_GOAL, ErrorKind.MISSING_GOAL} <= {e.kind for e in score.errors}


def test_a_plan_for_the_wrong_problem_is_a_plan_and_no_success() -> None:
    dry = said(grounded_predicates=[atom("On", "red", "shelf"), atom("On", "blue", "shelf"), atom("Lit")])
    score, _ = answered(staged(small_task()), {**RIGHT, "predicates": dry})
    assert (score.parts["plan_own"], score.parts["plan_gold"], score.value) == (1.0, 0.0, 0.0)
    assert score.parts["predicate_f1"] == pytest.approx(2 * 3 / (3 + 4))
    # Without `lit`, which no action changes: two of two said, two of three wanted.
    assert score.parts["predicate_f1_fluent"] == pytest.approx(2 * 2 / (2 + 3))
    assert any(e.secondary and e.kind is ErrorKind.MISSING_STEP for e in score.errors)


def test_without_objects_only_what_needs_none_is_asked() -> None:
    replies = {**RIGHT, "objects": said(objects=[]), "predicates": said(grounded_predicates=[atom("Lit")])}
    score, asked = answered(staged(small_task()), replies)
    assert score.value == 0.0 and score.parts["object_f1"] == 0.0 and score.parts["readable"] == 1.0
    assert asked["predicates"].answer.gold == {"grounded_predicates": [atom("Lit")]}


@pytest.mark.parametrize(
    ("oracle", "calls"), [("objects", ["predicates", "goal"]), ("objects_predicates", ["goal"])]
)
def test_gold_stands_in_for_earlier_stages(oracle: str, calls: list[str]) -> None:
    score, asked = answered(staged(small_task(oracle=oracle)), RIGHT)
    assert list(asked) == calls and score.value == 1.0


def test_a_refused_stage_is_a_refusal() -> None:
    score, _ = answered(staged(small_task()), {**RIGHT, "objects": Reply("serve", status="refused")} | {
        "predicates": said(grounded_predicates=[]), "goal": said(grounded_predicates=[])})  # fmt: skip
    assert score.value == 0.0 and score.reading is not None and score.reading.outcome == "refused"


def test_the_schema_can_be_left_out() -> None:
    _, asked = answered(staged(small_task(schema=False)), RIGHT)
    assert all("json_schema" not in question.meta for question in asked.values())


def test_the_whole_problem_at_once() -> None:
    score, asked = answered(
        direct(small_task(mode="direct", shots=1)), {"problem": f"Sure:\n```\n{PROBLEM}```"}
    )
    assert score.value == 1.0 and score.parts["clean"] == 0.0  # right, but out of a code fence
    assert score.reading is not None and "fence" in score.reading.repairs
    question = words(asked["problem"])
    assert "(:action dry" in question and "(problem clear)" in question and PROBLEM.strip() not in question


def test_a_problem_that_cannot_be_read_is_empty_and_in_the_mean() -> None:
    score, _ = answered(direct(small_task(mode="direct")), {"problem": "A red cup is on the shelf."})
    assert score.value == 0.0
    assert {score.parts[name] for name in ("object_f1", "predicate_f1", "goal_f1", "plan_own")} == {0.0}
    assert [mistake.kind for mistake in score.errors] == [ErrorKind.UNREADABLE]


def test_a_refusal_is_told_from_a_reply_that_holds_nothing() -> None:
    for text, outcome in {"I'm sorry, I cannot help.": "refused", "A red cup.": "unanswered"}.items():
        score, _ = answered(direct(small_task(mode="direct")), {"problem": text})
        assert score.reading is not None and score.reading.outcome == outcome


UNREACHABLE = PROBLEM.replace("(not (wet red))", "(wet red)")
SHORT = PROBLEM.replace(" (not (wet red))", "").replace("(wet red) ", "")


@pytest.mark.parametrize("shown", [True, False])
def test_feedback_that_mends_planability_and_not_truth(shown: bool) -> None:
    task = small_task(mode="direct", retries=2, retry_image=shown)
    score, asked = answered(direct(task), {"problem": UNREACHABLE, "retry/1": SHORT})
    assert list(asked) == ["problem", "retry/1"]  # what has a plan is kept as it is
    assert pictures(asked["retry/1"]) == ([PHOTO] if shown else [])
    assert "No plan exists" in words(asked["retry/1"]) and "(wet red)" in words(asked["retry/1"])
    rounds = [[score.parts[f"retry{n}_{name}"] for name in ("plan_own", "plan_gold")] for n in range(3)]
    assert rounds == [[0, 0], [1, 0], [1, 0]]
    assert score.parts["retry0_goal_f1"] == pytest.approx(0.5)
    assert score.parts["retry1_goal_f1"] == pytest.approx(2 / 3)
    assert score.parts["retry0_predicate_f1"] == 1.0
    assert score.parts["retry1_predicate_f1"] == pytest.approx(6 / 7)
    assert score.parts["retries"] == 1.0 and score.value == 0.0


def test_a_retry_that_cannot_be_read_is_an_attempt_and_the_last_problem_is_shown_again() -> None:
    replies = {"problem": UNREACHABLE, "retry/1": "Hm.", "retry/2": PROBLEM}
    score, asked = answered(direct(small_task(mode="direct", retries=2)), replies)
    assert [score.parts[f"retry{n}_readable"] for n in range(3)] == [1, 0, 1]
    assert "(wet red)" in words(asked["retry/2"]) and "cannot be read" in words(asked["retry/2"])
    assert score.value == 1.0 and score.parts["retries"] == 2.0
    assert score.reading is not None and score.reading.outcome == "answered"


def test_stages_can_be_retried_too() -> None:
    replies = {**RIGHT, "goal": "?", "retry/1": PROBLEM}
    score, asked = answered(staged(small_task(retries=1)), replies)
    assert "no goal" in words(asked["retry/1"])
    assert (score.parts["retry0_readable"], score.parts["retry0_goal_f1"], score.value) == (0.0, 0.0, 1.0)


def test_a_search_is_bounded_by_a_count_and_says_so() -> None:
    score, _ = answered(staged(small_task(expansions=1)), RIGHT)
    assert score.value == 0.0 and score.parts["plan_own"] == 0.0
    assert ErrorKind.BUDGET_EXCEEDED in {mistake.kind for mistake in score.errors}


@pytest.mark.parametrize(
    "problem",
    [
        "(define (problem p) (:domain kitchen) (:objects a - cup) (:init (= (total-cost) 3) (at 5 (lit))) "
        "(:goal (preference x (lit))))",
        "(define (problem p) (:domain kitchen) (:objects "
        + " ".join(f"c{n}" for n in range(3000))
        + " - cup t - tray) (:init (lit)) "
        "(:goal (forall (?a ?b ?c ?d ?e - cup) (exists (?x ?y - cup) (on ?a t)))))",
        "(define (problem p) (:domain kitchen) (:init) (:goal " + "(not " * 150 + "(lit)" + ")" * 150 + "))",
        "(define (problem p) (:domain kitchen) (:init) (:goal (or (lit) (not (lit)))))",
        "(define (problem p)" * 3000,
    ],
    ids=["unsupported", "huge", "deep", "disjunctive", "repeated"],
)
def test_problems_meant_to_hurt_end_unsolved_or_solved_but_end(problem: str) -> None:
    score, _ = answered(direct(small_task(mode="direct")), {"problem": problem})
    assert score.value == 0.0


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"mode": "stages"}, "mode"),
        ({"shots": "-1"}, "shots"),
        ({"shot": "3"}, "shot"),
        ({"retries": "many"}, "retries"),
        ({"mode": "direct", "oracle": "objects"}, "oracle is for"),
        ({"mode": "loop", "retries": "1"}, "retries are for"),
    ],
)
def test_options_that_do_not_fit_are_refused(told: dict[str, str], why: str) -> None:
    with pytest.raises(GumptionError, match=why):
        options_of(told)


def test_options_are_read_as_they_are_typed() -> None:
    options = options_of({"shots": "0", "schema": "false", "retries": "2", "mode": "direct"})
    assert (options.shots, options.schema, options.retries, options.mode) == (0, False, 2, "direct")
