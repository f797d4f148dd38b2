"""Reading the number a reply settles on. Units, currency and percent signs are dropped, never converted."""

from __future__ import annotations

import re

from gumption.answers._amounts import UNIT, Amount, amounts
from gumption.answers._evidence import (
    abstains,
    committed,
    explicit,
    first_line,
    plain,
    sentences,
    unread,
    words_of,
)
from gumption.answers._numerals import plain_math
from gumption.answers._reply import Passage, lower
from gumption.records import Reading

__all__ = ["read_number"]

_DIGITS = re.compile(r"([-+]?\d{1,15}(?:\.\d{1,15})?)(?: ?(?:cm|m|km|mm|g|kg|meters?|metres?|m²|%|°))?\.?")
_ABOUT = (
    r"(?:[^\w]|_|(?:approximately|approx|about|around|roughly|nearly|almost|exactly|circa|ca|some|only|just|minus"
    r"|negative)(?![a-z])|[大约概负]"
)
_OPENING = re.compile(_ABOUT + ")*")
_STATING = re.compile(
    _ABOUT + r"|(?:it|is|it's|there|are|i|we|see|count|get|counted|the|an?|total|of|answer|[nx])(?![a-z])"
    r"|[共有一总])*",
)
"""What may stand before a number that is otherwise all of a line."""
_BARE_AFTER = re.compile(rf"(?:{UNIT})?[\W_]*")
_NOUNS = (
    rf"(?:{UNIT}|(?:\s(?!(?:and|or|is|are|was|were|of|to|plus|with|on|in|at)\b)[a-z]+){{1,2}}"
    r"|[\u4e00-\u9fff]{1,4})?"
)
_EXPLAINED = re.compile(
    rf"{_NOUNS}(?:\s?[(:]|\s?[,.;—–](?!\s?(?:and\s|plus\s|or\s)?[\d½])|\s-\s|\s?\n"
    r"|\s(?:because|since|as|given|based|in total)\b|\s?$)"
)
_DIVIDED = re.compile(rf"{_NOUNS}\s?(?:[(:]|[.,;]\s\w+\sof\s(?:them|these|those|which)\b)")
"""What shows that the parts of the number before follow: "3 chairs: two red, one blue"."""
_SO = r"so\b(?:(?<=^so)|(?<=[.,;:(!?]\sso)|(?<=\nso)|(?<=\band\sso))"
_CUE = re.compile(
    words_of(
        _SO, r"i(?:'d|'ll|\swould|\swill)\s(?:say|guess|estimate|go\swith)", r"in\sall", r"totals?",
        "therefore", "thus", "hence", "guess", "estimate", "conclusion", "overall", "finally", "altogether",
        "result", "sum",
    )
    + "|因此|所以|总共|一共"
)  # fmt: skip
_CLAUSE = re.compile(r"[,;:(—]\s?|\s[-–]\s")
_BARE_REACH = 60
"""Characters on either side of a number that is all of its line."""


def read_number(passage: Passage) -> Reading:
    """Read the number that a reply settles on, as a finite float.

    Evidence in order: the last answer mark or box that holds a number, a line that is only a number, the
    only number, the number the reply opens or concludes with. Rules: `answer_tag`, `explicit`, `line`,
    `only_number`, `leading`, `conclusion`. Read are digits with thousands separators (groups of exactly
    three), decimals, fractions, powers, number words and Chinese numerals. Labels ("image 2"), ordinals,
    list numbers, times and denied numbers do not count. A range, a bound ("more than 3"), an alternative
    and two numbers without a conclusion are ambiguous. That the last statement stands follows
    `openai/evals#1767`; nothing is drawn at random, as MMMU's open parser does (`MMMU-Benchmark/MMMU#72`).
    """
    match = _DIGITS.fullmatch(passage.text)
    if match:
        return passage.reading(float(match[1]), "line" if passage.whole else "answer_tag")
    text = lower(plain(passage.text))
    for region in explicit(text):
        line = committed(plain_math(first_line(region)))
        found = _announced(line)
        if found is not None:
            value, rule = found[0], "explicit"
            break
        if abstains(line):
            return unread(passage, several=False)
    else:
        found = _settled(committed(plain_math(text)))
        value, rule = found or (None, "")
    if value is None:
        return unread(passage, several=found is not None)
    return passage.reading(value, rule if passage.whole else "answer_tag")


def _announced(line: str) -> tuple[float | None, str] | None:
    """The number of the first sentence after an answer mark, else of the line."""
    spans = sentences(line)
    found = _settled(line[slice(*spans[0])]) if len(spans) > 1 else None
    return found if found and found[0] is not None else _settled(line)


def _settled(text: str) -> tuple[float | None, str] | None:
    """The number a text settles on and the rule that says so; None for the number where several are left."""
    found = amounts(text)
    if not found:
        return None
    value = _only(found)
    bare = _only([amount for amount in found if _is_bare(text, amount)])
    if bare is not None:
        return bare, "line"
    if value is not None:
        return value, "only_number"
    leading, concluding = _leading(text, found), _concluding(text, found)
    if leading is not None and concluding in {None, leading}:
        return leading, "leading"
    return (concluding if leading is None else None), "conclusion"


def _only(found: list[Amount]) -> float | None:
    """The one value of the amounts, if there is just one."""
    values = {amount.value for amount in found}
    return values.pop() if len(values) == 1 else None


def _is_bare(text: str, amount: Amount) -> bool:
    """True where the amount is all of its line, but for words like "about" and a unit."""
    left = text.rfind("\n", max(0, amount.start - _BARE_REACH), amount.start) + 1
    right = text.find("\n", amount.end, amount.end + _BARE_REACH)
    if right < 0:
        right = len(text)
    if amount.start - left > _BARE_REACH or right - amount.end > _BARE_REACH:
        return False
    return bool(
        _STATING.fullmatch(text, left, amount.start) and _BARE_AFTER.fullmatch(text, amount.end, right)
    )


def _leading(text: str, found: list[Amount]) -> float | None:
    """The number a text opens with, if an explanation follows: "3, as there are 2 chairs and 1 stool"."""
    first = found[0]
    if first.start > _BARE_REACH:
        return None
    opens = _OPENING.fullmatch(text, 0, first.start) and _EXPLAINED.match(text, first.end)
    states = _STATING.fullmatch(text, 0, first.start) and _DIVIDED.match(text, first.end)
    return first.value if opens or states else None


def _concluding(text: str, found: list[Amount]) -> float | None:
    """The number after "so", or in the clause of "in total", of the last sentence that has numbers."""
    start, end = next(span for span in reversed(sentences(text)) if span[1] > found[-1].start)
    inside = [amount for amount in found if start <= amount.start]
    breaks = [start, *(match.end() for match in _CLAUSE.finditer(text, start, end)), end]
    for cue in reversed(list(_CUE.finditer(text, start, end))):
        after = [amount for amount in inside if amount.start >= cue.end()]
        begin = max(at for at in breaks if at <= cue.end())
        stop = min(at for at in breaks if at > cue.end() or at == end)
        clause = [amount for amount in inside if begin <= amount.start < stop]
        for part in (after, clause):
            if part and (value := _only(part)) is not None:
                return value
    return None
