"""Word by word: what announces an option, what calls it right, and what makes a letter a thing spoken of."""

from __future__ import annotations

import pytest

import gumption as g

THINGS = {"A": "red mug", "B": "blue plate", "C": "green bowl", "D": "lamp"}
LETTERS = dict.fromkeys("ABCD", "")


def read(reply: str, choices: dict[str, str] = LETTERS) -> g.Reading:
    return g.read(reply, g.Answer("choice", choices=choices))


ANNOUNCING = [
    "I choose", "I chose", "I'd select", "I would pick", "I'd say", "I'll go with", "I'm going with",
    "I would go for", "I opt for", "so", "therefore", "thus", "hence", "the correct one is",
    "the best fit is", "the better one is", "the most appropriate is", "the most accurate is",
    "the most suitable is", "the closest is", "the final verdict is", "the right one is", "my pick is",
    "the option is", "the choice is", "it's", "it is", "that's", "that is", "this is", "it must be",
    "that must be", "it would be", "that would be", "this would be",
]  # fmt: skip


@pytest.mark.parametrize("words", ANNOUNCING)
def test_what_is_announced_stands_beside_what_is_only_named(words: str) -> None:
    reading = read(f"A or C at first sight. From here {words} B. Not sure about D")
    assert (reading.value, reading.rule) == ("B", "explicit")


@pytest.mark.parametrize("word", ["correct", "best", "appropriate", "accurate", "suitable", "final"])
def test_what_is_called_the_right_one_is_the_answer(word: str) -> None:
    reading = read(f"A fits too. B is the most {word} of them. C is far.")
    assert (reading.value, reading.rule) == ("B", "explicit")


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        # A letter in brackets is the author's own label behind other words than an option's.
        ("In the first image (A) the blue plate is closer.", "B"),
        ("Red mug: the blue plate stands farther back.", "A"),
        ("(E) is empty; it shows the blue plate", "B"),
        ("Green bowl or blue plate?\nRed mug, C", None),
    ],
)
def test_what_a_sentence_names(reply: str, letter: str | None) -> None:
    assert read(reply, THINGS).value == letter


def test_an_article_is_no_letter() -> None:
    assert read("The answer is probably a mug on the left", {"A": "cup", "B": "mug"}).value == "B"


CLOSER = {"A": "A is closer", "B": "B is closer"}


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("Point A, on the car, seems closer than B.", "A"),
        *((f"A {words} closer", "A") for words in (
            "near the wall looks", "at the door looks", "in the room looks", "on the mat looks",
            "which is red looks", "that is red looks", "being taller looks", "has moved and looks",
            "appears", "would be", "must be", "seems", "looks",
        )),
        ("A cup by B looks closer.", "B"),
        ("B that seemed closer at first, A that looks closer", None),
        ("A stands on the wall. What looks closer is a cup", None),
        ("A is not closer", None),
        ("A does not seem any closer", None),
        ("I think b looks closer", None),
    ],
)  # fmt: skip
def test_the_halves_of_a_statement_may_stand_apart(reply: str, letter: str | None) -> None:
    assert read(reply, CLOSER).value == letter


def test_longer_labels_need_no_capital() -> None:
    assert read("I think p1 looks closer", {"A": "p1 is closer", "B": "p2 is closer"}).value == "A"


def test_a_statement_without_a_second_half_is_none() -> None:
    assert read("it fell", {"A": "it is", "B": "they are not"}).value is None


@pytest.mark.parametrize(
    ("reply", "letter"),
    [("It shows the icy slope.", "B"), ("It is this flat road.", "A"), ("They built another bridge.", "C")],
)
def test_articles_of_options_need_not_be_said(reply: str, letter: str) -> None:
    assert read(reply, {"A": "a flat road", "B": "an icy slope", "C": "the bridge"}).value == letter


@pytest.mark.parametrize("word", ["without", "except", "unlike", "than", "versus", "vs"])
def test_what_is_left_out_is_no_answer(word: str) -> None:
    assert read(f"The red mug is closer {word} the blue plate", THINGS).value == "A"
    assert read(f"Everything {word} the blue plate", THINGS).value is None


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("The red mug\nThat one stands by the blue plate.", "A"),
        ("It is a photo of the red mug.", "A"),
        ("the red mug instead of the blue plate", "A"),
        ("not the red mug or the blue plate", None),
        ("neither the red mug nor the blue plate", None),
    ],
)
def test_options_by_their_texts(reply: str, value: str | None) -> None:
    assert read(reply, THINGS).value == value


def test_nothing_of_the_above_is_not_above() -> None:
    above = {"A": "left", "B": "above"}
    assert read("Of the above, nothing", above).value is None
    assert read("The cup is above", above).value == "B"


@pytest.mark.parametrize(
    ("reply", "letter", "rule"),
    [
        ("B", "B", "letter"),
        ("<answer>B</answer>", "B", "answer_tag"),
        ("The answer is B", "B", "explicit"),
        ("The red mug\nor so it seems, the lamp", "A", "line"),
        ("C, because it is far", "C", "leading"),
        ("It shows the lamp", "D", "only_option"),
        ("Red mug: the blue plate stands farther back.", "A", "conclusion"),
        ("Based on the image, D", "D", "last_letter"),
    ],
)
def test_rule_is_named(reply: str, letter: str, rule: str) -> None:
    reading = read(reply, THINGS)
    assert (reading.value, reading.rule) == (letter, rule)


SPOKEN_OF = [
    "than", "to", "from", "of", "with", "and", "or", "nor", "not", "point", "box", "image", "picture", "near",
    "by", "for", "vs", "in", "on", "at", "region", "circle", "object", "area", "spot",
]  # fmt: skip


@pytest.mark.parametrize("word", SPOKEN_OF)
def test_a_last_letter_behind_such_a_word_is_no_verdict(word: str) -> None:
    assert read(f"What is seen there is {word} B", THINGS).value is None
    assert read("What is seen there, B", THINGS).value == "B"
