"""Reading problems: what is kept, which repairs are named, and where findings stand."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding import Domain, ProblemReading, read_domain, read_problem
from gumption.grounding.pddl import Forall, Or

DOMAIN = """(define (domain blocksworld)
  (:requirements :strips :typing)
  (:types block robot)
  (:predicates (on ?x - block ?y - block) (ontable ?x - block) (clear ?x - block) (handempty))
  (:action noop :parameters () :effect (and)))"""
GOOD = """(define (problem p)
 (:domain blocksworld)
 (:objects a b - block r - robot)
 (:init (clear a) (on a b) (ontable b) (handempty))
 (:goal (and (on b a) (not (clear b)))))"""
FENCE = "```"
OBJECTS = {"a": "block", "b": "block", "r": "robot"}
INIT = frozenset({("clear", "a"), ("on", "a", "b"), ("ontable", "b"), ("handempty",)})
GOAL = frozenset({(True, ("on", "b", "a")), (False, ("clear", "b"))})
ALL = {"name": "p", "objects": OBJECTS, "init": INIT, "goal": GOAL}


@pytest.fixture(scope="module")
def domain() -> Domain:
    return read_domain(DOMAIN)


def edited(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def content(reading: ProblemReading) -> dict[str, object]:
    problem = reading.problem
    assert problem is not None
    return {
        "name": problem.name,
        "objects": problem.objects,
        "init": problem.init,
        "goal": problem.goal_literals,
    }


def found(reading: ProblemReading) -> list[tuple[str, str, str]]:
    return [(finding.kind, finding.section, finding.symbol) for finding in reading.errors]


def test_clean(domain: Domain) -> None:
    reading = read_problem(GOOD, domain)
    assert reading.clean
    assert content(reading) == ALL
    assert reading.notes == ()


# ── texts that need no repair ────────────────────────────────────────────────────────────────────────

SAME = {
    "upper case": GOOD.upper(),
    "mixed case": GOOD.title(),
    "carriage returns": GOOD.replace("\n", "\r\n"),
    "carriage returns alone": GOOD.replace("\n", " ; note\r"),
    "tabs": GOOD.replace(" ", "\t"),
    "blanks inside parentheses": GOOD.replace("(", "( ").replace(")", " )"),
    "no blanks around parentheses": re.sub(r"\s*([()])\s*", r"\1", GOOD),
    "one line": GOOD.replace("\n", " "),
    "byte order mark": "\ufeff" + GOOD,
    "hard blanks": GOOD.replace(" ", "\u00a0"),
    "blanks without width": GOOD.replace("(:", "\u200b(:"),
    "comments everywhere": "; before (define (problem no)\n" + GOOD.replace("\n", " ; (it's, // a # note)\n"),
    "comment behind": GOOD + "\n; (over and out",
    "comment that looks like a block": edited("(:init", "(:init ; see /* here\n") + " ; and */ there",
    "duplicate facts": edited("(clear a)", "(clear a) (CLEAR a) (clear A)"),
    "nested and": edited("(and (on b a)", "(and (and (on b a))"),
    "metric without functions": GOOD[:-1] + "(:metric minimize (total-cost)))",
    "cost": edited("(:init", "(:init (= (total-cost) 0)"),
    "requirements": edited("(:objects", "(:requirements :strips) (:objects"),
    "negative fact": edited("(handempty)", "(handempty) (not (clear b))"),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_ways_of_writing_that_are_no_faults(text: str, domain: Domain) -> None:
    reading = read_problem(text, domain, repair=False)
    assert (reading.repair, reading.errors) == ("none", ())
    assert content(reading) == ALL


def test_order_of_sections_is_free(domain: Domain) -> None:
    head, *sections = [line.strip() for line in GOOD.splitlines()]
    sections[-1] = sections[-1][:-1]
    reading = read_problem("".join([head, *reversed(sections), ")"]), domain)
    assert reading.clean
    assert content(reading) == ALL


# ── repairs ──────────────────────────────────────────────────────────────────────────────────────────

MARKED = edited("(clear a)", "(clear a), // top\n")
DRAFT = edited("(on b a)", "(on a b)")
REPAIRED = {
    "fence": (f"{FENCE}pddl\n{GOOD}\n{FENCE}", ["fence"]),
    "fence with another label": (f"{FENCE}lisp\n{GOOD}\n{FENCE}", ["fence"]),
    "fence without label": (f"{FENCE}\n{GOOD}\n{FENCE}", ["fence"]),
    "fence on the same line": (f"{FENCE}{GOOD}{FENCE}", ["fence"]),
    "fence and label on the same line": (f"{FENCE}pddl {GOOD}{FENCE}", ["fence"]),
    "longer fence": (f"{FENCE}`pddl\n{GOOD}\n{FENCE}`", ["fence"]),
    "tilde fence": (f"~~~pddl\n{GOOD}\n~~~", ["fence"]),
    "fence never closed": (f"{FENCE}pddl\n{GOOD}", ["fence"]),
    "fence never opened": (f"{GOOD}\n{FENCE}", ["fence"]),
    "fence between prose": (f"Sure (here):\n{FENCE}\n{GOOD}\n{FENCE}\nHope it (really) helps.", ["fence"]),
    "fence mark in a comment": (edited("(:init", f"(:init ; {FENCE}\n"), ["fence"]),
    "prose in a fence": (f"{FENCE}\nThe problem:\n{GOOD}\n{FENCE}", ["fence", "prose"]),
    "domain in a fence before": (f"{FENCE}\n{DOMAIN}\n{FENCE}\n{FENCE}\n{GOOD}\n{FENCE}", ["fence"]),
    "prose before": (f"Here is the problem:\n{GOOD}", ["prose"]),
    "prose after": (f"{GOOD}\nHope it helps.", ["prose"]),
    "prose on both sides": (f"I'd say (as asked):\n{GOOD}\nHope (it) helps.", ["prose"]),
    "prose with a semicolon": (f"Here it is; enjoy: {GOOD}", ["prose"]),
    "prose with commas": (f"Well, here it is,\n{GOOD}", ["prose"]),
    "label without a fence": (f"pddl\n{GOOD}", ["prose"]),
    "quotes": (f"“{GOOD}”", ["prose"]),
    "JSON": (json.dumps({"problem": GOOD.replace("(:init", "; top\n\t(:init")}), ["prose"]),
    "JSON twice": (json.dumps(json.dumps({"problem": GOOD})), ["prose"]),
    "JSON in a fence": (f"{FENCE}json\n{json.dumps({'problem': GOOD})}\n{FENCE}", ["fence", "prose"]),
    "escaped line breaks": (GOOD.replace("\n", r"\n"), ["prose"]),
    "domain before": (f"{DOMAIN}\n{GOOD}", ["prose"]),
    "domain behind": (f"{GOOD}\n{DOMAIN}", ["prose"]),
    "// comment": (edited("(:init", "(:init // the (top\n"), ["comment"]),
    "# comment": (edited("(:init", "(:init # the (top\n"), ["comment"]),
    "# comment without a blank": (edited("(:init", "(:init #top\n"), ["comment"]),
    "-- comment": (edited("(:init", "(:init -- the (top\n"), ["comment"]),
    "/* comment": (edited("(:init", "(:init /* (clear b)\n (on */"), ["comment"]),
    "// comment before": (f"// a problem\n{GOOD}", ["comment"]),
    "/* comment behind": (f"{GOOD}\n/* that's it */", ["comment"]),
    "commas between objects": (edited("a b - block", "a, b - block,"), ["commas"]),
    "commas between atoms": (edited("(clear a) (on a b)", "(clear a), (on a, b)"), ["commas"]),
    "commas between sections": (edited("robot)", "robot),"), ["commas"]),
    "commas and //": (edited("(clear a)", "(clear a), // top\n"), ["comment", "commas"]),
    "one ) missing": (GOOD[:-1], ["parens"]),
    "three ) missing": (GOOD[:-3], ["parens"]),
    "five ) missing": (GOOD[:-5], ["parens"]),
    "one ) too many": (GOOD + ")", ["parens"]),
    "three ) too many": (GOOD + "\n)))", ["parens"]),
    "( too many before an atom": (edited("(on a b)", "((on a b)"), ["parens"]),
    ") missing after init": (edited("(handempty))", "(handempty)"), ["parens"]),
    ") missing after init and too many at the end": (edited("empty))", "empty)") + ")", ["parens"]),
    ") missing inside an atom": (edited("(on a b)", "(on a b"), ["parens"]),
    ") missing in the first atom": (edited("(clear a)", "(clear a"), ["parens"]),
    ") missing in the goal": (edited("(on b a)", "(on b a"), ["parens"]),
    ") missing after objects": (edited("robot)", "robot"), ["parens"]),
    ") missing after the domain": (edited("(:domain blocksworld)", "(:domain blocksworld"), ["parens"]),
    ") missing after the name": (edited("(problem p)", "(problem p"), ["parens"]),
    ") too many after an atom": (edited("(on a b)", "(on a b))"), ["parens"]),
    ") too many after objects": (edited("robot)", "robot))"), ["parens"]),
    ") too many after the domain": (edited("(:domain blocksworld)", "(:domain blocksworld))"), ["parens"]),
    ") too many in the goal": (edited("(on b a)", "(on b a))"), ["parens"]),
    "all of it": (f"Well:\n{FENCE}\nSo,\n{MARKED[:-1]}\n{FENCE}",
                  ["fence", "prose", "comment", "commas", "parens"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "repairs"), REPAIRED.values(), ids=REPAIRED)
def test_repairs(text: str, repairs: list[str], domain: Domain) -> None:
    reading = read_problem(text, domain)
    assert content(reading) == ALL
    assert reading.errors == ()
    assert list(reading.repairs) == repairs
    assert reading.repair == repairs[-1]
    assert not reading.clean
    assert read_problem(text, domain, repair=False).problem is None


DRAFTS = {
    "two drafts": (f"{DRAFT}\nWait:\n{GOOD}", "prose"),
    "two drafts in fences": (f"{FENCE}\n{DRAFT}\n{FENCE}\nWait:\n{FENCE}\n{GOOD}\n{FENCE}", "fence"),
    "two drafts in one fence": (f"{FENCE}\n{DRAFT}\n{GOOD}\n{FENCE}", "prose"),
    "draft while thinking": (f"<think>Maybe {DRAFT}?</think>\n{GOOD}", "prose"),
    "draft outside, final in a fence": (f"{DRAFT}\nSo:\n{FENCE}\n{GOOD}\n{FENCE}", "fence"),
    "the last was cut off": (f"{GOOD}\nOr rather:\n{DRAFT[:100]}", "prose"),
    "the last in a fence was cut off": (
        f"{FENCE}\n{GOOD}\n{FENCE}\nOr rather:\n{FENCE}\n{DRAFT[:100]}",
        "prose",
    ),
}


@pytest.mark.parametrize(("text", "repair"), DRAFTS.values(), ids=DRAFTS)
def test_of_several_drafts_the_last_complete_one_counts(text: str, repair: str, domain: Domain) -> None:
    reading = read_problem(text, domain)
    assert content(reading) == ALL
    assert found(reading) == [("repeated_problem", "", "define")]
    assert reading.repair == repair


@pytest.mark.parametrize("number", range(19, len(GOOD)))
def test_a_reply_cut_off_keeps_what_was_complete(number: int, domain: Domain) -> None:
    text = GOOD[:number]
    reading = read_problem(text, domain)
    assert reading.problem is not None
    assert reading.repair == "parens"
    complete = {
        tuple(match[1].split())
        for match in re.finditer(r"\(([^():]+)\)", text[: (text + "(:goal").index("(:goal")])
    }
    assert reading.problem.init >= complete - {("problem", "p")}
    cut = [finding for finding in reading.errors if finding.kind != "missing_section"]
    assert len(reading.problem.init - INIT) <= 1  # the atom in which the text ends
    assert len({finding.line for finding in cut}) <= 1


@pytest.mark.parametrize("only", [":objects", ":init", ":goal"])
def test_sections_without_a_problem_around_them(only: str, domain: Domain) -> None:
    _, _, *lines = GOOD[:-1].splitlines()
    reading = read_problem("Well:\n" + "\n".join(lines), domain)
    assert content(reading) == {**ALL, "name": ""}
    assert reading.repairs == ("prose", "parens")
    assert found(reading) == [("missing_section", "domain", ":domain")]
    fences = "\n".join(
        f"The {name}:\n{FENCE}pddl\n{line}\n{FENCE}" for name, line in zip("oig", lines, strict=True)
    )
    assert content(read_problem(fences, domain)) == {**ALL, "name": ""}
    alone = next(line for line in lines if only in line)
    reading = read_problem(alone, domain)
    if only == ":objects":
        assert reading.repair == "unreadable"
    else:
        read = content(reading)
        assert (read["init"], read["goal"]) == (
            (INIT, frozenset()) if only == ":init" else (frozenset(), GOAL)
        )


UNREADABLE = [
    *("", " \n", "The blocks are a and b.", "(define)", DOMAIN, "(" * 100_000, f"{FENCE}\n{FENCE}", FENCE),
    *("()", ")", ":init", "(:objects a)", "\x00", "\ud800", "/*", "/*/", ";", "(define (problem-x p))"),
]


@pytest.mark.parametrize("text", UNREADABLE, ids=[ascii(text[:20]) for text in UNREADABLE])
def test_unreadable(text: str, domain: Domain) -> None:
    reading = read_problem(text, domain)
    assert (reading.problem, reading.repair, reading.repairs, reading.errors) == (None, "unreadable", (), ())


# ── findings ─────────────────────────────────────────────────────────────────────────────────────────

FINDINGS: dict[str, tuple[str, dict[str, object], list[tuple[str, str, str, str]]]] = {
    # what: (text, what differs in the content, [(kind, section, symbol, what stands at its place)])
    "unknown predicate": (
        edited("(ontable b)", "(on-table b)"),
        {"init": INIT - {("ontable", "b")} | {("on-table", "b")}},
        [("unknown_predicate", "init", "on-table", "on-table b")],
    ),
    "wrong arity": (
        edited("(clear a)", "(clear a b)"),
        {"init": INIT - {("clear", "a")} | {("clear", "a", "b")}},
        [("wrong_arity", "init", "clear", "clear a b")],
    ),
    "wrong arity, none": (
        edited("(clear a)", "(clear)"),
        {"init": INIT - {("clear", "a")} | {("clear",)}},
        [("wrong_arity", "init", "clear", "clear)")],
    ),
    "wrong type": (
        edited("(clear a)", "(clear r)"),
        {"init": INIT - {("clear", "a")} | {("clear", "r")}},
        [("wrong_type", "init", "r", "r) (on")],
    ),
    "undeclared object in init": (
        edited("(clear a)", "(clear c)"),
        {"init": INIT - {("clear", "a")} | {("clear", "c")}},
        [("undeclared_object", "init", "c", "c) (on")],
    ),
    "undeclared object in the goal": (
        edited("(on b a)", "(on c a)"),
        {"goal": GOAL - {(True, ("on", "b", "a"))} | {(True, ("on", "c", "a"))}},
        [("undeclared_object", "goal", "c", "c a)")],
    ),
    "undeclared in both": (
        edited("(on b a)", "(on c a)").replace("(clear a)", "(clear c)"),
        {
            "init": INIT - {("clear", "a")} | {("clear", "c")},
            "goal": GOAL - {(True, ("on", "b", "a"))} | {(True, ("on", "c", "a"))},
        },
        [("undeclared_object", "init", "c", "c) (on"), ("undeclared_object", "goal", "c", "c a)")],
    ),
    "init missing": (
        edited("(:init (clear a) (on a b) (ontable b) (handempty))", ""),
        {"init": frozenset()},
        [("missing_section", "init", ":init", "(define")],
    ),
    "goal missing": (
        edited("(:goal (and (on b a) (not (clear b))))", ""),
        {"goal": frozenset()},
        [("missing_section", "goal", ":goal", "(define")],
    ),
    "objects missing": (
        edited("(:objects a b - block r - robot)", ""),
        {"objects": {}},
        [
            ("missing_section", "objects", ":objects", "(define"),
            ("undeclared_object", "init", "a", "a) (on"),
            ("undeclared_object", "init", "b", "b) (ont"),
            ("undeclared_object", "goal", "b", "b a)"),
            ("undeclared_object", "goal", "a", "a) (not"),
        ],
    ),
    "domain missing": (
        edited("(:domain blocksworld)", ""),
        {},
        [("missing_section", "domain", ":domain", "(define")],
    ),
    "empty goal": (edited("(and (on b a) (not (clear b)))", "()"), {"goal": frozenset()}, []),
    "empty conjunction": (edited("(on b a) (not (clear b))", ""), {"goal": frozenset()}, []),
    "goal without anything": (
        edited("(and (on b a) (not (clear b)))", ""),
        {"goal": frozenset()},
        [("syntax", "goal", ":goal", "(:goal")],
    ),
    "init inside and": (
        edited("(:init (clear a)", "(:init (and (clear a)").replace("(handempty)", "(handempty))"),
        {},
        [("syntax", "init", "and", "(and (clear")],
    ),
    "two goals without and": (
        edited("(and (on b a) (not (clear b)))", "(on b a) (not (clear b))"),
        {},
        [("syntax", "goal", ":goal", "(:goal")],
    ),
    "other domain": (
        edited(":domain blocksworld", ":domain blocks"),
        {},
        [("syntax", "domain", "blocks", "(:domain")],
    ),
    "unknown type": (
        edited("- block", "- blocc"),
        {"objects": {"a": "blocc", "b": "blocc", "r": "robot"}},
        [("unknown_type", "objects", "blocc", "a b - blocc")],
    ),
    "untyped": (
        edited("a b - block r - robot", "r - robot a b"),
        {"objects": {"r": "robot", "a": "object", "b": "object"}},
        [
            ("wrong_type", "init", "a", "a) (on"),
            ("wrong_type", "init", "b", "b) (ont"),
            ("wrong_type", "goal", "b", "b a)"),
            ("wrong_type", "goal", "a", "a) (not"),
        ],
    ),
    "declared twice": (
        edited("a b - block", "a b - block a - robot"),
        {},
        [("syntax", "objects", "a", "a - robot")],
    ),
    "variable in the goal": (
        edited("(on b a)", "(on ?x a)"),
        {"goal": GOAL - {(True, ("on", "b", "a"))} | {(True, ("on", "?x", "a"))}},
        [("variable", "goal", "?x", "?x a")],
    ),
    "variable in init": (
        edited("(clear a)", "(clear ?x)"),
        {"init": INIT - {("clear", "a")} | {("clear", "?x")}},
        [("variable", "init", "?x", "?x)")],
    ),
    "object with a digit first": (
        GOOD.replace(" a", " 1a"),
        {
            "objects": {"1a": "block", "b": "block", "r": "robot"},
            "init": frozenset({("clear", "1a"), ("on", "1a", "b"), ("ontable", "b"), ("handempty",)}),
            "goal": frozenset({(True, ("on", "b", "1a")), (False, ("clear", "b"))}),
        },
        [],
    ),
    "object with a number sign": (
        GOOD.replace(" a", " #1"),
        {
            "objects": {"#1": "block", "b": "block", "r": "robot"},
            "init": frozenset({("clear", "#1"), ("on", "#1", "b"), ("ontable", "b"), ("handempty",)}),
            "goal": frozenset({(True, ("on", "b", "#1")), (False, ("clear", "b"))}),
        },
        [],
    ),
    "objects named as a predicate and a type": (
        GOOD.replace(" a", " on").replace("r - robot", "robot - robot"),
        {
            "objects": {"on": "block", "b": "block", "robot": "robot"},
            "init": frozenset({("clear", "on"), ("on", "on", "b"), ("ontable", "b"), ("handempty",)}),
            "goal": frozenset({(True, ("on", "b", "on")), (False, ("clear", "b"))}),
        },
        [],
    ),
    "init twice": (
        edited("(:goal", "(:init (clear b)) (:goal"),
        {"init": INIT | {("clear", "b")}},
        [("syntax", "init", ":init", "(:init (clear b)")],
    ),
    "objects twice": (
        edited("(:init", "(:objects c - block) (:init"),
        {"objects": {**OBJECTS, "c": "block"}},
        [("syntax", "objects", ":objects", "(:objects c")],
    ),
    "goal twice": (
        GOOD[:-1] + "(:goal (clear a)))",
        {"goal": GOAL | {(True, ("clear", "a"))}},
        [("syntax", "goal", ":goal", "(:goal (clear a)")],
    ),
    "loose words": (
        edited("(:goal", "I think so, (:goal"),
        {},
        [("syntax", "", "i", "I think")],
    ),
    "bare atom": (
        edited("(handempty)", "handempty"),
        {"init": INIT - {("handempty",)}},
        [("syntax", "init", "handempty", "handempty")],
    ),
    "pair of parentheses too many": (
        edited("(clear a)", "((clear a))"),
        {},
        [("syntax", "init", "(", "((clear")],
    ),
    "objects in parentheses": (
        edited("a b - block r - robot", "(a b - block) (r - robot)"),
        {},
        [("syntax", "objects", "a", "(a b"), ("syntax", "objects", "r", "(r -")],
    ),
    "no condition in init": (
        edited("(clear a)", "(clear a) (or (clear b) (on b a))"),
        {},
        [("syntax", "init", "or", "(or")],
    ),
    "unknown section": (
        edited("(:goal", "(:note fine) (:goal"),
        {},
        [("syntax", "", ":note", "(:note")],
    ),
    "every wrong thing once": (
        edited("(clear a)", "(clear c) (clear c) (on c c) (q c)"),
        {"init": INIT - {("clear", "a")} | {("clear", "c"), ("on", "c", "c"), ("q", "c")}},
        [("undeclared_object", "init", "c", "c) (clear"), ("unknown_predicate", "init", "q", "q c")],
    ),
    "a denial of no atom": (
        edited("(clear a)", "(clear a) (not a)"),
        {},
        [("syntax", "init", "not", "(not a")],
    ),
    "an atom of nothing": (
        edited("(clear a)", "(clear a) ()"),
        {},
        [("syntax", "init", "(", "()")],
    ),
    "unknown predicate of an unknown object": (
        edited("(clear a)", "(q z)"),
        {"init": INIT - {("clear", "a")} | {("q", "z")}},
        [("unknown_predicate", "init", "q", "q z"), ("undeclared_object", "init", "z", "z)")],
    ),
    "wrong arity with an unknown object": (
        edited("(clear a)", "(clear z a)"),
        {"init": INIT - {("clear", "a")} | {("clear", "z", "a")}},
        [("wrong_arity", "init", "clear", "clear z"), ("undeclared_object", "init", "z", "z a")],
    ),
    "preference": (
        edited("(and (on b a)", "(and (preference x (on a b)) (on b a)"),
        {},
        [("unsupported", "goal", "preference", "(preference")],
    ),
    "numbers in the goal": (
        edited("(and (on b a)", "(and (>= (height a) 3) (on b a)"),
        {},
        [("unsupported", "goal", "numeric fluents", "(>=")],
    ),
    "timed literal": (
        edited("(clear a)", "(clear a) (at 5 (clear b))"),
        {},
        [("unsupported", "init", "timed literals", "(at 5")],
    ),
    "constraints": (
        edited("(:goal", "(:constraints (always (clear a))) (:goal"),
        {},
        [("unsupported", "", "constraints", "(:constraints")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "differs", "findings"), FINDINGS.values(), ids=FINDINGS)
@pytest.mark.parametrize("before", ["", "\n\n  ; a note, of all things\n\t"], ids=["", "moved"])
def test_findings_cost_nothing_else(
    text: str,
    differs: dict[str, object],
    findings: list[tuple[str, str, str, str]],
    before: str,
    domain: Domain,
) -> None:
    text = before + text
    reading = read_problem(text, domain, repair=False)
    assert reading.repair == "none"
    assert content(reading) == {**ALL, **differs}
    assert found(reading) == [(kind, section, symbol) for kind, section, symbol, _ in findings]
    lines = text.split("\n")
    for finding, (*_, at) in zip(reading.errors, findings, strict=True):
        assert lines[finding.line - 1][finding.column - 1 :].startswith(at)


def test_more_than_four_megabytes_are_refused_unread(domain: Domain) -> None:
    for text in ("(" * (4 * 2**20 + 1), "é" * (2 * 2**20 + 1)):
        reading = read_problem(text, domain)
        assert (reading.problem, reading.repair) == (None, "unreadable")
        assert [(one.kind, one.line, one.column) for one in reading.errors] == [("too_large", 1, 1)]


def test_positions_in_a_reply_count_from_its_start(domain: Domain) -> None:
    lines = (
        "Sure:",
        FENCE,
        "(define (problem p)",
        "  (:domain blocksworld) (:objects a - block)",
        "/* one",
        " two */ (:init (clear é)) (:goal (and))",
        ")",
        FENCE,
    )
    reading = read_problem("\r\n".join(lines), domain)
    assert [(one.symbol, one.line, one.column) for one in reading.errors] == [("é", 6, 23)]
    assert reading.repairs == ("fence", "comment")


def test_goals_that_are_no_conjunction_of_literals(domain: Domain) -> None:
    for goal, kind in {
        "(or (on b a) (clear b))": Or,
        "(forall (?x - block) (clear ?x))": Forall,
        "(exists (?x ?y - block) (on ?x ?y))": None,
        "(imply (clear a) (clear b))": None,
        "(not (and (clear a) (clear b)))": None,
        "(and (clear a) (or (clear b) (clear a)))": None,
    }.items():
        reading = read_problem(edited("(and (on b a) (not (clear b)))", goal), domain)
        assert reading.clean, goal
        assert reading.problem is not None
        assert reading.problem.goal_literals is None
        assert kind is None or isinstance(reading.problem.goal, kind)


@pytest.mark.parametrize("goal", ["(= a b)", "(and (not (= a b)))"])
def test_equality_in_the_goal_is_a_literal(goal: str, domain: Domain) -> None:
    reading = read_problem(edited("(and (on b a) (not (clear b)))", goal), domain)
    assert reading.clean
    assert reading.problem is not None
    assert reading.problem.goal_literals == {("not" not in goal, ("=", "a", "b"))}


def test_notes(domain: Domain) -> None:
    contradicted = read_problem(edited("(clear a)", "(clear a) (not (clear a))"), domain)
    assert contradicted.errors == ()
    assert contradicted.notes == ("contradiction: (clear a) and its negation in init",)
    reached = read_problem(edited("(on b a)", "(on a b)"), domain)
    assert reached.errors == ()
    assert reached.notes == ("the goal already holds",)


def test_an_object_named_as_a_domain_constant() -> None:
    domain = read_domain(DOMAIN.replace("(:predicates", "(:constants a - block) (:predicates"))
    reading = read_problem(GOOD, domain)
    assert content(reading) == ALL
    assert found(reading) == [("syntax", "objects", "a")]
    reading = read_problem(edited("a b - block", "b - block"), domain)
    assert reading.clean
    assert content(reading) == {**ALL, "objects": {"b": "block", "r": "robot"}}


def test_either() -> None:
    domain = read_domain(DOMAIN.replace("(ontable ?x - block)", "(ontable ?x - (either block robot))"))
    assert read_problem(edited("(ontable b)", "(ontable b) (ontable r)"), domain).clean
    reading = read_problem(edited("a b - block", "a b - (either block robot)"), domain)
    assert reading.clean
    assert content(reading)["objects"] == {"a": "either block robot", "b": "either block robot", "r": "robot"}


def test_a_word_glued_to_a_variable(domain: Domain) -> None:
    reading = read_problem(edited("(and (on b a) (not (clear b)))", "(forall (?x - block)(clear?x))"), domain)
    assert reading.clean


# ── bounds ───────────────────────────────────────────────────────────────────────────────────────────


def test_more_than_four_megabytes_is_refused_unread(domain: Domain) -> None:
    limit = 4 * 1024 * 1024
    for text in (GOOD + " " * (limit - len(GOOD) + 1), GOOD + "é" * (limit // 2)):
        reading = read_problem(text, domain)
        assert (reading.problem, reading.repair) == (None, "unreadable")
        assert found(reading) == [("too_large", "", "")]
    assert content(read_problem(GOOD + " " * (limit - len(GOOD)), domain)) == ALL


def test_deep_nesting_up_to_a_bound(domain: Domain) -> None:
    def nested(word: str, depth: int) -> str:
        return edited("(and (on b a) (not (clear b)))", f"({word} " * depth + "(clear a)" + ")" * depth)

    for word in ("and", "not", "forall (?x - robot)", "or", "imply (clear b)"):
        assert read_problem(nested(word, 90), domain).clean
        assert read_problem(nested(word, 101), domain).repair == "unreadable"


TRAPS: dict[str, Callable[[int], str]] = {
    "block comments never closed": lambda n: "/*" * (n // 2) + GOOD,
    "block comments closed at the end": lambda n: GOOD + "/* " * (n // 3) + "*/",
    "/*/": lambda n: "/*/" * (n // 3) + GOOD,
    "fences": lambda n: FENCE * (n // 3) + GOOD,
    "fences on lines": lambda n: f"{FENCE}\n" * (n // 4) + GOOD,
    "problems begun": lambda n: "(define (problem p) " * (n // 20),
    "problems begun in fences": lambda n: f"{FENCE}\n(define (problem p)\n" * (n // 24),
    "drafts": lambda n: GOOD * (n // len(GOOD)),
    "drafts cut off": lambda n: GOOD[:-1] * (n // len(GOOD)),
    "open parentheses": lambda n: "(" * n,
    "closed parentheses": lambda n: GOOD + ")" * n,
    "sections": lambda n: GOOD[:-1] + "(:init (clear a))" * (n // 17) + ")",
    "sections never closed": lambda n: "(:init (clear a)" * (n // 16),
    "blanks after each (": lambda n: f"({' ' * 200}" * (n // 201) + GOOD,
    "loose words": lambda n: GOOD[:-1] + "word " * (n // 5) + ")",
    "loose words and lists, commas": lambda n: GOOD[:-1] + "word, (x) " * (n // 10) + ")",
    "words in init": lambda n: edited("(clear a)", "(clear a) " + "word " * (n // 5)),
    "words between atoms": lambda n: edited("(clear a)", "(clear a) " + "word (on a b) " * (n // 14)),
    "words between goals": lambda n: edited("(and (on b a)", "(and (on b a) " + "word (on a b) " * (n // 14)),
    "lists among objects": lambda n: edited("a b - block", "a b - block " + "(c) " * (n // 4)),
    "other objects": lambda n: edited("(clear a)", " ".join(f"(clear x{i})" for i in range(n // 14))),
    "other predicates": lambda n: edited("(clear a)", " ".join(f"(q{i} a)" for i in range(n // 10))),
    "commas": lambda n: edited("(clear a)", "(clear a)" + "," * n),
    "one word": lambda n: "x" * n + GOOD,
    "question marks": lambda n: "a?b" * (n // 3) + GOOD,
}


@pytest.mark.parametrize("make", TRAPS.values(), ids=TRAPS)
def test_time_grows_with_the_length_and_not_faster(make: Callable[[int], str], domain: Domain) -> None:
    """Ten times the text may take sixty times as long, where its square would take a hundred: other work on
    the machine takes its share of the caches."""

    def seconds(size: int) -> float:
        text = make(size)
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            read_problem(text, domain)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(200_000) < 60 * max(seconds(20_000), 1e-3)


# ── properties ───────────────────────────────────────────────────────────────────────────────────────

ATOMS = st.sampled_from(
    ["(clear a)", "(clear b)", "(on a b)", "(on b a)", "(ontable a)", "(handempty)", "(clear z)"]
)
BLANK = st.sampled_from([" ", "\n", "\t", "\r\n", " ; note ( here\n", "\u00a0", "  "])


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    return draw(st.lists(ATOMS, max_size=8)), draw(st.lists(ATOMS, max_size=4))


def written(init: list[str], goal: list[str]) -> str:
    return (
        f"(define (problem p) (:domain blocksworld) (:objects a b - block) (:init {' '.join(init)})"
        f" (:goal (and {' '.join(goal)})))"
    )


@given(problems(), st.data())
def test_order_duplicates_case_and_blanks_change_nothing(
    problem: tuple[list[str], list[str]], data: st.DataObject
) -> None:
    domain = read_domain(DOMAIN)
    init, goal = problem
    plain = read_problem(written(init, goal), domain)
    again = [*data.draw(st.permutations(init)), *(data.draw(st.lists(st.sampled_from(init))) if init else [])]
    text = written(again, data.draw(st.permutations(goal)))
    text = "".join(letter.upper() if data.draw(st.booleans()) else letter for letter in text)
    text = re.sub(r" |(?<=\))(?=\()", lambda _: data.draw(BLANK), text)
    other = read_problem(text, domain)
    assert content(other) == {**content(plain), "name": "p"}
    assert other.repair == plain.repair == "none"
    assert set(found(other)) == set(found(plain))


@given(problems())
def test_swapped_arguments_are_another_atom(problem: tuple[list[str], list[str]]) -> None:
    domain = read_domain(DOMAIN)
    init, goal = problem
    swapped = [atom.replace("(on a b)", "(on b a)") for atom in init]
    same = content(read_problem(written(init, goal), domain))["init"] == content(
        read_problem(written(swapped, goal), domain)
    )["init"]  # fmt: skip
    assert same == (set(init) == set(swapped))


@pytest.mark.data
def test_gold_problems_are_read_as_they_are(public_data: Path) -> None:
    prodg, planning = public_data / "prodg" / "data", public_data / "viplan" / "planning"
    pairs = [(prodg / name / "domain.pddl", f) for name in ("blocksworld", "cooking", "hanoi")
             for f in (prodg / name / "problems").glob("*.pddl")]  # fmt: skip
    for split in ("simple", "medium", "hard"):
        blocksworld = planning / "blocksworld"
        for folder in (split, f"{split}_10"):
            pairs += [
                (blocksworld / "domain.pddl", f) for f in (blocksworld / "problems" / folder).glob("*.pddl")
            ]
        household = planning / "igibson"
        pairs += [(household / "domain.pddl", f) for f in (household / split).glob("*.pddl")]
    assert len(pairs) == 151
    domains = {path: read_domain(path.read_text("utf-8")) for path, _ in pairs}
    assert all(domain.errors == () and domain.unsupported == () for domain in domains.values())
    for path, file in pairs:
        reading = read_problem(file.read_text("utf-8"), domains[path], repair=False)
        assert reading.clean, file
        assert "the goal already holds" not in reading.notes, file


@pytest.mark.data
def test_init_of_viplan_is_that_of_its_metadata(public_data: Path) -> None:
    folder = public_data / "viplan" / "planning" / "blocksworld"
    domain = read_domain((folder / "domain.pddl").read_text("utf-8"))
    count = 0
    for metadata in sorted(folder.glob("problems/*/metadata.json")):
        for name, entry in json.loads(metadata.read_text("utf-8")).items():
            reading = read_problem((metadata.parent / f"{name}.pddl").read_text("utf-8"), domain)
            stated = {
                tuple(word.lower() for word in (predicate, *([one] if isinstance(one, str) else one)))
                for predicate, instances in entry["init_predicates"].items()
                for one in instances
            }
            assert reading.problem is not None
            assert reading.problem.init == stated, name
            count += 1
    assert count == 105


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "step", "clean", "unread"),
    [
        # The page on grounding, section 3.3: an audit made by another program, and Fast Downward's exit 31.
        ("blocksworld", "plain", 72, []),
        ("blocksworld", "refine_once", 96, []),
        ("blocksworld", "refine_twice", 97, [27, 61]),
        ("cooking", "plain", 60, []),
        ("cooking", "refine_once", 100, []),
        ("cooking", "refine_twice", 100, []),
    ],
)
def test_the_defects_of_published_outputs(
    public_data: Path, name: str, step: str, clean: int, unread: list[int]
) -> None:
    prodg = public_data / "prodg"
    domain = read_domain((prodg / "data" / name / "domain.pddl").read_text("utf-8"))
    folder = prodg / "gpt4_outputs" / name / step / "problems"
    readings = {
        number: read_problem((folder / f"problem{number}.pddl").read_text("utf-8"), domain, repair=False)
        for number in range(1, 101)
    }
    assert sum(reading.clean for reading in readings.values()) == clean
    assert [number for number, reading in readings.items() if reading.problem is None] == unread
    assert {readings[number].repair for number in unread} <= {"parens"}
