"""Which column holds the right answer and how it is written there, by its name, the README and the data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gumption.synthesis._profile import Column
from gumption.synthesis._withheld import is_reply_column, words_of
from gumption.synthesis.offline._right_forms import form_of
from gumption.synthesis.offline._targets import Found, gathered, numbers_of
from gumption.synthesis.offline._words import ignored
from gumption.synthesis.recipes._cells import text_of
from gumption.synthesis.recipes.scoring import gold_letters

__all__ = ["find_gold", "rivals_of"]

_STRONG = {
    "answer",
    "answers",
    "gold",
    "golden",
    "label",
    "labels",
    "truth",
    "gt",
    "correct",
    "solution",
    "expected",
    "lsg",
    "loesung",
    "groundtruth",
    "reference",
    "target",
    "ans",
}
_WEAK = {
    "key",
    "a",
    "y",
    "right",
    "mask",
    "masks",
    "bbox",
    "box",
    "boxes",
    "region",
    "polygon",
    "outline",
    "points",
    "value",
    "holds",
    "verdict",
    "m",
    "accepted",
    "targets",
    "point",
    "key0",
    "idx",
    "index",
    "segmentation",
    "is",
}
_SAID = re.compile(
    r"\b(?:right|correct|true|truth|solution|gold|ground[- ]truth|accept(?:ed)?"
    r"|expected|good one|measurement|label|answer key"
    r"|answers?|target|mask|polygon|outline|may be touched|box around|what holds|whether)\b"
)
_STRONGLY = re.compile(
    r"\b(?:right|correct|true|truth|gold|ground[- ]truth|accepted?|expected|good one|solution)\b"
)
_UNLIKELY = re.compile(
    r"\b(?:topic|theme|kind of|difficulty|internal|checker|id of|identifier|not used"
    r"|unit of|split|licen[sc]e|level)\b"
)
_SIZE = re.compile(r"size|canvas|resolution|shape|dim(?:s|ensions?)?$")
_COMPARING = re.compile(
    r"\b(?:within|in) [^.;\n]{1,25}? of|\b(?:agree|agrees|agreeing|compared?|compares|coincides?) (?:with"
    r"|to|against)"
    r"|\b(?:is|be|must be|are) (?:exactly )?(?:equal to|the same as|identical to)|\bequals?|\bmatch(?:es"
    r"|ing)?"
    r"|\b(?:same|identical) (?:as|to)|\b(?:differs?|deviates?|away|off|far|distance) from|\b(?:close|near"
    r"|equal) to"
    r"|\b(?:set|letters?|text|answer|word|number|option|one) (?:is|are|in)|[-\u2212] ?(?=[\w`]+ ?\|)"
    r"|\bexactly the set in"
)
"""What stands between a reply and the column that it is held against."""
_COMPARED = 2.0
_CLOSE = 1.0
"""Columns whose weights differ by less may both be the right answer."""
_FEW = 4


def find_gold(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column],
    notes: Mapping[str, str],
    choices: Sequence[Mapping[str, str]],
    readme: str,
    taken: frozenset[str],
) -> list[Found]:
    """Columns that may hold the right answers, the likeliest first.

    `choices`: each row's options; `taken`: columns that are shown or are ids, which cannot be the answer.
    """
    found = gathered(columns, taken)
    made = {name for one in found for name in (one.gold.column, *one.gather.get(one.gold.column, ()))}
    for column in columns:
        if column.name in taken | made or is_reply_column(column.name):
            continue
        if column.holds in ("empty", "messages"):
            continue
        note = notes.get(column.name, "").lower()
        pair = column.holds == "list" and all(len(numbers_of(one) or ()) == 2 for one in column.examples)
        if _SIZE.search(column.name.lower()) and pair:
            continue
        unused = ignored(note) and not _STRONGLY.search(note)  # the right answers are not shown either
        if unused or column.missing > 0.2 * len(rows):
            continue
        cells = [row.get(column.name) for row in rows]
        if len(rows) >= _FEW and len({text_of(cell) for cell in cells}) == 1:
            continue  # what is the same everywhere tells no reply from another
        one = form_of(column, cells, choices, note, readme)
        if one is not None:
            one.weight += _weight(column, note) + _COMPARED * _is_compared(column.name, readme)
            found.append(one)
    found.sort(key=lambda one: -one.weight)
    likely = [one for one in found if one.weight > 1]
    return likely or [one for one in found if one.weight >= 0]


def rivals_of(
    found: Sequence[Found], rows: Sequence[Mapping[str, Any]], choices: Sequence[Mapping[str, str]]
) -> list[Found]:
    """Columns that may hold the right answers as well as the likeliest, and say otherwise."""
    best = found[0]
    if best.unfit:
        return []
    meant = _meant(best, rows, choices)
    return [
        one
        for one in found[1:]
        if ((best.weight - one.weight < _CLOSE and one.kind == best.kind) or best.weight == one.weight)
        and not one.unfit
        and _meant(one, rows, choices) != meant
    ]


def _meant(
    one: Found, rows: Sequence[Mapping[str, Any]], choices: Sequence[Mapping[str, str]]
) -> tuple[str, list[str]]:
    """What a column says in each row, in whatever form: of options their letters."""
    gold = one.gold
    cells = [text_of(row.get(gold.column)) for row in rows]
    if gold.form not in ("letter", "option_text", "index0", "index1"):
        return gold.form, [cell.casefold() for cell in cells]
    said = [
        "".join(gold_letters(row.get(gold.column), shown, gold.form)) if cell else ""
        for row, cell, shown in zip(rows, cells, choices, strict=True)
    ]
    return "letter", said


def _is_compared(name: str, readme: str) -> bool:
    """Whether replies are said to be compared with a column, as in "within 5 % of `total`"."""
    bare = re.escape(name.rpartition(".")[2].lower())
    said = rf"[`\"']{bare}[`\"']" if bare.isalpha() else rf"[`\"']?(?<!\w){bare}(?!\w)[`\"']?"
    return bool(
        re.search(
            rf"(?:{_COMPARING.pattern})\s?(?:the |that in |what is in |its )?(?:column )?{said}", readme
        )
    )


def _weight(column: Column, note: str) -> float:
    words = words_of(column.name.rpartition(".")[2])
    weight = 0.0
    if _STRONG & set(words) or "".join(words) in _STRONG:
        weight += 3
    elif _WEAK & {re.sub(r"\d+$", "", word).removesuffix("s") for word in words} or _WEAK & set(words):
        weight += 1.5
    if _STRONGLY.search(note):
        weight += 3
    elif _SAID.search(note):
        weight += 1.5
    if _UNLIKELY.search(note):
        weight -= 3
    if {"type", "category", "id", "split", "topic", "unit", "units"} & set(words):
        weight -= 3
    return weight
