"""Letters in short replies where options have no texts, and options whose texts deny."""

from __future__ import annotations

import pytest

from gumption.answers import passage_of
from gumption.answers.choice import read_choice

LETTERS = dict.fromkeys("ABCD", "")
CLAIMS = {"A": "true", "B": "false", "C": "cannot tell"}


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("Picture B.", "B"),
        ("I think it is A, but I am not sure.", "A"),
        ("I think it is A but the picture is dark", "A"),
        ("It is a cat.", None),
        ("Photo A shows a dog.", None),
        ("Picture A is brighter than picture B.", None),
        ("I think it is A, but B is possible.", None),
    ],
)
def test_the_only_letter_of_a_short_reply(reply: str, letter: str | None) -> None:
    assert read_choice(passage_of(reply), LETTERS).value == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("cannot tell or true", None),
        ("true or cannot tell", None),
        ("I cannot tell.", "C"),
        ("It is not true.", None),
    ],
)
def test_a_denial_that_is_part_of_an_option_denies_nothing_beside_it(reply: str, letter: str | None) -> None:
    assert read_choice(passage_of(reply), CLAIMS).value == letter
