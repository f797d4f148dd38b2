"""Playing roles without a server: a talk is given its replies by a function."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gumption.curation.dimensions import Dimension, Dimensions, Example
from gumption.curation.roles import Balance, Brief, Past, Review
from gumption.records import Item, Reply, Text, Usage
from gumption.running import Talk

T = TypeVar("T")

COUNT = Dimension("Counting", "Says how many there are of something.", ("how many",))
PLACE = Dimension("Place", "Says where a thing is seen from here.", ("where", "left"))
CAUSE = Dimension("Cause", "Says what happens next and why.", ("why",))
SET = Dimensions((COUNT, PLACE, CAUSE))


def play(talk: Talk[T], answer: Callable[[Item], Reply]) -> tuple[T, list[list[Item]]]:
    """What the talk returns, and what it asked, a list a round."""
    asked: list[list[Item]] = []
    try:
        questions = next(talk)
        while True:
            asked.append(list(questions))
            questions = talk.send(tuple(map(answer, questions)))
    except StopIteration as stop:
        return stop.value, asked


def said(value: Any, **fields: Any) -> Reply:
    """A reply that says this value: text as it is, all else as JSON."""
    return Reply("t", text=value if isinstance(value, str) else json.dumps(value), **fields)


def in_turn(*replies: Reply) -> Callable[[Item], Reply]:
    left = iter(replies)
    return lambda question: next(left)


def tokens(count: int) -> Usage:
    return Usage(count, 0)


def words(question: Item) -> str:
    (part,) = question.parts
    assert isinstance(part, Text)
    return part.text


def quoted(prompt: str) -> list[list[Any]]:
    """What stands between the data marks of a prompt: lines of JSON, a list a block."""
    blocks = [block.partition("</data>")[0] for block in prompt.split("<data>\n")[1:]]
    return [[json.loads(line) for line in block.split("\n") if line and line != "(none)"] for block in blocks]


def proposal(*dimensions: Dimension) -> dict[str, Any]:
    return {
        "dimensions": [
            {"name": one.name, "definition": one.definition, "terms": list(one.terms)} for one in dimensions
        ]
    }


def examples(*texts: str) -> list[Example]:
    return [Example(f"bench/{n}", "Bench", "cat", text, "choice") for n, text in enumerate(texts)]


def brief(*past: Past, probe: Sequence[Example] = (), wanted: tuple[int, int] = (2, 4)) -> Brief:
    shown = tuple(probe) or tuple(examples("How many cups?", "Where is the cup?"))
    return Brief({"Bench": "A bench of 2 questions."}, shown, past, wanted)


def balance(**counts: int) -> Balance:
    counts = counts or {"Counting": 3, "Place": 4, "Cause": 1, "Other": 2}
    total = sum(counts.values())
    return Balance(
        counts=counts,
        sources={"Counting": {"Bench": 2, "Bank": 1}},
        other=counts.get("Other", 0) / total,
        entropy=0.9,
        overlap={"Counting | Place": 0.42},
        confusion={"Place | Cause": 0.7},
        examples={"Counting": ("How many cups?",)},
    )


def past(number: int, dimensions: Dimensions, *, accepted: bool) -> Past:
    return Past(number, dimensions, balance(), Review(accepted, redundancy=f"critique {number}"), 0.5)
