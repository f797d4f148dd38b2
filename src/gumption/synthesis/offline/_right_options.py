"""Whether a column names options, and how: by letter, by text, or by their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis._profile import Column
from gumption.synthesis.offline._targets import Found
from gumption.synthesis.recipes.scoring import gold_letters
from gumption.synthesis.spec import Gold

__all__ = ["option_found"]

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
_MOST = 0.5
"""Share of rows from which on a column is looked at as a key that fails in the others."""


def option_found(column: Column, filled: list[tuple[Any, Mapping[str, str]]], note: str) -> Found | None:
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
    weight = 1.0 if form.startswith("index") else 2.0
    unsure = any("both fit" in one for one in doubts)
    return Found("choice", Gold(column.name, form), weight, several, open=unsure, doubts=tuple(doubts))  # type: ignore[arg-type]


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
