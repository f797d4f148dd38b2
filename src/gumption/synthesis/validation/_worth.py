"""What an answer is worth under the declared metric, in exact arithmetic: the oracle of the made replies.

Written from the meaning of the record's words and on purpose apart from the recipes, which are under test.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.spec import Scoring

__all__ = ["NUMBER_WORDS", "breakpoints", "of_letters", "of_marks", "of_number", "of_text", "simplified"]

_THRESHOLDS = tuple(Fraction(50 + 5 * n, 100) for n in range(10))
_TO_THE_EDGE = Fraction(1, 10**6)
_SIGNS = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…“”‘’–—。，！？")
NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────


def _exact(value: Any) -> Fraction:
    return Fraction(str(value))


def breakpoints(scoring: Scoring) -> tuple[list[Fraction], bool]:
    """The errors at which the worth changes, ascending, and whether they are shares of the gold."""
    told = scoring.parameters
    match scoring.metric:
        case "mra":
            return sorted(1 - _exact(one) for one in told.get("thresholds", _THRESHOLDS)), True
        case "tolerance" if told.get("relative") is not None:
            return [_exact(told["relative"])], True
        case "tolerance" if told.get("absolute") is not None:
            return [_exact(told["absolute"])], False
        case "bands":
            return sorted(_exact(limit) for limit, _ in told["steps"]), bool(told.get("relative", True))
        case "linear":
            zero = _exact(told.get("zero", 1))
            return [zero * Fraction(n, 4) for n in range(1, 5)], bool(told.get("relative", True))
    return [Fraction(1, 50)], True


def of_number(scoring: Scoring, value: Fraction, gold: Fraction, *, exact: bool = False) -> float | None:
    """The worth of a number; None so near to a limit that rounding may decide, unless it is known to be
    `exact` in any arithmetic."""
    told = scoring.parameters
    if told.get("decimals") is not None:
        digits = int(told["decimals"])
        unit = Fraction(1, 10**digits)
        if any(abs(one / unit % 1 - Fraction(1, 2)) < Fraction(1, 1000) for one in (value, gold)):
            return None
        value, gold = round(value, digits), round(gold, digits)
    found = {_number(scoring, value + nudge, gold) for nudge in _nudges(value, gold)}
    if exact or scoring.metric == "linear":
        return _number(scoring, value, gold)
    return found.pop() if len(found) == 1 else None


def _nudges(value: Fraction, gold: Fraction) -> Iterable[Fraction]:
    if value == gold:
        return (Fraction(0),)
    step = max(abs(value), abs(gold), Fraction(1, 10**6)) * _TO_THE_EDGE
    return (-step, Fraction(0), step)


def _number(scoring: Scoring, value: Fraction, gold: Fraction) -> float:
    told = scoring.parameters
    apart = abs(value - gold)
    share = apart / abs(gold) if gold else (Fraction(0) if not apart else Fraction(10**12))

    def met(limit: Any, relative: bool) -> bool:
        error = share if relative else apart
        return error <= _exact(limit) if told.get("inclusive", True) else error < _exact(limit)

    match scoring.metric:
        case "mra":
            limits, _ = breakpoints(scoring)
            return float(Fraction(sum(met(limit, True) for limit in limits), len(limits)))
        case "tolerance" if told.get("absolute") is not None or told.get("relative") is not None:
            near = told.get("absolute") is not None and met(told["absolute"], False)
            return float(near or (told.get("relative") is not None and met(told["relative"], True)))
        case "bands":
            relative = bool(told.get("relative", True))
            return next((float(credit) for limit, credit in told["steps"] if met(limit, relative)), 0.0)
        case "linear":
            error = share if told.get("relative", True) else apart
            return float(max(Fraction(0), 1 - error / _exact(told.get("zero", 1))))
    return float(not apart)


# ── letters and marks ────────────────────────────────────────────────────────────────────────────────


def of_letters(scoring: Scoring, named: Sequence[str], gold: Sequence[str]) -> float:
    """The worth of the options that are named."""
    if scoring.metric == "share_of_set":
        return len({*named} & {*gold}) / len({*gold}) if {*named} <= {*gold} else 0.0
    return float({*named} == {*gold})


def of_marks(scoring: Scoring, marks: Sequence[bool]) -> float:
    """The worth of points of which it is known whether they hit."""
    how = scoring.parameters.get("reduce", "share")
    if not marks or (len(marks) > 1 and scoring.parameters.get("several") == "none"):
        return 0.0
    several: Mapping[str, float] = {
        "share": sum(marks) / len(marks),
        "any": float(any(marks)),
        "all": float(all(marks)),
        "first": float(marks[0]),
        "last": float(marks[-1]),
    }
    return several[how]


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────


def of_text(scoring: Scoring, text: str, accepted: Sequence[str]) -> float:
    """The worth of a text."""
    told = scoring.parameters
    answer = simplified(text, scoring.normalise)
    wanted = [simplified(one, scoring.normalise) for one in accepted]
    whole = float(bool(answer) and answer in wanted)
    match scoring.metric:
        case "label":
            return float(
                str(told["labels"].get(text.strip().casefold())) in {one.casefold() for one in accepted}
            )
        case "f1":
            return max(_overlap(answer.split(), one.split()) for one in wanted)
        case "contains":
            found = [_within(one, answer, told.get("words", True)) for one in wanted]
            how = told.get("how", "any")
            return (
                float(any(found))
                if how == "any"
                else float(all(found))
                if how == "all"
                else sum(found) / len(found)
            )
    part = told.get("contained")
    inside = any(_within(one, answer, True) for one in wanted)
    return whole if part is None else max(whole, float(part) * inside)


def _within(wanted: str, answer: str, words: bool) -> bool:
    if not wanted or not words:
        return bool(wanted) and wanted in answer
    at = answer.find(wanted)
    while at >= 0:
        before, after = answer[at - 1 : at], answer[at + len(wanted) : at + len(wanted) + 1]
        if not _is_word(before) and not _is_word(after):
            return True
        at = answer.find(wanted, at + 1)
    return False


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _overlap(answer: Sequence[str], wanted: Sequence[str]) -> float:
    shared = sum((Counter(answer) & Counter(wanted)).values())
    return 2 * shared / (len(answer) + len(wanted)) if shared else 0.0


def simplified(text: str, steps: Sequence[str]) -> str:
    """A text after the declared steps. Raises GumptionError for a step that is not known here."""
    for step in steps:
        text = _simplified(text, step)
    return text.strip()


def _simplified(text: str, step: str) -> str:
    name, colon, signs = step.partition(":")
    if colon and name in ("ends", "drop"):
        return text.strip(signs) if name == "ends" else "".join(one for one in text if one not in signs)
    match name:
        case "lower":
            return text.casefold()
        case "articles":
            return re.sub(r"(?<![\w'-])(?:a|an|the)(?:\s+|$)", "", text, flags=re.IGNORECASE)
        case "leading_article":
            return re.sub(r"^(?:a|an|the) ", "", text.lstrip(_ALL_SIGNS + " "), flags=re.IGNORECASE)
        case "punctuation":
            return "".join(one for one in text if one not in _SIGNS)
        case "punctuation_to_blank":
            return "".join(" " if one in _SIGNS else one for one in text)
        case "ends":
            return text.strip(_ALL_SIGNS + " \t\r\n")
        case "spaces":
            return " ".join(text.split())
        case "no_spaces":
            return "".join(text.split())
        case "hyphens":
            return re.sub(r"(\w)[-\u2010-\u2013](?=\w)", r"\1 ", text)
        case "markdown":
            return "".join(one for one in text if one not in "*_`#")
        case "quotes":
            return "".join(one for one in text if one not in "\"'“”‘’")
        case "brackets":
            return re.sub(r"\([^()]*\)", " ", text)
        case "accents":
            return "".join(
                one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one)
            )
        case "number_words":
            words = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
            return re.sub(r"[A-Za-z]+", lambda found: words.get(found[0].lower(), found[0]), text)
        case "plurals":
            return re.sub(r"\b(\w+[^\Ws])s\b", r"\1", text)
    raise GumptionError(f"no step is called {step!r}", where="validation", remedy="see the recipes' metrics")


_ALL_SIGNS = "".join(sorted(_SIGNS))
