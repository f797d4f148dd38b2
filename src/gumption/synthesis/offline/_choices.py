"""Where a benchmark's options are: a column each, one cell for all, or the question's own text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gumption.synthesis._withheld import words_of
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.offline._words import named, said
from gumption.synthesis.recipes._cells import is_messages, listed, text_of
from gumption.synthesis.recipes._options import listed_inside
from gumption.synthesis.spec import Options

__all__ = ["options_of"]

_SEPARATORS = ("||", "|", ";", "\n", " / ", "//", "\t", "##")
_LETTERS = "ABCDEFGHIJ"
_EMPTY = ("", "nan", "null")
_PERHAPS = ("none", "n/a", "-")
"""Means no option where it stands only behind the others; it may be one that is meant."""
_LABELS = (
    (r"\(A\)\s*\w?", "(A) "),
    (r"(?<!\()\bA\)", "A) "),
    (r"\bA\.\s|\bA\.`|`A\. ", "A. "),
    (r"\bA:\s", "A: "),
)


def options_of(view: View) -> Options:
    """The options; without columns and not inside where there are none."""
    inside = _inside(view)
    family = _family(view) or _between(view)
    if family:
        return Options(tuple(family), inside=inside, empty=_empty(view, family), label=_label(view))
    for column in view.find(lambda one: one.holds in ("list", "object", "text"), (view.question,)):
        name = column.name
        note = view.note(name)
        told = said(note, "options") and not re.search(r"(?i)\baccept|spelling|\bright\b|\bcorrect\b", note)
        if not told and (not named(name, "options") or (named(name, "gold") and not _more_gold(view, name))):
            continue
        separator = "" if column.holds != "text" else _separator(view, name)
        if column.holds == "text" and not separator:
            continue
        if _several(view, name, separator):
            return Options((name,), separator, inside=inside, label=_label(view))
    return Options(inside=inside)


def _between(view: View) -> list[str]:
    """Without a header: the columns between the question and a letter, as many as letters occur."""
    names = list(view.columns)
    if not all(name.isdigit() for name in names) or view.question not in names:
        return []
    for place, name in enumerate(names):
        letters = set(texts(view, name))
        between = names[names.index(view.question) + 1 : place]
        if (
            len(between) >= 2
            and letters <= set(_LETTERS[: len(between)])
            and _LETTERS[len(between) - 1] in letters
        ):
            return between
    return []


def _family(view: View) -> list[str]:
    """Columns that are called alike but for a letter or a number that counts: A to D, option1 to option4."""
    groups: dict[tuple[str, bool], list[tuple[int, str]]] = {}
    for column in view.find(lambda one: one.holds not in ("path", "base64", "messages"), (view.question,)):
        match = re.fullmatch(r"(.*?)[\s_.-]*(?:\[|\()?([A-Ja-j]|\d{1,2})(?:\]|\))?", column.name)
        if match and (
            not match[1] or match[2].isdigit() or match[2].isupper() or column.name[-2] in "_-. (["
        ):
            count = int(match[2]) if match[2].isdigit() else ord(match[2].upper()) - ord("A")
            groups.setdefault((match[1], match[2].isdigit()), []).append((count, column.name))
    for (before, numbered), several in groups.items():
        several.sort()
        counts = [count for count, _ in several]
        names = [name for _, name in several]
        told = any(said(view.note(name), "options") for name in names) or named(before, "options")
        lettered = not before and not numbered
        words = words_of(before)
        is_answer = any(word in ("answer", "ans", "antwort", "distractor", "response") for word in words)
        runs = counts == list(range(counts[0], counts[0] + len(counts))) and counts[0] in (0, 1)
        if len(several) >= 2 and runs and (told or lettered or is_answer) and (numbered or counts[0] == 0):
            return names
    return []


def _more_gold(view: View, name: str) -> bool:
    """Whether another column is named or described as the right answer."""
    return bool(
        view.find(
            lambda one: (
                one.name != view.question and (named(one.name, "gold") or said(view.note(one.name), "gold"))
            ),
            (name,),
        )
    )


def _empty(view: View, family: Sequence[str]) -> tuple[str, ...]:
    """Cells that mean no option: always those without content, and words for none that only come last."""
    out = list(_EMPTY)
    for word in _PERHAPS:
        rows = [[text_of(row.get(name)).lower() for name in family] for row in view.rows]
        hits = [row for row in rows if word in row]
        trailing = all(all(cell in (*_EMPTY, word) for cell in row[row.index(word) :]) for row in hits)
        if len(hits) > 0.1 * len(rows) and trailing:
            out.append(word)
            view.doubts.append(f"cells {word!r} are taken to mean that there is no option")
    return tuple(out)


def _separator(view: View, name: str) -> str:
    """What stands between options in one cell: nearly all cells have it, and it leaves no part empty."""
    cells = [cell for cell in texts(view, name) if cell]
    note = view.note(name)
    tried = [mark for mark in _SEPARATORS if re.search(rf"[`'\"]\s*{re.escape(mark)}\s*[`'\"]", note)]
    tried += _SEPARATORS
    tried += [","] if re.search(r"(?i)\bcommas?\b", note) else []
    for mark in tried:
        if cells and sum(mark in cell for cell in cells) >= 0.98 * len(cells):
            return mark
    return ""


def _several(view: View, name: str, separator: str) -> bool:
    found = [listed(cell, separator) for cell in view.cells(name)]
    return sum(one is not None and 2 <= len(one) <= len(_LETTERS) for one in found) >= 0.1 * len(found)


def _inside(view: View) -> bool:
    """Whether nearly all questions list options of their own."""
    if any(is_messages(cell) for cell in view.cells(view.question)):
        return False
    found = [listed_inside(text, _LETTERS) for text in texts(view, view.question)]
    return sum(len(one) >= 2 for one in found) >= 0.9 * len(found)


def _label(view: View) -> str:
    """How the README writes the letter before an option."""
    about = [one for one in view.sentences if re.search(r"(?i)option|answer|choice", one)]
    shown = [
        one for one in about if re.search(r"(?i)\b(?:show|list|line|letter|prompt|present|below|A[.)] )", one)
    ]
    for pattern, label in _LABELS:
        if any(
            re.search(pattern, one) and not re.search(r"(?i)\brepl(?:y|ies)\b|brackets", one) for one in shown
        ):
            return label
    return "A. "
