"""The search: on graphs worked out by hand, and grounded against black box."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings

from gumption.grounding import read_domain, read_problem, validate
from gumption.grounding.pddl import Domain, Problem
from gumption.grounding.planners import ProblemSimulator, search, solve
from gumption.grounding.planners._budget import Budget
from gumption.grounding.planners.grounded import Task
from pddl_strategies import domains, problems


class Graph:
    """Edges as {state: {action: state}}; a state's facts are its letters, its goal count is given."""

    def __init__(self, edges: dict[str, dict[str, str]], unmet: dict[str, int], start: str) -> None:
        self.edges, self.unmet, self.start = edges, unmet, start
        self.expanded: list[str] = []

    def initial(self) -> str:
        return self.start

    def actions(self, state: str) -> Iterable[str]:
        self.expanded.append(state)
        return sorted(self.edges.get(state, {}))

    def step(self, state: str, action: str) -> str:
        return self.edges[state][action]

    def goal_count(self, state: str) -> int:
        return self.unmet[state]

    def facts(self, state: str) -> Iterable[str]:
        return set(state)


def test_the_goal_is_tested_when_a_state_is_taken_out() -> None:
    graph = Graph({"s": {"1": "g"}}, {"s": 1, "g": 0}, "s")
    found = search(graph)
    assert (found.status, found.plan, found.expansions) == ("solved", ["1"], 2)


def test_novelty_breaks_ties_before_age_does() -> None:
    # "b" was reached first and holds nothing new; "abc" holds a new fact.
    edges = {"ab": {"1": "b", "2": "abc"}, "b": {"1": "g"}, "abc": {"1": "h"}}
    unmet = {"ab": 1, "b": 1, "abc": 1, "g": 0, "h": 0}
    graph = Graph(edges, unmet, "ab")
    assert search(graph).plan == ["2", "1"]
    assert graph.expanded == ["ab", "abc", "b"]


def test_of_equal_sums_fewer_steps_go_first() -> None:
    edges = {"s": {"1": "m", "2": "n"}, "m": {"1": "x"}, "n": {"1": "y"}}
    graph = Graph(edges, {"s": 3, "m": 1, "n": 2, "x": 1, "y": 9}, "s")
    assert search(graph).status == "unsolvable"
    # sums: m 2, then n and x 3 each; n has one step behind it, x two.
    assert graph.expanded == ["s", "m", "n", "x", "y"]


def test_a_state_is_taken_out_again_when_it_is_reached_in_fewer_steps() -> None:
    # Sums: b 2, d 3, c 4 over b and d; then a 5, over which c has 3; then g.
    edges = {"s": {"1": "a", "2": "b"}, "b": {"1": "d"}, "d": {"1": "c"}, "a": {"1": "c"}, "c": {"1": "g"}}
    unmet = {"s": 3, "a": 4, "b": 1, "d": 1, "c": 1, "g": 3}
    graph = Graph(edges, unmet, "s")
    assert search(graph).status == "unsolvable"
    assert graph.expanded == ["s", "b", "d", "c", "a", "c", "g"]


def test_every_state_seen_is_unsolvable_and_a_cap_is_giving_up() -> None:
    ring = Graph({str(i): {"go": str((i + 1) % 5)} for i in range(5)}, {str(i): 1 for i in range(5)}, "0")
    assert (search(ring).status, search(ring).expansions) == ("unsolvable", 5)
    assert (search(ring, 5).status, search(ring, 5).expansions) == ("unsolvable", 5)
    capped = search(ring, max_expansions=4)
    assert (capped.status, capped.expansions, capped.plan) == ("gave_up", 4, None)


def test_the_goal_counts_among_the_expansions() -> None:
    graph = Graph({"s": {"1": "g"}}, {"s": 1, "g": 0}, "s")
    assert search(graph, max_expansions=1).status == "gave_up"
    assert search(graph, max_expansions=2).status == "solved"


def test_a_simulator_that_is_slow_is_stopped_within_one_state() -> None:
    class Endless(Graph):
        def actions(self, state: str) -> Iterable[str]:
            yield from map(str, range(10**9))

        def step(self, state: str, action: str) -> str:
            return "s"

    assert search(Endless({}, {"s": 1}, "s"), timeout_s=0.2).status == "timeout"


@settings(max_examples=150)
@given(domains(), problems())
def test_grounded_and_black_box_are_one_search(domain: Domain, problem: Problem) -> None:
    """Masks and compiled conditions against the set semantics that validate plans."""
    grounded = solve(domain, problem, "astar", max_expansions=60)
    black_box = search(ProblemSimulator(domain, problem), max_expansions=60)
    assert (grounded.status, grounded.plan, grounded.expansions) == (
        black_box.status,
        black_box.plan,
        black_box.expansions,
    )
    if grounded.plan is not None:
        assert validate(domain, problem, grounded.plan).valid


@settings(max_examples=100)
@given(domains(), problems())
def test_what_can_be_done_and_what_it_does(domain: Domain, problem: Problem) -> None:
    """Two steps into the problem, the same operators lead to as many different states as by set semantics."""
    task, simulator = Task(domain, problem, Budget()), ProblemSimulator(domain, problem)
    pairs = [(task.initial(), simulator.initial())]
    for _ in range(2):
        following = []
        for mask, state in pairs:
            assert task.goal_count(mask) == simulator.goal_count(state)
            assert task.facts(mask).bit_count() <= len(simulator.facts(state))
            found = task.successors(mask)
            steps = [*simulator.actions(state)]
            assert [operator.step for operator, _ in found] == steps
            following += [
                (after, simulator.step(state, step)) for (_, after), step in zip(found, steps, strict=True)
            ]
        pairs = following[:20]
    masks: dict[int, set[frozenset[tuple[str, ...]]]] = {}
    for mask, state in pairs:
        masks.setdefault(mask, set()).add(state)
    assert all(len(states) == 1 for states in masks.values())
    assert len(masks) == len({state for _, state in pairs})


@pytest.mark.data
@pytest.mark.parametrize(
    ("domain_file", "problem_file"),
    [
        ("prodg/data/blocksworld/domain.pddl", "prodg/data/blocksworld/problems/problem3.pddl"),
        ("prodg/data/cooking/domain.pddl", "prodg/data/cooking/problems/problem9.pddl"),
        ("prodg/data/hanoi/domain.pddl", "prodg/data/hanoi/problems/problem1.pddl"),
        (
            "viplan/planning/blocksworld/domain.pddl",
            "viplan/planning/blocksworld/problems/medium/medium_problem_0.pddl",
        ),
        ("viplan/planning/igibson/domain.pddl", "viplan/planning/igibson/simple/sorting_books_simple.pddl"),
        ("viplan/planning/igibson/domain.pddl", "viplan/planning/igibson/medium/sorting_books_medium.pddl"),
    ],
)
def test_on_gold_problems(public_data: Path, domain_file: str, problem_file: str) -> None:
    domain = read_domain((public_data / domain_file).read_text(encoding="utf-8"))
    problem = read_problem((public_data / problem_file).read_text(encoding="utf-8"), domain).problem
    assert problem is not None
    grounded = solve(domain, problem, "astar")
    black_box = search(ProblemSimulator(domain, problem))
    assert grounded.plan == black_box.plan
    assert grounded.plan
    assert grounded.expansions == black_box.expansions
