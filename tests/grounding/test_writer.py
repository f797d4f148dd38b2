"""Writing and reading again gives the same content."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from gumption.grounding import UnsupportedPDDL, read_domain, read_problem
from gumption.grounding.pddl import And, Domain, Problem
from gumption.grounding.writer import write_domain, write_problem
from pddl_strategies import domains, problems


@settings(max_examples=150)
@given(domains(), problems())
def test_round_trip(domain: Domain, problem: Problem) -> None:
    read = read_domain(write_domain(domain))
    assert msgspec.structs.replace(read, errors=()) == domain
    again = read_problem(write_problem(problem, domain), domain, repair=False)
    assert again.problem == problem


@pytest.mark.data
def test_gold_files_come_back_unchanged(public_data: Path) -> None:
    seen = 0
    for domain_file, problem_files in [
        *[
            (public_data / f"prodg/data/{name}/domain.pddl", f"prodg/data/{name}/problems/*.pddl")
            for name in ("blocksworld", "cooking", "hanoi")
        ],
        (
            public_data / "viplan/planning/blocksworld/domain.pddl",
            "viplan/planning/blocksworld/problems/[smh]*/*.pddl",
        ),
        (public_data / "viplan/planning/igibson/domain.pddl", "viplan/planning/igibson/*/*.pddl"),
    ]:
        domain = read_domain(domain_file.read_text(encoding="utf-8"))
        assert read_domain(write_domain(domain)) == domain
        for file in public_data.glob(problem_files):
            problem = read_problem(file.read_text(encoding="utf-8"), domain).problem
            assert problem is not None
            again = read_problem(write_problem(problem, domain), domain)
            assert again.problem == problem
            assert again.clean
            seen += 1
    assert seen == 151


def test_types_with_several_parents_and_either() -> None:
    text = """(define (domain d) (:requirements :typing) (:types a b - object c - (either a b))
        (:constants k - (either a b)) (:predicates (p ?x - (either a c) ?y)) (:functions (total-cost))
        (:action go :parameters (?x - (either a b)) :effect (p ?x ?x)))"""
    domain = read_domain(text)
    assert domain.types["c"] == ("a", "b")
    assert read_domain(write_domain(domain)) == domain
    problem = read_problem(
        "(define (problem q) (:domain d) (:objects o - (either a b)) (:init) (:goal ()))", domain
    ).problem
    assert problem is not None
    assert read_problem(write_problem(problem, domain), domain).problem == problem


def test_what_is_undeclared_is_written_as_it_stands() -> None:
    domain = read_domain("(define (domain d) (:predicates (p ?x)))")
    problem = Problem("q", "d", {"a": "object"}, frozenset({("p", "ghost"), ("r", "a", "a")}), And(()))
    text = write_problem(problem, domain)
    assert "(p ghost)" in text
    assert "(r a a)" in text
    assert "ghost - " not in text


def test_a_problem_without_names_gets_the_domains() -> None:
    domain = read_domain("(define (domain d) (:predicates (p ?x)))")
    text = write_problem(Problem("", "", {}, frozenset(), And(())), domain)
    assert read_problem(text, domain).clean


def test_what_is_not_kept_by_reading_is_not_written() -> None:
    derived = read_domain("(define (domain d) (:predicates (p ?x) (q ?x)) (:derived (q ?x) (p ?x)))")
    with pytest.raises(UnsupportedPDDL, match="derived"):
        write_domain(derived)
    plain = read_domain("(define (domain d) (:predicates (p ?x)))")
    timed = read_problem(
        "(define (problem q) (:domain d) (:objects a) (:init (at 5 (p a))) (:goal (p a)))", plain
    ).problem
    assert timed is not None
    with pytest.raises(UnsupportedPDDL, match="timed"):
        write_problem(timed, plain)
