"""Options and numbers as they are named in a text, in order: for READMEs that say which of several counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

__all__ = ["Number", "capital_stands", "lettered", "named_options", "numbers_in", "standing_letters"]

_LETTER = r"(?<![\w'])[A-Za-z](?![\w'])"
_ARTICLE = re.compile(r"\s+(?!(?:and|or|because|since|as|is|was|but|nor|with|then|if)\b)[a-z0-9]")
_PLACE = r"(?<![\w.,+-])\d{1,2}(?![\w%]|[.,]\d)"
_CALLED = re.compile(
    r"(\bnot (?:the )?)?(?<!\w)(?:number|alternative|no\.|nr\.|#)[ ]?(?=[A-Z]\b)", re.IGNORECASE
)
"""What an option's number may be called by, before its letter stands there."""
_COUNTING = re.compile(r"\s{1,8}(?!(?:and|or|because|since|as|is|was|but|nor|with|then|if|seems)\b)[a-z]")
"""What follows a number that counts something."""
_NUMBER = r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,15})?"
_NUMBERS = re.compile(rf"({_NUMBER})(?:\s?(?:-|\u2013|to|and)\s?({_NUMBER}))?(?![\d]|[.,]\d)", re.IGNORECASE)

_NO_OPTION = "Z"
"""Stands for the number of no option."""


class Number(NamedTuple):
    """A number as it stands in a text, or the middle of a range."""

    value: float
    range: bool


def named_options(text: str, choices: Mapping[str, str], letters: str) -> list[str]:
    """The letters of the options that a text names, in order. An option's text is looked for first."""
    found = []
    for said, letter, end in _named(text, choices, _LETTER):
        if letter:
            found.append(letter)
        elif letters != "none" and said.upper() in choices:
            word = said in "aAI" and bool(_ARTICLE.match(text, end))
            if not word and not (said.islower() and letters == "capital"):
                found.append(said.upper())
    return found


def capital_stands(text: str, letter: str, choices: Mapping[str, str], letters: str) -> bool:
    """Whether a text names an option by its text or, where letters count, by a capital."""
    if letters == "capital" and re.search(rf"(?<![\w']){letter}(?![\w'])", text):
        return True
    said = re.sub(r"^(?:an?|the)\s+", "", choices[letter].strip(" .!\n"), flags=re.IGNORECASE)
    return bool(said) and bool(_whole(said).search(text))


def standing_letters(text: str, letters: str) -> list[str]:
    """The letters that stand by themselves and are no word: capitals but I, small ones before a bracket."""
    found = [
        match[0]
        for match in re.finditer(r"(?<![\w'.-])[A-HJ-Z](?![\w'-]|\.\w)", text)
        if not (match[0] == "A" and _ARTICLE.match(text, match.end()))
    ]
    small = re.findall(r"(?<![\w'])([a-j])\)", text) if letters == "any" else []
    return found + [one.upper() for one in small]


def lettered(text: str, choices: Mapping[str, str], first: int, *, letters: bool) -> str:
    """A text with letters instead of the options' numbers, of which `first` stands for the first.

    Numbers that count something or are part of an option's text stay; numbers of no option become letters of
    none. Without `letters`, those that stood there before are taken out, since they are no options.
    """
    made: list[str] = []
    at = 0
    for said, letter, end in _named(text, choices, f"{_PLACE}|{_LETTER}"):
        if letter:
            continue
        instead = said
        if said.isdigit():
            place = int(said) - first
            known = 0 <= place < len(choices)
            own = list(choices.values())[place] if known else ""
            follows = text[end : end + len(own) + 8].lstrip(" ").casefold()
            if not _COUNTING.match(text, end) or (own and follows.startswith(own.casefold())):
                instead = list(choices)[place] if known else _NO_OPTION
        elif not letters and said.upper() in choices:
            instead = "_"
        made += [text[at : end - len(said)], instead]
        at = end
    return _CALLED.sub(lambda found: found[1] or "option ", "".join([*made, text[at:]]))


def _named(text: str, choices: Mapping[str, str], signs: str) -> Iterator[tuple[str, str, int]]:
    """What stands where options may be named: an option's text with its letter, or `signs` outside of such,
    with none; and where it ends."""
    longest = sorted((one for one in choices.items() if one[1].strip()), key=lambda one: -len(one[1]))
    patterns = [rf"(?<!\w){_spaced(said)}(?!\w)" for _, said in longest]
    either = re.compile("|".join([*(f"({one})" for one in patterns), signs]), re.IGNORECASE)
    for match in either.finditer(text):
        yield match[0], longest[match.lastindex - 1][0] if match.lastindex else "", match.end()


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
    return re.compile(rf"(?<!\w){_spaced(said)}(?!\w)", re.IGNORECASE)


def _spaced(said: str) -> str:
    """Its pattern, whatever blanks stand between words and whether a full stop ends it."""
    bare = said.strip().rstrip(".!")
    return r"\s+".join(re.escape(word) for word in (bare or said).split())
