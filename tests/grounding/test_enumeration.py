"""Questions about a state."""

from __future__ import annotations

from itertools import product

import pytest

from gumption.grounding import read_domain, read_problem
from gumption.grounding.enumeration import (
    believe,
    changed,
    ground,
    ground_atoms,
    label,
    mentioned,
    questions,
)
from gumption.grounding.pddl import And, Or
from gumption.grounding.states import Dynamics
from gumption.records import Answer, GumptionError, Item, Reading, Text

DOMAIN = """
(define (domain rooms)
  (:types room thing - object box - thing)
  (:constants hall - room)
  (:predicates (at ?x - thing ?r - room) (in ?x - thing ?b - box) (lit ?r - room) (late) (same ?x ?y))
  (:action carry :parameters (?x - thing ?from ?to - room)
    :precondition (and (at ?x ?from) (not (= ?from ?to)) (forall (?b - box) (or (not (in ?x ?b)) (late))))
    :effect (and (at ?x ?to) (not (at ?x ?from)) (not (lit ?to)) (lit ?to)
      (forall (?y - thing) (when (in ?y ?x) (and (at ?y ?to) (not (at ?y ?from))))))))
"""
PROBLEM = """
(define (problem p) (:domain rooms) (:objects den - room cup - thing crate - box)
  (:init (at cup hall) (at crate hall) (in cup crate)) (:goal (at cup den)))
"""
DOM = read_domain(DOMAIN)
TASK = read_problem(PROBLEM, DOM).problem
assert TASK
DYNAMICS = Dynamics(DOM, TASK)


def test_every_well_typed_atom_once_in_an_order_that_tells_nothing() -> None:
    atoms = ground_atoms(DYNAMICS)
    everything = ["crate", "cup", "den", "hall"]
    assert atoms == (
        *(("at", *pair) for pair in product(["crate", "cup"], ["den", "hall"])),
        *(("in", thing, "crate") for thing in ("crate", "cup")),
        ("lit", "den"), ("lit", "hall"), ("late",),
        *(("same", *pair) for pair in product(everything, everything)),
    )  # fmt: skip
    assert [label(atom) for atom in atoms[:1]] == ["at crate,den"] and label(("late",)) == "late"


def test_too_many_atoms_are_refused_before_they_are_made() -> None:
    names = " ".join(f"t{number}" for number in range(400))
    problem = read_problem(f"(define (problem p) (:domain rooms) (:objects {names} - thing))", DOM).problem
    assert problem
    with pytest.raises(GumptionError, match="ground atoms"):
        ground_atoms(Dynamics(DOM, problem))


def test_a_hundred_thousand_atoms_are_not_too_many() -> None:
    text = "(define (domain d) (:predicates (p ?a ?b ?c ?d ?e){}) (:action a :effect (and)))"
    names = " ".join(f"t{number}" for number in range(10))
    for more, fits in (("", True), (" (q)", False)):
        domain = read_domain(text.format(more))
        problem = read_problem(f"(define (problem p) (:domain d) (:objects {names}))", domain).problem
        assert problem
        if fits:
            assert len(ground_atoms(Dynamics(domain, problem))) == 10**5
        else:
            with pytest.raises(GumptionError, match="100,001 ground atoms"):
                ground_atoms(Dynamics(domain, problem))


def test_a_question_holds_what_is_shown_and_its_gold() -> None:
    item = Item("task", "b", (), Answer("actions"))
    picture = Text("(a picture)")
    asked = questions(item, "enum/0", [("at", "cup", "hall"), ("late",)], TASK.init, (picture,), label)
    assert [one.id for one in asked] == ["task/enum/0/at cup,hall", "task/enum/0/late"]
    assert [one.answer for one in asked] == [Answer("yes_no", gold="yes"), Answer("yes_no", gold="no")]
    assert asked[0].parts == (picture, Text("at cup,hall")) and asked[0].benchmark == "b"


def test_unread_answers_are_neither_true_nor_false() -> None:
    atoms = [("a",), ("b",), ("c",)]
    said = believe(atoms, [Reading("answered", "yes"), Reading("answered", "no"), Reading("unanswered")])
    assert (said.asked, said.true, said.unread) == (frozenset(atoms), {("a",)}, {("c",)})
    with pytest.raises(ValueError, match="argument 2"):
        believe(atoms, [])


def test_preconditions_are_written_out() -> None:
    action = DOM.actions["carry"]
    needed = ground(action.precondition, {"?x": "cup", "?from": "hall", "?to": "den"}, DYNAMICS)
    assert mentioned(needed) == (("at", "cup", "hall"), ("in", "cup", "crate"), ("late",))
    assert not DYNAMICS.holds(needed, TASK.init)
    assert DYNAMICS.holds(needed, TASK.init | {("late",)})
    nowhere = ground(action.precondition, {"?x": "cup", "?from": "hall", "?to": "hall"}, DYNAMICS)
    assert isinstance(nowhere, And) and nowhere.parts[1].part == And(()) and Or(()) != And(())
    assert not DYNAMICS.holds(nowhere, TASK.init | {("late",)})


def test_what_a_step_sets_depends_on_the_state_and_an_add_wins() -> None:
    step = ("carry", "crate", "hall", "den")
    moved = {("at", "crate", "den"): True, ("at", "crate", "hall"): False, ("lit", "den"): True}
    assert changed(DYNAMICS, step, frozenset()) == moved
    with_cup = {**moved, ("at", "cup", "den"): True, ("at", "cup", "hall"): False}
    assert changed(DYNAMICS, step, TASK.init) == with_cup
    schema = DYNAMICS.schema("carry")
    assert schema
    after = schema.apply(TASK.init, step[1:])
    assert all((atom in after) == true for atom, true in with_cup.items())
    assert after - set(with_cup) == TASK.init - set(with_cup)
