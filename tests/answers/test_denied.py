"""Options that a reply denies before, or behind, the one that it states; and denials that state none."""

from __future__ import annotations

from itertools import permutations

import pytest

import gumption as g

NAMED = {"A": "red mug", "B": "blue bowl", "C": "tin", "D": "grey jar"}
LETTERS_ALONE = dict.fromkeys(NAMED, "")
STATED = [
    "Not option {no} but option {yes}.",
    "Not {no} but {yes}.",
    "Not ({no}), ({yes}).",
    "It is not {no}, it is {yes}.",
    "It isn't {no}. {yes}.",
    "The answer is not {no} but {yes}.",
    "The answer is not option {no} but option {yes}.",
    "The answer is not ({no}) but ({yes}).",
    "The correct option is not {no}; it is {yes}.",
    "Final answer: not {no}, but {yes}",
    "<answer>not {no} but {yes}</answer>",
    "The answer is {yes}, not {no}.",
    "Answer: {yes} (not {no})",
    "{yes} rather than {no}.",
    "Rather than {no}, the answer is {yes}.",
    "Rather than option {no}, option {yes}.",
    "I would choose {yes} rather than {no}.",
    "Instead of option {no}, option {yes}.",
    "Instead of ({no}), I choose ({yes}).",
    "The answer is option {yes} instead of option {no}.",
    "{no} is wrong. {yes} is the answer.",
    "({no}) is wrong, ({yes})",
    "Option {no} is wrong, option {yes} is right.",
    "Option {no} is incorrect. Option {yes}",
    "{no} is incorrect, so it must be {yes}.",
    "{no} is not correct. The correct answer is {yes}.",
    "Option {no} can't be right: option {yes}.",
    "Not option {no} or option {other}, but option {yes}.",
    "Neither option {no} nor option {other}; option {yes}.",
    "Neither {no} nor {other}, so {yes}.",
    "Not the {no_text} ({no}) but the {yes_text} ({yes}).",
    "Not the {no_text} but the {yes_text}.",
]
NOT_STATED = [
    "Not {no}",
    "Not option {no}.",
    "Not ({no}).",
    "Answer: not {no}",
    "The answer is not option {no}.",
    "Option {no} is wrong.",
    "Option {no} is incorrect",
    "I don't think it is option {no}.",
    "Not option {no} or option {other}.",
    "Neither {no} nor {other}.",
    "It is not {no} or {other}",
    "Rather than option {no}, something else.",
    "{no} is not correct. {other} is.",
]


def letters() -> list[tuple[str, str, str]]:
    return list(permutations("ABCD", 3))


def put(reply: str, no: str, yes: str, other: str) -> str:
    return reply.format(no=no, yes=yes, other=other, no_text=NAMED[no], yes_text=NAMED[yes])


@pytest.mark.parametrize(
    ("reply", "choices"),
    [
        *((reply, NAMED) for reply in STATED),
        *((reply, LETTERS_ALONE) for reply in STATED if "_text" not in reply),
    ],
)
def test_what_is_denied_is_never_the_answer(reply: str, choices: dict[str, str]) -> None:
    for no, yes, other in letters():
        said = put(reply, no, yes, other)
        found = g.read(said, g.Answer("choice", choices=choices))
        assert (found.outcome, found.value) == ("answered", yes), said


@pytest.mark.parametrize("reply", NOT_STATED)
def test_a_denial_alone_answers_nothing(reply: str) -> None:
    for no, yes, other in letters():
        said = put(reply, no, yes, other)
        found = g.read(said, g.Answer("choice", choices=NAMED))
        assert (found.outcome, found.value) in (("unanswered", None), ("ambiguous", None)), said


@pytest.mark.parametrize("reply", ["not option A or ", "(A) is wrong, ", "neither A nor "])
def test_a_long_chain_of_denials_answers_nothing(reply: str) -> None:
    assert g.read(reply * 20_000, g.Answer("choice", choices=NAMED)).value is None
