"""What MM-IFEval's constraints ask of a reply where a program can tell: counts, words, beginnings, numbers.

The functions are named in the published rows. Their meaning follows `SYuan03/MM-IFEngine`,
data_gen/utils/function_and_compare.py, but for one thing: sentences are told apart by a rule of our own,
where the authors use the trained tokenizer Punkt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from gumption.records import GumptionError

__all__ = ["check", "holds"]

_LONGEST = 200_000
"""Characters of a reply that are looked at."""
_NO_WORD_SIGN = re.compile(r"[^\w\s.-]")
_EMPTY_LINE = re.compile(r"\n\s*\n")
_STOP = re.compile(r"(?<![.!?])[.!?]++[\"')\]\u201d\u2019]*+\s+")
_NEXT_WORD = re.compile(r"\w{1,20}")
_LAST_WORD = re.compile(r"[\w.]+$")
_ABBREVIATIONS = {
    "mr", "mrs", "ms", "dr", "prof", "rev", "gen", "sen", "rep", "st", "jr", "sr", "vs", "etc", "e.g",
    "i.e", "al", "approx", "inc", "ltd", "co", "corp", "dept", "est", "jan", "feb",
    "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "u.s", "u.k", "a.m", "p.m",
}  # fmt: skip
_STARTERS = {
    "a", "also", "although", "an", "and", "as", "at", "based", "because", "both", "but", "by", "each",
    "finally", "for", "from", "given", "he", "hence", "here", "how", "however", "i", "if", "in", "it",
    "its", "my", "no", "on", "once", "our", "she", "similarly", "since", "so", "such", "that", "the",
    "their", "then", "there", "therefore", "these", "they", "this", "those", "thus", "to", "we", "what",
    "when", "where", "while", "with", "yes", "you",
}  # fmt: skip
"""Words that begin a sentence after a lone letter: "point A. The ..." is two, "J. Smith" is none."""
_NUMBERED = {"no", "fig", "vol"}
"""Abbreviations before a number only."""
_PERCENTAGE = re.compile(r"(?<!\d)(\d+\.\d+|\d+)\s*%")
_NUMBER = re.compile(
    r"(?<!\w)[+-]?(?:\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?%?(?!\w)"
)
_NUMERAL = re.compile(
    r"(?<![.\w])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?%?|\d+\.\d+%?|\d+%?|\d+(?:\.\d+)?[eE][+-]?\d+)(?![.\w])"
)


@dataclass(frozen=True)
class _Rule:
    """A function of the reply and its parameters, with the types that they have."""

    met: Callable[..., bool]
    types: tuple[Any, ...]


def check(function: str, params: Sequence[Any]) -> None:
    """GumptionError for a function that is not known, and for parameters that do not fit it."""
    if function not in _RULES:
        raise GumptionError(f"no rule is called {function!r}", remedy=f"there is {', '.join(_RULES)}")
    types = _RULES[function].types
    try:
        for value, kind in zip(params, types, strict=True):
            msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError) as error:
        raise GumptionError(
            f"the rule {function} with {list(params)!r:.80}: {error}", remedy="fetch the file again"
        ) from error


def holds(function: str, params: Sequence[Any], reply: str) -> bool:
    """Whether the reply meets the rule of that name. Raises GumptionError as `check` does."""
    check(function, params)
    return _RULES[function].met(reply[:_LONGEST], *params)


def _lines_trimmed(reply: str) -> str:
    return "\n".join(line.strip() for line in reply.splitlines()).strip()


def _paragraphs(reply: str) -> list[str]:
    return [part for part in _EMPTY_LINE.split(_lines_trimmed(reply)) if part.strip()]


def _sentences(text: str) -> list[str]:
    """Cut after ".", "!" or "?" and a blank, unless an abbreviation, an initial or a small letter speaks
    against it. A line break alone cuts nothing; the number of a list item is a sentence, as Punkt has it."""
    text = _lines_trimmed(text)
    found, start = [], 0
    for stop in _STOP.finditer(text):
        if stop[0].startswith(".") and not stop[0].startswith("..") and _goes_on(text, stop):
            continue
        found.append(text[start : stop.end()].strip())
        start = stop.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def _goes_on(text: str, stop: re.Match[str]) -> bool:
    word = _LAST_WORD.search(text[max(0, stop.start() - 20) : stop.start()])
    last = word[0].lower() if word else ""
    after = _NEXT_WORD.match(text, stop.end())
    ahead = after[0] if after else ""
    if last in _ABBREVIATIONS or ahead[:1].islower() or (last in _NUMBERED and ahead[:1].isdigit()):
        return True
    return len(last) == 1 and last.isalpha() and last != "i" and ahead.lower() not in _STARTERS


def _words(text: str) -> int:
    return len(_NO_WORD_SIGN.sub("", text).split())


def _mentions(reply: str, keyword: str) -> int:
    """How often a keyword stands there as a whole word, case aside."""
    return len(re.findall(rf"\b{re.escape(keyword.lower())}\b", reply.lower()))


def _each_has(count: Callable[[str], int], parts: Sequence[str], low: int, high: int) -> bool:
    return all(low <= count(part) <= high for part in parts)


def _sentence_counts(reply: str, ranges: Sequence[tuple[int, int]]) -> bool:
    parts = _paragraphs(reply)
    return len(parts) == len(ranges) and all(
        low <= len(_sentences(part)) <= high for part, (low, high) in zip(parts, ranges, strict=True)
    )


def _decimals(number: str) -> int:
    """Digits behind the point, of a number without its exponent."""
    mantissa = re.split("[eE]", number.replace(",", "").rstrip("%"))[0]
    return len(mantissa.partition(".")[2])


_RANGE = (int, int)
_TEXTS = list[str]
_RULES: Mapping[str, _Rule] = {
    f"check_whether_{name}": rule
    for name, rule in {
        "response_paragraph_number_in_range": _Rule(
            lambda reply, low, high: low <= len(_paragraphs(reply)) <= high, _RANGE
        ),
        "response_sentence_number_in_range": _Rule(
            lambda reply, low, high: low <= len(_sentences(reply)) <= high, _RANGE
        ),
        "response_word_count_in_range": _Rule(lambda reply, low, high: low <= _words(reply) <= high, _RANGE),
        "each_paragraph_sentence_number_in_range": _Rule(
            lambda reply, low, high: _each_has(
                lambda part: len(_sentences(part)), _paragraphs(reply), low, high
            ),
            _RANGE,
        ),
        "each_paragraph_sentence_number_in_range_list": _Rule(_sentence_counts, (list[tuple[int, int]],)),
        "each_paragraph_word_count_in_range": _Rule(
            lambda reply, low, high: _each_has(_words, _paragraphs(reply), low, high), _RANGE
        ),
        "whole_response_not_contain_certain_substrings": _Rule(
            lambda reply, texts: not any(text in reply for text in texts), (_TEXTS,)
        ),
        "whole_response_not_contain_certain_substring": _Rule(lambda reply, text: text not in reply, (str,)),
        "each_sentence_begin_with_certain_substring": _Rule(
            lambda reply, text: all(one.startswith(text) for one in _sentences(reply)), (str,)
        ),
        "each_sentence_end_with_certain_substring": _Rule(
            lambda reply, text: all(one.endswith(text) for one in _sentences(reply)), (str,)
        ),
        "each_paragraph_begin_with_certain_substring": _Rule(
            lambda reply, text: all(one.startswith(text) for one in _paragraphs(reply)), (str,)
        ),
        "each_paragraph_end_with_certain_substring": _Rule(
            lambda reply, text: all(one.endswith(text) for one in _paragraphs(reply)), (str,)
        ),
        "whole_response_begin_with_certain_substring": _Rule(
            lambda reply, text: reply.strip().startswith(text), (str,)
        ),
        "whole_response_end_with_certain_substring": _Rule(
            lambda reply, text: reply.strip().endswith(text), (str,)
        ),
        "each_keyword_in_list_metioned_in_range": _Rule(
            lambda reply, texts, low, high: all(low <= _mentions(reply, text) <= high for text in texts),
            (_TEXTS, *_RANGE),
        ),
        "total_keyword_in_list_metioned_in_range": _Rule(
            lambda reply, texts, low, high: low <= sum(_mentions(reply, text) for text in texts) <= high,
            (_TEXTS, *_RANGE),
        ),
        "has_no_arabic_number_in_response": _Rule(lambda reply: not _NUMERAL.search(reply), ()),
    }.items()
} | {
    "check_percentage_number_precision_in_response": _Rule(
        lambda reply, digits: all(
            "." in number and _decimals(number) == digits for number in _PERCENTAGE.findall(reply)
        ),
        (int,),
    ),
    "check_number_precision_in_response": _Rule(
        lambda reply, digits: all(_decimals(match[0]) == digits for match in _NUMBER.finditer(reply)), (int,)
    ),
}
"""By the published names, their misspelling included."""
