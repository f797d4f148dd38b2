"""The amounts a text speaks of: its written numbers, with signs, less labels, ordinals and what is denied.

Two numbers that hang together are one amount: "2 + 1 = 3" is 3, "3 ± 0.5" is 3; a range, a bound and an
alternative are one amount that cannot be told.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gumption.answers._evidence import denied, rejected, takes_back
from gumption.answers._numerals import Numeral, numerals

__all__ = ["UNIT", "Amount", "amounts"]


class Amount(NamedTuple):
    """Where an amount stands, sign and unit aside, and its value; None where the text leaves it open."""

    start: int
    end: int
    value: float | None


_NAME = (
    r"(?:(?:square|sq\.?|cubic|cu\.?)\s)?(?:"
    r"(?:centi|milli|kilo|deci|micro|nano)?(?:met(?:er|re)s?|gram(?:me)?s?|lit(?:er|re)s?)"
    r"|[cdkmnµu]?m|[km]?g|[mc]?l|lbs?|oz|ft|feet|foot|in|inch(?:es)?|yards?|yds?|mi(?:les?)?|tons?|tonnes?|t"
    r"|sq(?:m|ft)|hours?|hrs?|h|min(?:ute)?s?|sec(?:ond)?s?|m?s|days?|weeks?|months?|years?|px|pixels?"
    r"|deg(?:rees?)?|rad(?:ians?)?|percent|dollars?|euros?|usd|eur|rmb|yuan|k?pa|k?wh?|v|[kmg]?hz|k?j|k?cal"
    r"|[km]ph|kmh|celsius|fahrenheit|c|f)(?![a-z])"
    r"|°\s?(?:[cf](?![a-z]))?|[%‰℃℉€£¥₹'\"$]|平方米|立方米|厘米|毫米|公里|千米|米|个|度|元|公斤|千克|克|升"
)
_RAISED = r"(?:[23²³]|\s?(?:\^\s?\{?|\*\*)[23]\}?)?"
UNIT = rf"\s?(?:{_NAME}){_RAISED}(?:\s?(?:/|per\s)\s?(?:{_NAME}){_RAISED})?"
"""Pattern source for text in lower case: a unit, a currency or a percent sign after a number."""

_UNIT = re.compile(UNIT)
_COMPOUND = re.compile(rf"-(?!{_NAME})[a-z]")
"""A "three-seat sofa" counts nothing; a "5-meter rope" measures."""
_LABEL = re.compile(
    r"(?:\b(?:step|image|img|figure|fig\.?|option|picture|photo|frame|view|video|clip|question|page|part|section"
    r"|choice|camera|scene|equation|eq\.?|chapter|version|phase|stage|case)(?P<plural>s?)\s?(?:no\.?\s|number\s)?"
    r"|[#№第])[#(]?$"
)
_LABELS_GO_ON = re.compile(r"\s?(?:,\s?and|,|and|&|or|to|-|–)\s?")
_ENUMERATOR = re.compile(r"^[ \t>*#-]*\(?(\d{1,3})[.):][)*_]*[ \t]+(?=\S)", re.MULTILINE)
_SURE = re.compile(r"\s?%\s(?:\w+\s)?(?:sure|certain|confiden)")
_SYMBOL_BEFORE = re.compile(r"(?:[√π][\s*·×/{}()]{0,3}|\}\s?\{\s?)$")
_SYMBOL_AFTER = re.compile(r"[\s*·×/{}()]{0,3}[√π]")
_MINUS = re.compile(r"(?:\b(?:minus|negative)\s|负)$")
_BOUND = re.compile(
    r"(?:\b(?:(?:more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter)\sthan|at\s(?:least|most)|up\sto)"
    r"\s(?:about\s)?|\S\s?[<>]=?\s?|[≥≤]\s?)[-+$]?$"
)

_COUNTED_BEFORE = re.compile(
    r"(?:\b(?:is|are|was|only|just|exactly|see|count|counted|has|have|contains?|find|get|be|answer|about|or|and|to"
    r"|than|least|most|plus|minus)\s|[^\w\s'\"]\s?)$"
)
_ONE_BEFORE = re.compile(
    r"\b(?:the|this|that|an?|each|every|any|some|another|other|no|which|my|its|your)\s(?:[a-z-]+\s){0,2}$"
)
_ONE_AFTER = re.compile(
    r"\s(?:of|is|was|are|has|on|in|at|to|that|which|who|with|near|closest|by|side|another|should|must|would|could"
    r"|can|may|might|will|needs|day|more)\b|'s|-by-"
)
_HALF_BEFORE = re.compile(
    r"\b(?:the|this|that|left|right|upper|lower|top|bottom|other|first|second|each|front|back|rear|either)"
    r"(?:[\s-][a-z]+)?[\s-]$"
)

_WORDS = r"(?:\s?(?:[a-zµ]+(?![a-z])|[\u4e00-\u9fff°%²³'\"/]{1,4}|\^\{?[23]\}?)){0,3}?"
_SIGN = r"\s?[($]?\s?[-+]?\s?"
_OPERATOR = re.compile(
    rf"{_WORDS}\s?[)\]]?\s?(?P<sign>[-+*/x×·÷=≈]"
    rf"|\b(?:plus|minus|times|equals?|makes?|gives?|is|(?:divided|multiplied) by)\b){_SIGN}"
)
_RESULTS = frozenset(["=", "≈", "equal", "equals", "make", "makes", "give", "gives", "is"])
_SPREAD = re.compile(rf"{_WORDS}\s?(?:±|\+/-|\+-|\bplus or minus\b|\bgive or take\b)\s?\$?")
_RANGE = re.compile(
    rf"{_WORDS}(?:\s?[-–~]{{1,2}}\s?|—|\s?\.\.\.?\s?|\s(?:to|through|until)\s"
    rf"|[\s,(/]{{1,3}}(?:or|maybe|perhaps|possibly)\s(?:maybe\s|perhaps\s|even\s|about\s)?|\s?[至到或]\s?者?){_SIGN}"
)
_AND = re.compile(rf"{_WORDS}\sand\s(?:about\s|around\s)?{_SIGN}|{_WORDS}[和与]")
_BETWEEN = re.compile(r"(?:\bbetween\s(?:about\s|around\s|roughly\s)?|在)[-+$]?$")
_LONGEST_GAP = 40


def amounts(text: str) -> list[Amount]:
    """Every amount in `text`, in order. Lower case, without Markdown emphasis and LaTeX commands."""
    found = _pairs(text, _equations(text, _single(text)))
    if takes_back(text):
        found = [
            amount
            for amount in found
            if not denied(text, amount.start - _signed(text, amount.start)) and not rejected(text, amount.end)
        ]
    return found


def _signed(text: str, start: int) -> int:
    return int(text[start - 1 : start] in {"-", "+", "–"})


# ── one number ───────────────────────────────────────────────────────────────────────────────────────


def _single(text: str) -> list[Amount]:
    """The numbers of the text that can be amounts, each by itself."""
    found: list[Amount] = []
    enumerators = _enumerators(text) if "\n" in text or text[:1].isdigit() else set()
    label_end, last_end = -1, -100
    for numeral in numerals(text):
        start, end, value = numeral
        if start in enumerators:
            continue
        if label_end >= 0 and _LABELS_GO_ON.fullmatch(text, label_end, start):
            label_end = end
            continue
        label = _follows_sign(text, start) and _LABEL.search(text, max(0, start - 18), start)
        if label:
            label_end = end if label["plural"] else -1
            continue
        label_end = -1
        if _is_amount(text, numeral, last_end):
            found.append(Amount(start, end, _with_sign(text, start, end, value)))
        last_end = end
    return found


def _follows_sign(text: str, start: int) -> bool:
    """Whether what stands before `start` can bear on a number: one cheap look before a search."""
    before = text[max(0, start - 2) : start].rstrip(" ")
    return bool(before) and (before[-1].isalpha() or before[-1] in ".#№(<>=≥≤")


def _is_amount(text: str, numeral: Numeral, last_end: int) -> bool:
    """False for exponents of units, clock times, dates, ordinals, codes, pronouns and roots."""
    start, end, _ = numeral
    before, two_before, after = text[start - 1 : start], text[max(0, start - 2) : start], text[end : end + 1]
    if before in {"^", "\\"} or two_before == "^{" or _is_symbolic(text, start, end):
        return False
    if two_before == "**" and text[max(0, start - 3) : start - 2].isalpha():
        return False
    if (before in {":", "/"} and two_before[:1].isdigit()) or (
        after in {":", "/"} and text[end + 1 : end + 2].isdigit()
    ):
        return False
    if before == "-" and two_before[:1].isalpha() and start - last_end > 6:
        return False
    if after and (after == "_" or (after.isascii() and after.isalpha())) and not _UNIT.match(text, end):
        return False
    if (after == "-" and _COMPOUND.match(text, end)) or (
        "%" in text[end : end + 2] and _SURE.match(text, end)
    ):
        return False
    word = text[start:end]
    if word == "one":
        return not _is_pronoun(text, start, end)
    return not (word == "half" and _HALF_BEFORE.search(text, max(0, start - 24), start))


def _is_symbolic(text: str, start: int, end: int) -> bool:
    """True for the 2 of "2π" and the 3 of "√3": the amount is not the number that is written."""
    near = text[max(0, start - 5) : end + 5]
    if "√" not in near and "π" not in near and "}" not in near:
        return False
    return bool(_SYMBOL_BEFORE.search(text, max(0, start - 5), start) or _SYMBOL_AFTER.match(text, end))


def _is_pronoun(text: str, start: int, end: int) -> bool:
    """True for the "one" of "the left one" and "one of them"; False in "there is one"."""
    near = max(0, start - 30)
    if start == near == 0 and not _ONE_AFTER.match(text, end):
        return False
    if _COUNTED_BEFORE.search(text, near, start):
        return False
    return bool(_ONE_BEFORE.search(text, near, start) or _ONE_AFTER.match(text, end))


def _with_sign(text: str, start: int, end: int, value: float) -> float | None:
    if text[end : end + 1] == "+":
        return None
    at = start
    while text[at - 1 : at] in {"$", "€", "£", "¥", "₹"}:
        at -= 1
    before = text[at - 1 : at]
    if before in {"-", "–"}:
        joined = text[max(0, at - 2) : at - 1]
        return value if joined.isalnum() or joined in {")", "/", "+"} else -value
    if _follows_sign(text, at) and _MINUS.search(text, max(0, at - 10), at):
        return -value
    if _follows_sign(text, at) and _BOUND.search(text, max(0, at - 24), start):
        return None
    return value


def _enumerators(text: str) -> set[int]:
    """Where the numbers of list items stand; a lone "3." that follows no "2." numbers nothing."""
    starts, last = set(), 0
    for match in _ENUMERATOR.finditer(text):
        number = int(match[1])
        if number in {1, last + 1}:
            starts.add(match.start(1))
            last = number
    return starts


# ── numbers that hang together ───────────────────────────────────────────────────────────────────────


def _equations(text: str, found: list[Amount]) -> list[Amount]:
    """Each sum as its result ("2 chairs + 1 table = 3" is 3), and as an open amount if it has none."""
    merged: list[Amount] = []
    at = 0
    while at < len(found):
        stop, result, arithmetic, computed = at, -1, False, False
        while stop + 1 < len(found) and (sign := _operator(text, found[stop], found[stop + 1])):
            stop += 1
            if sign not in _RESULTS:
                arithmetic, result = True, -1
                computed = computed or sign != "-"
            elif arithmetic:
                result = stop
        if result >= 0:
            merged.append(Amount(found[at].start, found[result].end, found[result].value))
        elif computed:
            merged.append(Amount(found[at].start, found[stop].end, None))
        else:
            merged += found[at : stop + 1]
        at = stop + 1
    return merged


def _operator(text: str, left: Amount, right: Amount) -> str:
    if right.start - left.end > _LONGEST_GAP or not text[left.end : right.start].strip(" ,\n"):
        return ""
    match = _OPERATOR.fullmatch(text, left.end, right.start)
    spread = match and _SPREAD.fullmatch(text, left.end, right.start)
    return match["sign"] if match and not spread else ""


def _pairs(text: str, found: list[Amount]) -> list[Amount]:
    """Each spread as its middle; each range and each alternative as one open amount."""
    merged: list[Amount] = []
    for amount in found:
        last = merged[-1] if merged else None
        between = text[last.end : amount.start] if last and amount.start - last.end <= _LONGEST_GAP else ""
        if last is None or not between.strip(" ,\n"):
            merged.append(amount)
        elif _SPREAD.fullmatch(text, last.end, amount.start):
            merged[-1] = Amount(last.start, amount.end, last.value)
        elif last.value != amount.value and _is_range(text, last, amount):
            merged[-1] = Amount(last.start, amount.end, None)
        else:
            merged.append(amount)
    return merged


def _is_range(text: str, left: Amount, right: Amount) -> bool:
    if _RANGE.fullmatch(text, left.end, right.start):
        return True
    between = _BETWEEN.search(text, max(0, left.start - 24), left.start)
    return bool(between and _AND.fullmatch(text, left.end, right.start))
