"""OCRBench on a file in the published schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle_runs import card_of, hub_pictures, picture, scored, write_parquet

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.records import Image, Text
from gumption.suites import Suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("ocrbench")
    write_parquet(
        folder / "data/test-00000-of-00001.parquet",
        {
            "dataset": ["IIIT5K", "docVQA", "HME100k"],
            "question": [
                "what is written in the image?",
                "What is the date?",
                "Please write out the formula.",
            ],
            "question_type": ["Regular Text Recognition", "Doc-oriented VQA", "Handwritten Mathematical"],
            "answer": [["Centre"], ["3 May", "May 3"], ["\\frac { A } { b }"]],
            "image": hub_pictures([picture([[n]]) for n in range(3)]),
        },
    )
    return get("ocrbench").load(folder)


def test_items_and_the_oracle(suite: Suite, tmp_path: Path) -> None:
    item = suite.items[1]
    assert isinstance(item.parts[0], Image) and item.parts[1] == Text("What is the date?")
    assert item.answer.gold == ["3 May", "May 3"] and item.category == "Doc-oriented VQA"
    card = card_of(suite, tmp_path, 1.0)
    assert (card.official.mean, card.micro.mean, card.total.chance) == (1.0, 1.0, 0.0)


def test_a_wrong_oracle_scores_nothing(suite: Suite, tmp_path: Path) -> None:
    """Its word contains no accepted answer, with blanks or without."""
    card = card_of(suite, tmp_path, 0.0)
    assert (card.official.mean, card.micro.mean) == (0.0, 0.0)


def test_an_answer_that_is_a_bare_string_is_one_answer(tmp_path: Path) -> None:
    """As in 851 of the published JSON's rows; letter by letter, "E" would be right."""
    write_parquet(
        tmp_path / "data/test-00000-of-00001.parquet",
        {
            "dataset": ["IIIT5K"],
            "question": ["what is written in the image?"],
            "question_type": ["Regular Text Recognition"],
            "answer": ["Centre"],
            "image": hub_pictures([picture([[0]])]),
        },
    )
    (item,) = get("ocrbench").load(tmp_path).items
    assert item.answer.gold == "Centre"
    given = [scored(get("ocrbench").episode(item), item, reply).parts[OFFICIAL] for reply in ("E", "CENTRE")]
    assert given == [0.0, 1.0]


@pytest.mark.parametrize(
    ("number", "reply", "official", "ours"),
    [
        (0, "CENTRE", 1.0, 1.0),
        (0, "The word is 'centre'.", 1.0, 1.0),
        (0, "center", 0.0, 0.0),
        (0, "not Centre", 1.0, 1.0),  # whatever stands around it
        (2, "not \\frac{A}{b}", 1.0, 1.0),
        (1, "on May\n3, 1990", 1.0, 1.0),
        (1, "4 May", 0.0, 0.0),
        (1, "<think>it may be 3 May</think>4 June", 1.0, 0.0),  # the official rule reads the reasoning too
        (1, "I'm sorry, I can't read it; 3 May is what I'd guess", 1.0, 0.0),
        (2, "$\\frac{A}{b}$", 1.0, 1.0),
        (2, "\\frac{a}{b}", 0.0, 0.0),  # case counts
        (2, "\\frac{A}\n{b}", 1.0, 1.0),
        (2, "", 0.0, 0.0),
    ],
)
def test_hand_worked_replies(suite: Suite, number: int, reply: str, official: float, ours: float) -> None:
    item = suite.items[number]
    score = scored(get("ocrbench").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (official, ours)
