"""The strict F1: the vectors and figures of the published evaluation, hand-worked cases, and its laws."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding import Problem, read_domain, read_problem
from gumption.grounding.metrics import Counts, count, f1, summarise
from gumption.grounding.problem_score import compare, derivable, static, summarise_problems

DOMAIN = read_domain("""
(define (domain blocksworld) (:types block robot)
  (:predicates (on ?x ?y - block) (ontable ?x - block) (clear ?x - block)
    (handempty ?r - robot) (heavy ?x - block))
  (:action drop :parameters (?x - block) :precondition () :effect (and (ontable ?x) (clear ?x)))
  (:action stack :parameters (?x ?y - block ?r - robot)
    :precondition (clear ?y) :effect (and (on ?x ?y) (not (clear ?y)) (handempty ?r))))
""")


def problem(objects: str = "", init: str = "", goal: str = "(and)") -> Problem:
    text = f"(define (problem p) (:domain blocksworld) (:objects {objects}) (:init {init}) (:goal {goal}))"
    found = read_problem(text, DOMAIN, repair=False).problem
    assert found is not None
    return found


GOLD = problem(
    "a b - block r - robot", "(on a b) (ontable b) (clear a) (handempty r)", "(and (on b a) (ontable a))"
)
ATOMS = st.sets(st.tuples(st.sampled_from("pq"), st.sampled_from("abc"), st.sampled_from("abc")))


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ({("on", "b", "a")}, {("on", "a", "b")}, 0.0),
        ({("on", "b", "a"), ("on", "c", "b")}, {("on", "a", "b"), ("on", "b", "c")}, 0.0),
        ({("nextto", "a", "b")}, {("nextto", "a", "b"), ("nextto", "b", "a")}, 2 / 3),
        (set(), set(), 0.0),
        ({("clear", "a")}, set(), 0.0),
        (set(), {("clear", "a")}, 0.0),
        ({1, 2, 3}, {2, 3, 4, 5}, 4 / 7),
    ],
)
def test_the_strict_f1_of_two_sets(predicted, gold, expected):
    assert f1(predicted, gold) == pytest.approx(expected)


def test_empty_against_empty_is_what_the_caller_says_and_nothing_else_is():
    assert f1(set(), set(), empty_empty=1.0) == 1.0
    assert f1({1}, set(), empty_empty=1.0) == 0.0
    assert f1(set(), {1}, empty_empty=1.0) == 0.0


@given(ATOMS, ATOMS)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(predicted, gold):
    found = len(predicted & gold)
    counts = count(predicted, gold)
    precision = found / len(predicted) if predicted else 0.0
    recall = found / len(gold) if gold else 0.0
    assert (counts.precision, counts.recall) == pytest.approx((precision, recall))
    harmonic = 2 * precision * recall / (precision + recall) if found else 0.0
    assert f1(predicted, gold) == pytest.approx(harmonic) == f1(gold, predicted)
    assert (f1(predicted, gold) == 1.0) == (predicted == gold and bool(gold))


def test_macro_and_micro_by_hand():
    # F1 of 1, 2/3 and 0; pooled 2*3 / (2*3 + 1 + 4).
    summary = summarise([Counts(2, 0, 0), Counts(1, 1, 0), Counts(0, 0, 4), None])
    assert summary.values == pytest.approx((1.0, 2 / 3, 0.0))
    assert summary.macro == pytest.approx(5 / 9)
    assert summary.floor == pytest.approx(5 / 12)
    assert summary.pooled == Counts(3, 1, 4)
    assert summary.micro == pytest.approx(6 / 11)
    assert (summary.n, summary.exact, summary.left_out, summary.gold_empty) == (3, 1, 1, 0)


def test_instances_with_nothing_to_find_are_counted_and_can_be_left_out():
    counts = [Counts(1, 0, 0), Counts(0, 0, 0), Counts(0, 2, 0)]
    strict, kind = summarise(counts), summarise(counts, empty_empty=1.0)
    assert (strict.macro, kind.macro) == pytest.approx((1 / 3, 2 / 3))
    assert strict.gold_empty == kind.gold_empty == 2
    assert strict.macro_with_gold == kind.macro_with_gold == 1.0
    assert summarise([Counts()]).macro_with_gold is None
    assert summarise([]).macro is None


def test_sections_by_hand():
    predicted = problem("a b c - block r - block", "(on a b) (clear b) (handempty r)", "(on b a)")
    found = compare(predicted, GOLD)
    assert found.objects == Counts(2, 2, 1)  # r has the wrong type, c is too much
    assert found.predicates == Counts(2, 1, 2)
    assert found.goal == Counts(1, 0, 1)
    assert not found.exact
    assert not found.recalled
    assert found.by_predicate == {
        "clear": Counts(0, 1, 1),
        "handempty": Counts(1, 0, 0),
        "on": Counts(1, 0, 0),
        "ontable": Counts(0, 0, 1),
    }
    assert compare(predicted, GOLD, typed=False).objects == Counts(3, 1, 0)
    assert compare(GOLD, GOLD).exact


def test_a_negated_goal_is_another_goal():
    predicted = problem("a b - block r - robot", "", "(and (not (on b a)) (ontable a))")
    assert compare(predicted, GOLD).goal == Counts(1, 1, 1)


@pytest.mark.parametrize("goal", ["(or (on b a) (ontable a))", "(forall (?x - block) (clear ?x))"])
def test_a_goal_that_is_no_conjunction_is_reported_and_not_compared(goal):
    other = problem("a b - block r - robot", "", goal)
    assert compare(other, GOLD).goal is None
    assert compare(GOLD, other).goal is None
    scores = summarise_problems([compare(other, GOLD), compare(GOLD, GOLD)])
    assert (scores.goal.n, scores.goal.left_out, scores.goal.macro, scores.goal.floor) == (1, 1, 1.0, 0.5)
    assert (scores.objects.n, scores.exact) == (2, 1)


def test_a_failed_output_is_an_empty_prediction_in_the_denominator():
    scores = summarise_problems([compare(None, GOLD), compare(GOLD, GOLD)])
    assert (scores.predicates.n, scores.predicates.macro) == (2, 0.5)
    assert scores.predicates.pooled == Counts(4, 0, 4)


def test_what_else_can_be_made_of_a_failure():
    left_out = summarise_problems(
        [compare(None, GOLD, on_failure="exclude"), compare(GOLD, GOLD, on_failure="exclude")]
    )
    assert (left_out.predicates.n, left_out.predicates.macro, left_out.exact) == (1, 1.0, 1)
    assert compare(None, GOLD, on_failure="gold").exact
    stage = compare(GOLD, GOLD, failed=["goal"])
    assert (stage.predicates, stage.goal) == (Counts(4, 0, 0), Counts(0, 0, 2))
    assert compare(GOLD, GOLD, failed=["goal"], on_failure="exclude").goal is None


def test_named_predicates_are_left_out_on_both_sides():
    assert static(DOMAIN) == {"heavy"}
    assert derivable(DOMAIN) == {"clear"}
    predicted = problem("", "(clear b) (heavy a) (on a b)", "(and (clear a) (ontable a))")
    found = compare(predicted, GOLD, without={"clear", "heavy"})
    assert (found.predicates, found.goal) == (Counts(1, 0, 2), Counts(1, 0, 1))
    assert set(found.by_predicate) == {"on", "ontable", "handempty"}


@given(st.randoms(use_true_random=False))
def test_order_repetition_and_case_never_change_a_score(chance: random.Random):
    atoms = ["(on a b)", "(ontable b)", "(clear a)", "(handempty r)"]
    atoms += chance.choices(atoms, k=3)
    chance.shuffle(atoms)
    spelt = " ".join(chance.choice([atom, atom.upper(), atom.title()]) for atom in atoms)
    assert compare(problem("B - Block R - robot a - BLOCK", spelt, "(and (ontable A) (ON b a))"), GOLD).exact


@pytest.mark.data
def test_static_predicates_of_the_public_domains(public_data):
    expected = {
        "prodg/data/blocksworld": set(),
        "prodg/data/cooking": {"is-workspace", "can-cut"},
        "prodg/data/hanoi": {"smaller", "move"},
        "viplan/planning/blocksworld": {"leftof", "rightof"},
    }
    for folder, names in expected.items():
        domain = read_domain((public_data / folder / "domain.pddl").read_text())
        assert static(domain) == names


WITHOUT_STATIC = {
    ("blocksworld", "plain"): (0.820, 0.967),
    ("blocksworld", "refine_once"): (0.750, 0.951),
    ("blocksworld", "refine_twice"): (0.734, 0.933),
    ("cooking", "plain"): (0.587, 0.860),
    ("cooking", "refine_once"): (0.898, 0.929),
    ("cooking", "refine_twice"): (0.902, 0.929),
}


@pytest.mark.data
@pytest.mark.parametrize(("domain_name", "step"), WITHOUT_STATIC)
def test_scores_without_static_predicates(public_data, domain_name, step):
    gold_folder = public_data / "prodg" / "data" / domain_name
    outputs = public_data / "prodg" / "gpt4_outputs" / domain_name / step / "problems"
    domain = read_domain((gold_folder / "domain.pddl").read_text())
    left_out = static(domain) | derivable(domain)
    found = []
    for number in range(1, 101):
        gold = (gold_folder / "problems" / f"problem{(number - 1) // 10 + 1}.pddl").read_text()
        wanted = read_problem(gold, domain).problem
        said = read_problem((outputs / f"problem{number}.pddl").read_text(), domain, repair=False).problem
        assert wanted is not None
        found.append(compare(said, wanted, without=left_out))
    scores = summarise_problems(found)
    assert (scores.predicates.macro, scores.goal.macro) == pytest.approx(
        WITHOUT_STATIC[domain_name, step], abs=5e-4
    )
