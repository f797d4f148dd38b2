"""Any text at all: the readers end, in time, with a reading or with the error they name.

`python -m pytest -n 0 tests/grounding/test_fuzz.py --hypothesis-profile long` goes on for ten minutes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding import (
    Domain,
    MalformedPDDL,
    ProblemReading,
    UnsupportedPDDL,
    read_actions,
    read_domain,
    read_problem,
    validate,
)

CASES = Path(__file__).parents[1] / "cases"
BLOCKSWORLD = (CASES / "blocksworld.pddl").read_text("utf-8")
ADL = """(define (domain adl) (:requirements :adl) (:types a b - c) (:constants k - a)
  (:predicates (p ?x - c) (q ?x - a ?y - (either b c)) (r)) (:functions (total-cost))
  (:action go :parameters (?x ?y - c)
    :precondition (and (p ?x) (or (r) (not (= ?x ?y)))
      (forall (?z - b) (imply (q ?x ?z) (exists (?w) (p ?w)))))
    :effect (and (forall (?z - c) (when (p ?z) (not (p ?z)))) (r) (increase (total-cost) 1))))"""
PROBLEM = """(define (problem p) (:domain blocksworld) (:objects a b - block)
  (:init (clear a) (on a b) (ontable b) (handempty)) (:goal (and (on b a) (not (clear b)))))"""
PIECES = [
    *("(", ")", "((", "))", " ", "\n", "\r\n", "\t", ",", ";", "//", "#", "--", "/*", "*/"),
    *("```", "```pddl\n", "~~~", "define", "(define (problem p)", "(define (domain d)", "problem", "domain"),
    *("(:domain blocksworld)", "(:objects", "(:init", "(:goal", "(:metric", "(:constraints", ":init"),
    *("(:types", "(:predicates", "(:derived", ":parameters", ":precondition", ":effect", "(:functions"),
    *("(:requirements", "(:action go", "and", "or", "not", "imply", "forall", "exists", "when", "=", ">="),
    *(
        "increase",
        "either",
        "-",
        "- block",
        "(and",
        "(or",
        "(not",
        "(forall (?x - block)",
        "(when",
        "(= a b)",
    ),
    *("(at 5", "(preference x", "()", "?x", "?", "clear", "on", "a", "b", "block", "(clear a)", "(on a b)"),
    *("(on b ?x)", "(handempty)", "(total-cost)", "5", "Sure, here it is:", PROBLEM),
    *("é", "İ", "ſ", "\u200b", "\ufeff", "\u00a0", "\x00", "\ud800", "😀"),
]
SOUP = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=60).map(" ".join) | st.lists(
    st.sampled_from(PIECES), max_size=60
).map("".join)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A good text with pieces cut out of it, put in, and moved."""
    for _ in range(draw(st.integers(1, 6))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.integers(0, 30)))
        piece = draw(st.sampled_from(PIECES) | st.just("") | st.just(text[begin:end] * 2))
        text = text[:begin] + piece + text[end:]
    return text


DOMAINS = [read_domain(BLOCKSWORLD), read_domain(ADL)]
PROBLEMS = st.text() | SOUP | damaged(PROBLEM) | damaged(PROBLEM.replace(" ", "\n").upper())
PLANS = st.lists(
    st.lists(st.sampled_from(["pick-up", "stack", "go", "a", "b", "k", "", "é"]), max_size=4).map(tuple),
    max_size=5,
)


def check_reading(text: str, reading: ProblemReading) -> None:
    """What holds for every reading."""
    assert (reading.problem is None) == (reading.repair == "unreadable")
    assert reading.repair == (reading.repairs[-1] if reading.repairs else reading.repair)
    lines = re.split(r"\r\n|\r|\n", text)
    for finding in reading.errors:
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 2
    if reading.problem is not None:
        for atom in reading.problem.init:
            assert atom
            assert not any(re.search(r"[\s(),]", word) for word in atom)


@given(PROBLEMS, st.sampled_from(DOMAINS), PLANS)
def test_any_text_as_a_problem(text: str, domain: Domain, plan: list[tuple[str, ...]]) -> None:
    reading = read_problem(text, domain)
    check_reading(text, reading)
    strict = read_problem(text, domain, repair=False)
    assert strict.problem in (None, reading.problem)
    assert (strict.problem is None) == (reading.problem is None or reading.repair != "none")
    if reading.problem is not None:
        hash(reading.problem.goal)
        reading.problem.goal_literals  # noqa: B018
        try:
            validate(domain, reading.problem, plan)
            validate(domain, reading.problem, plan, faults="first", on_failure="execute")
        except UnsupportedPDDL as error:
            assert error.remedy


@given(st.text() | SOUP | damaged(ADL) | damaged(BLOCKSWORLD), PROBLEMS, PLANS)
def test_any_text_as_a_domain(text: str, problem: str, plan: list[tuple[str, ...]]) -> None:
    try:
        domain = read_domain(text)
    except MalformedPDDL as error:
        assert error.remedy
        return
    for kind in (*domain.types, *domain.constants.values(), "object", "nowhere"):
        assert domain.is_a(kind, ("object",))
    reading = read_problem(problem, domain)
    check_reading(problem, reading)
    if reading.problem is None:
        return
    steps = [*plan, *((name, *["a"] * len(one.parameters)) for name, one in domain.actions.items())]
    try:
        validate(domain, reading.problem, steps, on_failure="execute")
    except UnsupportedPDDL as error:
        assert error.remedy


@given(PROBLEMS | st.text())
def test_any_text_as_a_plan(text: str) -> None:
    plan = read_actions(text)
    assert all(plan)


@given(damaged(PROBLEM), st.data())
def test_comments_and_blanks_between_tokens_change_nothing(text: str, data: st.DataObject) -> None:
    """Where there is no comment, fence or sign of one in the text, another may stand at every parenthesis."""
    if re.search(r"[;/#~`-]{2}|[;#/\x00]|--", text):
        return
    domain = DOMAINS[0]
    plain = read_problem(text, domain)
    if plain.problem is None:
        return
    blank = st.sampled_from([" ", "\n", "\t ", " ; (note\n", "\r\n"])
    other = read_problem(
        re.sub(r"[()]", lambda match: data.draw(blank) + match[0] + data.draw(blank), text), domain
    )
    assert other.problem == plain.problem
    assert other.repairs == plain.repairs
    assert [(f.kind, f.section, f.symbol) for f in other.errors] == [
        (f.kind, f.section, f.symbol) for f in plain.errors
    ]


@pytest.mark.data
@given(data=st.data())
def test_damaged_outputs_of_a_model(public_data: Path, data: st.DataObject) -> None:
    prodg = public_data / "prodg"
    name = data.draw(st.sampled_from(["blocksworld", "cooking"]))
    number = data.draw(st.integers(1, 100))
    domain = read_domain((prodg / "data" / name / "domain.pddl").read_text("utf-8"))
    file = prodg / "gpt4_outputs" / name / "plain" / "problems" / f"problem{number}.pddl"
    text = data.draw(damaged(file.read_text("utf-8")))
    reading = read_problem(text, domain)
    check_reading(text, reading)
    if reading.problem is not None:
        try:
            validate(domain, reading.problem, [])
        except UnsupportedPDDL as error:
            assert error.remedy
