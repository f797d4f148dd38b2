"""BLINK: fourteen visual perception tasks that people solve within a blink.

Fu et al., "BLINK: Multimodal Large Language Models Can See but Not Perceive", 2024;
github.com/zeyofu/BLINK_Benchmark. Official score: accuracy per sub-task, then the unweighted mean over the
fourteen. The authors read replies with a letter rule and a language model as matcher; we read them with
`answers.read`, and docs/benchmarks/blink.md shows where the two differ.

    gumption run blink                           all fourteen, 1,901 questions
    gumption run blink:task=Spatial_Relation     one of them: the 143 that EmbodiedBrain's "BLINK" is

Where only the list of golds is at hand, as it came with the published replies (blink_val.items.jsonl), the
items are made of that: without pictures, for recorded replies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase

import msgspec

from gumption.benchmarks._data import find
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._published import chosen, suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.lines import read_rows
from gumption.records import Aggregate, Answer, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "TASKS"]

_FILE = "response_matrices/blink_val.items.jsonl"
_HOME = "https://github.com/zeyofu/BLINK_Benchmark"
TASKS = (
    "Art_Style",
    "Counting",
    "Forensic_Detection",
    "Functional_Correspondence",
    "IQ_Test",
    "Jigsaw",
    "Multi-view_Reasoning",
    "Object_Localization",
    "Relative_Depth",
    "Relative_Reflectance",
    "Semantic_Correspondence",
    "Spatial_Relation",
    "Visual_Correspondence",
    "Visual_Similarity",
)
_SOURCE = Source(
    repo="BLINK-Benchmark/BLINK",
    files=tuple(f"{task}/val-*.parquet" for task in TASKS),
    licence="Apache-2.0",
)
_PICTURES = tuple(f"image_{number}" for number in range(1, 5))
_COLUMNS = {
    "idx": "text",
    "sub_task": "text",
    "question": "text",
    **dict.fromkeys(_PICTURES, "image?"),
    "choices": "texts",
    "answer": "text",
}


class _Gold(msgspec.Struct):
    """A line of the list of golds: options are given where a sub-task has the same ones throughout."""

    id: str
    group: str
    answer: str
    choices: dict[str, str] | None = None


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    task = chosen("blink", told, {"task": ("all", *TASKS)})["task"]
    source = _SOURCE if task == "all" else replace(_SOURCE, files=(f"{task}/val-*.parquet",))
    golds = _golds_beside(source, data)
    if golds is None:
        files = "*/val-*.parquet" if task == "all" else source.files[0]
        return suite_of(_name(task), source, data, _COLUMNS, _item, version="val", files=files)
    return Suite(
        name=_name(task),
        version="val",
        items=tuple(item for item in _listed(golds) if task in ("all", item.category)),
        provenance={"homepage": _HOME, "file": golds.name, "split": "val"},
        licences={"blink": source.licence},
    )


def _name(task: str) -> str:
    return "blink" if task == "all" else f"blink:task={task}"


def _golds_beside(source: Source, data: Path | None) -> Path | None:
    """The list of golds, where it is found and a folder that was named does not hold the questions too."""
    first = source.files[0]
    if data and any(any(folder.glob(first)) for folder in (data, data / "BLINK", data / source.repo)):
        return None
    try:
        return find(_FILE, data, get_from=_HOME)
    except GumptionError:  # then the questions are fetched
        return None


def _item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
    pictures = [shelf.image(row[name]) for name in _PICTURES if row[name] is not None]
    return Item(
        id=row["idx"],
        benchmark="blink",
        parts=(*pictures, Text(row["question"])),
        answer=Answer(
            "choice",
            gold=row["answer"].strip("()"),
            choices=dict(zip(ascii_uppercase, row["choices"], strict=False)),
        ),
        category=row["sub_task"],
    )


def _listed(path: Path) -> list[Item]:
    items = []
    for _, gold in read_rows(path, _Gold, "an item of BLINK", "fetch it again"):
        # Counting has four options of its own for each picture; its letters are known, its texts are not.
        choices = gold.choices or dict.fromkeys("ABCD", "")
        answer = Answer("choice", gold=gold.answer.strip("()"), choices=choices)
        items.append(Item(id=gold.id, benchmark="blink", parts=(), answer=answer, category=gold.group))
    return items


BENCHMARK = Benchmark(
    name="blink",
    title="BLINK (val)",
    homepage=_HOME,
    licence=_SOURCE.licence,
    rule="accuracy per sub-task, unweighted mean over the 14 sub-tasks",
    official=Aggregate("macro over the 14 sub-tasks", by="category"),
    further=(Aggregate("micro (the kits' aggregate)"),),
    load=_load,
    configure=_configured,
    source=_SOURCE,
    n="val 1,901 in 14 sub-tasks of 117 to 172",
    formula="(1/14) sum over sub-tasks of right / asked",
    chance="mean over the sub-tasks of 1 / options (two to four)",
    asked="the pictures in order, the question, the options with letters, then the letters to answer with",
    quirks=(
        "The authors' letter rule resolves 76.9 % of the published replies, down to 36 % for the worst "
        "models; a language model (GPT-3.5) reads the rest, and (Z) stands for none.",
        'EmbodiedBrain\'s "BLINK" is the sub-task Spatial_Relation alone: six published figures are k/143.',
        "The answers of the test split are hidden; val is what is compared.",
    ),
    kits=(
        ("VLMEvalKit", "mean over all questions; options by rules and then by a judge, (Z) if that fails"),
        (
            "lmms-eval",
            "mean over all questions; its extractor agrees with the published one on 90.7 % and ranks "
            "19 models with tau .69 to it",
        ),
    ),
    checked="36,119 published replies of 19 models: readings, scores and ranking against the published ones",
)
