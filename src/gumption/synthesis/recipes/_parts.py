"""Where the parts of a reply are that a README may single out. Each finder gives one, or None."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from gumption.answers import passage_of
from gumption.records import GumptionError

__all__ = ["SETS_APART", "finder"]

Finder: TypeAlias = Callable[[str], "str | None"]

_MARK = re.compile(r"(?<!\w)(?:final\s+)?answer\s?[*_`]{0,3}\s?[:\uff1a]", re.IGNORECASE)
_BOX = re.compile(r"\\f?boxed\s?\{((?:[^{}]|\{[^{}]{0,500}\}){0,2000})\}")
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*")
_LONGEST_NAME = 60
_LONGEST_BETWEEN = 2000


def _tagged(text: str) -> str | None:
    passage = passage_of(text)
    return None if passage.whole or "json" in passage.repairs else passage.text


def _behind(mark: re.Pattern[str], rest: bool) -> Finder:
    """What follows the last mark: all, or its first line that says something."""

    def find(text: str) -> str | None:
        ends = [found.end() for found in mark.finditer(text)]
        if not ends:
            return None
        said = text[ends[-1] :].lstrip("*_` \t\r\n")
        return said if rest else said.split("\n", 1)[0]

    return find


def _boxed(text: str) -> str | None:
    found = _BOX.findall(text)
    return str(found[-1]) if found else None


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.search(r"\w", line)]


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE.findall(text) if re.search(r"\w", one)]


def _words(text: str) -> list[str]:
    return [one for one in text.split() if re.search(r"\w", one)]


def _nth(pieces: Callable[[str], list[str]], at: int) -> Finder:
    def find(text: str) -> str | None:
        found = pieces(text)
        return found[at] if found else ""

    return find


_SET_APART: dict[str, Finder] = {"answer_tag": _tagged, "boxed": _boxed}
_PIECES: dict[str, Finder] = {
    "last_line": _nth(_lines, -1),
    "first_line": _nth(_lines, 0),
    "last_sentence": _nth(_sentences, -1),
    "first_sentence": _nth(_sentences, 0),
    "first_character": lambda text: text.strip()[:1],
    "first_word": _nth(_words, 0),
    "last_word": _nth(_words, -1),
    "whole": lambda text: text,
}


def _tag(name: str) -> Finder:
    pattern = re.compile(rf"<\s?{re.escape(name)}\s?>(.*?)(?:<\s?/\s?{re.escape(name)}\s?>|\Z)", re.I | re.S)

    def find(text: str) -> str | None:
        found = pattern.findall(text)
        return next((one for one in reversed(found) if one.strip()), found[-1]) if found else None

    return find


def _mark(words: str) -> re.Pattern[str]:
    spaced = r"\s+".join(re.escape(word) for word in words.rstrip(":= ").split())
    sign = r"\s?[*_`]{0,3}\s?[:=\uff1a]" if words.rstrip().endswith((":", "=")) else ""
    return re.compile(rf"(?<!\w){spaced}{sign}", re.IGNORECASE)


def _between(signs: str) -> Finder:
    opens, _, closes = signs.partition(" ")

    def find(text: str) -> str | None:
        found = None
        begin = text.find(opens)
        end = -1
        while begin >= 0:
            start = begin + len(opens)
            end = end if end >= start else text.find(closes, start)
            if end < 0:
                break
            if end - start <= _LONGEST_BETWEEN and "\n" not in text[start:end]:
                found = text[start:end]
                start = end + len(closes)
            begin = text.find(opens, start)
        return found

    return find


def _json(key: str) -> Finder:
    quoted = re.escape(key)
    pattern = re.compile(
        rf"""["']{quoted}["']\s{{0,8}}:\s{{0,8}}("(?:[^"\\]|\\.){{0,2000}}"|\[[^\]]{{0,2000}}\]|[-+\w.]+)"""
    )

    def find(text: str) -> str | None:
        found = pattern.findall(text)
        return str(found[-1]).strip('"') if found else None

    return find


_NAMED: dict[str, Callable[[str], Finder]] = {"tag": _tag, "between": _between, "json": _json}
SETS_APART = frozenset([*_SET_APART, *_NAMED, "answer_mark", "mark", "after"])
"""Parts in which all that stands is meant as the answer."""


@lru_cache(maxsize=256)
def finder(part: str, rest: bool) -> Finder:
    """The finder of a part, which gives None where a text has no such. `rest`: see `reading.region`.

    Raises GumptionError for a part by an unknown name.
    """
    kind, colon, name = part.partition(":")
    if colon and 0 < len(name) <= _LONGEST_NAME:
        if kind in ("mark", "after"):
            return _behind(_mark(name) if kind == "mark" else re.compile(re.escape(name)), rest)
        if kind in _NAMED:
            return _NAMED[kind](name)
    if part == "answer_mark":
        return _behind(_MARK, rest)
    found = _SET_APART.get(part) or _PIECES.get(part)
    if found is None:
        raise GumptionError(
            f"no part of a reply is called {part!r}", where="score", remedy="see recipes.reading"
        )
    return found
