"""Which column holds the right answer and in what form, by the README's words and what the data allow."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from gumption.synthesis._profile import Column
from gumption.synthesis._withheld import words_of
from gumption.synthesis.offline._regions import region_form
from gumption.synthesis.offline._right_answers import find_gold
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.offline._words import named, said
from gumption.synthesis.recipes import options
from gumption.synthesis.recipes._cells import listed, text_of
from gumption.synthesis.spec import Asking, Gold

__all__ = ["Kind", "answer_words", "gold_of", "pieces"]

Kind: TypeAlias = Literal["choice", "yes_no", "number", "point", "text"]
_ENOUGH = 0.97
"""Share of rows whose cell must be a right answer of the form."""
_FROM_0 = re.compile(
    r"(?i)\bfrom (?:0|zero)\b|\b(?:0|zero)[- ](?:based|indexed)|\bstart(?:s|ing)? (?:at|with) (?:0|zero)|"
    r"\b0 ?(?:is|=|means|for) |\bindex (?:into|in|of)\b.{0,30}\b(?:list|options|choices)\b|\(0\b|"
    r"\b0\s*(?:-|–|to|\.\.)\s*[1-9]"
)
_FROM_1 = re.compile(
    r"(?i)\bfrom (?:1|one)\b|\b(?:1|one)[- ](?:based|indexed)|\bstart(?:s|ing)? (?:at|with) (?:1|one)|"
    r"\b1 ?(?:is|=|means|for) |\b1\s*(?:-|–|to|\.\.)\s*[2-9]"
)
_COMPARES = re.compile(
    r"(?i)\b(?:within|equals?|agrees?|match(?:es)?|compared?|same as|exactly|is the set|correct|right|earns?|"
    r"scores?|points?|close)\b|<=|\u2264|\|"
)
_WANTED = re.compile(r"\b(?:repl(?:y|ies)|answers?|respond|says?|finish|ends?|asks?)\b")
_OPTIONS = r"(?i)\b(?:options?|opts?|choices?|alternatives|candidates)\b"
_YES = ("yes", "true", "1", "y", "t")
_NO = ("no", "false", "0", "n", "f")


def gold_of(view: View, asking: Asking, taken: Sequence[str]) -> tuple[Gold | None, Kind]:
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
    if choices >= 0.95 * len(shown):
        return _settled(view, lambda column: _choice_form(view, column, shown), taken), "choice"
    if _lacks_options(view, asking):
        return None, "choice"
    region = region_form(view)
    if _is_pointing(view):
        return _settled(view, region, taken), "point"
    gold = _settled(view, lambda column: region(column) or _open_form(view, column), taken)
    if gold is not None and gold.form == "texts":
        gold = _as_read(view, gold)
    return gold, _kind(gold)


def _as_read(view: View, gold: Gold) -> Gold:
    """Texts that are numbers, or stand for yes and no, as replies are held against them."""
    column = view.columns[gold.column]
    found = find_gold(
        view.rows, [column], view.notes, [{}] * len(view.rows), view.readme.lower(), frozenset()
    )
    return gold if not found or found[0].kind == "text" or found[0].words else found[0].gold


def _kind(gold: Gold | None) -> Kind:
    if gold is None or gold.form == "texts":
        return "text"
    if gold.form == "yes_no":
        return "yes_no"
    return "number" if gold.form == "number" else "point"


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


def _is_pointing(view: View) -> bool:
    """Whether the README wants places: it speaks of coordinates, and of what they must hit."""
    coordinates = r"(?i)\bcoordinates?\b|\bpixels?\b|\bpoints?\b.{0,60}\((?:x|y),? ?(?:x|y)\)"
    target = r"(?i)\bmasks?\b|\bbox|\bpolygon|\bregion|\boutline|\btarget"
    return bool(re.search(coordinates, view.readme) and re.search(target, view.readme))


def _settled(view: View, form_of: Callable[[Column], str], taken: Sequence[str]) -> Gold | None:
    """The one column for which words speak and whose cells fit; None with a doubt if several or none do."""
    varied = view.find(
        lambda one: one.distinct > 1 or len(view.rows) == 1, taken
    )  # the same for all is no answer
    found = [(_weight(view, column), column, form_of(column)) for column in varied]
    ranked = sorted(((weight, column.name, form) for weight, column, form in found if form), reverse=True)
    ranked = [one for one in ranked if one[0] > 0] or (ranked if len(ranked) == 1 else [])
    if not ranked:
        view.doubts.append("no column could be found that holds the right answer")
        return None
    weight, name, form = ranked[0]
    rivals = [(other, how) for much, other, how in ranked[1:] if much == weight]
    if rivals and not all(_same(view, (name, form), rival) for rival in rivals):
        both = ", ".join([name, *(other for other, _ in rivals)])
        view.doubts.append(f"the right answer may be in any of {both}: say in the README which it is")
        return None
    if weight <= 0:
        view.doubts.append(f"{name} is taken for the right answer since no other column could hold it")
    missing = sum(not text for text in texts(view, name))
    if missing:
        view.doubts.append(f"{missing} rows have no right answer in {name}")
    if form == "?":
        view.doubts.append(f"{name} may be counted from 0 or from 1: neither the README nor the data tell")
        return None
    return _gold(view, name, form)


def _weight(view: View, column: Column) -> float:
    """How much words speak for a column: the README's count more than its name."""
    note = view.note(column.name)
    by_note = 2.0 * (said(note, "gold") and not said(note, "category"))
    if said(note, "category") or said(note, "unit") or said(note, "id"):
        return 0.5 if by_note else -1.0
    last = words_of(column.name)[-1:]
    if last and (named(last[0], "unit") or named(last[0], "category")):
        return by_note - 1.0  # gt_unit and answer_type are no answers
    by_rules = 1.0 * _is_compared(view, column.name) + 2.0 * bool(answer_words(view, column.name))
    by_name = 1.5 if named(column.name, "gold") else -1.0 if named(column.name, "id") else 0.0
    return by_note + by_rules + by_name


def _is_compared(view: View, name: str) -> bool:
    """Whether the README compares replies with the column."""
    if set(words_of(name)) & {"tol", "tolerance", "margin", "unit", "units"}:
        return False
    bare = re.escape(name.rpartition(".")[2])
    said = rf"[`\"']{bare}[`\"']" + (rf"|(?<!\w){bare}(?!\w)" if not bare.isalpha() else "")
    return any(re.search(said, one) for one in view.sentences if _COMPARES.search(one))


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


def _same(view: View, one: tuple[str, str], two: tuple[str, str]) -> bool:
    """Whether two columns of a form say the same in every row."""
    first, second = ([text.lower() for text in texts(view, name)] for name in (one[0], two[0]))
    return one[1] == two[1] and first == second


def _gold(view: View, name: str, form: str) -> Gold:
    told: dict[str, Any] = {"column": name, "form": form}
    note = view.note(name)
    if form == "texts":
        told["separator"] = _accepted_separator(view, name)
    if form == "yes_no" and re.search(r"(?i)\b0\b\W{0,4}(?:for|=|is|means)?\W{0,3}(?:yes|true)\b", note):
        told["yes"] = ("0", "yes", "true")
    if form == "mask":
        told["folder"] = view.columns[name].folder or ""
    units = view.find(lambda one: named(one.name, "unit"))
    if form == "number" and units:
        told["unit"] = units[0].name
    return Gold(**told)


# ── options ──────────────────────────────────────────────────────────────────────────────────────────


def _choice_form(view: View, column: Column, shown: Sequence[dict[str, str]]) -> str:
    """letter, option_text, index0 or index1; "?" for an index of which the first number is not known."""
    cells = [pieces(cell) for cell in view.cells(column.name)]
    rows = [
        (text, options)
        for several, options in zip(cells, shown, strict=True)
        for text in (one.strip("()[]. ") for one in several)
        if text and options
    ]
    if len(rows) < 0.5 * len(cells):
        return ""

    def share(fits: Callable[[str, dict[str, str]], bool]) -> bool:
        return sum(fits(cell, options) for cell, options in rows) >= _ENOUGH * len(rows)

    if share(lambda cell, options: cell.upper() in options):
        return "letter"
    note = view.note(column.name)
    is_text = share(lambda cell, options: cell.lower() in _bare(options))
    index = _index(rows, note)
    if is_text and index:
        by_words = re.search(r"(?i)\b(?:position|index|number of the|counted)\b", note)
        return index if by_words else "option_text"
    return "option_text" if is_text else index


def _bare(options: dict[str, str]) -> list[str]:
    return [text.lower().strip("()[]. ") for text in options.values()]


def _index(rows: Sequence[tuple[str, dict[str, str]]], note: str) -> str:
    cells = [cell.removesuffix(".0") for cell, _ in rows]
    numbers = [int(cell) if re.fullmatch(r"\d{1,2}", cell, re.ASCII) else -1 for cell in cells]
    if min(numbers) < 0:
        return ""
    # Letters keep their place where a cell is empty, so the last letter used is what counts.
    last = ["ABCDEFGHIJ".index(max(options)) if max(options) in "ABCDEFGHIJ" else 9 for _, options in rows]
    from_0 = all(number <= place for number, place in zip(numbers, last, strict=True))
    from_1 = all(1 <= number <= place + 1 for number, place in zip(numbers, last, strict=True))
    told_0, told_1 = bool(_FROM_0.search(note)), bool(_FROM_1.search(note))
    if from_0 and from_1:
        return "index0" if told_0 and not told_1 else "index1" if told_1 and not told_0 else "?"
    return "index0" if from_0 else "index1" if from_1 else ""


# ── open answers ─────────────────────────────────────────────────────────────────────────────────────


def _open_form(view: View, column: Column) -> str:
    cells = [text for text in texts(view, column.name) if text]
    if len(cells) < 0.5 * len(view.rows):
        return ""
    lowered = {cell.lower() for cell in cells}
    told = f"{view.readme} {view.note(column.name)}"
    asked = re.search(r"(?i)\byes\b.{0,20}\bno\b|\btrue\b.{0,20}\bfalse\b", told)
    words = lowered <= {"yes", "no"} or lowered <= {"true", "false"}
    if len(lowered) <= 2 and lowered <= {*_YES, *_NO} and (words or asked):
        return "yes_no"
    if column.holds in ("integer", "number"):
        return "number"
    if column.holds == "list":
        several = [listed(cell) or () for cell in view.cells(column.name)[:50]]
        return "texts" if all(isinstance(one, str | int | float) for cell in several for one in cell) else ""
    return "texts" if column.holds == "text" and max(len(cell) for cell in cells) <= 300 else ""


def _accepted_separator(view: View, name: str) -> str:
    """Of several accepted texts in one cell, by the README's words, else by the data with a doubt."""
    cells = texts(view, name)
    if view.columns[name].holds == "list":
        return ""
    about = " ".join([view.note(name), *(one for one in view.sentences if re.search(r"(?i)\baccept", one))])
    told = re.search(r"(?i)(?:separated|split|divided) by (?:an? )?[`'\"]?([|;/,])", view.readme)
    words = {"semicolon": ";", "comma": ",", "bar": "|", "pipe": "|", "slash": "/", "`|`": "|", "`;`": ";"}
    marks = [told[1]] if told else []
    for mark in marks + [mark for word, mark in words.items() if word in about]:
        if any(mark in cell for cell in cells):
            return mark
    for mark in ("|", ";"):
        if sum(mark in cell for cell in cells) >= 0.1 * len(cells):
            view.doubts.append(f"{mark!r} in {name} is taken to stand between accepted answers")
            return mark
    return ""
