"""How SpatialScore's own code reads replies: letters, yes or no, numbers, and lengths with their unit.

Rules from `haoningwu3639/SpatialScore`, utils/util.py (version_0). Each function reads both the reply and the
published answer.
"""

from __future__ import annotations

import re

from gumption.answers import passage_of
from gumption.benchmarks._mra import mra_official

__all__ = [
    "first_number",
    "is_length",
    "lengths_agree",
    "number_score",
    "option",
    "with_unit",
    "yes_no",
]

_LONGEST = 100_000
"""Characters of a reply that are read, from its start."""
_TAG = re.compile(r"</?(?:conclusion|CONCLUSION|answer|ANSWER|assistant|ASSISTANT)>")
_ROLE = re.compile(r"ASSISTANT:\s{0,40}\(?([A-Fa-f])\)?")
_ALONE = re.compile(r"([A-Fa-f])\.?")
_CONCLUDED = (
    re.compile(r"<conclusion>\s{0,40}\(([a-f])\)[^\n]{0,2000}?</conclusion>", re.IGNORECASE),
    re.compile(r"<conclusion>\s{0,40}\(?([a-f])\)?\.?\s{0,40}</conclusion>", re.IGNORECASE),
)
_LETTERS = (
    re.compile(r"(?:answer|option)[:\s]{0,40}\(?([a-f])", re.IGNORECASE),
    re.compile(r"(?:^|\s)\(?([a-f])\)\.?(?:$|[\s.])", re.IGNORECASE),
    re.compile(r"(?:^|\s)([a-f])\.?(?:$|[\s.,])", re.IGNORECASE),
    re.compile(r"([a-f])", re.IGNORECASE),
)
"""In order: after "answer" or "option"; before a closing bracket; alone; anywhere, even inside a word."""
_CONCLUDED_WORD = re.compile(r"<conclusion>\s{0,40}(yes|no)\s{0,40}</conclusion>", re.IGNORECASE)
_CONCLUDED_NUMBER = re.compile(r"<conclusion>\s{0,40}(\d+)\s{0,40}</conclusion>", re.IGNORECASE)
_YES = re.compile(r"\b(?:yes|yeah|yep|correct|true|right|agreed?)\b")
_NO = re.compile(r"\b(?:no|nope|not|false|wrong|incorrect|disagreed?)\b")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_WORDS = {word: float(n) for n, word in enumerate(_ONES.split())} | {
    word: float(n) for n, word in enumerate(_ORDINALS.split(), 1)
}
_MARKS_OF_LENGTH = ("m", "inch", "ft", "foot", "feet")
"""Of these each of the official units has one; "m" is in many other words too."""
_CENTIMETRES = {
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), 100.0),
    **dict.fromkeys(("cm", "centimeter", "centimeters"), 1.0),
    "mm": 0.1,
    **dict.fromkeys(("ft", "foot", "feet"), 30.48),
    **dict.fromkeys(("in", "inch", "inches"), 2.54),
}
"""Any other unit counts as centimetres, kilometres and yards among them."""
_FACTOR = 2.0
_ABOUT = r"(?:approximately|about|roughly)\s{0,40}\**"
_LENGTH_VALUES = (
    re.compile(r"\\scalar\{([^}]{1,200})\}"),
    re.compile(r"\*\*([\d.]{1,40})\s{0,40}[a-zA-Z]{1,40}\*\*"),
    re.compile(rf"{_ABOUT}([\d.]{{1,40}})\s{{0,40}}[a-zA-Z]", re.IGNORECASE),
    re.compile(r"(?<!\d)(\d++\.?+\d*+)\s{0,40}[a-zA-Z]"),
)
_LENGTH_UNITS = (
    re.compile(r"\\distance_unit\{([^}]{1,200})\}"),
    re.compile(r"\*\*\d{1,40}\.?\d{0,40}\s{0,40}([a-zA-Z]{1,40})\*\*"),
    re.compile(rf"{_ABOUT}\d{{1,40}}\.?\d{{0,40}}\s{{0,40}}([a-zA-Z]{{1,40}})", re.IGNORECASE),
    re.compile(r"(?<!\d)\d++\.?+\d*+\s{0,40}([a-zA-Z]{1,40})"),
)
_NUMBER = re.compile(r"\d{1,40}\.?\d{0,40}")
_AMOUNT = re.compile(
    r"(?<![\d.])(\d{1,40}(?:\.\d{1,40})?)\s?(mm|cm|centimet(?:er|re)s?|m|met(?:er|re)s?|ft|foot|feet|inch(?:es)?|in)\b"
)


def option(text: str) -> str:
    """A letter A to F; the text itself where it holds none of them at all."""
    text = text[:_LONGEST].strip()
    alone = _ALONE.fullmatch(text)
    for pattern in (_ROLE, *_CONCLUDED, *_LETTERS):
        found = alone or pattern.search(text)
        if found:
            return found[1].upper()
    return text.upper()


def yes_no(text: str) -> str:
    """Yes or No: "correct", "true" and "right" are yes and come first, "not" is no. Else the text."""
    text = text[:_LONGEST].strip()
    role, concluded = _ROLE.search(text), _CONCLUDED_WORD.search(text)
    low = _TAG.sub("", text).strip().lower()
    if low in ("yes", "no"):
        return low.capitalize()
    if role:
        return role[1].upper()
    if concluded:
        return concluded[1].capitalize()
    if _YES.search(low):
        return "Yes"
    return "No" if _NO.search(low) else low


def first_number(text: str) -> float | None:
    """The first number, without its sign, else the first number word in the order of the numbers."""
    text = text[:_LONGEST].strip()
    if _ROLE.search(text):
        return None
    low = _TAG.sub("", text).strip().lower()
    concluded = _CONCLUDED_NUMBER.search(text)
    if concluded:
        return float(concluded[1])
    digits = _DIGITS.search(low)
    if digits:
        return float(digits[0])
    for word, value in _WORDS.items():
        phrases = (f" {word} ", f"there are {word}", f"there is {word}", f"shows {word}")
        if low.startswith(word) or low.endswith(f" {word}") or any(phrase in low for phrase in phrases):
            return value
    words = set(low.split())
    return next((value for word, value in _WORDS.items() if word in words), None)


def number_score(said: float, gold: float | None, source: str) -> float:
    """Of VSI-Bench's numbers the mean relative accuracy, a 0 being right only for 0; of others equality."""
    if source != "VSI-Bench_8" or not said or gold is None:
        return float(said == gold)
    return mra_official(said, gold)


def is_length(gold: str) -> bool:
    """Whether the published answer goes to the rule of lengths: any with an "m" in it does."""
    return any(mark in gold.lower() for mark in _MARKS_OF_LENGTH)


def lengths_agree(said: str, gold: str) -> bool:
    """Whether the larger of two lengths is less than twice the other, in centimetres; 0 equals only 0."""
    said = _TAG.sub("", said[:_LONGEST]).strip()
    value, unit = _found(_LENGTH_VALUES, said), _found(_LENGTH_UNITS, said)
    number = _NUMBER.search(value)
    gold_value, gold_unit = _found(_LENGTH_VALUES[-1:], gold), _found(_LENGTH_UNITS[-1:], gold)
    if number is None or not unit or not gold_value:
        return False
    ours = float(number[0]) * _CENTIMETRES.get(unit.lower().strip(), 1.0)
    theirs = float(gold_value) * _CENTIMETRES.get(gold_unit.lower(), 1.0)
    if not ours or not theirs:
        return ours == theirs
    return max(ours / theirs, theirs / ours) < _FACTOR


def _found(patterns: tuple[re.Pattern[str], ...], text: str) -> str:
    """What the first pattern that fits has found, or ""."""
    return next((match[1] for pattern in patterns if (match := pattern.search(text))), "")


def with_unit(value: float, reply: str, gold: str) -> str:
    """A length as our reader found it, with the unit that the reply gives this number, else the gold's."""
    amounts = _AMOUNT.findall(passage_of(reply).text[-_LONGEST:].lower())
    unit = next((unit for number, unit in amounts if float(number) == value), None)
    return f"{value:.12f} {unit or _found(_LENGTH_UNITS[-1:], gold)}"
