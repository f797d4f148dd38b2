"""Any text can come back from a model: the readers of free values never raise, never hang, never differ."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.answers._reply import Passage, passage_of
from gumption.answers.number import read_number
from gumption.answers.point import read_point
from gumption.answers.text import read_text
from gumption.answers.yes_no import read_yes_no
from gumption.records import Reading


def points(passage: Passage) -> Reading:
    return read_point(passage, "per_mille_yx", (640, 480))


READERS: dict[str, Callable[[Passage], Reading]] = {
    "number": read_number,
    "yes_no": read_yes_no,
    "point": points,
    "text": read_text,
}
SIZE = 32 * 1024
SECONDS = 1.0
"""Of processor time. Generous: each takes a tenth or two, and minutes where the cost is quadratic."""

PIECES = [
    "(", "[", "{", "<", ">", "1,", "1/", "1 ", "1+", "1-", "1=", "1^", "1**", "1e9", "1%", "$1",
    ".", ",000", "9", " ", "\n", "\n1", "1. ", "\n1. a", "*", "*1", "one hundred ", "one ",
    "the one ", "one and ", "half ", "minus ", "not ", "not 1 ", "3 m ", "3 ± ", "2 or ",
    "between 1 and 2 ", "step 1 ", "images 1, ", "so 1, ", "一", "分之", "yes ", "no, ", "yes/",
    "yes or no ", "not true ", "is true. ", "so no, ", "wait, no. ", "no. ", "I cannot. ",
    "I cannot 3 but ", "x=", "x=1 ", "x=1,y=2 ", 'x1="1" y1="2" ', "<point ", "(1,", "(1,2",
    "(1,2)", "(1,2). a ", "\n(1,2)\na", "not (1,2) ", "bbox: [1,2,3,4] ", "[1,2,3,4]",
    '{"x": 1, "y": 2}, ', "answer: ", "answer: 1 ", "answer: (1,2) ", "\\boxed{1} ", "\\frac{",
    "\\text{", "\\times", "{,", "```", "#", '"', "\\boxed{",
]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", PIECES)
def test_a_long_run_of_anything_is_read_in_time(reader: str, piece: str) -> None:
    passage = passage_of((piece * (SIZE // len(piece) + 1))[:SIZE])
    started = time.process_time()
    READERS[reader](passage)
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize("text", ["111," * (SIZE // 4) + " 5 a b c d", "111 " * (SIZE // 4) + "5 a"])
def test_a_long_run_with_something_behind_it_is_read_in_time(text: str) -> None:
    started = time.process_time()
    read_number(passage_of(text))
    assert time.process_time() - started < SECONDS


WORDS = st.sampled_from(
    [piece.strip(" ") or piece for piece in PIECES]
    + [
        "3",
        "-1.5",
        "1,200",
        "two",
        "yes",
        "No",
        "(0.5, 0.5)",
        "Answer:",
        "</think>",
        "<answer>",
        "\\boxed{3}",
        "cup",
        ".",
    ]
)
REPLIES = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=25).map(" ".join))


@given(REPLIES)
def test_any_text_is_read_and_read_the_same_again(reply: str) -> None:
    passage = passage_of(reply)
    for name, reader in READERS.items():
        reading = reader(passage)
        assert reader(passage_of(reply)) == reading
        answered = reading.outcome == "answered"
        assert bool(reading.rule) or not answered
        match name:
            case "number":
                assert (
                    (isinstance(reading.value, float) and math.isfinite(reading.value))
                    if answered
                    else reading.value is None
                )
            case "yes_no":
                assert reading.value in ({"yes", "no"} if answered else {None})
            case "text":
                assert (
                    (isinstance(reading.value, str) and reading.value) if answered else reading.value is None
                )
            case "point":
                assert bool(reading.value) == answered
                assert all(math.isfinite(x) and math.isfinite(y) for x, y in reading.value)


@given(REPLIES)
def test_nothing_in_an_open_reasoning_block_is_an_answer(reply: str) -> None:
    """Unless the block is closed or an answer tag is opened inside it, which the text may do."""
    if "think" in reply or "<" in reply:
        return
    for reader in READERS.values():
        assert reader(passage_of("<think>" + reply)).outcome == "unanswered"


def test_huge_numbers_are_no_answers() -> None:
    for reply in (
        "9" * SIZE,
        "1" + ",000" * 1000,
        "1e" + "9" * SIZE,
        "2^" + "9" * SIZE,
        "9.9e308 x 10^9",
        "\\frac{1}{0}",
    ):
        assert read_number(passage_of(reply)).outcome == "unanswered", reply[:20]
