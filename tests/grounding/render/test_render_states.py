"""One picture for one state, another for another, and an error for what cannot be."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gumption.grounding import Domain, Problem, read_domain, read_problem
from gumption.grounding.render import can_render, render
from gumption.grounding.states import Dynamics
from gumption.records import GumptionError

DOMAINS = {
    "columns": """(define (domain d) (:types block column)
    (:predicates (on ?a - block ?b - block) (clear ?a - block) (incolumn ?a - block ?c - column)
                 (leftof ?a - column ?b - column))
    (:action move :parameters (?b - block ?to - column)
     :precondition (and (clear ?b) (not (incolumn ?b ?to)))
     :effect (and (incolumn ?b ?to)
        (forall (?c - column) (when (incolumn ?b ?c) (not (incolumn ?b ?c))))
        (forall (?o - block) (when (on ?b ?o) (and (not (on ?b ?o)) (clear ?o))))
        (forall (?o - block)
            (when (and (incolumn ?o ?to) (clear ?o)) (and (on ?b ?o) (not (clear ?o))))))))""",
    "hanoi": """(define (domain d) (:predicates (on ?a ?b) (clear ?a) (smaller ?a ?b))
    (:action move :parameters (?d ?from ?to)
     :precondition (and (smaller ?to ?d) (on ?d ?from) (clear ?d) (clear ?to))
     :effect (and (clear ?from) (on ?d ?to) (not (on ?d ?from)) (not (clear ?to)))))""",
    "cooking": """(define (domain d) (:types location robot vegetable tool - object)
    (:predicates (at ?a - object ?b - location) (carry ?r - robot ?a - object) (free ?r - robot)
                 (is-whole ?v - vegetable) (is-sliced ?v - vegetable) (can-cut ?t - tool)
                 (is-workspace ?l - location))
    (:action pick :parameters (?r - robot ?a - object ?l - location)
     :precondition (and (free ?r) (at ?a ?l)) :effect (and (carry ?r ?a) (not (free ?r)) (not (at ?a ?l))))
    (:action place :parameters (?r - robot ?a - object ?l - location)
     :precondition (carry ?r ?a) :effect (and (free ?r) (at ?a ?l) (not (carry ?r ?a))))
    (:action slice :parameters (?r - robot ?v - vegetable ?t - tool ?l - location)
     :precondition (and (carry ?r ?t) (can-cut ?t) (at ?v ?l) (is-workspace ?l) (is-whole ?v))
     :effect (and (is-sliced ?v) (not (is-whole ?v)))))""",
}
PROBLEMS = {
    "columns": """(:objects r a tall - block c1 c2 c3 - column)
    (:init (incolumn r c1) (incolumn a c1) (on a r) (clear a) (incolumn tall c2) (clear tall)
           (leftof c1 c2) (leftof c2 c3)) (:goal (on r a))""",
    "blocksworld": """(:objects a b red_block - block)
    (:init (ontable a) (on b a) (clear b) (ontable red_block) (clear red_block) (handempty))
    (:goal (on a b))""",
    "hanoi": """(:objects p1 p2 p3 d1 d2 d3)
    (:init (on d1 d2) (on d2 d3) (on d3 p1) (clear d1) (clear p2) (clear p3) (smaller d2 d1) (smaller d3 d1)
           (smaller d3 d2) (smaller p1 d1) (smaller p1 d2) (smaller p1 d3) (smaller p2 d1) (smaller p2 d2)
           (smaller p2 d3) (smaller p3 d1) (smaller p3 d2) (smaller p3 d3)) (:goal (on d3 p3))""",
    "cooking": """(:objects tomato leek - vegetable knife - tool board bowl - location left right - robot)
    (:init (at tomato bowl) (at leek bowl) (at knife board) (free left) (free right) (is-whole tomato)
           (is-whole leek) (can-cut knife) (is-workspace board)) (:goal (is-sliced leek))""",
}
STATES = {"columns": 60, "blocksworld": 22, "hanoi": 27}
"""Counted by hand: 3 blocks in 3 columns are 3*4*5; on a table 13, and with one of them in hand 3*3; 3**3."""


def world(name: str, cases: Path) -> tuple[Domain, Problem]:
    text = DOMAINS.get(name) or (cases / "blocksworld.pddl").read_text()
    domain = read_domain(text)
    problem = read_problem(f"(define (problem p) (:domain d) {PROBLEMS[name]})", domain).problem
    assert problem is not None
    return domain, problem


def reachable(domain: Domain, problem: Problem) -> list[frozenset[tuple[str, ...]]]:
    dynamics = Dynamics(domain, problem)
    found = {problem.init: None}
    waiting = [problem.init]
    while waiting:
        state = waiting.pop()
        for action in domain.actions.values():
            schema = dynamics.schema(action.name)
            assert schema is not None
            for arguments in product(*(dynamics.of_types(one.types) for one in action.parameters)):
                if schema.applicable(state, arguments):
                    after = schema.apply(state, arguments)
                    if after not in found:
                        found[after] = None
                        waiting.append(after)
    return list(found)


@pytest.mark.parametrize("style", ["sprite", "isometric"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_state_has_a_picture_of_its_own(name: str, style: str, cases: Path) -> None:
    domain, problem = world(name, cases)
    states = reachable(domain, problem)
    assert len(states) == STATES.get(name, len(states)) and len(states) > 20
    pictures = {render(domain, problem.objects, state, style=style, seed=4) for state in states}
    assert len(pictures) == len(states)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_seed_and_nothing_else_varies_a_picture(name: str, cases: Path) -> None:
    """Processes whose sets are in another order draw the same."""
    domain, problem = world(name, cases)
    script = (
        "import sys, hashlib\nfrom gumption.grounding import read_domain, read_problem\n"
        "from gumption.grounding.render import render\nd = read_domain(sys.argv[1])\n"
        "p = read_problem(sys.argv[2], d).problem\n"
        "b = b''.join(render(d, p.objects, p.init, style=s, seed=9) for s in ('sprite', 'isometric'))\n"
        "print(hashlib.sha256(b).hexdigest())"
    )
    texts = (
        DOMAINS.get(name) or (cases / "blocksworld.pddl").read_text(),
        f"(define (problem p) (:domain d) {PROBLEMS[name]})",
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *texts],
        env={**os.environ, "PYTHONHASHSEED": "1234"},
        capture_output=True,
        text=True,
        check=True,
    )
    both = [render(domain, problem.objects, problem.init, style=s, seed=9) for s in ("sprite", "isometric")]
    assert done.stdout.strip() == hashlib.sha256(b"".join(both)).hexdigest()
    assert len({render(domain, problem.objects, problem.init, seed=seed) for seed in range(12)}) > 3


def test_sizes_and_format(cases: Path) -> None:
    domain, problem = world("hanoi", cases)
    picture = Image.open(io.BytesIO(render(domain, problem.objects, problem.init, size=(300, 200))))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "RGB", (300, 200))


@pytest.mark.parametrize(
    ("name", "added"),
    [
        ("columns", [("on", "tall", "r")]),  # two blocks on r
        ("columns", [("incolumn", "r", "c2")]),
        ("columns", [("on", "r", "a")]),  # a circle
        ("columns", [("leftof", "c2", "c1")]),
        ("blocksworld", [("holding", "a")]),
        ("blocksworld", [("on", "b", "red_block")]),
        ("blocksworld", [("ontable", "b")]),
        ("hanoi", [("on", "d1", "d3")]),
        ("cooking", [("at", "tomato", "board")]),
        ("cooking", [("carry", "left", "tomato"), ("carry", "left", "knife")]),
    ],
)
def test_states_that_cannot_be_are_errors(name: str, added: list[tuple[str, ...]], cases: Path) -> None:
    domain, problem = world(name, cases)
    with pytest.raises(GumptionError, match="cannot be drawn") as error:
        render(domain, problem.objects, problem.init | set(added))
    assert error.value.remedy


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("columns", ("incolumn", "tall", "c2")),
        ("blocksworld", ("ontable", "red_block")),
        ("hanoi", ("on", "d3", "p1")),
        ("cooking", ("at", "knife", "board")),
    ],
)
def test_things_that_are_nowhere_are_errors(name: str, missing: tuple[str, ...], cases: Path) -> None:
    domain, problem = world(name, cases)
    with pytest.raises(GumptionError, match="cannot be drawn"):
        render(domain, problem.objects, problem.init - {missing})


def test_other_worlds_and_styles_are_errors(cases: Path) -> None:
    domain, problem = world("hanoi", cases)
    with pytest.raises(GumptionError, match="style"):
        render(domain, problem.objects, problem.init, style="photo")  # type: ignore[arg-type]
    other = read_domain("(define (domain hanoi) (:predicates (road ?a ?b)))")
    with pytest.raises(GumptionError, match="no pictures"):
        render(other, {}, set())
    assert not can_render(other, problem)
    assert can_render(domain, problem)
    assert not can_render(domain, Problem("p", "d", problem.objects, frozenset(), problem.goal))


@pytest.mark.parametrize("style", ["sprite", "isometric"])
@given(data=st.data())
def test_any_state_is_drawn_or_is_an_error(style: str, data: st.DataObject) -> None:
    """Whatever facts and sizes: a picture, or an error that says what to do."""
    name = data.draw(st.sampled_from(sorted(DOMAINS)))
    domain, problem = world(name, Path())
    words = st.sampled_from([*problem.objects, "nobody"])
    atoms = st.tuples(st.sampled_from([*domain.predicates, "no"]), words, words)
    state = set(problem.init) - set(data.draw(st.lists(st.sampled_from(sorted(problem.init)), max_size=2)))
    state |= set(data.draw(st.lists(atoms | atoms.map(lambda atom: atom[:2]), max_size=2)))
    size = data.draw(st.tuples(st.integers(100, 300), st.integers(100, 300)))
    try:
        png = render(domain, problem.objects, state, style=style, size=size)
    except GumptionError as error:
        assert error.remedy
    else:
        assert Image.open(io.BytesIO(png)).size == size


@pytest.mark.parametrize("style", ["sprite", "isometric"])
def test_more_things_than_can_be_seen_are_an_error(style: str) -> None:
    domain = read_domain(DOMAINS["columns"])
    for blocks, columns in ((1, 400), (400, 1)):
        state = {("incolumn", f"b{n}", "c0") for n in range(blocks)}
        state |= {("on", f"b{n + 1}", f"b{n}") for n in range(blocks - 1)}
        objects = {f"b{n}": "block" for n in range(blocks)} | {f"c{n}": "column" for n in range(columns)}
        with pytest.raises(GumptionError, match="too many"):
            render(domain, objects, state, style=style)
    with pytest.raises(GumptionError, match="pixels"):
        render(domain, {"c": "column"}, set(), style=style, size=(480, 100000))


@pytest.mark.data
def test_all_published_tabletop_problems_can_be_drawn(public_data: Path) -> None:
    drawn = 0
    for folder in (*(public_data / "prodg" / "data").iterdir(), public_data / "viplan/planning/blocksworld"):
        if (folder / "domain.pddl").is_file():
            domain = read_domain((folder / "domain.pddl").read_text())
            for path in sorted((folder / "problems").rglob("*problem*.pddl")):
                if path.parent.name != "test":
                    problem = read_problem(path.read_text(), domain).problem
                    assert problem is not None and can_render(domain, problem), path
                    drawn += 1
    assert drawn == 135


def test_a_peg_that_stands_on_a_peg_cannot_be_drawn():
    from gumption.grounding import read_domain
    from gumption.grounding.generate import package_domain
    from gumption.records import GumptionError

    state = {
        ("smaller", "peg1", "d1"),
        ("smaller", "peg2", "d1"),
        ("on", "peg2", "peg1"),
        ("on", "d1", "peg2"),
    }
    objects = dict.fromkeys(("d1", "peg1", "peg2"), "object")
    with pytest.raises(GumptionError, match="peg2"):
        render(read_domain(package_domain("hanoi")), objects, state)
