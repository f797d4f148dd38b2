"""Fast Downward as a program: what its exit codes mean, its limits, and what it makes of public problems."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gumption.grounding import read_domain, read_problem, validate
from gumption.grounding.pddl import Condition, Domain, Problem
from gumption.grounding.planners import fast_downward, solve
from gumption.grounding.planners._process import OUTPUT, run
from gumption.records import GumptionError

needs_planner = pytest.mark.skipif(
    not fast_downward.installed(), reason="Fast Downward is not installed: pip install 'gumption[planner]'"
)

ROOMS = read_domain("""
(define (domain rooms) (:requirements :adl) (:types room thing - object box - thing)
  (:constants hall - room)
  (:predicates (at ?r - room) (in ?t - thing ?r - room) (has ?t - thing) (next ?r ?s - room)
    (locked ?r - room))
  (:action move :parameters (?r ?s - room)
    :precondition (and (at ?r) (or (next ?r ?s) (next ?s ?r)) (not (= ?r ?s))
      (imply (locked ?s) (exists (?k - thing) (has ?k))))
    :effect (and (not (at ?r)) (at ?s)
      (forall (?t - thing) (when (has ?t) (and (not (in ?t ?r)) (in ?t ?s))))))
  (:action take :parameters (?t - thing ?r - room)
    :precondition (and (at ?r) (in ?t ?r) (not (exists (?b - box) (has ?b)))) :effect (has ?t)))
""")


def problem(goal: str, init: str = "(at hall) (next hall den) (in key hall) (locked den)") -> Problem:
    found = read_problem(
        f"""(define (problem p) (:domain rooms) (:objects den - room key - thing)
        (:init {init}) (:goal {goal}))""",
        ROOMS,
    ).problem
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (0, "solved"),
        (10, "unsolvable"),
        (11, "unsolvable"),
        (12, "gave_up"),
        (20, "memory"),
        (22, "memory"),
        (21, "timeout"),
        (23, "timeout"),
        (30, "malformed"),
        (31, "malformed"),
        (34, "unsupported"),
        (32, "crashed"),
        (35, "crashed"),
        (-signal.SIGXCPU, "timeout"),
        (256 - signal.SIGXCPU, "timeout"),
        (256 - signal.SIGSEGV, "crashed"),
        (-signal.SIGKILL, "crashed"),
        (None, "timeout"),
    ],
)
def test_exit_codes(code: int | None, status: str) -> None:
    assert fast_downward.status_of(code) == status


def test_time_ends_the_whole_process_group(tmp_path: Path) -> None:
    script = "sleep 60 & echo $! > child; echo words; wait"
    start = time.monotonic()
    assert run(["sh", "-c", script], tmp_path, 1.0) is None
    assert time.monotonic() - start < 10
    assert (tmp_path / OUTPUT).read_text() == "words\n"
    assert_ended(int((tmp_path / "child").read_text()))


def test_what_a_program_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    assert run(["sh", "-c", "sleep 60 & echo $! > child; exit 7"], tmp_path, 30) == 7
    assert_ended(int((tmp_path / "child").read_text()))


def assert_ended(process: int) -> None:
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":  # ended, and not yet waited for by whoever inherited it
            return
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    pytest.fail("a process of the group is still running")


def test_without_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_downward, "_driver", lambda: None)
    result = solve(ROOMS, problem("(has key)"))
    assert result.planner.startswith("gumption astar")
    assert result.status == "solved"
    with pytest.raises(GumptionError) as caught:
        solve(ROOMS, problem("(has key)"), "fast-downward")
    assert "gumption[planner]" in caught.value.remedy


@needs_planner
@pytest.mark.planner
@pytest.mark.parametrize(
    ("goal", "init", "status", "steps"),
    [
        ("(at den)", "(at hall) (next hall den)", "solved", 1),
        ("(and (at den) (in key den))", "(at hall) (next den hall) (in key hall) (locked den)", "solved", 2),
        ("(at den)", "(at hall) (next hall den) (locked den)", "unsolvable", None),
        ("(at den)", "(at hall) (in key hall)", "unsolvable", None),
        ("(at hall)", "(at hall)", "solved", 0),
        ("()", "(at hall)", "solved", 0),
        ("(forall (?t - thing) (has ?t))", "(at hall) (in key hall)", "solved", 1),
        ("(or (has key) (at den))", "(at hall) (next hall den)", "solved", 1),
    ],
)
def test_both_planners_agree(goal: str, init: str, status: str, steps: int | None) -> None:
    for planner in ("fast-downward", "astar"):
        result = solve(ROOMS, problem(goal, init), planner)  # type: ignore[arg-type]
        assert result.status == status, (planner, result.detail)
        assert (None if result.plan is None else len(result.plan)) == steps


@needs_planner
@pytest.mark.planner
def test_auto_is_fast_downward_where_it_is_there() -> None:
    result = solve(ROOMS, problem("(has key)"))
    assert result.plan == [("take", "key", "hall")]
    assert result.planner.startswith("fast-downward lama-first (up-fast-downward ")


@needs_planner
@pytest.mark.planner
def test_undeclared_objects_are_refused() -> None:
    result = solve(ROOMS, problem("(has key)", "(at hall) (in key hall) (in ghost hall)"), "fast-downward")
    assert (result.status, result.plan) == ("malformed", None)
    assert "ghost" in result.detail


@needs_planner
@pytest.mark.planner
@pytest.mark.parametrize(
    ("kinds", "variable", "parameter"),
    [("either a b", "a", "a"), ("a", "(either a b)", "a"), ("a", "a", "(either a b)")],
)
def test_auto_leaves_to_the_other_what_it_cannot_read(kinds: str, variable: str, parameter: str) -> None:
    domain = read_domain(f"""(define (domain d) (:types a b) (:predicates (p ?x - (either a b)))
        (:action go :parameters (?x - {parameter}) :effect (p ?x)))""")
    one = Problem(
        "q", "d", {"o": kinds}, frozenset(), read_goal(f"(exists (?x - {variable}) (p ?x))", domain)
    )
    assert solve(domain, one, "fast-downward").status == "unsupported"
    assert solve(domain, one).plan == [("go", "o")]
    plain = Problem("q", "d", {"o": "b"}, frozenset(), read_goal("(exists (?x - a) (not (p ?x)))", domain))
    assert fast_downward.reads(domain, plain) == (parameter == "a")


def read_goal(goal: str, domain: Domain) -> Condition:
    found = read_problem(
        f"(define (problem p) (:domain d) (:objects) (:init) (:goal {goal}))", domain
    ).problem
    assert found is not None
    return found.goal


@needs_planner
@pytest.mark.planner
def test_its_limits() -> None:
    objects = " ".join(f"r{number}" for number in range(700))
    text = f"(define (problem p) (:domain rooms) (:objects {objects} - room) (:init (at r1)) (:goal (at r2)))"
    large = read_problem(text.replace("(at r1)", f"(at r1) {links(700)}"), ROOMS).problem
    assert large is not None
    start = time.monotonic()
    assert solve(ROOMS, large, "fast-downward", timeout_s=1).status == "timeout"
    assert time.monotonic() - start < 5
    assert solve(ROOMS, large, "fast-downward", timeout_s=60, memory_mb=100).status == "memory"


def links(rooms: int) -> str:
    return " ".join(f"(next r{x} r{y})" for x in range(0, rooms, 7) for y in range(rooms))


def read(folder: Path, domain_file: str, problem_files: str) -> list[tuple[Domain, Problem]]:
    domain = read_domain((folder / domain_file).read_text(encoding="utf-8"))
    found = []
    for file in sorted(folder.glob(problem_files)):
        reading = read_problem(file.read_text(encoding="utf-8"), domain)
        assert reading.problem is not None
        found.append((domain, reading.problem))
    return found


@needs_planner
@pytest.mark.planner
@pytest.mark.data
def test_gold_problems(public_data: Path) -> None:
    """A third of the 151; `python -m benches planning` runs all."""
    tasks = [
        *read(
            public_data, "prodg/data/blocksworld/domain.pddl", "prodg/data/blocksworld/problems/*[369].pddl"
        ),
        *read(public_data, "prodg/data/cooking/domain.pddl", "prodg/data/cooking/problems/*[369].pddl"),
        *read(public_data, "prodg/data/hanoi/domain.pddl", "prodg/data/hanoi/problems/*[368].pddl"),
        *read(public_data, "viplan/planning/igibson/domain.pddl", "viplan/planning/igibson/*/*.pddl"),
        *read(
            public_data,
            "viplan/planning/blocksworld/domain.pddl",
            "viplan/planning/blocksworld/problems/*_10/*problem_*[05].pddl",
        ),
    ]
    assert len(tasks) == 31
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda task: solve(*task, "fast-downward"), tasks))
    for (domain, one), result in zip(tasks, results, strict=True):
        assert result.status == "solved", result.detail
        assert result.plan
        assert validate(domain, one, result.plan).valid


@needs_planner
@pytest.mark.planner
@pytest.mark.data
@pytest.mark.parametrize("name", ["blocksworld", "cooking"])
def test_it_refuses_the_problems_that_are_not_clean(public_data: Path, name: str) -> None:
    """Of the problems that GPT-4 wrote those with undeclared objects, and of the first no others."""
    domain = read_domain((public_data / f"prodg/data/{name}/domain.pddl").read_text(encoding="utf-8"))
    clean: list[Problem] = []
    unclean: list[Problem] = []
    folder = public_data / f"prodg/gpt4_outputs/{name}/plain/problems"
    for number in range(1, 101):
        reading = read_problem((folder / f"problem{number}.pddl").read_text(encoding="utf-8"), domain)
        assert reading.problem is not None
        if reading.clean:
            clean.append(reading.problem)
        elif any(error.kind == "undeclared_object" for error in reading.errors):
            unclean.append(reading.problem)
    assert (len(clean), len(unclean)) == {"blocksworld": (72, 27), "cooking": (60, 40)}[name]
    with ThreadPoolExecutor(2) as pool:
        refused = list(pool.map(lambda one: solve(domain, one, "fast-downward").status, unclean[:15]))
        others = list(pool.map(lambda one: solve(domain, one, "fast-downward").status, clean[:15]))
    assert set(refused) == {"malformed"}
    assert set(others) <= {"solved", "unsolvable"}
