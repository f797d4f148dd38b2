"""Reading domains."""

from __future__ import annotations

from pathlib import Path

import pytest

from gumption.grounding import Domain, MalformedPDDL, UnsupportedPDDL, read_domain, read_problem, validate
from gumption.grounding.pddl import (
    And,
    Equal,
    Exists,
    Fact,
    Forall,
    Imply,
    Not,
    Or,
    Parameter,
    Problem,
    When,
)

EMPTY = Problem("p", "d", {}, frozenset(), And(()))


def domain(*sections: str) -> Domain:
    return read_domain(f"(define (domain d)\n {' '.join(sections)})")


def action(*fields: str, name: str = "a", predicates: str = "(p ?x) (q ?x ?y) (r)") -> Domain:
    return domain(f"(:predicates {predicates})", f"(:action {name} {' '.join(fields)})")


def found(read: Domain) -> list[tuple[str, str, str]]:
    return [(finding.kind, finding.section, finding.symbol) for finding in read.errors]


def test_sections() -> None:
    read = read_domain("""
      ; a domain
      (define (domain Kitchen)
        (:requirements :strips :typing)
        (:types fruit bread - food food tool - object robot)
        (:constants knife - tool)
        (:predicates (on ?x ?y - food) (held ?x) (idle))
        (:functions (total-cost))
        (:action cut :parameters (?x - food ?t - tool ?n)
          :precondition (and (held ?t) (not (idle)))
          :effect (and (held ?x) (increase (total-cost) 3))))""")
    assert read.errors == ()
    assert read.name == "kitchen"
    assert read.requirements == (":strips", ":typing")
    assert read.types == {
        "fruit": ("food",),
        "bread": ("food",),
        "food": ("object",),
        "tool": ("object",),
        "robot": ("object",),
        "object": (),
    }
    assert read.constants == {"knife": "tool"}
    food, thing = ("food",), ("object",)
    assert read.predicates == {
        "on": (Parameter("?x", food), Parameter("?y", food)),
        "held": (Parameter("?x", thing),),
        "idle": (),
    }
    assert read.functions == ("total-cost",)
    cut = read.actions["cut"]
    assert cut.parameters == (Parameter("?x", food), Parameter("?t", ("tool",)), Parameter("?n", thing))
    assert cut.precondition == And((Fact(("held", "?t")), Not(Fact(("idle",)))))
    assert cut.effect == And((Fact(("held", "?x")), And(())))


def test_sections_in_any_order_and_case() -> None:
    read = read_domain("""(DEFINE (DOMAIN D) (:ACTION A :EFFECT (P ?X) :PARAMETERS (?X - T))
      (:FUNCTIONS ) (:PREDICATES (P ?X - T)) (:TYPES T))""")
    assert read.errors == ()
    assert read.actions["a"].effect == Fact(("p", "?x"))
    assert read.actions["a"].precondition == And(())


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("()", And(())),
        ("(and)", And(())),
        ("(p ?x)", Fact(("p", "?x"))),
        ("(not (p ?x))", Not(Fact(("p", "?x")))),
        ("(or (p ?x) (r))", Or((Fact(("p", "?x")), Fact(("r",))))),
        ("(imply (p ?x) (r))", Imply(Fact(("p", "?x")), Fact(("r",)))),
        ("(= ?x ?y)", Equal("?x", "?y")),
        ("(not (= ?x ?y))", Not(Equal("?x", "?y"))),
        ("(forall (?z) (p ?z))", Forall((Parameter("?z", ("object",)),), Fact(("p", "?z")))),
        ("(exists (?z) (q ?x ?z))", Exists((Parameter("?z", ("object",)),), Fact(("q", "?x", "?z")))),
        ("(p?x)", Fact(("p", "?x"))),
        ("(and (and (p ?x)) (r))", And((Fact(("p", "?x")), Fact(("r",))))),
    ],
)
def test_conditions(text: str, condition: object) -> None:
    read = action(":parameters (?x ?y)", f":precondition {text}", ":effect (r)")
    assert read.errors == ()
    assert read.actions["a"].precondition == condition


def test_effects() -> None:
    read = action(
        ":parameters (?x)", ":effect (forall (?z) (when (and (p ?z) (not (r))) (and (not (p ?z)) (q ?x ?z))))"
    )
    assert read.errors == ()
    then = And((Not(Fact(("p", "?z"))), Fact(("q", "?x", "?z"))))
    given = And((Fact(("p", "?z")), Not(Fact(("r",)))))
    assert read.actions["a"].effect == Forall((Parameter("?z", ("object",)),), When(given, then))


@pytest.mark.parametrize(
    ("sections", "kind", "wanted", "fits"),
    [
        ("(:types a b - c c - d)", "a", "d", True),
        ("(:types a b - c c - d)", "a", "object", True),
        ("(:types a b - c c - d)", "c", "a", False),
        ("(:types a b - c c - d)", "a", "b", False),
        ("(:types a - undeclared)", "a", "undeclared", True),
        ("(:types a - (either b c) b c)", "a", "c", True),
        ("(:types a - b b - a)", "a", "b", True),  # a circle ends
        ("(:types object a - object)", "a", "object", True),
        ("(:types object a - object)", "object", "a", False),
        ("(:types a a - b b)", "a", "b", True),
        ("", "nowhere", "object", True),
        ("", "nowhere", "elsewhere", False),
        ("(:types a b c)", "either a b", "b", True),
        ("(:types a b c)", "either a b", "c", False),
    ],
)
def test_types(sections: str, kind: str, wanted: str, fits: bool) -> None:
    assert domain(sections).is_a(kind, (wanted,)) == fits


def test_either_in_parameters() -> None:
    read = domain(
        "(:types a b c)", "(:predicates (p ?x - (either a b)))", "(:action m :parameters (?x - (either a b)))"
    )
    assert read.errors == ()
    assert read.actions["m"].parameters == (Parameter("?x", ("a", "b")),)


def test_one_name_for_a_type_an_object_a_predicate_and_an_action() -> None:
    read = domain(
        "(:types robot)",
        "(:constants robot - robot)",
        "(:predicates (robot ?robot - robot))",
        "(:action robot :parameters (?robot - robot) :precondition (robot ?robot)"
        " :effect (not (robot robot)))",
    )
    assert read.errors == ()
    problem = read_problem(
        "(define (problem p) (:domain d) (:objects move - robot) (:init (robot move)) (:goal ()))", read
    )
    assert problem.clean
    assert problem.problem is not None
    assert validate(read, problem.problem, [("robot", "move")]).valid


@pytest.mark.parametrize(
    ("sections", "findings"),
    [
        (["(:predicates (p ?x - t))"], [("unknown_type", "predicates", "t")]),
        (["(:constants c - t)"], [("unknown_type", "constants", "t")]),
        (["(:constants c -)"], [("syntax", "constants", "-")]),
        (["(:types t -)"], [("syntax", "types", "-")]),
        (["(:predicates (p ?x -))"], [("syntax", "predicates", "-")]),
        (["(:action a :parameters (?x - t))"], [("unknown_type", "a", "t")]),
        (["(:action a :effect (p))"], [("unknown_predicate", "a", "p")]),
        (["(:predicates (p ?x))", "(:action a :effect (p))"], [("wrong_arity", "a", "p")]),
        (["(:predicates (p ?x))", "(:action a :effect (p ?y))"], [("variable", "a", "?y")]),
        (["(:predicates (p ?x))", "(:action a :effect (p c))"], [("undeclared_object", "a", "c")]),
        (
            ["(:types s t)", "(:predicates (p ?x - s))", "(:action a :parameters (?y - t) :effect (p ?y))"],
            [("wrong_type", "a", "?y")],
        ),
        (["(:predicates (p) (p ?x))"], [("syntax", "predicates", "p")]),
        (["(:action a)", "(:action a)"], [("syntax", "a", "a")]),
        (["(:action)"], [("syntax", "", ":action")]),
        (["(:action a :parameters (?x ?x))"], [("syntax", "a", ":parameters")]),
        (["(:types a)", "(:types b)"], [("syntax", "", ":types")]),
        (["loose"], [("syntax", "", "loose")]),
        (["(loose)"], [("syntax", "", "loose")]),
        (["(:predicates p)"], [("syntax", "predicates", "p")]),
        (["(:predicates (p))", "(:action a :precondition :effect (p))"], []),
        (
            ["(:predicates (p))", "(:action a :precond (p) :effect (p))"],
            [("syntax", "a", ":precond"), ("syntax", "a", "p")],
        ),
        (["(:predicates (p))", "(:action a :effect (p) (p))"], [("syntax", "a", "p")]),
        (["(:predicates (p))", "(:action a :precondition (and (p) p))"], [("syntax", "a", "p")]),
    ],
)  # fmt: skip
def test_findings(sections: list[str], findings: list[tuple[str, str, str]]) -> None:
    assert found(domain(*sections)) == findings


def test_places_of_findings() -> None:
    read = read_domain(
        "(define (domain d)\n  (:predicates (p ?x))\n  (:action a\n    :effect (and (p c)\r\n (q))))"
    )
    assert [(one.symbol, one.line, one.column) for one in read.errors] == [("c", 4, 21), ("q", 5, 3)]


def test_a_parameter_named_twice_still_counts_twice() -> None:
    read = action(":parameters (?x ?x)", ":effect (p ?x)")
    assert len(read.actions["a"].parameters) == 2


def test_what_stands_behind_a_domain_closed_too_early_is_found() -> None:
    text = "(define (domain d) (:predicates (p))) (:action a :effect (p)))"
    assert found(read_domain(text)) == [("syntax", "", "(")]
    assert read_domain("(define (domain d)) (define (problem p))").errors == ()


@pytest.mark.parametrize(
    ("section", "name", "derived"),
    [
        ("(:derived (above ?x ?y) (q ?x ?y))", "derived predicates", ("above",)),
        ("(:durative-action a :parameters () :duration (= ?duration 1))", "durative actions", ()),
        ("(:constraints (always (r)))", "constraints", ()),
        ("(:process a)", "processes", ()),
        ("(:event a)", "events", ()),
        ("(:action a :effect (increase (fuel) 1))", "numeric fluents", ()),
        ("(:action a :precondition (>= (fuel) 1))", "numeric fluents", ()),
        ("(:action a :precondition (= (fuel) 1))", "numeric fluents", ()),
        ("(:action a :effect (assign (fuel) 1))", "numeric fluents", ()),
        ("(:action a :effect (scale-down (fuel) 2))", "numeric fluents", ()),
        ("(:action a :effect (or (r) (s)))", "or in an effect", ()),
        ("(:action a :effect (not (and (r) (s))))", "not in an effect", ()),
        ("(:action a :effect (exists (?x) (p ?x)))", "exists in an effect", ()),
        ("(:action a :effect (oneof (r) (s)))", "oneof", ()),
        ("(:action a :effect (probabilistic 0.5 (r)))", "probabilistic", ()),
        ("(:action a :precondition (when (r) (s)))", "when in a condition", ()),
        ("(:action a :precondition (preference x (r)))", "preference", ()),
        ("(:action a :precondition (p (f ?x)))", "p", ()),
    ],
)
def test_read_and_listed_and_never_validated(section: str, name: str, derived: tuple[str, ...]) -> None:
    read = domain("(:predicates (p ?x) (q ?x ?y) (r) (s) (above ?x ?y))", section, "(:action b :effect (r))")
    assert read.unsupported == (name,)
    assert read.derived == derived
    assert "b" in read.actions
    with pytest.raises(UnsupportedPDDL, match=name) as raised:
        validate(read, EMPTY, [])
    assert raised.value.remedy


@pytest.mark.parametrize("cost", ["3", "(length ?x)"])
def test_costs_are_supported(cost: str) -> None:
    read = domain(
        "(:predicates (r))",
        "(:functions (total-cost) - number (length ?x) - number)",
        f"(:action a :parameters (?x) :effect (and (r) (increase (total-cost) {cost})))",
    )
    assert (read.errors, read.unsupported) == ((), ())


NO_DOMAIN = [
    *("", "no domain", "(define (problem p))", "(define (domain d)", "(define (domain d) (:predicates (p))"),
    *("(" * 100_000, "(define (domain d) " + "(" * 100_000),
    *("x" * (4 * 1024 * 1024 + 1), "é" * (2 * 1024 * 1024 + 1)),
]


@pytest.mark.parametrize("text", NO_DOMAIN, ids=range(len(NO_DOMAIN)))
def test_no_domain_is_an_error_with_a_remedy(text: str) -> None:
    with pytest.raises(MalformedPDDL) as raised:
        read_domain(text)
    assert raised.value.where
    assert raised.value.remedy


def test_where_a_parenthesis_is_not_closed() -> None:
    with pytest.raises(MalformedPDDL, match="line 2, column 2"):
        read_domain("(define (domain d)\n (:predicates (p)")


@pytest.mark.data
def test_domains_of_prodg_and_viplan(public_data: Path) -> None:
    """Facts of the page on grounding, sections 3.1 and 4.1."""
    prodg, planning = public_data / "prodg" / "data", public_data / "viplan" / "planning"

    def read(path: Path) -> Domain:
        one = read_domain(path.read_text("utf-8"))
        assert (one.errors, one.unsupported) == ((), ())
        return one

    blocksworld = read(prodg / "blocksworld" / "domain.pddl")
    assert set(blocksworld.types) - {"object"} == {"block", "robot"}
    assert len(blocksworld.actions) == 4
    cooking = read(prodg / "cooking" / "domain.pddl")
    assert ":adl" in cooking.requirements
    assert cooking.functions == ()
    hanoi = read(prodg / "hanoi" / "domain.pddl")
    assert hanoi.types == {}
    assert "move" in hanoi.predicates
    assert "move" in hanoi.actions
    viplan = read(planning / "blocksworld" / "domain.pddl")
    assert set(viplan.actions) == {"moveblock"}
    assert {name: len(kinds) for name, kinds in viplan.predicates.items()} == {
        "on": 2, "incolumn": 2, "clear": 1, "leftof": 2, "rightof": 2,
    }  # fmt: skip
    household = read(planning / "igibson" / "domain.pddl")
    names = "grasp place-on place-next-to place-inside open-container close-container navigate-to slice"
    assert set(household.actions) == set(names.split())
