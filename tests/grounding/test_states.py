"""What actions do to states, each rule by a case worked out by hand."""

from __future__ import annotations

from functools import partial

import pytest

from gumption.grounding import UnsupportedPDDL, read_domain, read_problem
from gumption.grounding.pddl import And, Problem
from gumption.grounding.states import Dynamics, conjuncts, fluents, written

TYPES = "(:types fruit - food food tool robot) (:constants salt - food)"
PREDICATES = "(:predicates (p ?x) (q ?x ?y) (r) (s))"
OBJECTS = "a1 a2 - fruit f - food t - tool r2 - robot u"


def made(
    effect: str = "(and)", precondition: str = "(and)", parameters: str = "()", init: str = ""
) -> Dynamics:
    domain = read_domain(
        f"(define (domain d) {TYPES} {PREDICATES}"
        f" (:action go :parameters {parameters} :precondition {precondition} :effect {effect}))"
    )
    assert domain.errors == ()
    reading = read_problem(
        f"(define (problem p) (:domain d) (:objects {OBJECTS}) (:init {init}) (:goal ()))", domain
    )
    assert reading.clean
    assert reading.problem is not None
    return Dynamics(domain, reading.problem)


def atoms(text: str) -> frozenset[tuple[str, ...]]:
    """Atoms from `p a, q a b`."""
    return frozenset(tuple(atom.split()) for atom in text.split(",") if atom.strip())


def after(state: str, arguments: tuple[str, ...] = (), **fields: str) -> frozenset[tuple[str, ...]]:
    schema = made(**fields).schema("go")
    assert schema is not None
    return schema.apply(atoms(state), arguments)


def holds(condition: str, state: str, arguments: tuple[str, ...] = (), parameters: str = "()") -> bool:
    schema = made(precondition=condition, parameters=parameters).schema("go")
    assert schema is not None
    assert schema.applicable(atoms(state), arguments) == (not schema.unmet(atoms(state), arguments))
    return schema.applicable(atoms(state), arguments)


@pytest.mark.parametrize(
    ("effect", "before", "then"),
    [
        ("(r)", "", "r"),
        ("(not (r))", "r, s", "s"),
        ("(not (r))", "", ""),
        ("(and)", "r", "r"),
        ("()", "r", "r"),
        # an add wins over a delete, in any order
        ("(and (not (r)) (r))", "", "r"),
        ("(and (r) (not (r)))", "r", "r"),
        # conditions are tested in the state before
        ("(and (r) (when (r) (s)))", "", "r"),
        ("(and (not (r)) (when (r) (s)))", "r", "s"),
        ("(and (when (r) (and (not (r)) (s))) (when (s) (and (not (s)) (r))))", "r, s", "r, s"),
        ("(and (when (r) (and (not (r)) (s))) (when (s) (and (not (s)) (r))))", "r", "s"),
        ("(when (and (r) (not (s))) (p salt))", "r, s", "r, s"),
        ("(when (r) (when (s) (p salt)))", "r", "r"),
        ("(when (r) (when (s) (p salt)))", "r, s", "r, s, p salt"),
        # forall: subtypes and constants count, other types do not
        ("(forall (?x - fruit) (p ?x))", "", "p a1, p a2"),
        ("(forall (?x - food) (p ?x))", "", "p a1, p a2, p f, p salt"),
        ("(forall (?x - tool) (p ?x))", "", "p t"),
        ("(forall (?x - (either tool fruit)) (p ?x))", "", "p a1, p a2, p t"),
        ("(forall (?x) (p ?x))", "", "p a1, p a2, p f, p salt, p t, p r2, p u"),
        ("(forall (?x ?y - fruit) (q ?x ?y))", "", "q a1 a1, q a1 a2, q a2 a1, q a2 a2"),
        ("(forall (?x - fruit) (when (p ?x) (not (p ?x))))", "p a1, p f", "p f"),
        ("(forall (?x - fruit) (forall (?y - tool) (q ?x ?y)))", "", "q a1 t, q a2 t"),
        ("(forall (?x - tool ?y - fruit) (q ?x ?y))", "", "q t a1, q t a2"),
        # inside, a variable of the same name is another
        ("(forall (?x - tool) (and (p ?x) (forall (?x - fruit) (q ?x ?x))))", "", "p t, q a1 a1, q a2 a2"),
    ],
)  # fmt: skip
def test_effects(effect: str, before: str, then: str) -> None:
    assert after(before, effect=effect) == atoms(then)


def test_parameters_in_effects() -> None:
    got = after(
        "q a1 a2, p a2", ("a1", "a2"), parameters="(?x ?y)",
        effect="(and (not (q ?x ?y)) (q ?y ?x) (when (p ?y) (p ?x)) (p salt))",
    )  # fmt: skip
    assert got == atoms("q a2 a1, p a2, p a1, p salt")


@pytest.mark.parametrize(
    ("condition", "state", "true"),
    [
        ("(r)", "r", True),
        ("(r)", "", False),
        ("(not (r))", "", True),
        ("(not (r))", "r", False),
        ("(and (r) (s))", "r, s", True),
        ("(and (r) (s))", "r", False),
        ("(and (r) (s) (p salt))", "r, s", False),
        ("(or (r) (s))", "s", True),
        ("(or (r) (s))", "", False),
        ("(or)", "r", False),
        ("(and)", "", True),
        ("()", "", True),
        ("(imply (r) (s))", "", True),
        ("(imply (r) (s))", "r", False),
        ("(imply (r) (s))", "r, s", True),
        ("(not (and (r) (s)))", "r", True),
        ("(not (or (r) (s)))", "r", False),
        ("(not (not (r)))", "r", True),
        ("(forall (?x - fruit) (p ?x))", "p a1, p a2", True),
        ("(forall (?x - fruit) (p ?x))", "p a1", False),
        ("(forall (?x - food) (p ?x))", "p a1, p a2, p f", False),  # the constant
        ("(forall (?x - food) (p ?x))", "p a1, p a2, p f, p salt", True),
        ("(exists (?x - fruit) (p ?x))", "p f", False),
        ("(exists (?x - food) (p ?x))", "p salt", True),
        ("(exists (?x - food) (and (p ?x) (not (= ?x salt))))", "p salt", False),
        ("(exists (?x ?y - fruit) (and (q ?x ?y) (not (= ?x ?y))))", "q a1 a1", False),
        ("(exists (?x ?y - fruit) (and (q ?x ?y) (not (= ?x ?y))))", "q a1 a2", True),
        ("(forall (?x - fruit) (exists (?y - fruit) (q ?x ?y)))", "q a1 a2, q a2 a2", True),
        ("(exists (?y - fruit) (forall (?x - fruit) (q ?x ?y)))", "q a1 a2, q a2 a1", False),
        ("(forall (?x - robot) (imply (p ?x) (r)))", "p r2", False),
    ],
)
def test_conditions(condition: str, state: str, true: bool) -> None:
    assert holds(condition, state) == true


def test_a_quantifier_over_no_objects() -> None:
    domain = read_domain("(define (domain d) (:types a b) (:predicates (p ?x)) (:action go))")
    problem = Problem("p", "d", {"x": "a"}, frozenset(), domain.actions["go"].precondition)
    dynamics = Dynamics(domain, problem)
    goals = read_problem(
        "(define (problem p) (:domain d) (:objects x - a) (:init) (:goal (and (forall (?y - b) (p ?y))"
        " (exists (?y - b) (not (p ?y))))))",
        domain,
    )
    assert goals.problem is not None
    every, some = conjuncts(goals.problem.goal)
    assert dynamics.holds(every, frozenset())
    assert not dynamics.holds(some, frozenset())
    assert dynamics.unmet(goals.problem.goal, frozenset()) == [some]


@pytest.mark.parametrize(
    ("left", "right", "true"),
    [("?x", "?y", False), ("?x", "?x", True), ("?x", "a1", True), ("a2", "?x", False)],
)
def test_equality_compares_names(left: str, right: str, true: bool) -> None:
    domain = read_domain(
        f"(define (domain d) (:constants a1 a2 - object) (:action go :parameters (?x ?y)"
        f" :precondition (= {left} {right})))"
    )
    schema = Dynamics(domain, Problem("p", "d", {}, frozenset(), domain.actions["go"].precondition)).schema(
        "go"
    )
    assert schema is not None
    assert schema.applicable(frozenset(), ("a1", "a2")) == true


def test_names_are_not_joined() -> None:
    """VAL issue 27: (p o aob) equalled (p oa ob)."""
    assert not holds("(q ?x ?y)", "q o aob", ("oa", "ob"), "(?x ?y)")
    assert holds("(q ?x ?y)", "q oa ob", ("oa", "ob"), "(?x ?y)")


def test_unmet_names_the_parts_of_a_nested_conjunction() -> None:
    schema = made(precondition="(and (r) (and (s) (not (p salt))))").schema("go")
    assert schema is not None
    assert [written(part) for part in schema.parts] == ["(r)", "(s)", "(not (p salt))"]
    assert schema.unmet(atoms("p salt, r"), ()) == [1, 2]


def test_running_an_action_twice_leaves_no_trace() -> None:
    schema = made(effect="(forall (?x - fruit) (when (p ?x) (q ?x ?y)))", parameters="(?y - tool)").schema(
        "go"
    )
    assert schema is not None
    assert schema.apply(atoms("p a1"), ("t",)) == atoms("p a1, q a1 t")
    assert schema.apply(atoms("p a2"), ("t",)) == atoms("p a2, q a2 t")


def test_fluents() -> None:
    domain = made(effect="(and (r) (forall (?x - fruit) (when (q ?x ?x) (not (p ?x)))))").domain
    assert fluents(domain) == {"r", "p"}


@pytest.mark.parametrize(
    "condition",
    [
        "(and)",
        "(and (p ?x) (not (r)))",
        "(or (r) (s))",
        "(imply (r) (s))",
        "(= ?x salt)",
        "(forall (?y - fruit ?z - (either tool food)) (q ?y ?z))",
        "(exists (?y - object) (q ?x ?y))",
    ],
)
def test_what_is_written_is_read_as_the_same(condition: str) -> None:
    action = made(precondition=condition, parameters="(?x)").domain.actions["go"]
    again = made(precondition=written(action.precondition), parameters="(?x)").domain.actions["go"]
    assert again.precondition == action.precondition


def test_values_in_place_of_variables() -> None:
    action = made(precondition="(and (q ?x salt) (not (= ?x ?y)))", parameters="(?x ?y)").domain.actions["go"]
    values = {"?x": "a1", "?y": "a2"}
    assert written(action.precondition, values) == "(and (q a1 salt) (not (= a1 a2)))"


def test_quantifiers_over_too_many_combinations_are_refused_by_name() -> None:
    """20 objects: four variables are 160,000 combinations, twelve would take longer than anyone waits."""
    objects = " ".join(f"o{number}" for number in range(20))

    def quantified(variables: int) -> str:
        names = " ".join(f"?v{number}" for number in range(variables))
        return f"(forall ({names}) (imply (p ?v0) (p ?v0)))"

    for variables in (4, 12):
        domain = read_domain(
            f"(define (domain d) (:predicates (p ?x)) (:action go :precondition {quantified(variables)}))"
        )
        goal = read_problem(
            f"(define (problem p) (:domain d) (:objects {objects}) (:init) (:goal {quantified(variables)}))",
            domain,
        )
        assert goal.problem is not None
        plain = Problem("p", "d", goal.problem.objects, frozenset(), And(()))
        made = Problem("p", "d", goal.problem.objects, frozenset(), goal.problem.goal)
        if variables == 4:
            assert goal.clean
            assert Dynamics(domain, goal.problem).holds(goal.problem.goal, frozenset())
            schema = Dynamics(domain, plain).schema("go")
            assert schema is not None
            assert schema.applicable(frozenset(), ())
            continue
        assert [finding.kind for finding in goal.errors] == ["unsupported"]
        for refused in (
            partial(Dynamics, domain, goal.problem),
            partial(Dynamics(domain, plain).schema, "go"),
            partial(Dynamics(domain, made).holds, made.goal, frozenset()),
            partial(Dynamics(domain, made).unmet, made.goal, frozenset()),
        ):
            with pytest.raises(UnsupportedPDDL, match="1,000,000 combinations"):
                refused()


def test_an_action_is_looked_up_by_name() -> None:
    dynamics = made()
    assert dynamics.schema("fly") is None
    assert dynamics.schema("go") is dynamics.schema("go")
    assert dynamics.of_types(("food",)) == ["a1", "a2", "f", "salt"]
