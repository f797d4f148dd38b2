"""EmbSpatial-Bench: where things are to each other in embodied scenes, six relations, four options.

Du et al., "EmbSpatial-Bench: Benchmarking Spatial Understanding for Embodied Tasks with Large
Vision-Language Models", 2024; github.com/mengfeidu/EmbSpatial-Bench. There is no official code: accuracy,
by what a model writes or by the likelihood of each option.
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase

from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

SOURCE = Source(repo="Phineas476/EmbSpatial-Bench", files=("embspatial_bench.json",), licence="CC-BY-4.0")
_COLUMNS = {
    "question_id": "text|int",
    "data_source": "text",
    "scene_id": "text|int",
    "question": "text",
    "relation": "text",
    "image": "image",
    "answer_options": "texts",
    "answer": "int",
}


def _load(data: Path | None) -> Suite:
    return suite_of("embspatial", SOURCE, data, _COLUMNS, _item, version="test")


def _item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
    choices = dict(zip(ascii_uppercase, row["answer_options"], strict=False))
    if not 0 <= row["answer"] < len(choices):
        raise GumptionError(
            f"option {row['answer']} is the answer, of {len(choices)}", remedy="fetch the file again"
        )
    return Item(
        id=f"embspatial/{row['question_id']}",
        benchmark="embspatial",
        parts=(shelf.image(row["image"]), Text(row["question"])),
        answer=Answer("choice", gold=ascii_uppercase[row["answer"]], choices=choices),
        cluster=f"{row['data_source']}/{row['scene_id']}",
        category=row["relation"],
        dimension=row["data_source"],
    )


BENCHMARK = Benchmark(
    name="embspatial",
    title="EmbSpatial-Bench (test)",
    homepage="https://github.com/mengfeidu/EmbSpatial-Bench",
    licence=SOURCE.licence,
    rule="accuracy over all questions (micro)",
    official=Aggregate("micro"),
    load=_load,
    source=SOURCE,
    n="test 3,640 in 6 relations",
    formula="right / n",
    chance="25 % (four options)",
    asked="the picture, the question, the options with letters, then the letters to answer with",
    quirks=(
        "The authors published no code that reads replies: our reading stands for it.",
        "By likelihood of the options the score is another number; here a model writes.",
    ),
    kits=(
        (
            "EmbodiedBrain's harness",
            "asks for the objects' places first; takes the last letter in brackets, else the last "
            'lone A to D of the upper-cased reply, where the article "a" is A; failed items leave '
            "the denominator",
        ),
        ("lmms-eval", 'takes any letter at the start, case aside: "Based on" is B'),
    ),
    checked="the published schema, golds and a wrong oracle",
)
