"""Scoring a folder of generated problems: one made by hand, and the golden table of the published one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from gumption.grounding.diagnosis import remembering
from gumption.grounding.planners import PlanResult, solve
from gumption.grounding.prodg_outputs import read_outputs, score_output, summarise_outputs
from gumption.records import GumptionError

DOMAIN = """
(define (domain lamps) (:types lamp) (:predicates (lit ?x - lamp) (red ?x - lamp))
  (:action light :parameters (?x - lamp) :precondition (not (lit ?x)) :effect (lit ?x)))
"""


def problem(objects: str, init: str, goal: str) -> str:
    return f"(define (problem p) (:domain lamps) (:objects {objects}) (:init {init}) (:goal {goal}))"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two gold problems with two outputs each; the third output is not there."""
    gold = tmp_path / "gold" / "lamps"
    made = tmp_path / "outputs" / "lamps" / "first_try"
    (gold / "problems").mkdir(parents=True)
    (made / "problems").mkdir(parents=True)
    (gold / "domain.pddl").write_text(DOMAIN)
    (gold / "problems" / "problem1.pddl").write_text(
        problem("a b - lamp", "(red a)", "(and (lit a) (lit b))")
    )
    (gold / "problems" / "problem2.pddl").write_text(problem("a - lamp", "(lit a)", "(lit a)"))
    outputs = {
        1: problem("a b - lamp", "(red a)", "(and (lit a) (lit b))"),
        2: problem("a b - lamp", "(lit b)", "(lit a)"),
        4: problem("a - lamp", "(lit a)", "(lit a)") + ")",
    }
    for number, text in outputs.items():
        (made / "problems" / f"problem{number}.pddl").write_text(text)
    (made / "problems" / "notes.txt").write_text("not a problem")
    return tmp_path / "outputs", tmp_path / "gold"


def with_plans(outputs: Path) -> None:
    plans = outputs / "lamps" / "first_try" / "plans"
    plans.mkdir()
    (plans / "problem1.1").write_text("(light a)\n; cost = 1\n")
    (plans / "problem1.2").write_text("(light a)\n(light b)\n")
    (plans / "problem1.sas").write_text("(light nothing)\n")
    (plans / "problem2.1").write_text("(light a)\n")
    (plans / "problem4.1").write_text("; cost = 0 (unit cost)\n")


def test_outputs_are_paired_with_their_gold(folders):
    found = list(read_outputs(*folders, repeats=2))
    assert [(one.number, one.gold_number, one.plans) for one in found] == [
        (1, 1, None),
        (2, 1, None),
        (4, 2, None),
    ]
    assert found[2].reading.problem is None
    assert list(read_outputs(*folders, repeats=2, repair=True))[2].reading.problem == found[2].gold


def test_scores_by_hand(folders):
    outputs, _ = folders
    with_plans(outputs)
    planner = partial(solve, planner="astar")
    (step,) = summarise_outputs(
        score_output(one, planner=planner) for one in read_outputs(*folders, repeats=2)
    )
    assert (step.domain, step.step, step.scores.n, step.clean) == ("lamps", "first_try", 3, 2)
    assert step.scores.predicates.values == (1.0, 0.0, 0.0)
    assert step.scores.goal.values == pytest.approx((1.0, 2 / 3, 0.0))
    assert step.scores.exact == 1
    shipped, planned = step.shipped, step.planned
    assert shipped is not None
    assert planned is not None
    # 1: its second plan is right in both. 2: right in its own. 4: unread, so in gold alone.
    assert (shipped.found, shipped.valid_own, shipped.valid_gold, shipped.no_steps) == (3, 2, 2, 1)
    assert (planned.found, planned.valid_own, planned.valid_gold, planned.no_steps) == (2, 2, 1, 0)


def test_without_plans_there_is_no_column_and_without_a_planner_neither(folders):
    (step,) = summarise_outputs(map(score_output, read_outputs(*folders, repeats=2)))
    assert step.shipped is None
    assert step.planned is None


def test_static_predicates_can_be_left_out(folders):
    first, *_ = read_outputs(*folders, repeats=2)
    score = score_output(first, without={"red"})
    assert score.comparison.predicates.both_empty
    # Nothing to find and nothing said is worth 0, as in the released scorer, unless it is told otherwise.
    assert summarise_outputs([score])[0].scores.predicates.values == (0.0,)
    assert summarise_outputs([score], empty_empty=1.0)[0].scores.predicates.values == (1.0,)


def test_a_problem_that_cannot_be_planned_for_costs_only_itself(folders):
    outputs, gold = folders
    path = outputs / "lamps" / "first_try" / "problems" / "problem1.pddl"
    path.write_text(problem("a b - lamp", "(red a) (at 5 (lit a))", "(and (lit a) (lit b))"))
    with_plans(outputs)
    score, *_ = [
        score_output(one, planner=partial(solve, planner="astar"))
        for one in read_outputs(outputs, gold, repeats=2)
    ]
    assert score.planned is not None
    assert score.shipped is not None
    assert (score.planned.found, score.planned.status) == (False, "unsupported")
    assert (score.shipped.valid_own, score.shipped.valid_gold) == (False, True)


def test_names_and_status_of_the_planner_are_kept(folders):
    first, *_ = read_outputs(*folders, repeats=2)
    found = score_output(
        first, planner=lambda domain, given: PlanResult("gave_up", None, "planner 1")
    ).planned
    assert found is not None
    assert (found.planner, found.status, found.found, found.valid_gold) == (
        "planner 1",
        "gave_up",
        False,
        False,
    )


def test_bad_folders_say_what_to_do(folders, tmp_path):
    outputs, gold = folders
    with pytest.raises(GumptionError, match="no generated problems"):
        list(read_outputs(gold, gold))
    with pytest.raises(GumptionError, match="no generated problems"):
        list(read_outputs(tmp_path / "nowhere", gold))
    with pytest.raises(GumptionError, match="no gold domain"):
        list(read_outputs(outputs, outputs))
    with pytest.raises(GumptionError, match="gold problem 4") as found:
        list(read_outputs(outputs, gold, repeats=1))
    assert "1 was taken" in found.value.remedy
    (outputs / "lamps" / "first_try" / "problems" / "problem0.pddl").write_text("")
    with pytest.raises(GumptionError, match="gold problem 0"):
        list(read_outputs(outputs, gold, repeats=2))


# Object, init and goal macro F1; micro F1; clean; has plan, valid own, valid gold of the shipped plans.
GOLDEN = {
    ("blocksworld", "plain"): ((0.969, 0.789, 0.925), (0.968, 0.794, 0.927), 72, (48, 48, 37)),
    ("blocksworld", "refine_once"): ((0.974, 0.751, 0.910), (0.974, 0.744, 0.909), 96, (88, 88, 41)),
    ("blocksworld", "refine_twice"): ((0.957, 0.736, 0.894), (0.966, 0.735, 0.899), 97, (95, 95, 41)),
    ("cooking", "plain"): ((0.960, 0.689, 0.860), (0.957, 0.688, 0.878), 60, (18, 18, 9)),
    ("cooking", "refine_once"): ((0.960, 0.917, 0.929), (0.957, 0.905, 0.923), 100, (95, 95, 68)),
    ("cooking", "refine_twice"): ((0.960, 0.921, 0.929), (0.957, 0.909, 0.923), 100, (100, 100, 71)),
}
# After repairs: exact problems, exact sections, R_part (recall of each section), R_all.
LENIENT = {
    ("blocksworld", "plain"): (22, (70, 30, 77), (0.97, 0.77, 0.92), 34),
    ("blocksworld", "refine_once"): (23, (72, 31, 72), (0.98, 0.79, 0.89), 36),
    ("blocksworld", "refine_twice"): (23, (73, 31, 70), (0.98, 0.79, 0.89), 36),
    ("cooking", "plain"): (9, (50, 9, 69), (1.00, 0.60, 0.82), 9),
    ("cooking", "refine_once"): (46, (50, 67, 72), (1.00, 0.92, 0.93), 68),
    ("cooking", "refine_twice"): (48, (50, 69, 72), (1.00, 0.93, 0.93), 71),
}


@pytest.mark.data
def test_the_golden_table(public_data):
    prodg = public_data / "prodg"
    planner = remembering(partial(solve, planner="astar", timeout_s=None))
    outputs = read_outputs(prodg / "gpt4_outputs", prodg / "data")
    steps = summarise_outputs(score_output(one, planner=planner) for one in outputs)
    assert [(step.domain, step.step) for step in steps] == list(GOLDEN)
    for step in steps:
        macro, micro, clean, plans = GOLDEN[step.domain, step.step]
        sections = (step.scores.objects, step.scores.predicates, step.scores.goal)
        assert tuple(one.macro for one in sections) == pytest.approx(macro, abs=5e-4)
        assert tuple(one.micro for one in sections) == pytest.approx(micro, abs=5e-4)
        assert (step.scores.n, step.clean) == (100, clean)
        assert step.shipped is not None
        assert (step.shipped.found, step.shipped.valid_own, step.shipped.valid_gold) == plans
        # Blocksworld 75 alone came with a plan of no steps.
        assert step.shipped.no_steps == (1 if (step.domain, step.step) == ("blocksworld", "plain") else 0)
        assert step.planned is not None
        assert step.planned.found == step.planned.valid_own >= plans[1]


@pytest.mark.data
def test_the_golden_table_after_repairs(public_data):
    prodg = public_data / "prodg"
    steps = summarise_outputs(
        map(score_output, read_outputs(prodg / "gpt4_outputs", prodg / "data", repair=True))
    )
    for step in steps:
        exact, exact_sections, recall, recalled = LENIENT[step.domain, step.step]
        sections = (step.scores.objects, step.scores.predicates, step.scores.goal)
        assert (step.scores.exact, step.scores.recalled) == (exact, recalled)
        assert tuple(one.exact for one in sections) == exact_sections
        assert tuple(one.pooled.recall for one in sections) == pytest.approx(recall, abs=5.1e-3)
        macro, micro = GOLDEN[step.domain, step.step][:2]
        if (step.domain, step.step) == ("blocksworld", "refine_twice"):
            macro, micro = (0.976, 0.748, 0.908), (0.975, 0.740, 0.905)
        assert tuple(one.macro for one in sections) == pytest.approx(macro, abs=5e-4)
        assert tuple(one.micro for one in sections) == pytest.approx(micro, abs=5e-4)
