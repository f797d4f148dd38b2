"""Which column holds the right answer and how it is written there, by its name, the README and the data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis._profile import Column
from gumption.synthesis._withheld import is_reply_column, words_of
from gumption.synthesis.offline._targets import Found, gathered, numbers_of, region_found
from gumption.synthesis.offline._words import ignored
from gumption.synthesis.recipes._cells import text_of
from gumption.synthesis.recipes.scoring import gold_letters, gold_number
from gumption.synthesis.spec import Gold

__all__ = ["find_gold"]

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
_FROM_0 = re.compile(
    r"\bfrom (?:0|zero)\b|\b(?:0|zero)[- ](?:based|indexed)|\b(?:starts?|starting"
    r"|begin\w*|count\w*) (?:at|with|from) (?:0|zero)\b|\b0 (?:is|means|stands for|="
    r"|for) (?:the )?(?:a\b|first|[\"'`])"
)
_FROM_1 = re.compile(
    r"\bfrom (?:1|one)\b|\b(?:1|one)[- ](?:based|indexed)|\b(?:starts?|starting"
    r"|begin\w*|count\w*) (?:at|with|from) (?:1|one)\b|\b1 (?:is|means|stands for|="
    r"|for) (?:the )?(?:a\b|first|[\"'`]|\w+ 1\b|antwort)"
)
_SEPARATORS = (
    (r"semi-?colons?|[`\"'];[`\"']", ";"),
    (r"vertical bars?|pipes?|\bbars?\b|[`\"']\|+[`\"']", "|"),
    (r"slash(?:es)?|[`\"']/[`\"']", "/"),
    (r"(?<!semi)commas?|[`\"'],[`\"']", ","),
    (r"tabs?\b", "\t"),
    (r"hash(?:es)?|[`\"']#[`\"']", "#"),
    (r"tildes?|[`\"']~[`\"']", "~"),
)
_COMPARING = re.compile(
    r"\b(?:within|in) [^.;\n]{1,25}? of|\b(?:agree|agrees|agreeing|compared?|compares|coincides?) (?:with|to|against)"
    r"|\b(?:is|be|must be|are) (?:exactly )?(?:equal to|the same as|identical to)|\bequals?|\bmatch(?:es|ing)?"
    r"|\b(?:same|identical) (?:as|to)|\b(?:differs?|deviates?|away|off|far|distance) from|\b(?:close|near|equal) to"
    r"|\b(?:set|letters?|text|answer|word|number|option|one) (?:is|are|in)|[-\u2212] ?(?=[\w`]+ ?\|)|\bexactly the set in"
)
"""What stands between a reply and the column that it is held against."""
_COMPARED = 2.0
_FEW = 4
_MOST = 0.5
"""Share of rows from which on a column is looked at as a key that fails in the others."""
_YES_NO = re.compile(r"\byes\b.{0,20}\bno\b|\btrue\b.{0,20}\bfalse\b|\byes/no\b")


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
    found: list[Found] = []
    for column in columns:
        if column.name in taken or is_reply_column(column.name) or column.holds in ("empty", "messages"):
            continue
        note = notes.get(column.name, "").lower()
        if _SIZE.search(column.name.lower()) and column.holds == "list":
            continue
        if ignored(note) or column.missing > 0.2 * len(rows):
            continue
        cells = [row.get(column.name) for row in rows]
        if len(rows) >= _FEW and len({text_of(cell) for cell in cells}) == 1:
            continue  # what is the same everywhere tells no reply from another
        one = _as(column, cells, choices, note, readme)
        if one is not None:
            one.weight += _weight(column, note) + _COMPARED * _is_compared(column.name, readme)
            found.append(one)
    found += gathered(columns, taken)
    found.sort(key=lambda one: -one.weight)
    likely = [one for one in found if one.weight > 1]
    return likely or [one for one in found if one.weight >= 0]


def _is_compared(name: str, readme: str) -> bool:
    """Whether replies are said to be compared with a column, as in "within 5 % of `total`"."""
    bare = re.escape(name.rpartition(".")[2].lower())
    said = rf"[`\"']{bare}[`\"']" if bare.isalpha() else rf"[`\"']?(?<!\w){bare}(?!\w)[`\"']?"
    return bool(re.search(rf"(?:{_COMPARING.pattern})\s?(?:the |that in |what is in |its )?(?:column )?{said}", readme))


def _weight(column: Column, note: str) -> float:
    words = words_of(column.name.rpartition(".")[2])
    weight = 0.0
    if _STRONG & set(words) or "".join(words) in _STRONG:
        weight += 3
    elif _WEAK & {re.sub(r"\d+$", "", word) for word in words} or _WEAK & set(words):
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


def _as(
    column: Column, cells: list[Any], choices: Sequence[Mapping[str, str]], note: str, readme: str
) -> Found | None:
    """What the column would be as the right answers, None where it cannot be."""
    filled = [(cell, shown) for cell, shown in zip(cells, choices, strict=True) if text_of(cell)]
    if not filled:
        return None
    if any(shown for _, shown in filled):
        return _choice(column, filled, note)
    values = [cell for cell, _ in filled]
    if column.holds == "path":
        if not column.masks:
            return None
        return Found("point", Gold(column.name, "mask", folder=column.folder or ""), 4)
    if column.holds in ("list", "object") or (column.holds == "text" and numbers_of(values[0]) is not None):
        region = region_found(column, values, note)
        if region is not None:
            return region
    letters = {text_of(value) for value in values}
    if {one.upper() for one in letters} <= set("ABCDEFGHIJ") and len({one.upper() for one in letters}) > 1:
        return Found("choice", Gold(column.name, "letter"), 0)
    said = {one.lower() for one in letters}
    if _is_yes_no(column, said, note, readme):
        return Found("yes_no", Gold(column.name, "yes_no", yes=_yes(note)), 1)
    if _all_numbers(values) and column.holds != "list":
        return Found("number", Gold(column.name, "number"), 0)
    if column.holds in ("text", "list", "integer", "number"):
        separator = "" if column.holds == "list" else _separator(values, note)
        return Found("text", Gold(column.name, "texts", separator=separator), 0)
    return None


# ── options ──────────────────────────────────────────────────────────────────────────────────────────


def _choice(column: Column, filled: list[tuple[Any, Mapping[str, str]]], note: str) -> Found | None:
    fits = {form: _fitting(filled, form) for form in _FORMS}
    form = ""
    doubts: list[str] = []
    if not any(fits.values()):
        return _partly(column, filled)
    if fits["letter"]:
        form = "letter"
    elif fits["option_text"] and not (
        re.search(r"\b(?:position|index|number of)\b", note) and (fits["index0"] or fits["index1"])
    ):
        form = "option_text"
        if fits["index0"] or fits["index1"]:
            doubts.append(f"{column.name} may be a place among the options or the text of one")
    elif fits["index0"] or fits["index1"]:
        form = _index(column, fits, note, doubts)
    if not form:
        return None
    several = fits[form] == "several"
    return Found("choice", Gold(column.name, form), 1, several, doubts=tuple(doubts))  # type: ignore[arg-type]


_FORMS = ("letter", "option_text", "index0", "index1")


def _partly(column: Column, filled: list[tuple[Any, Mapping[str, str]]]) -> Found | None:
    """A column that names an option in most rows but not in all."""
    for form in _FORMS:
        right = sum(bool(_fitting([one], form)) for one in filled)
        if right >= _MOST * len(filled) and (form != "index1" or right > 1):
            lost = len(filled) - right
            why = f"{column.name} names none of the options in {lost} of {len(filled)} rows"
            return Found("choice", Gold(column.name, form), 1, unfit=lost, doubts=(why,))  # type: ignore[arg-type]
    return None


def _fitting(filled: list[tuple[Any, Mapping[str, str]]], form: str) -> str:
    """one, several, or "" where a cell names none of its row's options."""
    most = "one"
    for cell, shown in filled:
        try:
            named = gold_letters(cell, shown, form)
        except GumptionError:
            return ""
        if len(named) > 1:
            most = "several"
    return most


def _index(column: Column, fits: Mapping[str, str], note: str, doubts: list[str]) -> str:
    zero, one = bool(_FROM_0.search(note)), bool(_FROM_1.search(note))
    told = "index0" if zero and not one else "index1" if one and not zero else ""
    if not (fits["index0"] and fits["index1"]):
        form = "index0" if fits["index0"] else "index1"
        if told and told != form:
            doubts.append(f"the README counts {column.name} otherwise than the data do")
        return form
    if not told:
        doubts.append(f"whether {column.name} counts from 0 or from 1 is not said, and both fit")
    return told or ("index0" if re.search(r"\bindex\b", note) or "idx" in column.name.lower() else "index1")


# ── yes or no, numbers, texts ────────────────────────────────────────────────────────────────────────


def _is_yes_no(column: Column, said: set[str], note: str, readme: str) -> bool:
    if said <= {"yes", "no"} or column.holds == "boolean" or said <= {"true", "false"}:
        return len(said) <= 2
    if said <= {"0", "1"} or said <= {"y", "n"} or said <= {"t", "f"}:
        return bool(_YES_NO.search(note) or _YES_NO.search(readme))
    return False


def _yes(note: str) -> tuple[str, ...]:
    """What means yes in the column; the README may turn 1 and 0 round."""
    turned = re.search(r"\b0 (?:for|=|is|means|stands for) [`\"']?(?:yes|true)", note) or re.search(
        r"\b(?:yes|true)[`\"']? ?(?:is|=|as|:) ?0", note
    )
    return ("0",) if turned else ("1", "true", "yes", "y", "t")


def _all_numbers(values: list[Any]) -> bool:
    try:
        return all(isinstance(gold_number(value), float) for value in values if not isinstance(value, list))
    except GumptionError:
        return False


def _separator(values: list[Any], note: str) -> str:
    """What separates several accepted texts in a cell, where the README says so or the data show it."""
    texts = [text_of(value) for value in values]
    for pattern, sign in _SEPARATORS:
        if re.search(pattern, note) and any(sign in text for text in texts):
            return sign
    for sign in (";", "|"):
        if sum(sign in text for text in texts) >= max(2, 0.1 * len(texts)):
            return sign
    return ""
