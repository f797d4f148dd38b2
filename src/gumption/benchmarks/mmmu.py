"""MMMU: college questions in thirty subjects, with pictures among the words; most choices, some open.

Yue et al., 2023, "MMMU: A Massive Multi-discipline Multimodal Understanding and Reasoning Benchmark for
Expert AGI"; github.com/MMMU-Benchmark/MMMU. Official score: the share of all questions, subjects aside. Where
the official code finds no option it draws one; here such a reply is worth what drawing is on average.

    gumption run mmmu                      validation, 900 questions
    gumption run mmmu:split=dev            or test
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from gumption.benchmarks import _mmmu_rule
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._inline import letters_only
from gumption.benchmarks._published import chosen, suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.prompts import prompted
from gumption.records import Aggregate, Answer, GumptionError, Item, Reading, Reply
from gumption.suites import Suite
from gumption.suites.layout import lay_out

__all__ = ["BENCHMARK", "official"]

_LICENCE = "Apache-2.0"
_PICTURES = tuple(f"image_{number}" for number in range(1, 8))
_COLUMNS = {
    "id": "text",
    "question": "text",
    "options": "text",
    "answer": "text",
    "question_type": "text",
    **dict.fromkeys(_PICTURES, "image?"),
}
_LONGEST_LIST = 20_000
"""Characters of a Python list that is written out in a cell."""
_UNKNOWN = "?"
"""The answer of a question whose answer is kept back."""
_DISCIPLINES = {
    "Art and Design": ("Art", "Art_Theory", "Design", "Music"),
    "Business": ("Accounting", "Economics", "Finance", "Manage", "Marketing"),
    "Science": ("Biology", "Chemistry", "Geography", "Math", "Physics"),
    "Health and Medicine": (
        "Basic_Medical_Science",
        "Clinical_Medicine",
        "Diagnostics_and_Laboratory_Medicine",
        "Pharmacy",
        "Public_Health",
    ),
    "Humanities and Social Science": ("History", "Literature", "Psychology", "Sociology"),
    "Tech and Engineering": (
        "Agriculture",
        "Architecture_and_Engineering",
        "Computer_Science",
        "Electronics",
        "Energy_and_Power",
        "Materials",
        "Mechanical_Engineering",
    ),
}
_SUBJECTS = sorted(subject for subjects in _DISCIPLINES.values() for subject in subjects)
_SOURCES = {
    split: Source(
        repo="MMMU/MMMU",
        files=tuple(f"{subject}/{split}-*.parquet" for subject in _SUBJECTS),
        licence=_LICENCE,
    )
    for split in ("validation", "dev", "test")
}
_DISCIPLINE_OF = {subject: name for name, subjects in _DISCIPLINES.items() for subject in subjects}


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    split = chosen("mmmu", told, {"split": tuple(_SOURCES)})["split"]
    name = "mmmu" if split == "validation" else f"mmmu:split={split}"
    files = f"*/{split}-*.parquet"
    return suite_of(name, _SOURCES[split], data, _COLUMNS, _item, version=split, files=files)


def _item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
    pictures = [shelf.image(row[name]) for name in _PICTURES if row[name] is not None]
    subject = "_".join(row["id"].split("_")[1:-1])
    choices = dict(zip(ascii_uppercase, _list_in(row["options"]), strict=False))
    question, inline = row["question"], any("<image" in text for text in choices.values())
    if inline:  # an option that is a picture is shown where it stands
        listed = "\n".join(f"{letter}. {text}" for letter, text in choices.items())
        question = f"{question}\nOptions:\n{listed}"
    return Item(
        id=f"mmmu/{row['id']}",
        benchmark="mmmu",
        parts=lay_out(question, pictures),
        answer=_answer(row, choices),
        category=subject,
        dimension=_DISCIPLINE_OF.get(subject, ""),
        meta={"inline": True} if inline else {},
    )


def _answer(row: Row, choices: dict[str, str]) -> Answer:
    gold: Any = None if row["answer"].strip() == _UNKNOWN else row["answer"]
    if row["question_type"] == "multiple-choice":
        if gold is not None and gold not in choices:
            raise GumptionError(f"the answer {gold!r} is no option's letter", remedy="fetch the file again")
        return Answer("choice", gold=gold, choices=choices)
    if gold is not None and gold.startswith("["):
        gold = _list_in(gold)
    return Answer("text", gold=gold)


def _list_in(cell: str) -> list[str]:
    """The texts of a Python list that is written out."""
    try:
        found = ast.literal_eval(cell) if len(cell) <= _LONGEST_LIST else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise GumptionError(f"no list of texts: {cell[:60]!r}", remedy="fetch the file again")
    return [str(text) for text in found]


def _asked(item: Item) -> Item:
    return letters_only(item) if item.meta.get("inline") else prompted(item)


def official(reply: str, item: Item) -> float | None:
    """What the authors' code gives: 0, 1, or 1 / options where it draws; None where no answer is known."""
    if item.answer.gold is None:
        return None
    if item.answer.kind == "choice":
        letter = _mmmu_rule.letter(reply, item.answer.choices or {})
        return 1 / len(item.answer.choices or "A") if letter is None else float(letter == item.answer.gold)
    return float(_mmmu_rule.open_is_right(reply, item.answer.gold))


def _honest(reply: Reply, item: Item, reading: Reading) -> float:  # noqa: ARG001
    """An open answer by the official comparison, but only of what the reply settles on."""
    if item.answer.kind == "choice":
        return float(reading.value == item.answer.gold)
    return float(_mmmu_rule.open_is_right(str(reading.value), item.answer.gold))


BENCHMARK = Benchmark(
    name="mmmu",
    title="MMMU (validation)",
    homepage="https://github.com/MMMU-Benchmark/MMMU",
    licence=_LICENCE,
    rule="the option or open answer that the official parser finds; share of all questions (micro)",
    official=Aggregate(
        "micro, the official parser, its random options at their expected value", part=OFFICIAL
    ),
    further=(
        Aggregate("micro, our reading"),
        Aggregate("macro over the 6 disciplines, the official parser", by="dimension", part=OFFICIAL),
    ),
    load=_load,
    configure=_configured,
    episode=beside(official, asked=_asked, honest=_honest),
    source=_SOURCES["validation"],
    n="validation 900 = 847 choices + 53 open",
    formula="right / n over all questions of all subjects",
    chance="mean over the choices of 1 / options; open questions 0",
    asked="the question with each picture at its mark (those without one first), the options with "
    "letters, then the letters",
    quirks=(
        "Where no option is found the official code draws one: a refusal is worth 1 / options.",
        'A letter before a blank counts wherever it stands: "A cat" is A.',
        "Open answers are right if any number or tail of the reply fits, so a list of guesses pays.",
        'Turning the options round breaks those that say "either of the above".',
    ),
    kits=(
        (
            "VLMEvalKit",
            'turns open questions into a choice between the gold and "Other Answers", so "Solution '
            'A" is right and a correct number is not; a judge reads the rest, and a failed judge '
            "means a random option",
        ),
        ("lmms-eval", "goes through the open answer letter by letter: all 53 are wrong, up to -5.9 points"),
    ),
    checked="hand-worked replies for every step of both parsers; the cases of the reference for open answers",
)
