"""Verdicts on well-typed mutated plans, beside those of unified-planning's sequential validator.

A seeded share of what `python -m benches grounding` compares: there it is more than 10,000 plans.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benches._mutations import DOMAINS, gold_tasks, mutated

from benches import _unified_planning as unified_planning
from gumption.grounding import read_domain, read_problem, validate

PROBLEMS = 6
PLANS = 12
"""Of each problem, beside the plan that they are made from."""


@pytest.mark.data
@pytest.mark.parametrize("name", DOMAINS)
def test_verdicts_are_those_of_unified_planning(public_data: Path, name: str) -> None:
    tasks = [task for task in gold_tasks(public_data) if task.domain_name == name]
    random.Random(name).shuffle(tasks)
    compared = invalid = 0
    for task in tasks[:PROBLEMS]:
        domain, problem = task.read()
        plan = task.plans()[0]
        if len(plan) > 200:  # hanoi with eight discs: unified-planning takes seconds for each plan
            continue
        other = unified_planning.read(task.domain_text, task.text)
        assert validate(domain, problem, plan).valid
        for number in range(PLANS):
            changed = mutated(plan, domain, problem, f"{name} {number}") if number else plan
            verdict = validate(domain, problem, changed)
            assert verdict.valid == unified_planning.validate(other, changed), changed
            assert verdict.valid == validate(domain, problem, changed, faults="first").valid
            compared += 1
            invalid += not verdict.valid
    assert compared >= 3 * PLANS
    assert compared / 4 < invalid < compared


STATES = """(define (domain d) (:requirements :adl) (:types a b - c)
  (:predicates (p ?x - c) (q ?x ?y - c) (r))
  (:action swap :parameters (?x ?y - c)
    :precondition (and (p ?x) (not (= ?x ?y)) (or (r) (exists (?z - b) (q ?x ?z))))
    :effect (and (not (p ?x)) (p ?y) (when (p ?y) (not (r)))
                 (forall (?z - c) (when (q ?x ?z) (and (not (q ?x ?z)) (q ?z ?x))))))
  (:action touch :parameters (?x - a)
    :precondition (imply (p ?x) (forall (?z - b) (not (q ?x ?z))))
    :effect (and (r) (not (p ?x)) (p ?x))))"""


@pytest.mark.parametrize("seed", range(20))
def test_a_domain_with_every_kind_of_condition_and_effect(seed: int) -> None:
    rng = random.Random(seed)
    objects = {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c"}
    atoms = [f"(p {one})" for one in objects] + [f"(q {one} {two})" for one in objects for two in objects]
    init = rng.sample(atoms, rng.randrange(len(atoms))) + (["(r)"] if rng.random() < 0.5 else [])
    goal = f"(and {rng.choice(atoms)} (not {rng.choice(atoms)}) (or (r) (exists (?x - a) (p ?x))))"
    typed = " ".join(f"{one} - {kind}" for one, kind in objects.items())
    text = f"(define (problem x) (:domain d) (:objects {typed}) (:init {' '.join(init)}) (:goal {goal}))"
    domain = read_domain(STATES)
    reading = read_problem(text, domain)
    assert reading.clean
    assert reading.problem is not None
    other = unified_planning.read(STATES, text)
    for length in (0, 1, 1, 2, 2, 3, 4):
        plan = [
            ("swap", *rng.choices(list(objects), k=2))
            if rng.random() < 0.6
            else ("touch", rng.choice(["a1", "a2"]))
            for _ in range(length)
        ]
        assert validate(domain, reading.problem, plan).valid == unified_planning.validate(other, plan), plan
