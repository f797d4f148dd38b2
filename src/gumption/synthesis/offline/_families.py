"""Options in a column each: columns that are called by a count, or of which another column says one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gumption.synthesis._withheld import words_of
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.offline._words import Role, named, said
from gumption.synthesis.recipes._cells import text_of

__all__ = ["family_of"]

_LETTERS = "ABCDEFGHIJ"
_ONE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FIRST = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_COUNT = rf"[A-Ja-j]|\d{{1,2}}(?:st|nd|rd|th)?|(?i:{'|'.join((*_ONE, *_FIRST, *_ROMAN))})"
_BEHIND = re.compile(rf"(.*?)([\s_.-]*(?:\[|\()?)({_COUNT})(?:\]|\))?")
_AHEAD = re.compile(rf"()((?:\[|\()?)({_COUNT})(?:\]|\))?[\s_.-]+(.+)")
_ANSWERS = {"answer", "ans", "antwort", "distractor", "response"}
_OF_OPTIONS = re.compile(r"(?i)\b(?:options|choices|alternatives|candidates)\b")
_COMPARED = 500
_WIDEST = 60
"""Rows and columns that are compared."""
_ENOUGH = 0.97
"""Share of rows in which a column names one of the options."""


def family_of(view: View) -> list[str]:
    """The columns in the order of the options, none where no columns are."""
    groups = _groups(view)
    spoken = bool(_OF_OPTIONS.search(view.readme))
    for (before, kind), several in groups.items():
        several.sort()
        counts = [count for count, _ in several]
        names = [name for _, name in several]
        if len(names) < 2 or counts != list(range(counts[0], counts[0] + len(counts))) or counts[0] > 1:
            continue
        if kind == "letter" and counts[0] != 0:
            continue
        told = any(said(view.note(name), "options") for name in names) or named(before, "options")
        only = spoken and len(names) >= 3 and len(groups) == 1 and before
        all_texts = all(view.columns[name].holds == "text" for name in names)
        lettered = not before and kind == "letter"
        if (
            told
            or lettered
            or _ANSWERS & set(words_of(before))
            or (only and all_texts)
            or _named_by(view, names)
        ):
            return names
    return _by_content(view) if spoken else []


def _groups(view: View) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """Columns by what is left of their names without a count, and by how that is written."""
    groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for column in view.find(
        lambda one: one.holds not in ("path", "base64", "messages"), view.asked[: not view.template]
    ):
        found = _BEHIND.fullmatch(column.name) or _AHEAD.fullmatch(column.name)
        if found is None:
            continue
        before, apart, said = found[1] or (found[4] if found.re is _AHEAD else ""), found[2], found[3]
        written = said.isdigit() or (len(said) == 1 and said.isupper())
        if before and not apart and not written and found.re is _BEHIND:
            continue  # the end of a word
        for kind, count in _counts(said):
            groups.setdefault((before, kind), []).append((count, column.name))
    return groups


def _counts(said: str) -> list[tuple[str, int]]:
    """What a count may be: `i` is a letter or a Roman number."""
    low = said.lower()
    if low[0].isdigit():
        return [("number", int(re.sub(r"\D", "", low)))]
    found = [("letter", _LETTERS.index(said.upper()))] if len(said) == 1 and said.upper() in _LETTERS else []
    for kind, words in (("word", _ONE), ("ordinal", _FIRST), ("roman", _ROMAN)):
        if low in words:
            found.append((kind, words.index(low) + 1))
    return found


def _named_by(view: View, names: Sequence[str]) -> list[str]:
    """Of these columns those from the first to the last whose text another column says, one in each row; none
    where it says but one of them."""
    rows = [[text_of(row.get(name)).lower() for name in names] for row in view.rows[:_COMPARED]]
    for column in view.find(lambda one: one.holds in ("text", "integer", "number"), view.asked):
        cells = [text_of(row.get(column.name)).lower() for row in view.rows[:_COMPARED]]
        own = names.index(column.name) if column.name in names else -1
        said = [
            [n for n, text in enumerate(row) if text == cell and n != own]
            for cell, row in zip(cells, rows, strict=True)
        ]
        hits = {one[0] for one in said if one}
        between = range(min(hits, default=0), max(hits, default=0) + 1)
        if (
            sum(map(bool, said)) >= _ENOUGH * len(rows)
            and 1 < len(between) <= len(_LETTERS)
            and own not in between
        ):
            return [names[n] for n in between]
    return []


def _by_content(view: View) -> list[str]:
    """Columns side by side that hold texts, of which another column says one in each row: as text, or by a
    letter or number of which there are as many as columns."""
    names = list(view.columns)[:_WIDEST]
    usable = {
        one.name for one in view.find(lambda one: one.holds in ("text", "integer", "number"), view.asked)
    }
    runs: list[list[str]] = [[]]
    for name in names:
        if name in usable:
            runs[-1].append(name)
        elif runs[-1]:
            runs.append([])
    for run in runs:
        if found := _named_by(view, run):
            return found
    for name in names:
        count = _signs(view, name) if name not in view.asked else 0
        windows = [run[start : start + count] for run in runs for start in range(len(run) - count + 1)]
        fits = [one for one in windows if count and name not in one and _are_texts(view, one)]
        behind = [one for one in fits if names.index(one[0]) - 1 in _places(view, names)]
        if behind or (len(fits) == 1 and not all(one.isdigit() for one in names)):
            return (behind or fits)[0]
    return []


def _places(view: View, names: Sequence[str]) -> set[int]:
    return {names.index(one) for one in view.asked if one in names}


def _are_texts(view: View, window: Sequence[str]) -> bool:
    """Whether columns hold texts of which no role is told."""
    roles: tuple[Role, ...] = ("category", "id", "unit", "context")
    return all(
        view.columns[name].holds == "text"
        and not said(view.note(name), "gold")
        and not any(said(view.note(name), role) or named(name, role) for role in roles)
        for name in window
    )


def _signs(view: View, name: str) -> int:
    """How many letters or numbers a column has, from A, 1 or 0 on without a gap; 0 where it has others."""
    values = {text.upper() for text in texts(view, name) if text}
    for signs in (list(_LETTERS), [str(n) for n in range(1, 10)], [str(n) for n in range(10)]):
        if len(values) > 1 and values == set(signs[: len(values)]):
            return len(values)
    return 0
