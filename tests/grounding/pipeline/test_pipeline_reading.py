"""Replies are read tolerantly, boundedly, and without evaluating anything."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_task import DOMAIN, atom, said

from gumption.grounding import read_domain
from gumption.grounding.pipeline import read_goal, read_literals, read_objects, read_predicates
from gumption.grounding.pipeline.reading import listed, pddl_name
from gumption.records import ErrorKind, Reply

KITCHEN = read_domain(DOMAIN)
ON = (True, ("on", "red", "oak"))
PLAIN = '{"grounded_predicates": [{"predicate_type": "On", "x": {"name": "red"}, "y": {"name": "oak"}}]}'


def reply(text: str) -> Reply:
    return Reply("q", text=text)


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        (PLAIN, ()),
        (f"```json\n{PLAIN}\n```", ()),
        (f"Here you are, 5\" wide {{sic}}:\n{PLAIN}\nI hope that isn't wrong.", ()),
        (f"<think>{PLAIN.replace('oak', 'shelf')}</think>{PLAIN}", ()),
        (f"{PLAIN.replace('oak', 'shelf')}\nNo, rather\n{PLAIN}", ()),
        (PLAIN.replace('{"g', '{"thoughts": "a \\"grounded_predicates\\": [] list", "g', 1), ()),
        (PLAIN.replace('"', "'"), ("python",)),
        (PLAIN.replace("}]", "},]").replace("{", "{ ", 1), ("python",)),
        (PLAIN.partition(": ")[2][:-1], ("bare",)),
        ('{"grounded_predicates": ["(on red oak)"]}', ()),
        ('{"grounded_predicates": ["on(red, oak)"]}', ()),
        ('{"grounded_predicates": [{"predicate": "on", "arguments": ["Red", "OAK"]}]}', ()),
        ('{"grounded_predicates": [{"predicate_type": "On", "y": "oak", "x": "red"}]}', ()),
        ('{"grounded_predicates": [{"predicate_type": "On", "dish": "red", "tray": "oak"}]}', ()),
    ],
)
def test_one_atom_however_it_is_written(text: str, repairs: tuple[str, ...]) -> None:
    found = read_literals(reply(text))
    assert found.value == {ON}
    assert (found.reading.outcome, found.reading.repairs, found.mistakes) == ("answered", repairs, ())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I see a red cup.",
        PLAIN[:-3],  # cut off
        f"<think>{PLAIN}",  # never came out of its reasoning
        "{\"grounded_predicates\": \"__import__('os').system('true')\"}",
        '{"grounded_predicates": [__import__("os")]}',
        '{"grounded_predicates": [' * 2000,
        '{"grounded_predicates": ' + "[" * 100_000,
        '{"grounded_predicates": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"grounded_predicates": [' + "9" * 100_000 + "]}",
        '{"grounded_predicates": ["' + '\\"' * 100_000,
        "{'grounded_predicates': ['" + "\\'" * 100_000 + "\\",
        '{"grounded_predicates": [' + ", " * 100_000,
        "\ud800" * 1000,
    ],
    ids=range(14),
)
def test_what_cannot_be_read_is_empty_and_says_so(text: str) -> None:
    before = time.perf_counter()
    found = read_literals(reply(text))
    assert time.perf_counter() - before < 5
    assert found.value == frozenset() and found.reading.outcome == "unanswered"
    assert [mistake.kind for mistake in found.mistakes] == [ErrorKind.UNREADABLE]


def test_what_the_server_calls_a_refusal_is_one_whatever_was_said() -> None:
    reading = listed(Reply("q", status="refused", text=PLAIN), "grounded_predicates")
    assert (reading.outcome, reading.value, reading.rule) == ("refused", None, "status")


def test_a_list_is_looked_for_at_the_last_sixteen_places() -> None:
    broken = '{"grounded_predicates": [oops '
    assert listed(reply(PLAIN + broken * 15), "grounded_predicates").outcome == "answered"
    assert listed(reply(PLAIN + broken * 16), "grounded_predicates").outcome == "unanswered"


def test_a_refusal_is_told_apart() -> None:
    for refused in (reply("I'm sorry, I cannot help with that."), Reply("q", status="refused", text=PLAIN)):
        assert read_literals(refused).reading.outcome == "refused"
        assert read_objects(refused, KITCHEN).value == {}


def test_an_entry_that_is_no_atom_is_a_mistake_and_costs_nothing_else() -> None:
    text = said(
        grounded_predicates=[atom("On", "red", "oak"), 7, "red", {"x": {"name": "red"}}, atom("Or", "a")]
    )
    found = read_literals(reply(text))
    assert found.value == {ON}
    assert [mistake.kind for mistake in found.mistakes] == [ErrorKind.UNREADABLE] * 4


def test_negated_goals_stay_negated_and_atoms_without_arguments_stay() -> None:
    entries = [
        atom("Wet", "red", is_negated=True),
        atom("Lit", is_negated=True),
        atom("Lit", is_negated="false"),
    ]
    goal = read_goal(reply(said(grounded_predicates=[*entries, "(not (on red oak))"])))
    assert goal.value == {(False, ("wet", "red")), (False, ("lit",)), (True, ("lit",)), (False, ON[1])}


def test_a_state_is_closed_so_that_a_negated_fact_says_nothing() -> None:
    entries = [atom("Wet", "red", is_negated=True), atom("Lit"), "(not (on red oak))"]
    assert read_predicates(reply(said(grounded_predicates=entries))).value == {("lit",)}


def test_unknown_names_are_kept() -> None:
    found = read_predicates(reply(said(grounded_predicates=[atom("Glows", "lamp"), atom("On", "red")])))
    assert found.value == {("glows", "lamp"), ("on", "red")} and not found.mistakes


def test_objects_by_name_and_type() -> None:
    entries = [
        {"name": "Red Cup", "type": "Cup"},
        "oak",
        {"name": "red_cup", "type": "tray"},
        {"type": "cup"},
    ]
    found = read_objects(reply(said(objects=entries)), KITCHEN)
    assert found.value == {"red_cup": "cup", "oak": "object"}
    assert [mistake.kind for mistake in found.mistakes] == [ErrorKind.AMBIGUOUS, ErrorKind.UNREADABLE]


def test_without_types_every_object_is_an_object() -> None:
    untyped = read_domain("(define (domain d) (:predicates (p ?x)))")
    found = read_objects(reply(said(objects=[{"name": "peg1", "type": "peg"}])), untyped)
    assert found.value == {"peg1": "object"}


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("red_block", "red_block"),
        (" Red  Block ", "red_block"),
        ("a) (:goal (and", "a_goal_and"),
        (";x", "x"),
        ("//x", "x"),
        ("-x", "x"),
        ("a/*b", "a/_b"),
        ("?", ""),
        ("", ""),
        (None, ""),
        (3, ""),
        ({"name": "B"}, "b"),
        ({"name": {"name": "b"}}, ""),
    ],
)
def test_a_name_is_one_word_of_pddl(told: object, name: str) -> None:
    assert pddl_name(told) == name


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    for one in (text, '{"objects": [' + text, "{'objects': [" + text + "]}"):
        assert listed(reply(one), "objects").outcome in {"answered", "unanswered", "refused"}
        read_objects(reply(one), KITCHEN)
        read_literals(reply(one.replace("objects", "grounded_predicates")))
