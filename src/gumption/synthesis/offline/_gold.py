"""What kind of answer is wanted, and which column holds the right ones, by cells and then by words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from gumption.synthesis.offline._right_answers import find_gold, rivals_of
from gumption.synthesis.offline._targets import Found
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.offline._words import named, said
from gumption.synthesis.recipes import options
from gumption.synthesis.recipes._cells import listed, text_of
from gumption.synthesis.spec import Asking

__all__ = ["Kind", "answer_words", "gold_of", "pieces"]

Kind: TypeAlias = Literal["choice", "yes_no", "number", "point", "text"]
_WANTED = re.compile(r"\b(?:repl(?:y|ies)|answers?|respond|says?|finish|ends?|asks?)\b")
_OPTIONS = r"(?i)\b(?:options?|opts?|choices?|alternatives|candidates)\b"
_COORDINATES = re.compile(r"(?i)\bcoordinates?\b|\bpixels?\b|\bpoints?\b.{0,60}\((?:x|y),? ?(?:x|y)\)")


def gold_of(view: View, asking: Asking, taken: Sequence[str]) -> tuple[Found | None, Kind]:
    """The right answer's place and form, None where that is in doubt, and what kind of answer it is.

    `taken`: columns that are something else for certain.
    """
    shown = [options(row, asking) for row in view.rows]
    choices = sum(len(one) >= 2 for one in shown)
    if 0 < choices < len(shown):
        view.doubts.append(f"only {choices} of {len(shown)} rows have options")
    if 0.05 * len(shown) < choices < 0.95 * len(shown):
        view.doubts.append("kinds of questions are mixed: split them into benchmarks of one kind each")
        return None, "choice"
    is_choice = choices >= 0.95 * len(shown)
    if not is_choice and _lacks_options(view, asking):
        return None, "choice"
    offered: list[Mapping[str, str]] = [one if is_choice else {} for one in shown]
    found = find_gold(
        view.rows, [*view.columns.values()], view.notes, offered, view.readme.lower(), frozenset(taken)
    )
    places = [one for one in found if one.kind == "point"]
    if places and _COORDINATES.search(view.readme):
        found = places
    best = _settled(view, found, offered)
    kind: Any = best.kind if best else "choice" if is_choice else "text"
    return best, kind


def _settled(view: View, found: Sequence[Found], offered: Sequence[Mapping[str, str]]) -> Found | None:
    """The likeliest; None with a doubt if others are as likely and say otherwise, or none is there."""
    if not found:
        view.doubts.append("no column could be found that holds the right answer")
        return None
    best = found[0]
    rivals = rivals_of(found, view.rows, offered)
    if rivals:
        both = ", ".join(one.gold.column for one in (best, *rivals))
        view.doubts.append(f"the right answer may be in any of {both}: say in the README which it is")
        return None
    view.doubts += best.doubts
    if best.unfit or best.open:
        return None
    column = best.gold.column
    missing = sum(not text for text in texts(view, column)) if column in view.columns else 0
    if missing:
        view.doubts.append(f"{missing} rows have no right answer in {column}")
    units = view.find(lambda one: named(one.name, "unit"))
    if best.gold.form == "number" and units:
        best.gold = replace(best.gold, unit=units[0].name)
    return best


def _lacks_options(view: View, asking: Asking) -> bool:
    """Whether options seem to be in a column that is not shown, while the right answers are their letters."""
    unused = [
        name
        for name in view.columns
        if name not in (*view.asked, *asking.options.columns, *asking.images)
        and (re.search(_OPTIONS, view.note(name)) or re.search(_OPTIONS, name.replace("_", " ")))
        and not any(re.fullmatch(r"[A-Ja-j]", text) for text in texts(view, name))
    ]
    lettered = [
        column.name
        for column in view.find(lambda one: named(one.name, "gold") or said(view.note(one.name), "gold"))
        if all(re.fullmatch(r"\(?[A-Ja-j][.)]?", text.strip()) for text in texts(view, column.name) if text)
        and column.distinct > 1
    ]
    if not unused or not lettered:
        return False
    view.doubts.append(
        f"the right answers in {lettered[0]} are letters of options, and no options are shown: "
        f"say in the README how {unused[0]} holds them"
    )
    return True


def answer_words(view: View, name: str) -> tuple[str, ...]:
    """A column's two to four values, where the README asks for one of them in so many words."""
    values = {text.lower() for text in texts(view, name) if text}
    if not 2 <= len(values) <= 4 or not all(re.fullmatch(r"[a-z][a-z -]{1,30}", one) for one in values):
        return ()
    for one in view.sentences:
        low = one.lower()
        found = sorted(values, key=low.find)
        if _WANTED.search(low) and all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", low) for word in values):
            return tuple(found)
    return ()


def pieces(cell: Any) -> list[str]:
    """The right answers that a cell holds: of a list each, of letters that follow each other each."""
    several = listed(cell)
    if isinstance(several, list):
        return [text_of(one) for one in several]
    text = text_of(cell)
    return re.findall(r"[A-J]", text) if re.fullmatch(r"[A-J](?:[\s,;/|&+]*[A-J])+", text) else [text]
