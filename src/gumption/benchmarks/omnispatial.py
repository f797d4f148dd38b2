"""OmniSpatial: fifty tasks of spatial reasoning on dynamics, logic, interaction and perspective.

Jia et al., "OmniSpatial: Towards Comprehensive Spatial Reasoning Benchmark for Vision Language Models", 2025;
github.com/qizekun/OmniSpatial. Official score: the letter of the last line "Answer: X", and A where there is
none; mean over all questions and five repeats, which is how often a run asks each question.

    gumption run omnispatial                              five times, reasoning before the last line
    gumption run omnispatial --epochs 1                   once: not the official run
    gumption run omnispatial:format=direct,prompt=none    one letter, without reasoning
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase

from gumption.benchmarks._archives import unpacked
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._published import chosen, suite_of
from gumption.benchmarks._written import shown_as
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

_REPO, _LICENCE = "qizekun/OmniSpatial", "CC-BY-NC-4.0"
ARCHIVE = Source(repo=_REPO, files=("OmniSpatial-test.zip",), licence=_LICENCE)
SOURCE = Source(repo=_REPO, files=("*data.json",), licence=_LICENCE)
_COLUMNS = {
    "id": "text",
    "question": "text",
    "options": "texts",
    "answer": "int",
    "task_type": "text",
    "sub_task_type": "text",
}
_FORMS = {
    "re": ("Answer: {}", "End with a line of its own that reads Answer: and the letter of one option ({})."),
    "json": ('{{"answer": "{}"}}', 'Write JSON with your analysis and, as "answer", the letter ({}).'),
    "direct": ("{}", "Write the letter of one option ({}) and nothing else."),
}
"""How an answer is written, and how that is asked for."""
_REASON = "Look at what is there and how it stands to each other, then reason step by step."
_DEFAULT = "A"
_LINE = re.compile(r"Answer\s*+:\s*+([A-D])\b", re.IGNORECASE)


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    ways = chosen("omnispatial", told, {"format": tuple(_FORMS), "prompt": ("cot", "none")})
    usual = {"format": "re", "prompt": "cot"}
    protocol = ",".join(f"{name}={value}" for name, value in ways.items() if value != usual[name])

    def item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
        choices = dict(zip(ascii_uppercase, row["options"], strict=False))
        if not 0 <= row["answer"] < len(choices):
            problem = f"option {row['answer']} is the answer, of {len(choices)}"
            raise GumptionError(problem, remedy="fetch the data again")
        name = f"{row['task_type']}/{row['id'].partition('_')[0]}.png"
        return Item(
            id=f"omnispatial/{row['task_type']}/{row['id']}",
            benchmark="omnispatial",
            parts=(shelf.file(Path(row.where).parent / name), Text(row["question"])),
            answer=Answer("choice", gold=ascii_uppercase[row["answer"]], choices=choices),
            category=row["task_type"],
            dimension=row["sub_task_type"],
            meta={**ways, "protocol": protocol},
        )

    name = f"omnispatial:{protocol}".rstrip(":")
    return suite_of(name, SOURCE, unpacked(ARCHIVE, data), _COLUMNS, item, version="test")


def _asked(item: Item) -> Item:
    """Reasoning is asked for before the question, the form of the answer after the options."""
    before = _REASON if item.meta["prompt"] == "cot" else ""
    return shown_as(item, *_FORMS[item.meta["format"]], before=before)


def official(reply: str, item: Item) -> float:
    """Whether the letter that the authors' code finds is right; it finds A where it finds nothing.

    re: of the last "Answer: X", in whatever case, but a small letter is never right. json: the field
    "answer". direct: the first letter of the reply, which has no default.
    """
    match item.meta["format"]:
        case "re":
            letter = (_LINE.findall(reply) or [_DEFAULT])[-1]
        case "json":
            letter = _in_json(reply)
        case _:
            letter = reply.strip().upper()[:1]
    return float(letter == item.answer.gold)


def _in_json(reply: str) -> str:
    text = reply.strip().removeprefix("```json").removesuffix("```").strip()
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return _DEFAULT
    letter = given.get("answer", _DEFAULT) if isinstance(given, dict) else _DEFAULT
    return letter.strip().upper()[:1] if isinstance(letter, str) else _DEFAULT


BENCHMARK = Benchmark(
    name="omnispatial",
    title="OmniSpatial (test)",
    homepage="https://github.com/qizekun/OmniSpatial",
    licence=_LICENCE,
    rule="letter of the last 'Answer: X', else A; share of all questions over five repeats",
    official=Aggregate("mean over questions and repeats, A by default", part=OFFICIAL),
    further=(
        Aggregate("macro over the four task types, A by default", by="category", part=OFFICIAL),
        Aggregate("mean over questions and repeats, our reading"),
    ),
    load=_load,
    configure=_configured,
    episode=beside(official, asked=_asked),
    source=ARCHIVE,
    repeats=5,
    n="test 1,533 questions on 1,387 pictures, 50 tasks",
    formula="mean over 5 repeats of right / 1,533",
    chance="1 / options; a model that never answers gets the share of questions whose answer is A",
    asked=(
        "picture, a call to reason, question, options, the form of the last line; prompt=none leaves the "
        "call out"
    ),
    quirks=(
        "Official are five repeats, and a run makes them; the number is the mean over all of them. Recorded "
        "replies of one repeat are scored with `--epochs 1`.",
        "A reply without the line counts as A, so refusals earn credit; with format=json too.",
        "The line is found in small letters too, but a small letter is never right.",
        "Letters beyond D are not found.",
        "The authors' fourth way, a judge (format llm), is not here.",
    ),
    kits=(("lmms-eval", "asks once; the way of answering is set in a file, and the A by default is kept"),),
    checked="hand-worked replies in each form",
)
