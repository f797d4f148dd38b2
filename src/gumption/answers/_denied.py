"""Letters that a reply denies: "not option A", "rather than (A)", "A is wrong", "neither A nor B"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gumption.answers._reply import lower

__all__ = ["DENYING", "denied_at", "denied_letters", "spread"]

DENYING = (
    "not", "n't", "neither", "nor", "cannot", "rather than", "instead of", "wrong", "incorrect", "false",
    "ruled out", "eliminate", "exclude",
)  # fmt: skip
"""Whether the patterns below are tried at all."""
_OPENS = r"(?:(?:the|be|with|for|option|choice|answer|letter)\s){0,3}[(\[*_\"']{0,4}"
_BEFORE = re.compile(
    r"\b(?:(?:not|\w+n't)(?:\sbe|\s(?:think|believe)\s(?:that\s)?(?:it|this|the\sanswer)(?:\sis|'s))?"
    rf"|neither|nor|cannot\sbe|rather\sthan|instead\sof)\s{_OPENS}$",
    re.IGNORECASE,
)
_IS = r"[)\]*_\"']{0,4},?\s(?:is|was|would\sbe|must\sbe|seems|looks)\s(?:\w+ly\s|also\s)?"
_WRONG = re.compile(rf"{_IS}(?:wrong|incorrect|false|(?:ruled\s)?out|eliminated|excluded)\b", re.IGNORECASE)
_NOT_RIGHT = re.compile(
    rf"{_IS}not\s(?:the\s|a\s)?(?:\w+\s)?(?:correct|right|answer|best|option|choice|match|one)\b"
    r"|[)\]*_\"']{0,4},?\s(?:(?:is|was)n't\b|(?:cannot|can't)\sbe\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[)\]*_\"']{0,4},?\s?(?:or|nor|and)\s" + _OPENS, re.IGNORECASE)
"""What joins a letter to one that is denied before it."""
_LETTER = re.compile(r"(?<![\w'])([A-Z])(?![\w'])")
_REACH = 60
"""Characters before a letter that are looked at."""


def denied_at(text: str, start: int, end: int) -> bool:
    """Whether what stands from `start` to `end`, a letter with its signs, is denied right there."""
    return _left_out(text, start, end) or _NOT_RIGHT.match(text, end) is not None


def _left_out(text: str, start: int, end: int) -> bool:
    return bool(_BEFORE.search(text, max(0, start - _REACH), start) or _WRONG.match(text, end))


def spread(text: str, end: int, start: int) -> bool:
    """Whether a denial of what ends at `end` holds for what starts at `start`: "not A or B"."""
    return _BETWEEN.fullmatch(text, end, start) is not None


def denied_letters(text: str, letters: Iterable[str]) -> tuple[set[str], set[str]]:
    """The capitals of a text that stand alone: those that are left out, and those that are not anywhere.

    "B is not correct. C is." leaves none out: what C is, is not said.
    """
    denied: set[str] = set()
    stated: set[str] = set()
    known = frozenset(letters)
    low = lower(text)
    tried = any(word in low for word in DENYING)
    last = -1
    for match in _LETTER.finditer(text):
        if match[1] not in known:
            continue
        no = tried and (_left_out(text, *match.span()) or (last >= 0 and spread(text, last, match.start())))
        (denied if no else stated).add(match[1])
        last = match.end() if no else -1
    return denied, stated - denied
