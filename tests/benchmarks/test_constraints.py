"""MM-IFEval's rules on hand-made replies."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.benchmarks._constraints import _RULES, check, holds
from gumption.records import GumptionError

TWO = "One is here. Two is there!\n \nThree is gone. It was late."


@pytest.mark.parametrize(
    ("rule", "params", "reply", "kept"),
    [
        ("check_whether_response_paragraph_number_in_range", [2, 2], TWO, True),
        ("check_whether_response_paragraph_number_in_range", [3, 9], TWO, False),
        ("check_whether_response_paragraph_number_in_range", [1, 1], "a\nb\nc", True),  # a line break is none
        ("check_whether_response_sentence_number_in_range", [4, 4], TWO, True),
        (
            "check_whether_response_sentence_number_in_range",
            [1, 1],
            "Dr. Lee met Mrs. Fox at 3.5 p.m. today",
            True,
        ),
        ("check_whether_response_sentence_number_in_range", [2, 2], 'He said "No." Then he left.', True),
        (
            "check_whether_response_sentence_number_in_range",
            [2, 2],
            "It is point A. The rest is J. Smith's.",
            True,
        ),
        ("check_whether_response_sentence_number_in_range", [1, 1], "See No. 3 and Fig. 4.", True),
        ("check_whether_response_sentence_number_in_range", [3, 3], "Really? Yes! Good.", True),
        ("check_whether_response_sentence_number_in_range", [1, 1], "- a line\n- another line", True),
        ("check_whether_each_paragraph_sentence_number_in_range", [2, 2], TWO, True),
        ("check_whether_each_paragraph_sentence_number_in_range", [1, 1], TWO, False),
        ("check_whether_each_paragraph_sentence_number_in_range_list", [[[2, 2], [1, 3]]], TWO, True),
        ("check_whether_each_paragraph_sentence_number_in_range_list", [[[2, 2]]], TWO, False),
        ("check_whether_response_word_count_in_range", [12, 12], TWO, True),
        ("check_whether_response_word_count_in_range", [3, 3], "It's well-known, though", True),
        ("check_whether_each_paragraph_word_count_in_range", [6, 6], TWO, True),
        ("check_whether_each_paragraph_word_count_in_range", [7, 9], TWO, False),
        ("check_whether_whole_response_not_contain_certain_substrings", [["cat", "dog"]], "a Cat", True),
        ("check_whether_whole_response_not_contain_certain_substrings", [["cat", "dog"]], "dogma", False),
        ("check_whether_whole_response_not_contain_certain_substring", [","], "a, b", False),
        ("check_whether_each_sentence_begin_with_certain_substring", ["I "], "I go. I stay.", True),
        ("check_whether_each_sentence_begin_with_certain_substring", ["I "], "I go. We stay.", False),
        ("check_whether_each_sentence_end_with_certain_substring", ["!"], "Go! Stay!", True),
        ("check_whether_each_sentence_end_with_certain_substring", ["!"], "Go! Stay.", False),
        ("check_whether_each_paragraph_begin_with_certain_substring", ["- "], "- a\n\n- b", True),
        ("check_whether_each_paragraph_begin_with_certain_substring", ["- "], "- a\n\nb", False),
        ("check_whether_each_paragraph_end_with_certain_substring", ["."], TWO, False),
        ("check_whether_each_paragraph_end_with_certain_substring", ["."], "a.\n\nb.", True),
        ("check_whether_whole_response_begin_with_certain_substring", ["Dear"], "\n Dear Ann", True),
        ("check_whether_whole_response_end_with_certain_substring", ["Bye"], "Dear Ann. Bye \n", True),
        ("check_whether_whole_response_end_with_certain_substring", ["Bye"], "Bye now", False),
        (
            "check_whether_each_keyword_in_list_metioned_in_range",
            [["red", "Sea"], 1, 2],
            "Red sea, red.",
            True,
        ),
        ("check_whether_each_keyword_in_list_metioned_in_range", [["red"], 1, 2], "redder, hundred", False),
        ("check_whether_each_keyword_in_list_metioned_in_range", [["red"], 1, 2], "red red red", False),
        (
            "check_whether_total_keyword_in_list_metioned_in_range",
            [["red", "sea"], 3, 3],
            "red sea red",
            True,
        ),
        (
            "check_whether_total_keyword_in_list_metioned_in_range",
            [["red", "sea"], 1, 2],
            "red sea red",
            False,
        ),
        ("check_percentage_number_precision_in_response", [2], "It is 3.14 % and 4 of 5.1", True),
        ("check_percentage_number_precision_in_response", [2], "It is 3.1%", False),
        ("check_percentage_number_precision_in_response", [0], "It is 3%", False),  # no point, no precision
        ("check_number_precision_in_response", [2], "1,234.50 and -0.25 and 1.25e3", True),
        ("check_number_precision_in_response", [2], "1.5", False),
        ("check_number_precision_in_response", [2], "3 cups", False),
        ("check_number_precision_in_response", [0], "3 cups", True),
        ("check_number_precision_in_response", [2], "no numbers in A4", True),
        ("check_whether_has_no_arabic_number_in_response", [], "three of them, A4 paper", True),
        ("check_whether_has_no_arabic_number_in_response", [], "there are 3 of them", False),
        ("check_whether_has_no_arabic_number_in_response", [], "50% off", False),
        ("check_whether_has_no_arabic_number_in_response", [], "It costs 5.", True),  # before a full stop
    ],
)
def test_rules(rule: str, params: list[Any], reply: str, kept: bool) -> None:
    assert holds(rule, params, reply) is kept


def test_all_nineteen_are_tried_above() -> None:
    tried = {mark.args[1][n][0] for mark in test_rules.pytestmark for n in range(len(mark.args[1]))}  # type: ignore[attr-defined]
    assert tried == set(_RULES) and len(tried) == 19


@pytest.mark.parametrize(
    ("rule", "params", "problem"),
    [
        ("check_something_else", [], "no rule is called"),
        ("__import__", ["os"], "no rule is called"),
        ("check_whether_response_word_count_in_range", [1], "check_whether_response_word_count_in_range"),
        ("check_whether_response_word_count_in_range", ["1", 2], "Expected `int`"),
        ("check_whether_each_paragraph_sentence_number_in_range_list", [[[1]]], "length"),
        ("check_whether_has_no_arabic_number_in_response", [1], "check_whether_has_no_arabic_number"),
    ],
)
def test_what_does_not_fit_is_said(rule: str, params: list[Any], problem: str) -> None:
    with pytest.raises(GumptionError, match=problem):
        check(rule, params)


@given(
    st.lists(
        st.lists(st.sampled_from(["Go.", "Is it?", "No!", "He saw Dr. Lee."]), min_size=1, max_size=4),
        max_size=4,
    )
)
def test_counts_of_made_texts(paragraphs: list[list[str]]) -> None:
    reply = "\n\n".join(" ".join(sentences) for sentences in paragraphs)
    n, total = len(paragraphs), sum(map(len, paragraphs))
    assert holds("check_whether_response_paragraph_number_in_range", [n, n], reply)
    assert holds("check_whether_response_sentence_number_in_range", [total, total], reply)
    ranges = [[len(sentences)] * 2 for sentences in paragraphs]
    assert holds("check_whether_each_paragraph_sentence_number_in_range_list", [ranges], reply)


@pytest.mark.parametrize(
    "reply", ["a. " * 60_000, "1" * 200_000, "1," * 50_000, "\n " * 100_000, ".!?" * 60_000]
)
@pytest.mark.parametrize(
    ("rule", "params"),
    [
        ("check_whether_response_sentence_number_in_range", [1, 2]),
        ("check_number_precision_in_response", [2]),
        ("check_percentage_number_precision_in_response", [2]),
        ("check_whether_has_no_arabic_number_in_response", []),
    ],
)
def test_long_replies_end_soon(rule: str, params: list[Any], reply: str) -> None:
    start = time.process_time()
    holds(rule, params, reply)
    assert time.process_time() - start < 5
