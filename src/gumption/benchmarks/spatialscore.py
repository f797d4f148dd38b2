"""SpatialScore: questions of many spatial benchmarks in one set; choices, yes or no, counts and lengths.

Wu et al., "SpatialScore: Towards Unified Evaluation for Multimodal Spatial Understanding", 2025;
github.com/haoningwu3639/SpatialScore (version_0). Official score: the mean of the item scores. No model
judges: the question type called judgment is a yes or no.

    gumption run spatialscore                the 1,400 hard questions
    gumption run spatialscore:set=full       all of version_0
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from gumption.answers import read
from gumption.benchmarks import _spatialscore_rule as rule
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._inline import choice_of, letters_only
from gumption.benchmarks._published import chosen, pictures_in, suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Item, Reading, Reply, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

_LICENCE = "MIT"
_SOURCES = {
    "hard": Source(
        repo="haoningwu3639/SpatialScore",
        files=("*dataset/SpatialScore-Hard.json",),
        kind="github",
        licence=_LICENCE,
    ),
    "full": Source(repo="haoningwu/SpatialScore", files=("*dataset/SpatialScore.json",), licence=_LICENCE),
}
_PICTURES = "https://huggingface.co/datasets/haoningwu/SpatialScore"
_EXACT = "RealWorldQA"
"""The source whose open answers are compared as they are written."""
_COLUMNS = {
    "category": "text",
    "subcategory": "text",
    "question_type": "text",
    "question": "text",
    "answer": "text",
    "img_paths": "texts?",
    "source": "text",
}


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    part = chosen("spatialscore", told, {"set": tuple(_SOURCES)})["set"]
    name = "spatialscore" if part == "hard" else f"spatialscore:set={part}"
    return suite_of(name, _SOURCES[part], data, _COLUMNS, _item, version=f"version_0 {part}")


def _item(row: Row, shelf: Shelf, number: int) -> Item:
    return Item(
        id=f"spatialscore/{number}",
        benchmark="spatialscore",
        parts=(*pictures_in(shelf, row["img_paths"] or (), _PICTURES), Text(row["question"])),
        answer=_answer(row),
        category=row["category"],
        dimension=row["source"],
        meta={
            "question_type": row["question_type"].lower(),
            "source": row["source"],
            "subcategory": row["subcategory"],
            "answer": row["answer"],
        },
    )


def _answer(row: Row) -> Answer:
    """What our reader needs to know; the official rule works on the published answer in `meta`."""
    kind, published = row["question_type"].lower(), row["answer"]
    if kind == "multi-choice":
        return choice_of(row["question"], published.strip().strip("().").upper())
    if kind == "judgment":
        word = published.strip().lower()
        if word not in ("yes", "no"):
            raise GumptionError(f"the answer {published!r} is neither yes nor no", remedy="fetch it again")
        return Answer("yes_no", gold=word)
    exact = rule.is_length(published) or row["source"] == _EXACT
    number = None if exact else rule.first_number(published)
    return Answer("text", gold=published) if number is None else Answer("number", gold=number)


def _asked(item: Item) -> Item:
    """Lengths are asked for with their unit, without which the official rule reads none."""
    if item.answer.kind == "text" and rule.is_length(item.meta["answer"]):
        return replace(item, parts=(*item.parts, Text("Answer with a number and its unit.")))
    return letters_only(item)


def official(reply: str, item: Item) -> float:
    """The authors' score of a reply: of VSI-Bench's numbers the mean relative accuracy, else 0 or 1
    (`haoningwu3639/SpatialScore`, test_qwen.py and utils/util.py)."""
    said, gold = reply.strip(), item.meta["answer"]
    if item.meta["question_type"] == "multi-choice":
        return float(rule.option(said) == rule.option(gold))
    if item.meta["question_type"] == "judgment":
        return float(rule.yes_no(said).lower() == rule.yes_no(gold).lower())
    if rule.is_length(gold):
        return float(rule.lengths_agree(said, gold))
    if item.meta["source"] == _EXACT:
        return float(said.lower() == gold.lower())
    return rule.number_score(rule.first_number(said) or 0.0, rule.first_number(gold), item.meta["source"])


def _honest(reply: Reply, item: Item, reading: Reading) -> float:
    """The same measures on what our reader found; a length without a known unit is in the gold's."""
    if item.answer.kind in ("choice", "yes_no"):
        return float(reading.value == item.answer.gold)
    gold, said = item.meta["answer"], reading.value
    if item.answer.kind == "text":
        said = read(str(said), Answer("number")).value
    if said is None or not rule.is_length(gold):
        return 0.0 if said is None else rule.number_score(said, rule.first_number(gold), item.meta["source"])
    return float(said >= 0 and rule.lengths_agree(rule.with_unit(said, reply.text, gold), gold))


BENCHMARK = Benchmark(
    name="spatialscore",
    title="SpatialScore (hard)",
    homepage="https://github.com/haoningwu3639/SpatialScore",
    licence=_LICENCE,
    rule="letters and yes or no by the authors' patterns, lengths within a factor of 2, VSI-Bench's numbers "
    "by mean relative accuracy; mean over all questions (micro)",
    official=Aggregate("micro, the authors' patterns", part=OFFICIAL),
    further=(
        Aggregate("micro, our reading"),
        Aggregate("macro over the sources, the authors' patterns", by="dimension", part=OFFICIAL),
    ),
    load=_load,
    configure=_configured,
    episode=beside(official, asked=_asked, honest=_honest),
    source=_SOURCES["hard"],
    n="hard 1,400 = 1,121 choices + 92 yes or no + 187 open, from 10 sources",
    formula="sum of the item scores / n",
    chance="mean over the items of 1 / options, 1/2 for yes or no, 0 for numbers",
    asked="the pictures, the question with its options as published, then the letters or the form of "
    "the answer",
    quirks=(
        'The first letter a to f anywhere in a reply is the last resort: "<answer>B</answer>" is read as A.',
        'In a yes or no, "correct", "true" and "right" are yes and are looked for first: "not right" is yes.',
        'Any open gold with an "m" in it goes to the rule of lengths; kilometres and yards count as '
        "centimetres.",
        "Numbers are read without their sign, and the printed count of right ones is the floored sum "
        "of scores.",
    ),
    kits=(("VLMEvalKit, lmms-eval, evalscope", "have no task of it in the versions that we read"),),
    checked="every published gold of the 1,400 as a reply scores 1; hand-worked replies for each type",
)
