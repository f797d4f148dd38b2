"""Options and numbers as they are named in a text, in order: for READMEs that say which of several counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Number", "by_position", "capital_stands", "named_options", "numbers_in"]

_LETTER = re.compile(r"(?<![\w'])([A-Za-z])(?![\w'])")
_ARTICLE = re.compile(r"\s+(?!(?:and|or|because|since|as|is|was|but|nor|with|then|if)\b)[a-z0-9]")
_LONE_NUMBER = re.compile(r"[\W_]*(?:option|choice|answer|number|no\.?)?[\W_]*(\d{1,2})[\W_]*", re.IGNORECASE)
_NUMBER = r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,15})?"
_NUMBERS = re.compile(rf"({_NUMBER})(?:\s?(?:-|\u2013|to|and)\s?({_NUMBER}))?(?![\d]|[.,]\d)", re.IGNORECASE)


class Number(NamedTuple):
    """A number as it stands in a text, or the middle of a range."""

    value: float
    range: bool


def named_options(text: str, choices: Mapping[str, str], letters: str) -> list[str]:
    """The letters of the options that a text names, in order. An option's text is looked for first."""
    found: list[tuple[int, str]] = []
    taken: list[tuple[int, int]] = []
    for letter, said in sorted(choices.items(), key=lambda one: -len(one[1])):
        for match in _whole(said).finditer(text) if said.strip() else ():
            if not any(start < match.end() and match.start() < end for start, end in taken):
                taken.append(match.span())
                found.append((match.start(), letter))
    if letters != "none":
        for match in _LETTER.finditer(text):
            letter, small = match[1].upper(), match[1].islower()
            inside = any(start <= match.start() < end for start, end in taken)
            word = match[1] in "aAI" and bool(_ARTICLE.match(text, match.end()))
            if letter in choices and not inside and not word and not (small and letters == "capital"):
                found.append((match.start(), letter))
    return [letter for _, letter in sorted(found)]


def capital_stands(text: str, letter: str, choices: Mapping[str, str], letters: str) -> bool:
    """Whether a text names an option by its text or, where letters count, by a capital."""
    if letters == "capital" and re.search(rf"(?<![\w']){letter}(?![\w'])", text):
        return True
    said = re.sub(r"^(?:an?|the)\s+", "", choices[letter].strip(), flags=re.IGNORECASE)
    return bool(said) and bool(_whole(said).search(text))


def by_position(text: str, choices: Mapping[str, str], first: int) -> str | None:
    """The option whose number is all of a text, unless that is an option's own text."""
    match = _LONE_NUMBER.fullmatch(text.strip())
    if match is None or match[1] in choices.values():
        return None
    at = int(match[1]) - first
    return list(choices)[at] if 0 <= at < len(choices) else None


def numbers_in(text: str, ranges: bool) -> list[Number]:
    """The numbers in digits, in order; two that a dash, "to" or "and" joins are one where `ranges`."""
    found = []
    for match in _NUMBERS.finditer(text):
        ends = [float(one.replace(",", "")) for one in match.groups() if one]
        if ranges and len(ends) == 2:
            found.append(Number((ends[0] + abs(ends[1])) / 2, True))
        else:
            found += [Number(end, False) for end in ends]
    return found


def _whole(said: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in said.split())
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
