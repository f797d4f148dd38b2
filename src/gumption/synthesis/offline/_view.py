"""What the rules look at: the rows with the questions, their columns, and what the README says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gumption.records import GumptionError
from gumption.synthesis._profile import Column, profile
from gumption.synthesis._siblings import part_rank, parts_apart
from gumption.synthesis._withheld import is_reply_column
from gumption.synthesis.folder import BenchmarkFolder, Table
from gumption.synthesis.offline._asked import fixed_question, template_of
from gumption.synthesis.offline._paths_made import path_template
from gumption.synthesis.offline._readme import notes, sentences
from gumption.synthesis.offline._words import ignored, named, said
from gumption.synthesis.recipes._cells import composed, composed_of, filled, places, text_of
from gumption.synthesis.recipes.loading import joined, read, resolved
from gumption.synthesis.spec import Source

__all__ = ["View", "texts", "view_of"]

_SHOWN = re.compile(r"(?i)\b(?:models?|show|shown|given?|asked?|prompt)\b")
_SENT = re.compile(
    r"(?i)(?<!not )(?<!never )\bto (?:be )?(?:sen[dt]|shown?|ask(?:ed)?)\b"
    r"|(?<!not )(?<!never )\b(?:is|are|gets?) (?:sent|shown to the model|put to)\b"
    r"|\bwhat (?:the|a|each|every) model (?:sees|gets|reads)\b"
)
"""What a README says of what a model gets: it counts for more than what a column is called."""
_MOST_PICTURES = 0.9
"""The share of the pictures that paths made of cells name, where a row may have all of a folder as well."""
_CERTAIN = 20.0
"""What speaks for a ready-made conversation."""
_LEAST = 3.0
"""The least that speaks for a column for it to be the question."""


class View(Struct):
    """Rows with everything that can be joined to them; doubts are added as they arise."""

    folder: BenchmarkFolder
    readme: str
    """Without what speaks to machines."""
    sentences: list[str]
    sources: tuple[Source, ...]
    rows: list[dict[str, Any]]
    columns: dict[str, Column]
    notes: dict[str, str]
    question: str
    """Its column, "" where a template holds it."""
    doubts: list[str]
    template: str = ""
    """The question for all rows, with columns in braces."""
    quote: str = ""
    """The template as the README has it."""
    compose: dict[str, str] = {}
    """Columns made of others' cells: paths of pictures."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The columns that the question is of."""
        return places(self.template) if self.template else (self.question,)

    def questions(self) -> list[str]:
        """The question of each row."""
        if self.template:
            return [filled(self.template, row) for row in self.rows]
        return texts(self, self.question)

    def note(self, name: str) -> str:
        """What the README says of a column, "" if nothing."""
        return self.notes.get(name, "")

    def cells(self, name: str) -> list[Any]:
        """A column's cells in the order of the rows."""
        return [row.get(name) for row in self.rows]

    def find(self, fits: Callable[[Column], bool], without: Sequence[str] = ()) -> list[Column]:
        """Columns that fit, but for those named and those that the README says are not for use."""
        return [
            column
            for name, column in self.columns.items()
            if name not in without and not ignored(self.note(name)) and fits(column)
        ]


def view_of(folder: BenchmarkFolder, readme: str) -> View:
    """Choose the table with the questions and join to it what can be.

    Raises GumptionError where no table has a question.
    """
    told = notes(readme, list(dict.fromkeys(one.name for table in folder.tables for one in table.columns)))
    doubts: list[str] = []
    number, question, template, quote = _main(folder, readme, told, doubts)
    sources = [folder.tables[number].source]
    taken = [number]
    for table in taken:  # which grows: what is joined may name what is joined next
        for join in folder.joins:
            if join.table == table and join.other not in taken:
                taken.append(join.other)
                other = folder.tables[join.other].source
                sources.append(
                    replace(other, key=join.key, on="" if join.key == join.column else join.column)
                )
    listed = [listing.source for listing in folder.listings if listing.table == number]
    rows = joined(folder.path, [*sources, *listed])
    compose, lost = _composed(folder, rows)
    listed = [one for one in listed if one.column not in lost]
    rows = [{**row, **{name: composed(text, row) for name, text in compose.items()}} for row in rows]
    rows = [{name: cell for name, cell in row.items() if name not in lost} for row in rows]
    sources += listed
    columns = profile(rows, folder.media, frozenset(folder.files))
    for column in columns:
        if column.stored:
            rows = resolved(rows, column.name, column.stored)
    seen = {column.name: column for column in columns if not is_reply_column(column.name)}
    return View(
        folder,
        readme,
        sentences(readme),
        tuple(sources),
        rows,
        seen,
        told,
        question,
        doubts,
        template,
        quote,
        compose,
    )


def _composed(folder: BenchmarkFolder, rows: list[dict[str, Any]]) -> tuple[dict[str, str], set[str]]:
    """Templates of the pictures, and of the masks, that no cell names for certain, and the columns that they
    replace."""
    columns = profile(rows, folder.media, frozenset(folder.files))
    made: dict[str, str] = {}
    lost: set[str] = set()
    for name, masks in (("@picture", False), ("@mask", True)):
        own = {one.name: one for one in columns if one.holds == "path" and one.masks == masks}
        sure = any(name[0] != "@" and not one.elsewhere for name, one in own.items())
        if sure or any(one.holds == "base64" for one in columns):
            continue
        files = [path for one in folder.media if one.masks == masks for path in one.paths]
        template, share = path_template(rows, files)
        whole = share >= _MOST_PICTURES or any(one in composed_of(template) for one in own)
        if template and (not own or (whole and len(composed_of(template)) > 1)):
            made[name] = template
            lost |= {*own}
    return made, lost


def _main(
    folder: BenchmarkFolder, readme: str, told: Mapping[str, str], doubts: list[str]
) -> tuple[int, str, str, str]:
    """The number of the table with the questions, and their column, or a template and its quote."""
    shown = " ".join(one for one in sentences(readme) if _SHOWN.search(one))
    if not folder.tables:
        raise GumptionError(
            "no file has rows of data",
            where=str(folder.path.name),
            remedy="; ".join(folder.notes) or "add data",
        )
    for number in sorted(
        range(len(folder.tables)), key=lambda n: _weight(folder.tables[n], told), reverse=True
    ):
        template, quote = template_of(readme, [one.name for one in folder.tables[number].columns])
        if template:
            return number, "", template, quote
    ranked = []
    for number, table in enumerate(folder.tables):
        asked = [(_asks(table, name, told, shown), name) for name in table.own]
        score, column = max(asked, default=(-1.0, ""))
        ranked.append((score, -number, column))
    score, number, column = max(ranked)
    fixed, quote = fixed_question(readme) if score < _LEAST else ("", "")
    if fixed:
        number = max(range(len(folder.tables)), key=lambda n: _weight(folder.tables[n], told))
        return number, "", fixed, quote
    if score < _LEAST:
        raise GumptionError(
            "no column looks like the question", where=folder.path.name, remedy="name it in the README"
        )
    table = folder.tables[-number]
    near = [name for name in table.own if name != column and _asks(table, name, told, shown) > score - 1]
    if near and score < _CERTAIN:
        doubts.append(f"{column} is asked, though {', '.join(near)} could be the question as well")
    alike = [other for other in folder.tables if set(other.own) == set(table.own)]
    apart = parts_apart(readme)
    ranks = [part_rank(other.source, apart) for other in alike]
    table = alike[ranks.index(min(ranks))]
    others = [other for other in alike if other is not table]
    told_of = ", ".join(_place(other) for other in others)
    rivals = [other for other, rank in zip(alike, ranks, strict=True) if rank == min(ranks)]
    rows = [read(folder.path, other.source) for other in rivals if len(rivals) > 1]
    if any(one != rows[0] for one in rows):
        raise GumptionError(
            f"{_place(table)} would be used, and {told_of} with the same columns would not",
            where=folder.path.name,
            remedy="put the items into one table, or take out those that are not of the benchmark",
        )
    if others:
        doubts.append(f"{_place(table)} is used, and {told_of} with the same columns is not")
    return folder.tables.index(table), column, "", ""


def _weight(table: Table, told: Mapping[str, str]) -> tuple[bool, bool, int]:
    """What speaks for a table to have the items, with the question in a template: answers, pictures."""
    gold = any(named(name, "gold") or said(told.get(name, ""), "gold") for name in table.own)
    return gold, any(one.holds == "path" for one in table.columns), table.rows


def _place(table: Table) -> str:
    return " in ".join(one for one in (table.source.rows or table.source.sheet, table.source.path) if one)


def _asks(table: Table, name: str, told: Mapping[str, str], shown: str) -> float:
    """How much speaks for a column to be the question. `shown`: what the README says a model gets."""
    column = table.column(name)
    note = told.get(name, "")
    if column is None or ignored(note):
        return -1.0
    if column.holds == "messages":
        return _CERTAIN
    if column.holds != "text":
        return -1.0
    words = sum(len(text.split()) for text in column.examples) / max(1, len(column.examples))
    score = 2.0 * (words >= 3) + 1.0 * (words >= 6) - 3.0 * (words < 2)
    score += 3.0 * sum("?" in text for text in column.examples) / max(1, len(column.examples))
    score += column.distinct / max(1, table.rows)
    role = next((role for role in ("category", "id", "context") if said(note, role)), "")
    sent = bool(_SENT.search(note)) and not role
    if sent or named(name, "question") or (said(note, "question") and not role):
        score += 4.0
    score += 2.0 * bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", shown))
    by_name = named(name, "context") or (named(name, "gold") and not named(name, "question"))
    if role == "context" or (by_name and not sent):
        score -= 4.0
    return score - (2.0 if named(name, "options") else 0.0)


def texts(view: View, name: str) -> list[str]:
    """A column's cells as text."""
    return [text_of(cell) for cell in view.cells(name)]
