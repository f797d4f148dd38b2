"""The design's public interface in use, and nothing else: `make lint` checks its types, a test runs it.

Facts: blocks that are stacked by hand; two models of four items; raters who agree.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gumption as g

DOMAIN = """(define (domain lamps) (:requirements :strips :typing) (:types lamp)
(:predicates (lit ?l - lamp) (dark ?l - lamp))
(:action light :parameters (?l - lamp) :precondition (dark ?l) :effect (and (lit ?l) (not (dark ?l)))))"""
PROBLEM = """(define (problem one) (:domain lamps) (:objects a b - lamp) (:init (dark a) (lit b))
(:goal (and (lit a) (lit b))))"""


def main() -> None:
    replies()
    plans()
    problems()
    suites()
    statistics()


def replies() -> None:
    """A reply read; a point in the pixels of a picture."""
    reading: g.Reading = g.read("The answer is (B).", g.Answer("choice", choices={"A": "left", "B": "right"}))
    assert reading.outcome == "answered" and reading.value == "B"
    where = g.Answer(kind="point", convention="unit_xy", size=(640, 480))
    assert g.read("(0.5, 0.5)", where).value == [(320.0, 240.0)]
    item = g.Item("1", "own", (), g.Answer("yes_no", gold="yes"), cluster="scene")
    assert item.answer.gold == "yes"


def plans() -> None:
    """A plan read and matched with itself."""
    reading = g.planning.read_plan("<actions>[['Navigate', 'Apple'], ['PickupObject', 'Apple']]</actions>")
    actions: list[list[str]] | None = reading.actions
    assert actions is not None and not reading.refused and not reading.repairs
    score = g.planning.match(actions, actions, judge=None, preset=None)
    wholes: tuple[float | None, ...] = (score.quantity.f1, score.order.precision, score.order.recall)
    assert wholes == (1.0, 1.0, 1.0)


def problems() -> None:
    """A problem read, solved and its plan validated; one fault found."""
    domain = g.grounding.read_domain(DOMAIN)
    reading = g.grounding.read_problem(PROBLEM, domain, repair=False)
    problem = reading.problem
    assert problem is not None and problem.objects == {"a": "lamp", "b": "lamp"}
    assert problem.init == {("dark", "a"), ("lit", "b")}
    goal: frozenset[tuple[bool, tuple[str, ...]]] | None = problem.goal_literals
    assert goal == frozenset({(True, ("lit", "a")), (True, ("lit", "b"))})
    result = g.grounding.solve(domain, problem, planner="auto", timeout_s=60)
    plan: list[tuple[str, ...]] | None = result.plan
    assert result.status == "solved" and plan == g.grounding.read_actions("(light a)")
    assert g.grounding.validate(domain, problem, plan).valid
    verdict = g.grounding.validate(domain, problem, [["LIGHT", "b"]])
    failed: int | None = verdict.failed_step
    assert not verdict.valid and failed == 0 and verdict.errors[0].step == 0
    assert g.grounding.f1({1, 2}, {2, 3}) == 0.5


def suites() -> None:
    """Ten items in two heaps, of which one of each is chosen."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0]]).repeat(5, axis=0)
    chosen: np.ndarray = g.curation.select(rows, 2, method="facility", seed=0)
    assert sorted(int(one) // 5 for one in chosen) == [0, 1]


def statistics() -> None:
    """A ranking of two models; two raters who say the same."""
    ranking = g.ranking.rank(np.array([[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0]]))
    assert ranking.models[0].score.mean == 0.75
    agreement = g.ranking.agreement(np.array([[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]), level="nominal")
    low: float | None = agreement.ac1.low
    assert agreement.alpha.mean == 1.0 and low is not None and low <= 1
    limits = g.synthesis.Limits(wall_s=10, memory_mb=512, processes=16, disk_mb=10, output_kb=1024)
    assert limits.wall_s == 10


def written(run: Path, other: Path) -> tuple[g.Scorecard, float | None]:
    """What is made of two run folders."""
    return g.ranking.scorecard(run), g.ranking.compare(run, other).difference.mean
