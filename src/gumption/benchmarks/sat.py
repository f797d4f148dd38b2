"""SAT: what moved, where to, and what comes next, from one or two pictures.

Ray et al., "SAT: Dynamic Spatial Aptitude Training for Multimodal Language Models", 2024;
github.com/arijitray1993/SAT. Official score: accuracy. The authors ask for the options to be shuffled or
turned round; here each question has an order of its own that never changes:

    gumption run sat                     a fixed order per question, drawn from its number
    gumption run sat:order=published     as in the file
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from string import ascii_uppercase

from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._published import chosen, suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

SOURCE = Source(repo="array/SAT", files=("SAT_test*.parquet",), licence="MIT")
_COLUMNS = {
    "image_bytes": "images",
    "question": "text",
    "answers": "texts",
    "question_type": "text",
    "correct_answer": "text",
}


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    order = chosen("sat", told, {"order": ("shuffled", "published")})["order"]
    protocol = "" if order == "shuffled" else f"order={order}"

    def item(row: Row, shelf: Shelf, number: int) -> Item:
        texts = list(row["answers"])
        if row["correct_answer"] not in texts:
            raise GumptionError("the correct answer is none of the answers", remedy="fetch the file again")
        if order == "shuffled":
            Random(f"sat/{number}").shuffle(texts)
        gold = ascii_uppercase[texts.index(row["correct_answer"])]
        return Item(
            id=f"sat/{number}",
            benchmark="sat",
            parts=(*(shelf.image(data) for data in row["image_bytes"]), Text(row["question"])),
            answer=Answer("choice", gold=gold, choices=dict(zip(ascii_uppercase, texts, strict=False))),
            category=row["question_type"],
            meta={"protocol": protocol} if protocol else {},
        )

    name = f"sat:{protocol}" if protocol else "sat"
    return suite_of(name, SOURCE, data, _COLUMNS, item, version="test")


BENCHMARK = Benchmark(
    name="sat",
    title="SAT (test)",
    homepage="https://github.com/arijitray1993/SAT",
    licence=SOURCE.licence,
    rule="accuracy over all questions (micro)",
    official=Aggregate("micro"),
    load=_load,
    configure=_configured,
    source=SOURCE,
    n="test 150 (not verified)",
    formula="right / n",
    chance="mean over the items of 1 / options",
    asked="the pictures, the question, the options in an order drawn from the question's number, "
    "then the letters",
    quirks=(
        "The authors ask for shuffled or circular options; with the published order another number "
        "comes out.",
        "The authors published no code that reads replies: our reading stands for it.",
    ),
    kits=(
        (
            "lmms-eval",
            "puts a hint on the camera's motion before the question, and looks for the options' "
            "texts in the question, where they are not: a longer reply is read by its first word",
        ),
    ),
    checked="the published schema; the order of options stays the same and is not the published one "
    "throughout",
)
