"""The blind baseline and random guessing on every kind of answer that an item can have."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import get_args

import pytest

from gumption.answers import guess
from gumption.benchmarks import open_suite
from gumption.models import open_models
from gumption.records import Answer, AnswerKind, GumptionError, Item, Text
from gumption.suites import Media

ANSWERS: dict[str, list[Answer]] = {
    "choice": [
        Answer("choice", "B", {"A": "red", "B": "blue"}),
        Answer("choice", "C", {"A": "1", "B": "nan", "C": "3"}),
        Answer("choice", "C", {"A": "", "B": "", "C": "", "D": ""}),
        Answer("choice", "D"),
    ],
    "yes_no": [Answer("yes_no", "yes")],
    "number": [Answer("number", 3), Answer("number", 2.5, tolerance=0.1)],
    "point": [
        Answer("point", {"box": [10, 10, 30, 30]}, convention="unit_xy", size=(100, 100)),
        Answer("point", {"points": [[5, 5]]}, convention="pixel_xy", size=(40, 40), tolerance=2),
        Answer("point", {"polygon": [[0, 0], [40, 0], [0, 40]]}, convention="per_mille_yx", size=(40, 40)),
    ],
    "text": [Answer("text", "a cup"), Answer("text", ["cup", "mug"])],
    "actions": [Answer("actions", '{"plan": ["pick up a"]}'), Answer("actions", {"plan": [["pick", "a"]]})],
    "problem": [Answer("problem", "(define (problem p))")],
    "atoms": [Answer("atoms", {"atoms": ["on a b"]}), Answer("atoms", '{"atoms": []}')],
}


LOCAL = [
    "egothink",
    "embodiedbrain-planning",
    "prodg",
    "viplan-blocksworld",
    "viplan-household-symbolic-planner",
    "vlm-plansim",
]
"""Benchmarks that are read from the public data or made here, so that no test downloads one."""


def test_every_kind_is_here() -> None:
    assert set(ANSWERS) == set(get_args(AnswerKind))


@pytest.mark.parametrize("kind", ANSWERS)
def test_the_blind_baseline_answers_every_kind(kind: str) -> None:
    answers = ANSWERS[kind]
    items = [
        Item(f"{number}/{copy}", "made", (Text(f"What is number {number}?"),), answer)
        for copy in range(8)
        for number, answer in enumerate(answers)
    ]
    (model,) = open_models("baseline/blind")
    model.prepare(items)

    async def ask() -> list[str]:
        replies = [await model.ask(item, (item.id, 0, ""), Media().read) for item in items]
        return [reply.text for reply in replies if reply]

    said = asyncio.run(ask())
    assert len(said) == len(items)


def test_the_blind_baseline_has_nothing_to_say_without_golds() -> None:
    item = Item("a", "made", (Text("What?"),), Answer("text"))
    (model,) = open_models("baseline/blind")
    model.prepare([item])
    with pytest.raises(GumptionError, match="nothing to learn from"):
        asyncio.run(model.ask(item, ("a", 0, ""), Media().read))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer("choice", "B", {"A": "x", "B": "y"}), 1 / 2),
        (Answer("choice", "B", dict.fromkeys("ABCDE", "")), 1 / 5),
        (Answer("choice", "B"), 0),
        (Answer("yes_no", "no"), 1 / 2),
        (Answer("number", 3), 0),
        (Answer("text", "cup"), 0),
        (Answer("point", {"box": [0, 0, 50, 20]}, convention="unit_xy", size=(100, 100)), 0.1),
        (Answer("point", {"box": [90, 90, 110, 110]}, convention="unit_xy", size=(100, 100)), 0.01),
        (
            Answer("point", {"polygon": [[0, 0], [100, 0], [0, 100]]}, convention="unit_xy", size=(100, 100)),
            0.5,
        ),
        (Answer("point", {"points": [[5, 5]]}, convention="unit_xy", size=(100, 100)), 0),
        (Answer("point", {"box": [0, 0, 50, 20]}, convention="unit_xy"), 0),
        (Answer("actions", '{"plan": ["pick up a"]}'), 0),
        (Answer("problem", "(define (problem p))"), 0),
        (Answer("atoms", {"atoms": ["on a b"]}), 0),
    ],
)
def test_what_a_guess_is_worth(answer: Answer, expected: float) -> None:
    assert guess(answer) == pytest.approx(expected)


@pytest.mark.data
@pytest.mark.parametrize("name", LOCAL)
def test_the_blind_baseline_on_benchmarks_of_every_make(name: str, public_data: Path) -> None:
    suite = open_suite(name, public_data)
    items = suite.items[:40]
    (model,) = open_models("baseline/blind")
    model.prepare(suite.items)

    async def ask() -> None:
        for item in items:
            assert await model.ask(item, (item.id, 0, ""), suite.media.read) is not None

    asyncio.run(ask())
