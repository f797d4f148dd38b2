"""How a column would hold the right answers: letters, yes and no, numbers, regions or texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis._profile import Column
from gumption.synthesis.offline._right_options import option_found
from gumption.synthesis.offline._targets import Found, numbers_of, region_found
from gumption.synthesis.recipes._cells import text_of
from gumption.synthesis.recipes.scoring import gold_number
from gumption.synthesis.spec import Gold

__all__ = ["form_of"]

_SEPARATORS = (
    (r"semi-?colons?|[`\"'];[`\"']", ";"),
    (r"vertical bars?|pipes?|\bbars?\b|(?<!\w)\|+(?!\w)", "|"),
    (r"slash(?:es)?|[`\"']/[`\"']", "/"),
    (r"(?<!semi)commas?|[`\"'],[`\"']", ","),
    (r"tabs?\b", "\t"),
    (r"hash(?:es)?|[`\"']#[`\"']", "#"),
    (r"tildes?|[`\"']~[`\"']", "~"),
)
_QUANTITY = re.compile(r"[-+\u2212]?\d[\d.,]*\s?[^\s\d]\S{0,20}(?: \S{1,20})?")
"""A number with its unit."""
_YES_NO = re.compile(r"\byes\b.{0,20}\bno\b|\btrue\b.{0,20}\bfalse\b|\byes/no\b")


def form_of(
    column: Column, cells: list[Any], choices: Sequence[Mapping[str, str]], note: str, readme: str
) -> Found | None:
    """What the column would be as the right answers, None where it cannot be."""
    filled = [(cell, shown) for cell, shown in zip(cells, choices, strict=True) if text_of(cell)]
    if not filled:
        return None
    if any(shown for _, shown in filled):
        return option_found(column, filled, note)
    values = [cell for cell, _ in filled]
    if column.holds == "path":
        if not column.masks:
            return None
        return Found("point", Gold(column.name, "mask", folder=column.folder or ""), 4)
    if column.holds in ("list", "object") or (column.holds == "text" and numbers_of(values[0]) is not None):
        region = region_found(column, values, note, readme)
        if region is not None:
            return region
    letters = {text_of(value) for value in values}
    if {one.upper() for one in letters} <= set("ABCDEFGHIJ") and len({one.upper() for one in letters}) > 1:
        return Found("choice", Gold(column.name, "letter"), 0)
    said = {one.lower() for one in letters}
    if _is_yes_no(column, said, note, readme):
        return Found("yes_no", Gold(column.name, "yes_no", yes=_yes(note)), 1)
    stands = _stands_for(said, note, readme)
    if stands:
        return Found("yes_no", Gold(column.name, "yes_no", yes=(stands,)), 1)
    either = _either(said, readme) if column.holds == "text" else {}
    if either:
        yes = tuple(word for word, meant in either.items() if meant == "yes")
        return Found("yes_no", Gold(column.name, "yes_no", yes=yes), 1, words=either)
    if _all_numbers(values) and column.holds != "list":
        quantities = column.holds == "text" and all(_QUANTITY.fullmatch(text_of(one)) for one in values)
        return Found("number", Gold(column.name, "number"), 1.5 * quantities)
    if column.holds in ("text", "list", "integer", "number"):
        separator = "" if column.holds == "list" else _separator(values, f"{note} {_on_several(readme)}")
        labels = _labels(said, len(values), readme) if column.holds == "text" else ()
        return Found(
            "text", Gold(column.name, "texts", separator="" if labels else separator), 0, labels=labels
        )
    return None


# ── yes or no, numbers, texts ────────────────────────────────────────────────────────────────────────


def _is_yes_no(column: Column, said: set[str], note: str, readme: str) -> bool:
    if said <= {"yes", "no"} or column.holds == "boolean" or said <= {"true", "false"}:
        return len(said) <= 2
    if said <= {"0", "1"} or said <= {"y", "n"} or said <= {"t", "f"}:
        return bool(_YES_NO.search(note) or _YES_NO.search(readme))
    return False


_MOST_LABELS = 8


def _labels(said: set[str], rows: int, readme: str) -> tuple[str, ...]:
    """The few texts of a column, where the README names all of them together as what is answered."""
    if not 2 <= len(said) <= _MOST_LABELS or 3 * len(said) > rows:
        return ()
    for sentence in re.split(r"(?<=[\w\"'`)])[.!?](?=\s|$)|\n\s*\n", readme):
        if all(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", sentence) for one in said):
            return tuple(sorted(said))
    return ()


def _stands_for(said: set[str], *told: str) -> str:
    """Of a column of two values that the README explains as yes and no, the one for yes."""
    if len(said) != 2:
        return ""
    for text in told:
        meant = {}
        for one in said:
            value = rf"[`\"'*]{re.escape(one)}[`\"'*]" if len(one) < 3 else rf"(?<!\w){re.escape(one)}(?!\w)"
            match = re.search(rf"{value}[^.;,]{{0,25}}?\b(yes|no)\b", text) or re.search(
                rf"\b(yes|no)\b[^.;,]{{0,25}}?{value}", text
            )
            if match:
                meant[match[1]] = one
        if len(meant) == 2:
            return meant["yes"]
    return ""


def _either(said: set[str], readme: str) -> dict[str, str]:
    """Of a column of two words that the README wants as replies, the first as yes and the other as no."""
    if len(said) != 2 or not all(re.fullmatch(r"[a-z]{2,20}", one) for one in said):
        return {}
    one, two = (rf"\W?\b{word}\b\W?" for word in sorted(said))
    wants = r"\b(?:says?|answers?|repl(?:y|ies)|respond|write|choose|decide)\b[^.;:?]{0,30}?"
    match = re.search(
        rf"{wants}(?:{one} ?(?:or|/) ?(?:with )?{two}|{two} ?(?:or|/) ?(?:with )?{one})", readme
    )
    if match is None:
        return {}
    first = min(said, key=match[0].rfind)
    return {first: "yes", (said - {first}).pop(): "no"}


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


def _on_several(readme: str) -> str:
    """What is said of how several accepted answers stand together, wherever it stands."""
    apart = r"\b(?:between|separat\w+|split|divid\w+|apart|joined)\b"
    told = [one for one in re.split(r"[.\n]", readme) if "accept" in one and re.search(apart, one)]
    return " ".join(told)


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
