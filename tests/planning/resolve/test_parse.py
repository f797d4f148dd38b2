"""L1: steps and phrases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.planning.resolve import plain_verb, read_phrase, read_step


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Pick up the red mug", ["Pick", "red mug"]),
        ("Put the apple in the fridge.", ["Place", "apple", "fridge"]),
        ("turn the faucet on", ["Turn on", "faucet"]),
        ("Switch off the light", ["Turn off", "light"]),
        ("go to the dining table", ["Navigate", "dining table"]),
        ("Slice the bread with a knife", ["Cut", "bread", "knife"]),
        ("Take the apple from the table", ["Pick", "apple from the table"]),
        ("Dance", ["Dance"]),
        ("", []),
    ],
)
def test_a_sentence_becomes_verb_object_and_target(text: str, step: list[str]) -> None:
    assert read_step(text) == step


@pytest.mark.parametrize(
    ("verb", "plain"),
    [("Pick up", "pick"), ("PUT DOWN", "place"), ("switch_on", "turn on"), ("Wave", "wave")],
)
def test_everyday_verbs_are_those_of_plans(verb: str, plain: str) -> None:
    assert plain_verb(verb) == plain


@pytest.mark.parametrize(
    ("text", "words", "beside"),
    [
        ("the apple in the sink", ("apple",), ("sink",)),
        ("edge of the table", ("table",), ()),
        ("TVStand", ("tvstand",), ()),
        ("Bed Center within 20cm of Bed Edge", ("bed", "center"), ("20", "cm", "of", "bed", "edge")),
        ("drawer of the desk", ("drawer",), ("desk",)),
    ],
)
def test_a_phrase_says_what_and_where(text: str, words: tuple[str, ...], beside: tuple[str, ...]) -> None:
    phrase = read_phrase(text)
    assert (phrase.words, phrase.beside) == (words, beside)


def test_which_one_is_kept_apart_from_what() -> None:
    assert read_phrase("Cabinet_2").number == read_phrase("second cabinet").number == 2
    assert read_phrase("last drawer").number == -1
    assert read_phrase("another cup").other
    assert read_phrase("Top Drawer").height == -read_phrase("bottom drawer").height == 1
    assert read_phrase("Knife Original Position").origin
    assert not read_phrase("position").origin
    assert read_phrase("next to the bowl").near
    assert read_phrase("it").pronoun == "it"
    assert read_phrase("the object in hand").pronoun == "held"


@given(st.text(max_size=400))
def test_no_text_is_too_strange(text: str) -> None:
    phrase = read_phrase(text)
    assert len(phrase.words) <= len(text)
    assert all(isinstance(one, str) for one in read_step(text))


def test_a_sentence_is_no_name() -> None:
    assert read_phrase("apple " * 30).words == ()
