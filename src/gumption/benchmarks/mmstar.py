"""MMStar: 1,500 questions in six abilities that cannot be answered without looking.

Chen et al., "Are We on the Right Way for Evaluating Large Vision-Language Models?", 2024;
github.com/MMStar-Benchmark/MMStar. Four options stand in the question. Official score: the share of all
1,500, each ability having 250.
"""

from __future__ import annotations

from pathlib import Path

from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._inline import choice_of, letters_only
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

SOURCE = Source(
    repo="Lin-Chen/MMStar", files=("mmstar.parquet",), licence="not stated in the source that we read"
)
_COLUMNS = {
    "index": "int",
    "question": "text",
    "image": "image",
    "answer": "text",
    "category": "text",
    "l2_category": "text",
}
_BEFORE = ("", "(", "option ", "the answer is ")
"""What may stand before the letter, at the very start of a reply."""


def _load(data: Path | None) -> Suite:
    return suite_of("mmstar", SOURCE, data, _COLUMNS, _item, version="val")


def _item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
    return Item(
        id=f"mmstar/{row['index']}",
        benchmark="mmstar",
        parts=(shelf.image(row["image"]), Text(row["question"])),
        answer=choice_of(row["question"], row["answer"].strip()),
        category=row["category"],
        dimension=row["l2_category"],
    )


def official(reply: str, item: Item) -> float:
    """1 where the reply starts with the letter, in whatever case, or with it after "(", "option " or "the
    answer is ", line breaks as blanks. So "Based on it, C" counts for B, and a bold letter for nothing
    (`MMStar-Benchmark/MMStar`, eval/vlmeval/evaluate/mmstar.py).
    """
    said, letter = reply.lower().strip().replace("\n", " "), str(item.answer.gold).lower()
    return float(any(said.startswith(before + letter) for before in _BEFORE))


BENCHMARK = Benchmark(
    name="mmstar",
    title="MMStar (val)",
    homepage="https://github.com/MMStar-Benchmark/MMStar",
    licence=SOURCE.licence,
    rule="1 where the reply starts with the right letter; share of all questions (micro)",
    official=Aggregate("micro, the letter at the reply's start", part=OFFICIAL),
    further=(
        Aggregate("micro, our reading (VLMEvalKit's aggregate)"),
        Aggregate("macro over l2 categories, our reading (lmms-eval's aggregate)", by="dimension"),
    ),
    load=_load,
    episode=beside(official, asked=letters_only),
    source=SOURCE,
    version="2",
    n="val 1,500 = 6 abilities of 250, in 18 finer ones",
    formula="sum over items of [reply starts with the letter] / n",
    chance="25 % (four options)",
    asked="the picture, the question with its options as published, then the letters to answer with",
    quirks=(
        'A reply is right by its first letter: "Based on it, C" counts for B, a bold or boxed letter '
        "for nothing.",
        "The mean over the 18 finer abilities differs from the mean over the questions where they "
        "are unequal.",
        "The licence is not stated in the source that we read.",
    ),
    kits=(
        ("VLMEvalKit", "extracts the option by rules and then by a judge; mean over all questions"),
        ("lmms-eval", "reads with patterns of its own; mean over the finer abilities"),
    ),
    checked="hand-worked replies for each of the four openings that the authors' code knows",
)
