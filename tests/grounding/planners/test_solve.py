"""Asking for a plan: every status, the limits, and the presets on public problems."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from gumption.grounding import UnsupportedPDDL, read_domain, read_problem, validate
from gumption.grounding.pddl import Domain, Problem
from gumption.grounding.planners import PlanResult, fast_downward, solve
from gumption.records import GumptionError

BLOCKS = read_domain("""
(define (domain blocks) (:requirements :strips :typing) (:types block)
  (:predicates (on ?x - block ?y - block) (table ?x - block) (clear ?x - block) (holding ?x - block) (free))
  (:action pick-up :parameters (?x - block) :precondition (and (clear ?x) (table ?x) (free))
    :effect (and (not (table ?x)) (not (clear ?x)) (not (free)) (holding ?x)))
  (:action put-down :parameters (?x - block) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (free) (table ?x)))
  (:action stack :parameters (?x ?y - block) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (free) (on ?x ?y)))
  (:action unstack :parameters (?x ?y - block) :precondition (and (on ?x ?y) (clear ?x) (free))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (free)) (not (on ?x ?y)))))
""")


def problem(goal: str, init: str = "", objects: str = "a b c - block", domain: Domain = BLOCKS) -> Problem:
    init = init or "(table a) (table b) (table c) (clear a) (clear b) (clear c) (free)"
    text = f"""(define (problem p) (:domain {domain.name}) (:objects {objects}) (:init {init})
        (:goal {goal}))"""
    found = read_problem(text, domain).problem
    assert found is not None
    return found


def tower(blocks: int) -> Problem:
    names = [f"b{number}" for number in range(blocks)]
    return problem(
        f"(and {' '.join(f'(on {x} {y})' for x, y in pairwise(names))})",
        f"(free) {' '.join(f'(table {x}) (clear {x})' for x in names)}",
        f"{' '.join(names)} - block",
    )


def test_a_plan_worked_out_by_hand() -> None:
    result = solve(BLOCKS, problem("(and (on a b) (on b c))"), "astar")
    assert result.status == "solved"
    assert result.plan == [("pick-up", "b"), ("stack", "b", "c"), ("pick-up", "a"), ("stack", "a", "b")]
    assert result.planner == "gumption astar 1"


def test_ties_are_broken_by_name_and_then_by_arguments() -> None:
    domain = read_domain("""(define (domain d) (:predicates (done) (started ?x))
        (:action zed :parameters (?x) :effect (done)) (:action beta :parameters (?x) :effect (done))
        (:action alpha :parameters (?x) :precondition (started ?x) :effect (done)))""")
    text = "(define (problem p) (:domain d) (:objects b10 b9 b1) (:init) (:goal (done)))"
    found = read_problem(text, domain).problem
    assert found is not None
    assert solve(domain, found, "astar").plan == [("beta", "b1")]


def test_a_goal_that_already_holds_takes_no_steps() -> None:
    for goal in ("(on a b)", "()", "(and (on a b) (not (on b a)))"):
        result = solve(BLOCKS, problem(goal, "(on a b) (table b) (clear a) (free)"), "astar")
        assert (result.status, result.plan, result.expansions) == ("solved", [], 1)


def test_unsolvable_is_proven() -> None:
    result = solve(BLOCKS, problem("(and (on a b) (on b a))"), "astar")
    assert (result.status, result.plan) == ("unsolvable", None)
    # 13 arrangements of three blocks, and 3 blocks to hold over 3 arrangements of the other two.
    assert result.expansions == 22


def test_a_cap_on_expansions() -> None:
    goal = problem("(and (on a b) (on b c))")
    needed = solve(BLOCKS, goal, "astar").expansions
    assert needed is not None
    assert solve(BLOCKS, goal, "astar", max_expansions=needed).status == "solved"
    short = solve(BLOCKS, goal, "astar", max_expansions=needed - 1)
    assert (short.status, short.plan, short.expansions) == ("gave_up", None, needed - 1)


def test_seconds() -> None:
    start = time.monotonic()
    result = solve(BLOCKS, tower(30), "astar", timeout_s=0.5)
    assert result.status == "timeout"
    assert time.monotonic() - start < 5


def test_memory() -> None:
    result = solve(BLOCKS, tower(30), "astar", timeout_s=60, memory_mb=48)
    assert result.status == "memory"


def test_a_hostile_problem_ends() -> None:
    start = time.monotonic()
    blocks = " ".join(f"o{n}" for n in range(1000))
    result = solve(BLOCKS, problem("(on o1 o2)", "(free)", f"{blocks} - block"), "astar", timeout_s=3)
    assert result.status in ("gave_up", "timeout")
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    "goal",
    [
        f"{'(exists (?x - block) ' * 40}(clear ?x){')' * 40}",
        f"(exists ({' '.join(f'?x{n}' for n in range(60))} - block)"
        f" (and {' '.join(f'(clear ?x{n})' for n in range(60))}))",
    ],
    ids=["40 quantifiers deep", "60 variables"],
)
def test_too_many_combinations_are_refused_by_name(goal: str) -> None:
    text = f"(define (problem p) (:domain blocks) (:objects a b - block) (:init (free)) (:goal {goal}))"
    found = read_problem(text, BLOCKS).problem
    assert found is not None
    with pytest.raises(UnsupportedPDDL, match="1,000,000 combinations"):
        solve(BLOCKS, found, "astar", timeout_s=3)


def test_too_many_actions_is_the_same_without_a_clock() -> None:
    objects = " ".join(f"o{n}" for n in range(500))
    result = solve(
        BLOCKS, problem("(on o1 o2)", "(free)", f"{objects} - block"), "astar", timeout_s=None, memory_mb=None
    )
    assert (result.status, result.expansions) == ("gave_up", 0)


def test_atoms_of_undeclared_objects_never_change() -> None:
    state = "(table a) (clear a) (free) (table ghost) (clear ghost)"
    assert solve(BLOCKS, problem("(and (holding a) (table ghost))", state), "astar").plan == [
        ("pick-up", "a")
    ]
    assert solve(BLOCKS, problem("(holding ghost)", state), "astar").status == "unsolvable"


@pytest.mark.parametrize(
    ("goal", "steps"),
    [
        ("(or (on a b) (holding c))", 1),
        ("(exists (?x - block) (on ?x a))", 2),
        ("(forall (?x - block) (or (holding ?x) (table ?x) (on ?x a)))", 0),
        ("(imply (table a) (holding b))", 1),
        ("(and (not (table a)) (not (holding a)))", 2),
        ("(not (exists (?x - block) (clear ?x)))", None),
        ("(and (= a a) (not (= a b)) (holding b))", 1),
        ("(= a b)", None),
    ],
)
def test_goals_that_are_no_conjunctions(goal: str, steps: int | None) -> None:
    result = solve(BLOCKS, problem(goal), "astar")
    assert (None if result.plan is None else len(result.plan)) == steps


def test_conditional_effects_read_the_state_before_and_an_add_wins() -> None:
    domain = read_domain("""(define (domain swap) (:predicates (p) (q) (r))
        (:action swap :effect (and (when (p) (and (not (p)) (q))) (when (q) (and (not (q)) (p)))))
        (:action keep :precondition (r) :effect (and (not (r)) (r) (q))))""")
    text = "(define (problem x) (:domain swap) (:objects) (:init (p)) (:goal (and (q) (not (p)))))"
    found = read_problem(text, domain).problem
    assert found is not None
    assert solve(domain, found, "astar").plan == [("swap",)]
    text = "(define (problem x) (:domain swap) (:objects) (:init (r)) (:goal (and (q) (r))))"
    found = read_problem(text, domain).problem
    assert found is not None
    assert solve(domain, found, "astar").plan == [("keep",)]


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ("(:derived (on ?x) (free))", "derived"),
        ("(:durative-action a :parameters () :duration (= ?duration 1))", "durative"),
        ("(:action a :parameters () :effect (increase (fuel) 1))", "numeric"),
    ],
)
@pytest.mark.parametrize("planner", ["astar", "auto", "symbolizer-release"])
def test_unsupported(part: str, what: str, planner: str) -> None:
    domain = read_domain(f"(define (domain d) (:predicates (free) (on ?x)) (:functions (fuel)) {part})")
    found = read_problem("(define (problem p) (:domain d) (:objects) (:init) (:goal (free)))", domain).problem
    assert found is not None
    with pytest.raises(UnsupportedPDDL, match=what):
        solve(domain, found, planner)  # type: ignore[arg-type]


def test_a_plan_that_does_not_validate_is_never_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = PlanResult("solved", [("stack", "a", "b")], "other")
    monkeypatch.setattr(fast_downward, "solve", lambda *_: wrong)
    result = solve(BLOCKS, problem("(on a b)"), "fast-downward")
    assert (result.status, result.plan, result.planner) == ("crashed", None, "other")
    assert "step 0" in result.detail


def test_an_unknown_planner_is_named() -> None:
    with pytest.raises(GumptionError, match="fastdownward"):
        solve(BLOCKS, tower(2), "fastdownward")  # type: ignore[arg-type]


def read(folder: Path, domain_file: str, problem_files: str) -> tuple[Domain, dict[str, Problem]]:
    domain = read_domain((folder / domain_file).read_text(encoding="utf-8"))
    found = {}
    for file in sorted(folder.glob(problem_files)):
        reading = read_problem(file.read_text(encoding="utf-8"), domain)
        assert reading.problem is not None
        found[f"{file.parent.parent.name}/{file.name}"] = reading.problem
    return domain, found


@pytest.mark.data
def test_the_preset_of_the_release_on_prodg(public_data: Path) -> None:
    """29 of 30: hanoi with ten disks has more than 50,000 states before its goal."""
    unsolved, seen = [], 0
    for name in ("blocksworld", "cooking", "hanoi"):
        domain, problems = read(
            public_data, f"prodg/data/{name}/domain.pddl", f"prodg/data/{name}/problems/*.pddl"
        )
        for file, one in problems.items():
            seen += 1
            result = solve(domain, one, "symbolizer-release")
            if result.status != "solved":
                unsolved.append((file, result.status, result.expansions))
    assert seen == 30
    assert unsolved == [("hanoi/problem8.pddl", "gave_up", 50_000)]


@pytest.mark.data
def test_the_preset_of_the_release_on_household(public_data: Path) -> None:
    domain, problems = read(
        public_data, "viplan/planning/igibson/domain.pddl", "viplan/planning/igibson/*/*.pddl"
    )
    solved = [solve(domain, one, "symbolizer-release").status for one in problems.values()]
    assert (len(solved), solved.count("solved"), solved.count("gave_up")) == (16, 14, 2)


@pytest.mark.data
def test_without_the_cap(public_data: Path) -> None:
    domain, problems = read(
        public_data, "prodg/data/hanoi/domain.pddl", "prodg/data/hanoi/problems/problem8.pddl"
    )
    result = solve(domain, problems["hanoi/problem8.pddl"], "astar")
    assert result.plan is not None
    assert len(result.plan) >= 1023


@pytest.mark.data
def test_viplan_blocksworld(public_data: Path) -> None:
    seen = 0
    for split in ("simple", "medium", "hard", "simple_10", "medium_10", "hard_10"):
        domain, problems = read(
            public_data,
            "viplan/planning/blocksworld/domain.pddl",
            f"viplan/planning/blocksworld/problems/{split}/*.pddl",
        )
        for one in problems.values():
            result = solve(domain, one, "astar")
            assert result.plan
            assert validate(domain, one, result.plan).valid
            seen += 1
    assert seen == 105
