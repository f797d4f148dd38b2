"""From the raw reply to what may be read: reasoning, tags and JSON fields, and the repairs that they took."""

from __future__ import annotations

import pytest

from gumption.answers import READING_VERSION, SCORING_VERSION, refuses, visible
from gumption.answers._reply import passage_of

LIMIT = 256 * 1024
TAIL = 64 * 1024


def test_versions_are_counted() -> None:
    assert int(READING_VERSION) >= 2
    assert int(SCORING_VERSION) >= 1


@pytest.mark.parametrize(
    ("reply", "text", "whole", "repairs"),
    [
        (" B ", "B", True, ()),
        ("It is B. <think>or A?</think>", "It is B.", True, ()),
        ("<think>A</think>B", "B", True, ()),
        ("<think>A<think>B</think>C</think>D", "D", True, ()),
        ("perhaps A</think>B", "B", True, ("unopened_reasoning",)),
        ("B <think>perhaps A", "B", True, ("open_reasoning",)),
        ("A <answer>B</answer> C", "B", False, ()),
        ("<answer>A</answer> or <answer>B</answer>", "B", False, ()),
        ("<answer>B</answer><answer> </answer>", "B", False, ()),
        ("<answer>A</answer> no, <answer>B", "B", False, ("unclosed_tag",)),
        ("<answer>B</answer> <answer>", "B", False, ()),
        ("<answer>", "", False, ("unclosed_tag",)),
        ('{"why": "x", "answer": "B"}', "B", False, ("json",)),
        ("{'answer': 'B'}", "B", False, ("json",)),
        ('{"answer": "a \\u0022b\\u0022"}', 'a "b"', False, ("json",)),
        ('{"answer": 3.5}', "3.5", False, ("json",)),
        ('{"answer": null}', "", False, ("json",)),
        ('{"answer": "A"}\n{"answer": "B"}', "B", False, ("json",)),
    ],
)
def test_what_may_be_read(reply: str, text: str, whole: bool, repairs: tuple[str, ...]) -> None:
    passage = passage_of(reply)
    assert (passage.text, passage.whole, passage.repairs) == (text, whole, repairs)


def test_a_reply_over_256_kib_is_read_at_its_last_64() -> None:
    assert passage_of("x" * LIMIT).repairs == ()
    assert len(passage_of("x" * LIMIT).text) == LIMIT
    cut = passage_of("x" * (LIMIT + 1))
    assert (len(cut.text), cut.repairs) == (TAIL, ("truncated_input",))
    # Letters of two bytes: half as many.
    assert passage_of("é" * (LIMIT // 2)).repairs == ()
    assert len(passage_of("é" * (LIMIT // 2 + 1)).text) == TAIL // 2


def test_a_long_reply_is_cut_behind_its_reasoning() -> None:
    reply = "<think>" + "A " * LIMIT + "</think>B"
    assert passage_of(reply).text == "B"
    assert visible(reply) == ("B", ("truncated_input",))


def test_what_is_visible_is_left_as_it_is() -> None:
    assert visible(" **A**\n<answer>B</answer>\n") == (" **A**\n<answer>B</answer>\n", ())
    assert visible("A <think>B</think>\n<answer>A</answer>") == ("A  \n<answer>A</answer>", ())


def test_a_refusal_stands_at_the_start_or_at_the_end() -> None:
    told, sorry = "The cup is red. " * 100, "I'm sorry, I cannot help. "
    assert refuses(sorry + told)
    assert refuses(told + sorry)
    assert not refuses(told + sorry + told)
