"""Numbers in English words: "twenty-three", "two and a half", "half a dozen", "three point one four"."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from gumption.answers._evidence import words_of

__all__ = ["FACTORS", "spoken"]

_SMALL = {
    word: number
    for number, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        )
    )
}  # fmt: skip
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
FACTORS = {"dozen": 12, "hundred": 100, **_SCALES}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "thirds": 3, "quarters": 4, "fourths": 4, "fifths": 5,
    "sixths": 6, "sevenths": 7, "eighths": 8, "ninths": 9, "tenths": 10,
}  # fmt: skip
_ARTICLES = {"a", "an"}

_FIRST = words_of(*_SMALL, *_TENS, *FACTORS, "half")
_NEXT = "|".join(sorted((*_SMALL, *_TENS, *FACTORS, *_PARTS, "point"), reverse=True))
_RUN = re.compile(
    rf"""(?: (?:{_FIRST})
           | a(?<![a-z\d_].)n?\s
             (?: (?:hundred|thousand|million|billion|dozen|half|quarter)\b | third(?=\sof\b|\W*$) ) )
         (?: (?:[\s-]|\sand\s)(?:an?\s)?(?:{_NEXT})\b )*+""",
    re.VERBOSE,
)
_WORD = re.compile(r"[a-z]+")


def spoken(text: str) -> Iterator[tuple[int, int, float]]:
    """Start, end and value of each number written in words, in order. `text` is in lower case."""
    for run in _RUN.finditer(text):
        words = list(_WORD.finditer(text, run.start(), run.end()))
        names = [match[0] for match in words]
        at = 0
        while at < len(names):
            value, stop = _amount(names, at)
            if value is not None:
                yield words[at].start(), words[stop - 1].end(), value
            at = max(stop, at + 1)


def _amount(words: list[str], at: int) -> tuple[float | None, int]:
    """The number from word `at` on, and the word after it."""
    article = words[at] in _ARTICLES
    first = words[at + article]  # a run ends with no article
    if first in _PARTS:
        return _part(words, at + article) if article or first == "half" else (None, at + 1)
    value, stop = _cardinal(words, at)
    if stop == at:
        return None, at + 1
    rest = words[stop : stop + 4]
    if rest and rest[0] in _PARTS:
        # "three quarters"; "twenty third" is an ordinal
        return (value / _PARTS[rest[0]] if value < 20 else None), stop + 1
    if rest[:1] == ["point"]:
        return _decimal(value, words, stop + 1)
    if len(rest) > 2 and rest[0] == "and" and rest[2] in _PARTS:
        count = 1 if rest[1] in _ARTICLES else _SMALL.get(rest[1], 0)
        if count:
            scale = _SCALES.get("".join(rest[3:]))  # "two and a half million"
            return (value + count / _PARTS[rest[2]]) * (scale or 1), stop + 3 + bool(scale)
    return value, stop


def _part(words: list[str], at: int) -> tuple[float, int]:
    """ "half", "a quarter", "half a dozen"."""
    value, stop = 1 / _PARTS[words[at]], at + 1
    ahead = stop + (words[stop : stop + 1] in (["a"], ["an"]))
    factor = FACTORS.get(words[ahead]) if ahead < len(words) else None
    return (value * factor, ahead + 1) if factor else (value, stop)


def _decimal(whole: float, words: list[str], at: int) -> tuple[float, int]:
    digits = "".join(str(_SMALL[word]) for word in itertools.takewhile(_is_digit, words[at : at + 15]))
    return float(f"{whole:.0f}.{digits or 0}"), at + len(digits)


def _is_digit(word: str) -> bool:
    return _SMALL.get(word, 10) < 10


def _cardinal(words: list[str], at: int) -> tuple[float, int]:
    """The whole number from word `at` on, and the word after it (`at` itself if there is none)."""
    start, total, ceiling = at, 0.0, float("inf")
    part: int | None = None
    while at < len(words):
        word = words[at]
        if word in _ARTICLES and at == start:
            part = 1
        elif word in _SMALL and _takes_small(part, _SMALL[word]):
            part = (part or 0) + _SMALL[word]
        elif word in _TENS and (part is None or (part and part % 100 == 0)):
            part = (part or 0) + _TENS[word]
        elif word == "hundred" and (part is None or 0 < part < 100):
            part = 100 * (part or 1)
        elif word in _SCALES and _SCALES[word] < ceiling and part != 0 and (part or at == start):
            ceiling = _SCALES[word]
            total, part = total + (part or 1) * ceiling, None
        elif word == "dozen" and part != 0 and (part or at == start):
            return total + 12.0 * (part or 1), at + 1
        elif not _is_joint(words, at, start):
            break
        at += 1
    return total + (part or 0), at


def _takes_small(part: int | None, small: int) -> bool:
    """Whether a word below twenty can follow: "two hundred" takes "five", "twenty" takes "five"."""
    if part is None or (part and part % 100 == 0):
        return True
    return part % 100 >= 20 and part % 10 == 0 and 0 < small < 10


def _is_joint(words: list[str], at: int, start: int) -> bool:
    """Whether word `at` is the "and" of "two hundred and five"."""
    if words[at] != "and" or at == start or words[at - 1] not in {"hundred", *_SCALES}:
        return False
    following = words[at + 1 : at + 3]
    counts = following[:1] and (following[0] in _SMALL or following[0] in _TENS)
    return bool(counts) and not (len(following) == 2 and following[1] in _PARTS)
