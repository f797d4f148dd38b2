"""Hypothesis strategies for small domains and problems, in the normal form that reading gives."""

from __future__ import annotations

from hypothesis import strategies as st

from gumption.grounding.pddl import (
    Action,
    And,
    Condition,
    Domain,
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

TYPES = {"block": ("object",), "cube": ("block",), "object": ()}
OBJECTS = {"a": "block", "b": "cube", "block": "object"}
"""One of them has the name of a type, and predicates and actions share names too."""
PREDICATES = {
    "p": (),
    "block": (Parameter("?x", ("object",)),),
    "on": (Parameter("?x", ("object",)), Parameter("?y", ("object",))),
    "fixed": (Parameter("?x", ("object",)), Parameter("?y", ("object",))),
}
CHANGING = ["p", "block", "on"]
KINDS = st.sampled_from([("object",), ("block",), ("cube",), ("block", "cube")])


def joined(parts: list[Condition]) -> Condition:
    """A conjunction of one is that one."""
    return parts[0] if len(parts) == 1 else And(tuple(parts))


@st.composite
def facts(draw: st.DrawFn, names: list[str], predicates: list[str]) -> Fact:
    predicate = draw(st.sampled_from(predicates))
    return Fact((predicate, *[draw(st.sampled_from(names)) for _ in PREDICATES[predicate]]))


@st.composite
def conditions(draw: st.DrawFn, names: list[str], depth: int = 2) -> Condition:
    kinds = ["fact", "fact", "not", "equal"]
    if depth:
        kinds += ["not any", "and", "or", "imply", "forall", "exists"]
    match draw(st.sampled_from(kinds)):
        case "not":
            return Not(draw(facts(names, [*PREDICATES])))
        case "equal":
            return Equal(draw(st.sampled_from(names)), draw(st.sampled_from(names)))
        case "not any":
            return Not(draw(conditions(names, depth - 1)))
        case "and":
            return joined(draw(st.lists(conditions(names, depth - 1), max_size=3)))
        case "or":
            return Or(tuple(draw(st.lists(conditions(names, depth - 1), max_size=3))))
        case "imply":
            return Imply(draw(conditions(names, depth - 1)), draw(conditions(names, depth - 1)))
        case "forall" | "exists" as quantifier:
            variable = Parameter(f"?v{depth}", draw(KINDS))
            part = draw(conditions([*names, variable.name], depth - 1))
            return (Forall if quantifier == "forall" else Exists)((variable,), part)
    return draw(facts(names, [*PREDICATES]))


@st.composite
def effects(draw: st.DrawFn, names: list[str], depth: int = 2) -> Condition:
    match draw(st.sampled_from(["add", "delete", *(["and", "when", "forall"] if depth else [])])):
        case "delete":
            return Not(draw(facts(names, CHANGING)))
        case "and":
            return joined(draw(st.lists(effects(names, depth - 1), min_size=1, max_size=3)))
        case "when":
            return When(draw(conditions(names, 1)), draw(effects(names, depth - 1)))
        case "forall":
            variable = Parameter(f"?w{depth}", draw(KINDS))
            return Forall((variable,), draw(effects([*names, variable.name], depth - 1)))
    return draw(facts(names, CHANGING))


@st.composite
def actions(draw: st.DrawFn, name: str) -> Action:
    parameters = tuple(Parameter(one, draw(KINDS)) for one in ["?x", "?y"][: draw(st.integers(0, 2))])
    names = [*[one.name for one in parameters], *OBJECTS]
    return Action(name, parameters, draw(conditions(names)), draw(effects(names)))


@st.composite
def domains(draw: st.DrawFn) -> Domain:
    return Domain(
        name="toy",
        requirements=(":adl",),
        types=TYPES,
        constants={"block": "object"},
        predicates=PREDICATES,
        functions=(),
        actions={name: draw(actions(name)) for name in ("on", "act")},
    )


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """For any of the domains; may name an object that is not declared."""
    names = [*OBJECTS, "ghost"]
    init = draw(st.frozensets(facts(names, [*PREDICATES]).map(lambda fact: fact.atom), max_size=8))
    goal = joined(draw(st.lists(conditions([*OBJECTS]), max_size=3)))
    return Problem("toy-1", "toy", {"a": "block", "b": "cube"}, init, goal)
