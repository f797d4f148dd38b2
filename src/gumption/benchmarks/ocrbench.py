"""OCRBench: 1,000 questions about text in pictures, from single words to handwritten formulas.

Liu et al., "OCRBench: On the Hidden Mystery of OCR in Large Multimodal Models", 2023;
github.com/Yuliang-Liu/MultimodalOCR. Official score: how many of the 1,000 are right, printed as a count;
here it is the share. A reply is right where it contains an accepted answer, so more words never hurt.
"""

from __future__ import annotations

from pathlib import Path

from gumption.answers import passage_of
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, Item, Reading, Reply, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

SOURCE = Source(repo="echo840/OCRBench", files=("data/test-*.parquet",), licence="MIT")
_COLUMNS = {
    "dataset": "text",
    "question": "text",
    "question_type": "text",
    "answer": "texts|text",
    "image": "image",
}
_FORMULAS = "HME100k"


def _load(data: Path | None) -> Suite:
    return suite_of("ocrbench", SOURCE, data, _COLUMNS, _item, version="test")


def _item(row: Row, shelf: Shelf, number: int) -> Item:
    return Item(
        id=f"ocrbench/{number}",
        benchmark="ocrbench",
        parts=(shelf.image(row["image"]), Text(row["question"])),
        answer=Answer("text", gold=row["answer"]),
        category=row["question_type"],
        meta={"dataset": row["dataset"]},
    )


def official(reply: str, item: Item) -> float:
    """1 where any accepted answer stands in the reply: case aside, line breaks as blanks; of a formula, case
    kept and blanks left out (`Yuliang-Liu/MultimodalOCR`, OCRBench/example.py)."""
    accepted = [item.answer.gold] if isinstance(item.answer.gold, str) else item.answer.gold
    formula = item.meta.get("dataset") == _FORMULAS
    said = _plain(reply, formula)
    return float(any(_plain(answer, formula) in said for answer in accepted))


def _plain(text: str, formula: bool) -> str:
    text = text.strip().replace("\n", " ")
    return text.replace(" ", "") if formula else text.lower()


def _honest(reply: Reply, item: Item, reading: Reading) -> float:  # noqa: ARG001
    """The same rule on what the reply says outside its reasoning, or in its answer tag."""
    return official(passage_of(reply.text).text, item)


BENCHMARK = Benchmark(
    name="ocrbench",
    title="OCRBench (test)",
    homepage="https://github.com/Yuliang-Liu/MultimodalOCR",
    licence=SOURCE.licence,
    rule="1 where the reply contains an accepted answer; count of 1,000, here as the share",
    official=Aggregate("share of the questions (times 1,000 is the printed count)", part=OFFICIAL),
    further=(Aggregate("share of the questions, our reading"),),
    load=_load,
    episode=beside(official, honest=_honest),
    source=SOURCE,
    n="test 1,000 = 6 x 50 recognition, 200 scene, 200 document, 200 key information, 100 formulas",
    formula="count of items with an accepted answer inside the reply, of 1,000",
    chance="0 % (free text)",
    asked="the picture, then the question",
    quirks=(
        "A reply that lists many words is right as soon as one of them is accepted.",
        '"not X" contains X and is right.',
        "Case counts, and blanks do not, for the 100 handwritten formulas (HME100k) only.",
        "The published count is of all 1,000: a request that failed counts as wrong there and lowers "
        "coverage here.",
    ),
    kits=(
        (
            "VLMEvalKit",
            "evaluates the cell of answers and loops over it: a bare string would be compared letter "
            "by letter",
        ),
        (
            "lmms-eval",
            "lower-cases the reply but not the gold of a formula, and adds up over two runs in one process",
        ),
    ),
    checked="hand-worked replies for both ways of matching",
)
