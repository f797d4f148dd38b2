"""ERQA: 400 questions of embodied reasoning, with pictures set into the question.

Gemini Robotics Team, "Gemini Robotics: Bringing AI into the Physical World", 2025;
github.com/embodiedreasoning/ERQA. The question itself asks for the bare letter, and the official rule takes
nothing else: a reply that reasons first scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._inline import choice_of
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, GumptionError, Image, Item, Part, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "interleaved", "official"]

SOURCE = Source(repo="FlagEval/ERQA", files=("data/test-*.parquet",), licence="CC-BY-4.0")
_COLUMNS = {
    "question_id": "text|int",
    "question": "text",
    "question_type": "text",
    "images": "images",
    "answer": "text",
    "visual_indices": "ints",
}


def _load(data: Path | None) -> Suite:
    return suite_of("erqa", SOURCE, data, _COLUMNS, _item, version="test")


def _item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
    pictures = [shelf.image(data) for data in row["images"]]
    places = row["visual_indices"] or [0] * len(pictures)
    if len(places) != len(pictures):
        raise GumptionError(
            f"{len(pictures)} pictures and {len(places)} visual_indices", remedy="fetch the file again"
        )
    return Item(
        id=f"erqa/{row['question_id']}",
        benchmark="erqa",
        parts=interleaved(row["question"], pictures, places),
        answer=choice_of(row["question"], row["answer"].strip()),
        category=row["question_type"],
    )


def interleaved(question: str, pictures: Sequence[Image], places: Sequence[int]) -> tuple[Part, ...]:
    """The question with each picture at its place, an offset in characters; those of one in their order.

    A place beyond the question's end does not divide it: that picture comes where the text has got to, as in
    the authors' code.
    """
    parts: list[Part] = []
    done = 0
    for place, picture in sorted(zip(places, pictures, strict=True), key=lambda pair: pair[0]):
        if done < place <= len(question):
            parts.append(Text(question[done:place]))
            done = place
        parts.append(picture)
    if done < len(question):
        parts.append(Text(question[done:]))
    return tuple(parts)


def official(reply: str, item: Item) -> float:
    """1 where the reply is the letter and nothing else: points left out, blanks around it and case aside."""
    return float(reply.replace(".", "").strip().lower() == str(item.answer.gold).strip().lower())


def _as_published(item: Item) -> Item:
    return item


BENCHMARK = Benchmark(
    name="erqa",
    title="ERQA",
    homepage="https://github.com/embodiedreasoning/ERQA",
    licence=SOURCE.licence,
    rule="1 where the reply is exactly the letter, points, blanks and case aside; share of all (micro)",
    official=Aggregate("micro, exact match", part=OFFICIAL),
    further=(Aggregate("micro, our reading"),),
    load=_load,
    episode=beside(official, asked=_as_published),
    source=SOURCE,
    n="400 in 8 types",
    formula="right / n, right being equality with the letter",
    chance="25 % (four options)",
    asked="the question as published, which asks for the bare letter, with each picture at its place",
    quirks=(
        "A reply that gives reasons scores 0, whatever its answer.",
        'Removing points before comparing makes "B." right and "B. left" wrong.',
        "A request that failed is left out of the authors' denominator: 399 in two published figures.",
    ),
    kits=(
        ("EmbodiedBrain's harness", "strips thinking and answer tags but keeps what is in them"),
        ("VLMEvalKit", "defines the task twice; the strict class is the one in use"),
        ("lmms-eval", "reads robustly, but puts all pictures first"),
        ("FlagEvalMM", "asks for reasoning and a last line with the answer"),
    ),
    checked="hand-worked replies; the order of words and pictures on hand-made offsets",
)
