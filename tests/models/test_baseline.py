"""Models of known ability do have that ability."""

from __future__ import annotations

import asyncio

import pytest

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
