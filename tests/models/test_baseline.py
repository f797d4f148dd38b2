"""Models of known ability do have that ability."""

from __future__ import annotations

import asyncio
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.answers import read, score
from gumption.models import open_models
from gumption.records import Answer, GumptionError, Item

NO_MEDIA = {}.__getitem__
SIZE = (640, 480)
BOX = {"box": [10, 20, 90, 60]}
ANSWERS = [
    Answer("choice", "C", {"A": "a", "B": "b", "C": "c", "D": "d"}),
    Answer("choice", "A", dict.fromkeys("ABC", "")),
    Answer("yes_no", "no"),
    Answer("number", 3),
    Answer("number", 2.75, tolerance=0.5),
    Answer("number", -1200),
    Answer("text", "a red cup"),
    Answer("text", ["mug", "cup"]),
    *(
        Answer("point", gold, convention=convention, size=SIZE, tolerance=9.0)
        for convention in ("unit_xy", "pixel_xy", "percent_xy", "per_mille_xy", "per_mille_yx")
        for gold in (BOX, {"polygon": [[0, 0], [200, 0], [0, 200]]}, {"points": [[300, 400], [5, 5]]})
    ),
]


def said(answer: Answer, name: str = "baseline/oracle", **options: float) -> str:
    (model,) = open_models(name, **options)  # type: ignore[arg-type]
    reply = asyncio.run(model.ask(Item("q", "b", (), answer), ("q", 0, ""), NO_MEDIA))
    assert reply is not None
    return reply.text


def mean(name: str, answer: Answer, *, asked: int = 200, **options: float) -> float:
    (model,) = open_models(name, **options)  # type: ignore[arg-type]
    values = []
    for number in range(asked):
        reply = asyncio.run(model.ask(Item(f"q{number}", "b", (), answer), (f"q{number}", 0, ""), NO_MEDIA))
        assert reply is not None and reply.key == (f"q{number}", 0, "")
        reading = read(reply.text, answer)
        assert reading.outcome == "answered", reply.text
        values.append(score(answer, reading).value or 0.0)
    return sum(values) / asked


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_the_oracle_is_as_good_as_it_is_told_to_be(answer: Answer) -> None:
    assert mean("baseline/oracle", answer, asked=40) == 1.0
    assert mean("baseline/oracle", answer, asked=40, accuracy=0.0) == 0.0
    # 200 draws of probability .7 leave [.55, .85] less than once in 100,000 times.
    assert 0.55 < mean("baseline/oracle", answer, accuracy=0.7) < 0.85


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=4))
def test_a_wrong_text_shares_nothing_with_an_accepted_one(golds: list[str]) -> None:
    """Up to four answers of one letter leave a word, for no two of the words share a letter."""
    wrong = said(Answer("text", golds), accuracy=0.0)
    assert wrong.isalpha() and wrong not in ("yes", "no")
    for gold in golds:
        for bare in (gold.casefold(), "".join(gold.casefold().split())):
            assert bare not in wrong and wrong not in bare


def test_a_wrong_text_gives_way_to_a_gold_and_to_none_where_all_are_right() -> None:
    first = said(Answer("text", "a cup"), accuracy=0.0)
    assert said(Answer("text", f"the {first.upper()} crossing"), accuracy=0.0) != first
    assert said(Answer("text", first[0]), accuracy=0.0) != first
    with pytest.raises(GumptionError, match="no text is wrong"):
        said(Answer("text", list(string.ascii_lowercase)), accuracy=0.0)


@pytest.mark.parametrize(
    ("gold", "wrong"), [(4.0, 8.0), (0.0, 1.0), (0.3, 1.3), (-0.5, -1.5), (-1200.0, -2400.0)]
)
def test_a_wrong_number_is_off_by_the_gold_and_more_with_and_without_its_sign(
    gold: float, wrong: float
) -> None:
    assert float(said(Answer("number", gold), accuracy=0.0)) == wrong
    assert abs(wrong - gold) >= abs(gold) and abs(wrong) != abs(gold)


@pytest.mark.parametrize(
    ("answer", "expected"), [(ANSWERS[0], 1 / 4), (ANSWERS[1], 1 / 3), (ANSWERS[2], 1 / 2)]
)
def test_random_scores_like_guessing(answer: Answer, expected: float) -> None:
    assert abs(mean("baseline/random", answer, asked=1000) - expected) < 0.07


def test_a_seed_repeats_and_another_differs() -> None:
    item = Item("q", "b", (), Answer("point", BOX, convention="unit_xy", size=SIZE))
    texts = []
    for seed in (1, 1, 2):
        (model,) = open_models("baseline/random", seed=seed)
        reply = asyncio.run(model.ask(item, ("q", 0, ""), NO_MEDIA))
        texts.append(reply.text if reply else "")
    assert texts[0] == texts[1] != texts[2]


def test_bad_accuracies_are_refused() -> None:
    with pytest.raises(GumptionError, match="between 0 and 1"):
        open_models("baseline/oracle", accuracy=1.5)
    with pytest.raises(GumptionError, match="is for baseline/oracle"):
        open_models("baseline/random", accuracy=0.5)
