"""What a reply gives as its answer in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.answers._reply import passage_of
from gumption.answers.text import read_text
from gumption.records import Reading


def read(reply: str) -> Reading:
    return read_text(passage_of(reply))


@pytest.mark.parametrize(
    ("reply", "value", "rule"),
    [
        ("a red cup", "a red cup", "whole"),
        ("  a red cup\n", "a red cup", "whole"),
        ("**window**", "window", "whole"),
        ("*window*", "window", "whole"),
        ("`window`", "window", "whole"),
        ('"window"', "window", "whole"),
        ("'", "'", "whole"),
        ('"left" and "right"', '"left" and "right"', "whole"),
        ("```\nwindow\n```", "window", "whole"),
        ("## window", "window", "whole"),
        ("3 * 4", "3 * 4", "whole"),
        ("snake_case", "snake_case", "whole"),
        ("First line.\nSecond line.", "First line.\nSecond line.", "whole"),
        ("I thought of glass.\nFinal answer: four", "four", "explicit"),
        ("Answer: glass\nAnswer: **a faucet**", "a faucet", "explicit"),
        ("**Answer:** window", "window", "explicit"),
        ("Answer:\n\n*the cup*\n\nIt is red.", "the cup", "explicit"),
        ("The answer is in the kitchen.", "in the kitchen.", "explicit"),
        ("So \\boxed{\\text{the cup}}.", "the cup", "explicit"),
        ("<think>glass</think>\n<answer>Soup spoon.</answer>", "Soup spoon.", "answer_tag"),
        ('{"answer": "soup spoon"}', "soup spoon", "answer_tag"),
        ("I can't be sure. Answer: cup", "cup", "explicit"),
    ],
)
def test_answered(reply: str, value: str, rule: str) -> None:
    assert read(reply) == Reading("answered", value, rule, read(reply).repairs)


@pytest.mark.parametrize("reply", ["", " \n", "#### \n\n", "****", "<answer></answer>", "<think>a cup"])
def test_unanswered(reply: str) -> None:
    assert (read(reply).outcome, read(reply).value) == ("unanswered", None)


@pytest.mark.parametrize(
    "reply",
    ["Sorry, I cannot judge this from what I was given.", "As a language model I have to decline here."],
)
def test_refused(reply: str) -> None:
    assert (read(reply).outcome, read(reply).value) == ("refused", None)


def strict(text: str) -> str:
    """The matching rule of the folder's README: case, articles, and . , ! * and blanks at the ends."""
    text = re.sub(r"\b(?:a|an|the)\b", " ", text.lower())
    return " ".join(text.split()).strip(" .,!*")


def test_recorded_scores_of_plainwords(cases: Path) -> None:
    folder = cases / "folders" / "plainwords"
    accepted: dict[str, set[str]] = {}
    item = ""
    for line in (folder / "plainwords.txt").read_text().splitlines():
        if line.startswith("#"):
            item = line[1:].strip()
        elif line.startswith("A:"):
            accepted[item] = {strict(answer) for answer in line[2:].split(";")}
    rows = [json.loads(line) for line in (folder / "recorded.jsonl").read_text().splitlines()]
    assert len(rows) == 120
    for row in rows:
        reading = read(row["reply"])
        right = reading.outcome == "answered" and strict(reading.value) in accepted[row["item"]]
        assert right == bool(row["score"]), row


@given(st.lists(st.sampled_from(["red", "cup", "on", "table", "left", "two"]), min_size=1, max_size=5))
def test_any_words_read_back_in_any_dress(words: list[str]) -> None:
    text = " ".join(words)
    for frame in ("{}", "**{}**", '"{}"', "Final answer: {}", "<answer>{}</answer>", "\\boxed{{{}}}"):
        assert read(frame.format(text)).value == text
