"""Plans as text."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding import read_actions
from gumption.grounding.plans import write_actions


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("(a b c)", [("a", "b", "c")]),
        ("0: (a b c)", [("a", "b", "c")]),
        ("a(b, c)", [("a", "b", "c")]),
        ("moveblock(t, c2)", [("moveblock", "t", "c2")]),
        ("(noop)", [("noop",)]),
        ("noop()", [("noop",)]),
        ("(PICK-UP A)\n(Stack A B)\n", [("pick-up", "a"), ("stack", "a", "b")]),
        ("(a b) ; why (not this)\n; cost = 2 (unit cost)\n", [("a", "b")]),
        ("; cost = 0 (unit cost)\n", []),
        ("", []),
        ("0.000: (a b) [0.001]\n0.002: (c d) [1.000]", [("a", "b"), ("c", "d")]),
        ("1. (a b)\n2. (c d)", [("a", "b"), ("c", "d")]),
        ("(a b) (c d)", [("a", "b"), ("c", "d")]),
        ("(a\tb)\r\n( c   d )\r\n", [("a", "b"), ("c", "d")]),
        ("pick_up(a)\nput-down( a )", [("pick_up", "a"), ("put-down", "a")]),
        ("()", []),
    ],
)
def test_shapes(text: str, steps: list[tuple[str, ...]]) -> None:
    assert read_actions(text) == steps


WORDS = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=5).map(tuple), max_size=8))
def test_what_is_written_is_read(plan: list[tuple[str, ...]]) -> None:
    assert read_actions(write_actions(plan)) == plan
    assert (
        read_actions("".join(f"{i}: {line}" for i, line in enumerate(write_actions(plan).splitlines(True))))
        == plan
    )
    assert read_actions("\n".join(f"{name}({', '.join(rest)})" for name, *rest in plan)) == plan


@given(st.text())
def test_any_text_gives_steps_of_lower_case_words(text: str) -> None:
    for step in read_actions(text):
        assert step
        assert not any(letter in word for word in step for letter in " \t\n(),;")


@pytest.mark.data
def test_the_plans_of_prodg_have_no_parentheses_left_over(public_data: Path) -> None:
    files = sorted((public_data / "prodg" / "gpt4_outputs").glob("*/*/plans/problem*.[0-9]"))
    assert len(files) > 400
    for file in files:
        text = file.read_text("utf-8")
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith(";")]
        assert [" ".join(step) for step in read_actions(text)] == [line.strip("() \n") for line in lines]


@pytest.mark.data
def test_reference_plans_of_viplan(public_data: Path) -> None:
    folder = public_data / "viplan" / "planning" / "blocksworld" / "problems" / "simple"
    metadata = json.loads((folder / "metadata.json").read_text("utf-8"))
    for entry in metadata.values():
        steps = read_actions("\n".join(entry["reference_plan"]))
        assert len(steps) == len(entry["reference_plan"])
        assert {(step[0], len(step)) for step in steps} == {("moveblock", 3)}


@pytest.mark.parametrize("sign", ["(", ")", "a(", "a" * 40, "(a ", ";(", "((a) "])
def test_long_texts_take_time_in_proportion(sign: str) -> None:
    def seconds(size: int) -> float:
        text = sign * (size // len(sign))
        start = time.process_time()
        read_actions(text)
        return time.process_time() - start

    seconds(1000)
    assert seconds(400_000) < 40 * max(seconds(100_000), 1e-3)
