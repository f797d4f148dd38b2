"""The question pool: 23,068 questions of eight public benchmarks as text, to choose a compact suite from.

One file of JSON lines, `id, benchmark, question, answer, category` and what each benchmark adds. There are no
pictures, so these items are what the Data Agent reads and sorts, not what a model is shown: a picture is
named in `meta["image"]`, and its name is the cluster. Yes, no, true and false make a yes_no item, a letter a
choice among the options that the question spells out (the letters alone where it does not), a numeral of an
open question a number, and all else a text item; answers of OpenEQA and EgoThink are free text throughout.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from string import ascii_letters
from typing import Any

import msgspec

from gumption.benchmarks._data import find
from gumption.benchmarks._inline import choice_of, options_in
from gumption.benchmarks.benchmark import Benchmark
from gumption.lines import decode, read_lines
from gumption.records import Aggregate, Answer, GumptionError, Item, Text
from gumption.suites import Rejected, Suite

__all__ = ["BENCHMARK"]

_FILE = "question_pool/pool.jsonl.gz"
_LICENCES = {
    "EgoThink": "Apache-2.0",
    "LogicVista": "Apache-2.0",
    "MathVista": "CC-BY-SA-4.0",
    "OpenEQA": "MIT",
    "SpatialScore-Hard": "MIT",
    "ViewSpatial": "Apache-2.0",
    "VisOnlyQA": "GPL-3.0",
    "VSR": "Apache-2.0",
}
_YES_NO = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
_NUMERAL = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_LONGEST = 100_000
"""Characters of a line; the longest of the pool has some 4,000."""


class _Row(msgspec.Struct):
    id: str
    benchmark: str
    category: str
    question: str | None = None
    answer: str | bool | None = None
    choices: str = ""
    image: str | list[str] = ""
    subcategory: str = ""
    question_type: str = ""
    source: str = ""


def _load(data: Path | None) -> Suite:
    path = find(_FILE, data, get_from="whoever gave you the pool")
    row_of = msgspec.json.Decoder(_Row).decode
    items: list[Item] = []
    rejected: list[Rejected] = []
    for number, line in read_lines(path):
        id = ""
        try:
            text = decode(line)
            if len(text) > _LONGEST:
                raise GumptionError(f"over {_LONGEST:,} characters", remedy="leave it out")
            row = row_of(text)
            id = row.id
            items.append(_item(row))
        except (msgspec.MsgspecError, RecursionError) as error:
            rejected.append(Rejected(str(path), number, id, str(error), "fetch the file again"))
        except GumptionError as error:
            rejected.append(Rejected(str(path), number, id, error.problem, error.remedy))
    return Suite(
        name="question-pool",
        version="1",
        items=tuple(items),
        provenance={"file": path.name},
        licences=_LICENCES,
        rejected=tuple(rejected),
    )


def _item(row: _Row) -> Item:
    if not row.question or row.answer is None or row.answer == "":
        raise GumptionError("it has no question or no answer", remedy="leave it out")
    images = [row.image] if isinstance(row.image, str) else row.image
    told = {"subcategory": row.subcategory, "question_type": row.question_type, "source": row.source}
    told["image"] = images[0] if images else ""
    return Item(
        id=row.id,
        benchmark=row.benchmark,
        parts=(Text(row.question),),
        answer=_ANSWERS.get(row.benchmark, _plain)(row.question, row.answer, row.choices),
        cluster=told["image"],
        category=row.category,
        meta={name: value for name, value in told.items() if value},
    )


def _plain(question: str, gold: Any, choices: str) -> Answer:  # noqa: ARG001
    """By what the answer looks like."""
    text = str(gold).strip()
    letter = text.strip("()")
    if text.lower() in _YES_NO:
        return Answer("yes_no", gold=_YES_NO[text.lower()])
    if len(letter) == 1 and letter in ascii_letters:
        return choice_of(question, letter.upper())
    return Answer("number", gold=float(text)) if _NUMERAL.fullmatch(text) else Answer("text", gold=text)


def _free(question: str, gold: Any, choices: str) -> Answer:  # noqa: ARG001
    """As it stands: "yes" is one of many answers here, and a judge would mark it."""
    return Answer("text", gold=str(gold))


def _listed(question: str, gold: Any, choices: str) -> Answer:  # noqa: ARG001
    """Options in a field of their own, the answer with its letter before it: "B. left"."""
    options, letter = options_in(choices), str(gold)[:1]
    if letter not in options:
        raise GumptionError(f"the answer {gold!r} is none of the choices", remedy="leave it out")
    return Answer("choice", gold=letter, choices=options)


_ANSWERS: dict[str, Callable[[str, Any, str], Answer]] = {
    "EgoThink": _free,
    "OpenEQA": _free,
    "ViewSpatial": _listed,
}

BENCHMARK = Benchmark(
    name="question-pool",
    title="The question pool",
    homepage="",
    licence="of each benchmark its own",
    rule="none: questions without their pictures, to choose from; what is asked is scored by its kind",
    official=Aggregate("macro over the benchmarks", by="benchmark"),
    load=_load,
    n="23,068, of which one has no question",
    chance="of each question by its kind: 1 / options, 1/2 for yes or no, 0 for numbers and texts",
    asked="not meant to be asked: the pictures are missing",
    checked="counts of benchmarks, kinds and categories against the published ones",
)
