"""Where a benchmark's options are: a column each, one cell for all, or the question's own text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from gumption.synthesis.offline._asked import ASKS_FOR_FORM
from gumption.synthesis.offline._families import family_of
from gumption.synthesis.offline._readme import entries
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.offline._words import named, said
from gumption.synthesis.recipes._cells import is_messages, listed, option_text, places, text_of
from gumption.synthesis.recipes._options import listed_inside, sign_inside
from gumption.synthesis.spec import Options

__all__ = ["options_of"]

_SEPARATORS = ("||", ";;", "|", ";", "\n", " / ", "//", "\t", "##")
_SIGNS_RUN = re.compile(r"<\w+ ?/?>|--+|(?:(?<=\s)|(?<=\w))[^\w\s'\"().,?!-]{1,3}(?=\s|\w)")
"""Other signs that may stand between options."""
_LETTERS = "ABCDEFGHIJ"
_EMPTY = ("", "nan", "null")
_PERHAPS = ("none", "n/a", "-")
"""Means no option where it stands only behind the others; it may be one that is meant."""
_LABELS = (
    (r"\(A\)\s*\w?", "(A) "),
    (r"(?<!\()\bA\)", "A) "),
    (r"\bA\.\s|\bA\.`|`A\. ", "A. "),
    (r"\bA:\s", "A: "),
    (r"\(a\)", "(a) "),
    (r"(?<!\()\ba\)", "a) "),
    (r"`a\. |\ba\. to [b-j]\.", "a. "),
    (r"\(0\)\s", "(0) "),
    (r"(?<!\()\b0\)", "0) "),
    (r"^0\.\s|`0\. ", "0. "),
    (r"^0:\s|[`\"(]0: ", "0: "),
    (r"\(1\)", "(1) "),
    (r"(?<!\()\b1\)", "1) "),
    (r"^1\.\s|`1\. |\b1\. to [2-9]\.", "1. "),
    (r"^1:\s|`1: ", "1: "),
)
_LISTS = re.compile(
    r"(?i)\b(?:show|send|give|then|list|line|letter|number|prompt|present|below|A[.)] )|\.\.\.|\u2026"
)
"""A sentence on how options are shown."""
_NUMBERED = re.compile(
    r"(?i)\bnumbered\b|\bnumbers? (?:1|one)\b|\bwe show numbers\b|\bwith (?:its|their) numbers?\b"
)
_FROM_0 = re.compile(r"(?i)\b(?:from|at|with|by) (?:0|zero)\b|\b(?:0|zero)[- ](?:based|indexed)\b")
_UNSIGNED = re.compile(
    r"(?i)\b(?:without|no|neither|un)[ -]?(?:any )?(?:letter|label|sign|mark(?:er)?|number)"
    r"(?:s|ed|led|ing)?\b"
)
"""What tells of options that neither letters nor numbers stand before."""
_DASHED = re.compile(r"(?i)\b(?:dash(?:es)?|hyphens?|bullets?(?: points?)?|bulleted)\b")
_OF_REPLIES = re.compile(r"(?i)\brepl(?:y|ies)\b")
_ADDED = re.compile(
    r"(?i)\b(?:add(?:s|ed)?|append(?:s|ed)?|extra|additional|further|one more|third|fourth|fifth|sixth)\b"
)
_ACCEPTED = re.compile(
    r"(?i)\baccept|spelling|\bright\b|\bcorrect\b|\bwe (?:take|allow|count)\b|"
    r"\bany (?:one )?(?:of (?:them|these|which) )?(?:will do|is fine|counts?|does|do|is enough|suffices)\b"
)
_OF_OPTIONS = re.compile(r"(?i)\b(?:options|choices|possible|alternatives|candidates|choose|pick)\b")
_QUOTED = re.compile(r"[\"\u201c`]([^\"\u201c\u201d`\n]{2,120})[\"\u201d`]")
_SIGN = re.compile(r"\(?(?:[A-Ja-j]|[1-9])[.):]\)?\s+")


def options_of(view: View) -> Options:
    """The options; without columns and not inside where there are none."""
    family = family_of(view)
    if family:
        found = Options(tuple(family), empty=_empty(view, family), label=_label(view, family))
        return replace(found, inside=_shown_inside(view, found), added=_added(view, family))
    for column in view.find(lambda one: one.holds in ("list", "object", "text"), view.asked):
        name = column.name
        note = view.note(name)
        told = said(note, "options") and not _ACCEPTED.search(note)
        told = told or _by_letters(view, column.holds, name)
        if told and column.holds == "list" and not _OF_OPTIONS.search(note):
            told = _more_gold(view, name)  # "answers" alone may be those that are accepted
        separator = "" if column.holds != "text" else _separator(view, name)
        by_name = named(name, "options") and (not named(name, "gold") or _more_gold(view, name))
        if not told and not by_name and not _named_elsewhere(view, name, separator):
            continue
        if column.holds == "text" and not separator:
            continue
        if _several(view, name, separator):
            found = Options((name,), separator, label=_label(view, (name,)))
            return replace(found, inside=_shown_inside(view, found), added=_added(view, (name,)))
    sign = _inside(view)
    return Options(inside=bool(sign), label={"a": "a) ", "1": "1) "}.get(sign, "A. "))


def _by_letters(view: View, holds: str, name: str) -> bool:
    """Whether cells are objects from the letters A, B, ... to texts."""
    cells = [listed(cell) for cell in view.cells(name)] if holds == "object" else []
    keys = [sorted(cell) for cell in cells if isinstance(cell, dict)]
    return bool(keys) and all(len(one) >= 2 and one == list(_LETTERS[: len(one)]) for one in keys)


def _more_gold(view: View, name: str) -> bool:
    """Whether another column is named or described as the right answer."""
    return bool(
        view.find(
            lambda one: (
                one.name not in view.asked
                and not said(view.note(one.name), "id")
                and (named(one.name, "gold") or said(view.note(one.name), "gold"))
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
    """What stands between options in one cell: nearly all cells have it, and nothing lies between two.

    What the README or the column's name quotes goes first; a comma needs words, or a column with its parts.
    """
    cells = [cell for cell in texts(view, name) if cell]
    own = re.sub(r"[\w\s()]", "", name)
    note = f"{view.note(name)} `{own}`"
    fits: list[str] = [
        mark
        for mark in dict.fromkeys(
            (*_SEPARATORS, *(one for cell in cells for one in _SIGNS_RUN.findall(cell)))
        )
        if sum(mark in cell for cell in cells) >= 0.98 * len(cells) > 0
        and sum(_is_parted(cell, mark) for cell in cells) >= 0.9 * len(cells)
    ]
    quoted = [mark for mark in fits if re.search(rf"[`'\"]\s*{re.escape(mark.strip())}\s*[`'\"]", note)]
    if fits:
        return (quoted or fits)[0]
    commas = bool(cells) and sum("," in cell for cell in cells) >= 0.98 * len(cells)
    told = re.search(r"(?i)\bcommas?\b", note)
    return "," if commas and (told or _named_elsewhere(view, name, ",")) else ""


def _is_parted(cell: str, mark: str) -> bool:
    parts = [one.strip() for one in cell.split(mark)]
    return all(parts[:-1])


def _named_elsewhere(view: View, name: str, separator: str = "") -> bool:
    """Whether another column says one of the cell's parts in each row, and not the first in all: what says
    which is right. One that is the first everywhere is the main of several that are accepted."""
    parts = [_parts(cell, separator) for cell in view.cells(name)]
    if not parts or min(map(len, parts)) < 2 or any(len({*one}) < len(one) for one in parts):
        return False
    for other in view.find(lambda one: one.holds in ("text", "integer", "number"), (*view.asked, name)):
        said = [text.casefold().strip(" .") for text in texts(view, other.name)]
        places = [one.index(text) if text in one else -1 for one, text in zip(parts, said, strict=True)]
        if min(places) >= 0 and len(set(places)) > 1:
            return True
    return False


def _parts(cell: Any, separator: str) -> list[str]:
    found = listed(cell, separator)
    values = list(found.values()) if isinstance(found, dict) else found or []
    return [option_text(one).casefold().strip(" .") for one in values]


def _several(view: View, name: str, separator: str) -> bool:
    found = [listed(cell, separator) for cell in view.cells(name)]
    return sum(one is not None and 2 <= len(one) <= len(_LETTERS) for one in found) >= 0.1 * len(found)


def _inside(view: View) -> str:
    """The first sign of the options that nearly all questions list themselves, "" where they do not."""
    if any(is_messages(cell) for cell in view.cells(view.question)):
        return ""
    signs = [sign_inside(text) for text in view.questions()]
    sign = max(set(signs), key=signs.count)
    # Steps are numbered as well.
    told = sign != "1" or re.search(
        r"(?i)\b(?:options|choices|alternatives|candidates|answers)\b", view.readme
    )
    return sign if told and signs.count(sign) >= 0.9 * len(signs) else ""


def _shown_inside(view: View, found: Options) -> bool:
    """Whether nearly all questions hold the texts of the options that columns hold as well."""
    if view.template and {*found.columns} & {*places(view.template)}:
        return True
    if not _inside(view):
        return False
    held = 0
    for row, text in zip(view.rows, view.questions(), strict=True):
        cells: Any = [row.get(name) for name in found.columns]
        if len(found.columns) == 1:
            cells = listed(cells[0], found.separator) or []
        values = [option_text(one) for one in (cells.values() if isinstance(cells, dict) else cells)]
        inside = " ".join(listed_inside(text, _LETTERS).values())
        held += all(_SIGN.sub("", one, count=1) in inside for one in values if one.lower() not in found.empty)
    return held >= 0.9 * len(view.rows)


def _added(view: View, columns: Sequence[str]) -> tuple[str, ...]:
    """Options that the README promises to show behind those of the columns; a doubt where it quotes none."""
    about = re.compile(r"(?i)\b(?:options?|choices?|alternatives?|candidates?)\b")
    cells = " ".join(text for name in columns for text in texts(view, name)).lower()
    found: list[str] = []
    for entry in entries(view.readme):
        for sentence in re.split(r"(?<=[a-z0-9)`])[.!?](?=\s)", entry):
            adds = _ADDED.search(sentence)
            if not adds or not about.search(entry) or re.search(r"(?i)\brepl(?:y|ies)\b", sentence):
                continue
            quotes = [
                _SIGN.sub("", one, count=1).strip(" .*") for one in _QUOTED.findall(sentence[adds.start() :])
            ]
            signed = re.search(rf"[\"\u201c`]{_SIGN.pattern}", sentence)
            quotes = [
                one
                for one in quotes
                if one not in view.columns and one[-1:] not in ("", "?") and not ASKS_FOR_FORM.search(one)
            ]
            new = [
                one for one in quotes[:1] if one.lower() not in cells and (signed or about.search(sentence))
            ]
            adds_one = re.search(r"(?i)\b(?:add|append|extra|additional)", adds.group())
            if not quotes and adds_one and about.search(sentence):
                view.doubts.append("the README speaks of an option that is added, and does not quote it")
            found += new
    return tuple(dict.fromkeys(found))


def _label(view: View, columns: Sequence[str]) -> str:
    """How the README writes the sign before an option; "- " or "" where no sign tells them apart."""
    called = "|".join(re.escape(name.rpartition(".")[2]) for name in columns if len(name) > 2)
    words = rf"(?i)option|answer|choice|candidate|alternative{'|' + called if called else ''}"
    about = [one for one in view.sentences if re.search(words, one)]
    about += [
        one for one in entries(view.readme) if re.match(r"\s*\(?1[.):]\)?\s+(?:\.\.\.|\u2026|<|\{)", one)
    ]
    shown = [one for one in about if _LISTS.search(one)]
    if any(_NUMBERED.search(one) and not _OF_REPLIES.search(one) for one in shown):
        return "0. " if any(_NUMBERED.search(one) and _FROM_0.search(one) for one in shown) else "1. "
    for pattern, label in _LABELS:
        if any(
            re.search(pattern, one.strip()) and not _OF_REPLIES.search(one) and "brackets" not in one
            for one in shown
        ):
            return label
    dashed = any(_DASHED.search(one) for one in about)
    clauses = [clause for one in about for clause in re.split(r"[,;:]\s", one)]
    if any(_UNSIGNED.search(one) and re.search(words, one) and not _COUNTED.search(one) for one in clauses):
        return "- " if dashed else ""
    return "- " if dashed else "A. "


_COUNTED = re.compile(r"(?i)\brepl(?:y|ies)\b|\bcounts?\b|\baccept|\bscor")
