"""BLEU without smoothing, against figures of NLTK 3.10.4 and by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.benchmarks._bleu import mean_bleu

words = st.lists(st.sampled_from(["pick", "up", "the", "cup", "now"]), min_size=1, max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("said", "right", "value"),
    [
        ("pick up the cup", "pick up the cup", 1.0),
        ("not pick up the cup", "pick up the cup", 0.745599285868),
        ("pick up cup", "pick up the cup", 0.305798864803),
        ("put the red cup on the table", "put the cup on the table", 0.679107914321),
        ("open drawer", "open drawer", 1.0),
        ("open the drawer", "open drawer", 0.166666666667),
        ("open", "open drawer", 0.091969860293),
        ("close the drawer", "open the drawer", 0.311004233964),
        ("the the the", "the cup", 0.083333333333),
        ("", "yes", 0.0),
        ("yes it is", "yes", 0.333333333333),
        ("a b c d e f", "a b c d x y z w", 0.429059714598),
        ("now place bottle", "place bottle now", 0.426776695297),
        ("open the top drawer slowly", "open the top drawer", 0.745599285868),
    ],
)
def test_figures_of_nltk(said: str, right: str, value: float) -> None:
    """Mean of `sentence_bleu` under the four weightings of the published rule, computed with NLTK."""
    assert mean_bleu(said, right) == pytest.approx(value, abs=1e-11)


def test_by_hand() -> None:
    """Precisions 4/5, 3/4, 2/3, 1/2, no penalty for the longer reply; three weights are .33 each."""
    expected = (
        4 / 5
        + math.sqrt(4 / 5 * 3 / 4)
        + (4 / 5 * 3 / 4 * 2 / 3) ** 0.33
        + (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    ) / 4
    assert mean_bleu("not pick up the cup", "pick up the cup") == pytest.approx(expected)


@given(words, words)
def test_it_is_a_share_and_1_for_the_same_words(said: str, right: str) -> None:
    assert 0.0 <= mean_bleu(said, right) <= 1.0
    assert mean_bleu(right, right) == pytest.approx(1.0)
    if not set(said.split()) & set(right.split()):
        assert mean_bleu(said, right) == 0.0
