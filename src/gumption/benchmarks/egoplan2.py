"""EgoPlan-Bench2: the next action toward a goal, from the frames so far, in 24 everyday scenarios.

Qiu et al., "EgoPlan-Bench2: A Benchmark for Multimodal Large Language Model Planning in Real-World
Scenarios", 2024; github.com/qiulu66/EgoPlan-Bench2. Official score: accuracy, by the first capital A to D
that is left when some beginnings of an answer are deleted.
"""

from __future__ import annotations

from pathlib import Path

from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._next_action import AUTHORS, LMMS_EVAL, answer_of, lettered, question_of
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

SOURCE = Source(
    repo="nv-njb/egoplan-bench2",
    files=("data/train-*.parquet",),
    licence="none stated (videos of Ego4D under its own licence)",
)
_COLUMNS = {
    "sample_id": "text|int",
    "domain": "text",
    "scenario": "text?",
    "task_goal": "text",
    "choice_a": "text",
    "choice_b": "text",
    "choice_c": "text",
    "choice_d": "text",
    "ground_truth": "text",
    "video_file": "text",
    "keyframes": "images",
}
_LMMS = "lmms-eval"


def _load(data: Path | None) -> Suite:
    return suite_of("egoplan2", SOURCE, data, _COLUMNS, _item, version="train (its only split)")


def _item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
    if not row["keyframes"]:
        raise GumptionError("no key frames", remedy="fetch the data again")
    frames = tuple(shelf.image(data) for data in row["keyframes"])
    return Item(
        id=f"egoplan2/{row['sample_id']}",
        benchmark="egoplan2",
        parts=(*frames, Text(question_of(row["task_goal"]))),
        answer=answer_of(row, row["ground_truth"]),
        cluster=row["video_file"],
        category=row["domain"],
        dimension=row["scenario"] or "",
        meta={"frames": len(frames), "sampling": "key frames as published, the current observation last"},
    )


BENCHMARK = Benchmark(
    name="egoplan2",
    title="EgoPlan-Bench2",
    homepage="https://github.com/qiulu66/EgoPlan-Bench2",
    licence=SOURCE.licence,
    rule="accuracy over all questions (micro), by the first capital A to D",
    official=Aggregate("micro, first capital", part=OFFICIAL),
    further=(Aggregate("micro, lmms-eval's reading", part=_LMMS), Aggregate("micro, our reading")),
    load=_load,
    episode=lettered({OFFICIAL: AUTHORS, _LMMS: LMMS_EVAL}),
    source=SOURCE,
    n="1,321 questions in 4 domains and 24 scenarios; the hub has them as its split train",
    formula="right / questions",
    chance="25 % (four options)",
    asked="the published key frames (the authors sample 8), the goal, four options, the letter alone",
    quirks=(
        "The first capital A to D anywhere is the answer: 'Based on the video, C' is B, and 'c' is nothing.",
        "Two commas are missing in the authors' list of beginnings, so four of them are never deleted.",
    ),
    kits=(
        ("lmms-eval", "its list of beginnings ends earlier, so that 'Answer: C' is A as well"),
        ("EmbodiedBrain's table", "fits 1,315 questions, not 1,321"),
    ),
    checked="hand-worked replies under both lists of beginnings",
)
