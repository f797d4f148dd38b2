"""What the protocol record says of each item, read here again: its options and its right answer.

The rows come from the declared files; how cells are understood is this module's own, not the recipes'.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.contract import Row
from gumption.synthesis.recipes import load
from gumption.synthesis.spec import Gold, Options, Spec
from gumption.synthesis.validation._cells import number, said, several
from gumption.synthesis.validation._targets import target_of

__all__ = ["Declared", "declared_items", "gold_of", "options_of"]

_LABEL = re.compile(r"\(?([A-Za-z])[.):]\s+")
_LISTED = {
    "A": re.compile(r"(?:^|\s)\(?([A-J])[.):][ \t]*(?=\S)", re.MULTILINE),
    "a": re.compile(r"(?:^|\s)\(?([a-j])(?:\)|(?<=^.)[.:])[ \t]*(?=\S)", re.MULTILINE),
    "1": re.compile(r"(?:^|\s)\(?([1-9])\)[ \t]*(?=\S)", re.MULTILINE),
}
"""How options begin inside a question, by the sign of the first."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One item under the declared protocol."""

    id: str
    row: Row
    """As the declared files have it."""
    options: Mapping[str, str] = field(default_factory=dict)
    gold: Any = None
    """choice: letters in a tuple; yes_no: "yes" or "no"; number: a Fraction; text: accepted texts; point: a
    Target."""
    unit: str = ""


def declared_items(folder: Path, spec: Spec) -> tuple[list[Declared], list[str]]:
    """The items of a folder, and the ids of those whose right answer cannot be made out.

    Raises GumptionError where the declared files are not as the record says.
    """
    items, lost = [], []
    for row in load(folder, spec.loading):
        try:
            options = options_of(row, spec)
            gold = gold_of(row, options, spec, folder)
        except (GumptionError, ValueError, TypeError, KeyError, IndexError, ZeroDivisionError):
            lost.append(str(row["id"]))  # the recipe may read it otherwise: it is not judged by
            continue
        unit = _unit(row, spec)
        items.append(Declared(str(row["id"]), row, options, gold, unit))
    return items, lost


def _unit(row: Row, spec: Spec) -> str:
    """What stands in the column of units, or behind the number of the right answer."""
    gold = spec.scoring.gold
    if gold.unit:
        return said(row.get(gold.unit))
    behind = re.fullmatch(r"[-+]?[\d.,]+\s?([A-Za-z]{1,20})", said(row.get(gold.column)))
    return behind[1] if behind and spec.scoring.kind == "number" else ""


def options_of(row: Row, spec: Spec) -> dict[str, str]:
    """Options by letter; letters without texts where the record shows none."""
    where: Options = spec.asking.options
    if spec.scoring.kind != "choice":
        return {}
    if not where.columns:
        if where.inside:
            return _inside(said(row.get(spec.asking.question)), where)
        return dict.fromkeys(where.letters, "")
    cells: Any = [row.get(column) for column in where.columns]
    if len(cells) == 1:
        cells = several(cells[0], where.separator)
    if isinstance(cells, dict):
        pairs = {str(key).upper(): _option(cell) for key, cell in cells.items()}
    else:
        texts = [_option(cell) for cell in cells]
        labels = [_LABEL.match(text) for text in texts]
        if len(texts) > 1 and [one and one[1].upper() for one in labels] == list("ABCDEFGHIJ"[: len(texts)]):
            texts = [_LABEL.sub("", text, count=1) for text in texts]
        pairs = dict(zip(where.letters, texts, strict=False))
    own = {letter: text for letter, text in pairs.items() if text.lower() not in where.empty}
    last = max((where.letters.find(letter) for letter in own), default=-1)
    free = where.letters[max(last + 1, len(where.columns) if len(where.columns) > 1 else 0) :]
    return {**own, **dict(zip(free, where.added, strict=False))}


def gold_of(row: Row, options: Mapping[str, str], spec: Spec, folder: Path) -> Any:
    """The right answer of a row. Raises where it cannot be made out."""
    scoring, gold = spec.scoring, spec.scoring.gold
    cell = row[gold.column]
    match scoring.kind:
        case "choice":
            many = scoring.metric != "exact"
            cells = several(cell, gold.separator) if many else [cell]
            if (
                many
                and len(cells) == 1
                and gold.form == "letter"
                and re.fullmatch("[A-Z]{2,10}", said(cells[0]))
            ):
                cells = list(said(cells[0]))
            return tuple(sorted({_letter(one, options, gold) for one in cells}))
        case "yes_no":
            return "yes" if said(cell).lower() in gold.yes else "no"
        case "number":
            return number(cell)
        case "text":
            found = several(cell, gold.separator)
            texts = [said(one) for one in (found.values() if isinstance(found, dict) else found)]
            accepted = tuple(text for text in texts if text)
            if not accepted:
                raise ValueError("no text")
            return accepted
    return target_of(row, spec, folder)


def _letter(cell: Any, options: Mapping[str, str], gold: Gold) -> str:
    text = said(cell)
    if gold.form in ("index0", "index1"):
        letter = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")[int(text) - (gold.form == "index1")]
    elif gold.form == "letter":
        letter = (
            re.sub(r"[^A-Za-z]", "", text)[:1].upper()
            if len(text) < 5
            else (_LABEL.match(text) or "?!")[1].upper()
        )
    else:
        folded = [one for one, option in options.items() if _folded(option) == _folded(text)]
        letter = folded[0]
    if letter not in options:
        raise ValueError(f"{text!r} is no option")
    return letter


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")


def _option(cell: Any) -> str:
    if isinstance(cell, Mapping):
        cell = next((cell[key] for key in ("text", "content", "value", "option") if key in cell), "")
    return said(cell)


def _inside(question: str, where: Options) -> dict[str, str]:
    sign = next((one for one in where.label if one in "Aa1"), "A")
    signs = {"A": where.letters, "a": where.letters.lower(), "1": "123456789"}[sign]
    marks: list[re.Match[str]] = []
    for mark in _LISTED[sign].finditer(question):
        if mark[1] == signs[0]:
            marks = [mark]
        elif marks and len(marks) < len(signs) and mark[1] == signs[len(marks)]:
            marks.append(mark)
    ends: Sequence[int] = [*(mark.start() for mark in marks[1:]), len(question)]
    texts = [
        question[mark.end() : end].strip().split("\n")[0].strip()
        for mark, end in zip(marks, ends, strict=True)
    ]
    return dict(zip(where.letters, texts, strict=False))
