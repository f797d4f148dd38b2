"""Questions that carry their options in their own words, as "(A) red (B) blue" or "Options: A: red, B: blue".

The options are found so that a reply can be read against their texts; the question is shown as published.
"""

from __future__ import annotations

import re
from string import ascii_uppercase

from msgspec.structs import replace

from gumption.benchmarks.prompts import prompted
from gumption.records import Answer, Item

__all__ = ["choice_of", "letters_only", "options_in"]

_MARKS = (
    re.compile(r"(?<![\w(])\(([A-Za-z])\)"),
    re.compile(r"(?<![\w(])([A-Z]):(?=\s)"),
    re.compile(r"(?<![\w(])([A-Z])\.(?=\s)"),
    re.compile(r"(?<![\w(])([A-Z])\)(?=\s)"),
)
_MOST_MARKS = 2_000


def options_in(question: str) -> dict[str, str]:
    """Letter to text of the last list of options in a question, in order; {} where there is none.

    A list begins with A and goes on with B, C, ... in one way of marking. The text of the last option ends
    with its line.
    """
    runs = [run for mark in _MARKS if len(run := _run(question, mark)) > 1]
    if not runs:
        return {}
    best = max(runs, key=lambda run: (len(run), run[0].start()))
    ends = [match.start() for match in best[1:]]
    ends.append(question.find("\n", best[-1].end()) if "\n" in question[best[-1].end() :] else len(question))
    texts = [question[match.end() : end].strip().rstrip(",;") for match, end in zip(best, ends, strict=True)]
    return {match[1].upper(): text for match, text in zip(best, texts, strict=True)}


def _run(question: str, mark: re.Pattern[str]) -> list[re.Match[str]]:
    """The longest run of marks A, B, C, ... that stand one after the other; of equal ones the last."""
    best: list[re.Match[str]] = []
    run: list[re.Match[str]] = []
    for match in list(mark.finditer(question))[-_MOST_MARKS:]:
        letter = match[1].upper()
        if len(run) < len(ascii_uppercase) and run and letter == ascii_uppercase[len(run)]:
            run.append(match)
        elif letter == "A":
            run = [match]
        if len(run) >= len(best):
            best = list(run)
    return best


def choice_of(question: str, gold: str, letters: str = "ABCD") -> Answer:
    """The answer to a choice among options in the question, or among bare `letters` where none are found.

    gold: a letter; the letters go on to it where the options that were found do not.
    """
    found = options_in(question)
    if gold not in found:
        last = max(gold, letters[-1]) if len(gold) == 1 and gold in ascii_uppercase else letters[-1]
        found = dict.fromkeys(ascii_uppercase[: ascii_uppercase.index(last) + 1], "")
    return Answer("choice", gold=gold, choices=found)


def letters_only(item: Item) -> Item:
    """The item as a model is shown it: its question has the options, so only the letters are named."""
    if item.answer.kind != "choice" or not item.answer.choices:
        return prompted(item)
    bare = replace(item.answer, choices=dict.fromkeys(item.answer.choices, ""))
    return replace(prompted(replace(item, answer=bare)), answer=item.answer)
