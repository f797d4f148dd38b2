"""The blind baseline finds what words give away, and nothing where they give nothing away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import pytest

from gumption.answers import read, score
from gumption.benchmarks.prompts import prompted
from gumption.models import open_models
from gumption.records import Answer, GumptionError, Image, Item, Text

SIZE = (400, 300)
BOX = {"box": [300, 200, 380, 280]}


def no_media(sha256: str) -> bytes:
    raise AssertionError("the blind baseline looks at a picture")


def items(make: Callable[[Random], tuple[str, Answer]], count: int = 200) -> list[Item]:
    generator = Random(5)
    made = []
    for number in range(count):
        question, answer = make(generator)
        made.append(
            Item(f"q{number}", "b", (Image("0" * 64), Text(question)), answer, cluster=f"c{number // 2}")
        )
    return made


def mean(asked: list[Item]) -> float:
    (blind,) = open_models("baseline/blind")
    blind.prepare(asked)
    values = []
    for item in asked:
        reply = asyncio.run(blind.ask(prompted(item), (item.id, 0, ""), no_media))
        assert reply is not None and reply.key == (item.id, 0, "")
        reading = read(reply.text, item.answer)
        assert reading.outcome == "answered", reply.text
        values.append(score(item.answer, reading).value or 0.0)
    return sum(values) / len(values)


def options(generator: Random) -> dict[str, str]:
    return dict(
        zip("ABCD", generator.sample(["cup", "plate", "fork", "spoon", "bowl", "knife"], 4), strict=True)
    )


def of_place(generator: Random) -> tuple[str, Answer]:
    """Three times in four C is right."""
    return "Which is it?", Answer("choice", generator.choice("CCCABDCC"), options(generator))


def of_text(generator: Random) -> tuple[str, Answer]:
    """The bowl is right whenever it is there."""
    choices = options(generator)
    bowl = next((letter for letter, text in choices.items() if text == "bowl"), None)
    return "Which is it?", Answer("choice", bowl or generator.choice("ABCD"), choices)


def of_question(generator: Random) -> tuple[str, Answer]:
    """Questions about cups are true."""
    thing = generator.choice(["cup", "plate"])
    return f"Is the {thing} on the table?", Answer("yes_no", "yes" if thing == "cup" else "no")


def of_number(generator: Random) -> tuple[str, Answer]:
    return "How many legs?", Answer("number", generator.choice([4, 4, 4, 2, 3]))


def of_kind(generator: Random) -> tuple[str, Answer]:
    """Two sorts of question with a usual answer each."""
    animal = generator.choice(["spider", "horse"])
    return f"How many legs has the {animal} here?", Answer("number", 8 if animal == "spider" else 4)


def of_words(generator: Random) -> tuple[str, Answer]:
    return "What is it?", Answer("text", generator.choice(["a mug", "a mug", "a jug"]))


def of_region(generator: Random) -> tuple[str, Answer]:
    return "Point at it.", Answer("point", BOX, convention="per_mille_xy", size=SIZE)


@pytest.mark.parametrize(
    ("make", "least"),
    [
        (of_place, 0.5), (of_text, 0.6), (of_question, 1.0), (of_number, 0.5), (of_kind, 1.0),
        (of_words, 0.5), (of_region, 1.0),
    ],
)  # fmt: skip
def test_what_words_give_away_is_found(make: Callable[[Random], tuple[str, Answer]], least: float) -> None:
    assert mean(items(make)) >= least


def test_nothing_is_found_where_there_is_nothing() -> None:
    """400 questions at 1 in 4: a standard error of 2.2 points."""
    asked = items(lambda lot: ("Which is it?", Answer("choice", lot.choice("ABCD"), options(lot))), 400)
    assert abs(mean(asked) - 0.25) < 0.08


def test_an_evenly_balanced_set_is_not_answered_worse_than_by_guessing() -> None:
    """As many yes as no: left out one by one, the rest would always speak for the wrong answer."""
    golds = ["yes", "no"] * 200
    asked = items(lambda lot: ("Is it?", Answer("yes_no", golds.pop())), 400)
    assert 0.4 < mean(asked) < 0.6


def test_no_item_informs_its_own_answer_nor_that_of_its_scene() -> None:
    """A word of one scene only, with a gold that contradicts all others, is not learnt from itself."""
    common = [
        Item(f"n{n}", "b", (Text("Is it so?"),), Answer("yes_no", "no"), cluster=f"n{n}") for n in range(60)
    ]
    odd = [
        Item(f"o{n}", "b", (Text("Is it so, zebra?"),), Answer("yes_no", "yes"), cluster="odd")
        for n in range(9)
    ]
    assert mean([*common, *odd]) == pytest.approx(60 / 69)


def test_it_says_the_same_every_time_and_whatever_the_order() -> None:
    asked = items(of_text, 60)
    texts = []
    for order in (asked, asked, asked[::-1]):
        (blind,) = open_models("baseline/blind")
        blind.prepare(order)
        replies = [asyncio.run(blind.ask(item, (item.id, 0, ""), no_media)) for item in asked]
        texts.append([reply.text for reply in replies if reply])
    assert texts[0] == texts[1] == texts[2]


def test_without_lessons_it_says_what_to_do() -> None:
    (blind,) = open_models("baseline/blind")
    with pytest.raises(GumptionError, match="nothing to learn from"):
        asyncio.run(blind.ask(items(of_text, 2)[0], ("q0", 0, ""), no_media))
