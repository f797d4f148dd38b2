"""ViewSpatial-Bench: where things are as seen by the camera and as seen by a person in the picture.

Li et al., "ViewSpatial-Bench: Evaluating Multi-perspective Spatial Localization in Vision-Language Models",
2025; github.com/ZJU-REAL/ViewSpatial-Bench. The questions are in that repository; the pictures are put
beside them, in the folder ViewSpatial-Bench that the paths name.
"""

from __future__ import annotations

import re
from pathlib import Path

from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._inline import options_in
from gumption.benchmarks._published import pictures_in, suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "letter_in", "official"]

SOURCE = Source(
    repo="ZJU-REAL/ViewSpatial-Bench",
    files=("eval/ViewSpatial-Bench.json",),
    kind="github",
    licence="Apache-2.0",
)
_COLUMNS = {
    "question_type": "text",
    "image_path": "texts",
    "question": "text",
    "choices": "text",
    "answer": "text",
}
_PICTURES = "https://huggingface.co/datasets/lidingm/ViewSpatial-Bench"
_LETTER = re.compile(r"\b([A-D])\b", re.IGNORECASE)


def _load(data: Path | None) -> Suite:
    return suite_of("viewspatial", SOURCE, data, _COLUMNS, _item, version="test")


def _item(row: Row, shelf: Shelf, number: int) -> Item:
    choices, gold = options_in(row["choices"]), letter_in(row["answer"])
    if gold not in choices:
        raise GumptionError(
            f"the answer {row['answer']!r} is none of the choices", remedy="fetch the file again"
        )
    return Item(
        id=f"viewspatial/{number}",
        benchmark="viewspatial",
        parts=(*pictures_in(shelf, row["image_path"], _PICTURES), Text(row["question"])),
        answer=Answer("choice", gold=gold, choices=choices),
        category=row["question_type"],
    )


def letter_in(text: str) -> str | None:
    """The first letter A to D that stands alone in the last line, in whatever case: the article "a" is A."""
    found = _LETTER.search(text.rpartition("\n")[2])
    return found[1].upper() if found else None


def official(reply: str, item: Item) -> float:
    """1 where the letter so found is the right one (`ZJU-REAL/ViewSpatial-Bench`, evaluate.py)."""
    return float(letter_in(reply) == item.answer.gold)


BENCHMARK = Benchmark(
    name="viewspatial",
    title="ViewSpatial-Bench",
    homepage="https://github.com/ZJU-REAL/ViewSpatial-Bench",
    licence=SOURCE.licence,
    rule="1 where the first lone A to D of the reply's last line is right; share of all (micro)",
    official=Aggregate("micro, first lone letter of the last line", part=OFFICIAL),
    further=(
        Aggregate("micro, our reading"),
        Aggregate("macro over the 5 question types", by="category", part=OFFICIAL),
    ),
    load=_load,
    episode=beside(official),
    source=SOURCE,
    n="test 5,712 = 1,773 + 996 of the camera's view, 1,105 + 996 + 842 of a person's",
    formula="right / n",
    chance="25.8 % (5,539 questions with four options, 173 with two)",
    asked="the pictures, the question, the options with letters, then the letters to answer with",
    quirks=(
        'Only the last line of a reply is read, and the article "a" there is A.',
        "An item that fails after it was counted stays as a wrong one in the authors' code.",
    ),
    kits=(("lmms-eval", "has a task of its own on a converted copy"),),
    checked="every published gold as a reply scores 1; hand-worked replies",
)
