"""CV-Bench: counting, relations, depth and distance in pictures of three data sets.

Tong et al., "Cambrian-1: A Fully Open, Vision-Centric Exploration of Multimodal LLMs", 2024;
huggingface.co/datasets/nyu-visionx/CV-Bench. Official score: 2D is the mean of the accuracies on ADE20K and
on COCO, 3D that on Omni3D, the whole the mean of both.
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase

from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

SOURCE = Source(
    repo="nyu-visionx/CV-Bench", files=("test_2d*.parquet", "test_3d*.parquet"), licence="Apache-2.0"
)
_COLUMNS = {
    "idx": "int|text",
    "type": "text",
    "task": "text",
    "image": "image",
    "question": "text",
    "choices": "texts",
    "answer": "text",
    "source": "text",
}


def _load(data: Path | None) -> Suite:
    return suite_of("cv-bench", SOURCE, data, _COLUMNS, _item, version="test", files="test_[23]d*.parquet")


def _item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
    return Item(
        id=f"cv-bench/{row['type']}/{row['idx']}",
        benchmark="cv-bench",
        parts=(shelf.image(row["image"]), Text(row["question"])),
        answer=Answer(
            "choice",
            gold=row["answer"].strip(" ()"),
            choices=dict(zip(ascii_uppercase, row["choices"], strict=False)),
        ),
        category=row["source"],
        dimension=row["task"],
    )


BENCHMARK = Benchmark(
    name="cv-bench",
    title="CV-Bench (test)",
    homepage="https://huggingface.co/datasets/nyu-visionx/CV-Bench",
    licence=SOURCE.licence,
    rule="accuracy by source; 1/2 ((ADE20K + COCO)/2 + Omni3D)",
    official=Aggregate(
        "1/2 ((ADE20K + COCO)/2 + Omni3D)",
        by="category",
        weights={"ADE20K": 1.0, "COCO": 1.0, "Omni3D": 2.0},
    ),
    further=(
        Aggregate(
            "2D: (ADE20K + COCO)/2", by="category", weights={"ADE20K": 1.0, "COCO": 1.0, "Omni3D": 0.0}
        ),
        Aggregate("3D: Omni3D", by="category", weights={"ADE20K": 0.0, "COCO": 0.0, "Omni3D": 1.0}),
        Aggregate("micro (lmms-eval's aggregate)"),
    ),
    load=_load,
    source=SOURCE,
    n="test 2,638 = 1,438 in 2D + 1,200 in 3D",
    formula="1/2 ((ADE20K + COCO)/2 + Omni3D), each the accuracy on the items of that source",
    chance="mean over the items of 1 / options, weighed like the score",
    asked="the picture, the question, the options with letters, then the letters to answer with",
    quirks=("The mean over all questions is another number than the official one.",),
    kits=(
        (
            "lmms-eval",
            "mean over all questions, though its utilities hold the official formula; takes a letter "
            'at the reply\'s start, so "The answer is (B)" is T',
        ),
        ("VLMEvalKit", "reuses the score file of an earlier run where there is one"),
        (
            "EmbodiedBrain's harness",
            "2D is the mean over the tasks Count and Relation, not over the sources; reads the text "
            "in the first brackets, else the first capital",
        ),
    ),
    checked="the formula by hand on unequal sources; its place among EmbodiedBrain's spatial mean",
)
