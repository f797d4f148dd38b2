"""The released scorer's habits: its test vectors and the figures it gives on the published outputs."""

from __future__ import annotations

import msgspec
import pytest

from gumption.grounding import Problem, read_domain, read_problem
from gumption.grounding.metrics import Counts, count, summarise
from gumption.grounding.pddl import And, Fact
from gumption.grounding.problem_score import compare, summarise_problems
from gumption.grounding.release import (
    EMPTY_EMPTY,
    count_with_credit,
    planned_problem,
    release_compare,
    solved,
)

GOLD = Problem("p", "d", {"a": "block"}, frozenset({("clear", "a")}), Fact(("on", "a", "a")))


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ({("on", "b", "a")}, {("on", "a", "b")}, 2 / 3),
        ({("on", "b", "a"), ("on", "c", "b")}, {("on", "a", "b"), ("on", "b", "c")}, 2 / 3),
        ({("nextto", "a", "b")}, {("nextto", "a", "b"), ("nextto", "b", "a")}, 1.0),
        (set(), set(), 1.0),
        ({("clear", "a")}, set(), 0.0),
        ({(True, ("on", "b", "a"))}, {(True, ("on", "a", "b"))}, 2 / 3),
        ({(False, ("on", "b", "a"))}, {(True, ("on", "a", "b"))}, 0.0),
    ],
)
def test_the_release_vectors(predicted, gold, expected):
    assert summarise([count_with_credit(predicted, gold)], EMPTY_EMPTY).macro == pytest.approx(expected)


def test_an_atom_must_have_the_same_arguments_as_often():
    assert count_with_credit({("on", "a", "a")}, {("on", "a", "b")}) == Counts(0, 1, 1)
    assert count_with_credit({("on", "b", "a")}, {("under", "a", "b")}) == Counts(0, 1, 1)


def test_objects_get_no_credit():
    swapped = Problem("p", "d", {"block": "a"}, frozenset(), And(()))
    assert release_compare(swapped, GOLD).objects == Counts(0, 1, 1)


def test_failures_leave_the_mean():
    kept = release_compare(GOLD, GOLD)
    no_goal = release_compare(GOLD, GOLD, failed=["goal"])
    scores = summarise_problems([kept, no_goal, release_compare(None, GOLD)], EMPTY_EMPTY)
    assert (scores.objects.n, scores.predicates.n, scores.goal.n) == (2, 2, 1)


def test_a_failed_goal_is_planned_for_with_gold():
    said = msgspec.structs.replace(GOLD, init=frozenset(), goal=And(()))
    assert planned_problem(said, GOLD, failed=["goal"]).goal == GOLD.goal
    assert planned_problem(said, GOLD, failed=["goal"]).init == frozenset()
    assert planned_problem(said, GOLD).goal == And(())


def test_a_plan_of_no_steps_is_none():
    assert solved([("stack", "a", "b")])
    assert not solved([])
    assert not solved(None)


GOLDEN = {
    ("blocksworld", "plain"): (0.814, 0.925),
    ("blocksworld", "refine_once"): (0.761, 0.912),
    ("blocksworld", "refine_twice"): (0.747, 0.896),
    ("cooking", "plain"): (0.689, 0.860),
    ("cooking", "refine_once"): (0.917, 0.929),
    ("cooking", "refine_twice"): (0.921, 0.929),
}


@pytest.mark.data
@pytest.mark.parametrize(("domain_name", "step"), GOLDEN)
def test_permutation_credit_on_the_published_outputs(public_data, domain_name, step):
    gold_folder = public_data / "prodg" / "data" / domain_name
    outputs = public_data / "prodg" / "gpt4_outputs" / domain_name / step / "problems"
    domain = read_domain((gold_folder / "domain.pddl").read_text())
    strict, credited = [], []
    for number in range(1, 101):
        gold = (gold_folder / "problems" / f"problem{(number - 1) // 10 + 1}.pddl").read_text()
        wanted = read_problem(gold, domain).problem
        said = read_problem((outputs / f"problem{number}.pddl").read_text(), domain, repair=False).problem
        assert wanted is not None
        strict.append(compare(said, wanted, counting=count))
        credited.append(compare(said, wanted, counting=count_with_credit))
    scores, plain = summarise_problems(credited), summarise_problems(strict)
    assert (scores.predicates.macro, scores.goal.macro) == pytest.approx(GOLDEN[domain_name, step], abs=5e-4)
    assert scores.objects == plain.objects
    if domain_name == "cooking":
        assert (scores.predicates, scores.goal) == (plain.predicates, plain.goal)
