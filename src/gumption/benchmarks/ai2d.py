"""AI2D: questions about diagrams of primary school science, four options each.

Kembhavi et al., "A Diagram Is Worth A Dozen Images", 2016. There are two tasks: with the diagrams' labels
replaced by the letters of the options (`masked`, the usual one), and with the labels as drawn:

    gumption run ai2d                    labels masked
    gumption run ai2d:labels=drawn       labels as drawn
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase

from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._published import chosen, suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

_LICENCE = "not stated in the source that we read"
_SOURCES = {
    "masked": Source(repo="lmms-lab-encoder/ai2d", files=("data/test-*.parquet",), licence=_LICENCE),
    "drawn": Source(
        repo="Efficient-Large-Model/ai2d-no-mask", files=("data/test-*.parquet",), licence=_LICENCE
    ),
}
_COLUMNS = {"question": "text", "options": "texts", "answer": "int", "image": "image"}


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    labels = chosen("ai2d", told, {"labels": tuple(_SOURCES)})["labels"]
    protocol = "" if labels == "masked" else f"labels={labels}"

    def item(row: Row, shelf: Shelf, number: int) -> Item:
        choices = dict(zip(ascii_uppercase, row["options"], strict=False))
        if not 0 <= row["answer"] < len(choices):
            raise GumptionError(
                f"option {row['answer']} is the answer, of {len(choices)}", remedy="fetch the file again"
            )
        return Item(
            id=f"ai2d/{number}",
            benchmark="ai2d",
            parts=(shelf.image(row["image"]), Text(row["question"])),
            answer=Answer("choice", gold=ascii_uppercase[row["answer"]], choices=choices),
            meta={"protocol": protocol} if protocol else {},
        )

    name = f"ai2d:{protocol}" if protocol else "ai2d"
    return suite_of(name, _SOURCES[labels], data, _COLUMNS, item, version="test")


BENCHMARK = Benchmark(
    name="ai2d",
    title="AI2D (test)",
    homepage="https://prior.allenai.org/projects/diagram-understanding",
    licence=_LICENCE,
    rule="accuracy over all questions (micro)",
    official=Aggregate("micro"),
    load=_load,
    configure=_configured,
    source=_SOURCES["masked"],
    n="test 3,088 (not verified)",
    formula="right / n",
    chance="25 % (four options)",
    asked="the diagram, the question, the options with letters, then the letters to answer with",
    quirks=(
        "Masked and drawn labels are two tasks; their numbers must not stand in one column.",
        "The authors published no code that reads replies: our reading stands for it.",
        "The licence is not stated in the source that we read.",
    ),
    kits=(
        (
            "lmms-eval",
            'takes a letter only before a point at the start, else compares the whole reply: "B '
            'text" is wrong',
        ),
        (
            "VLMEvalKit",
            "extracts the option by rules and then by a judge; a failed judge means a random option",
        ),
    ),
    checked="the published schema, golds and a wrong oracle",
)
