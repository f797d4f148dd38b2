"""The forms in which a number is written: digits, fractions, powers, LaTeX; words and Chinese numerals.

Every pattern is bounded or possessive, so that a long run of digits or words is read once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from gumption.answers._chinese import SCALES, written_in_chinese
from gumption.answers._number_words import FACTORS, spoken

__all__ = ["Numeral", "numerals", "plain_math"]

_LONGEST = 400
"""Characters: no longer number fits a float."""


class Numeral(NamedTuple):
    """A written number without its sign: from where to where, and its value."""

    start: int
    end: int
    value: float


_VULGAR = {
    "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5,
    "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8, "⅐": 1 / 7,
    "⅑": 1 / 9, "⅒": 1 / 10,
}  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_START = re.compile(rf"[\d.\\{''.join(_VULGAR)}]")
_LONG = re.compile(r"(?<![a-z\d_])[1-9]\d{0,2}(?:(?:,\d{3}){9,}+|(?: \d{3}){9,}+)")
"""More groups of thousands than a number has: no answer, and read once, not from each group on."""
_DIGITS = re.compile(
    rf"""
    (?<![a-z\d_])(?<!\d\.)
    (?:
      (?P<before>\d{{1,9}}\s?)? \\frac\s?
        (?: \{{\s?(?P<top>-?\d{{1,20}}(?:\.\d{{1,20}})?)\s?\}}
            \s?\{{\s?(?P<bottom>\d{{1,20}}(?:\.\d{{1,20}})?)\s?\}}
          | (?P<top_digit>\d)(?P<bottom_digit>\d) )
    | (?: (?P<whole> [1-9]\d{{0,2}}(?:,\d{{3}}){{1,8}}+(?!,?\d)
                   | [1-9]\d{{0,2}}(?:\ \d{{3}}){{1,8}}+(?!\ ?\d)
                   | \d++ )
          (?P<decimals>\.\d++)? (?!\.\d)
        | (?P<no_whole>(?<!\.)\.\d++) )
      (?: e(?P<exponent>[-+]?\d++)(?![a-z]) )?
      (?: \s?(?P<vulgar>[{"".join(_VULGAR)}])
        | (?:\ |-|\ and\ )(?P<over>\d{{1,9}})\s?[/⁄]\s?(?P<under>\d{{1,9}})(?![\d/.])
        | \s?[/⁄]\s?(?P<divisor>\d{{1,20}}(?:\.\d{{1,20}})?)(?!\d)
        | \ ?(?:\^|(?<=\d)\*\*)\ ?(?:\{{\s?|\()?(?P<power>[-+]?\d++)[)}}]?
        | (?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++) )?
      (?: \s?[x×*·]\s?10
          (?: (?:\^|\*\*)[{{(]?(?P<ten>[-+]?\d++)[)}}]? | (?P<ten_raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++) ) )?
      (?: [\s-](?P<scale>hundred|thousand|million|billion|dozen)\b
        | (?P<scale_sign>[万萬亿億])
        | (?P<and_half>\ and\ (?:a|one)\ half\b) )?
    | (?P<fraction>[{"".join(_VULGAR)}])
    )
    """,
    re.VERBOSE,
)

_COMMAND = re.compile(
    r"""\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname|mbox|rm)\s?\{(?P<text>[^{}\n]{0,200})\}
      | \\(?P<word>[a-z]+) | \\(?P<sign>[^a-z\s\d]) | \{(?P<comma>,)\} | \^\s?\{?\\circ\}?""",
    re.VERBOSE,
)
_WORDS = {
    "times": "×", "cdot": "·", "pm": "±", "approx": "≈", "simeq": "≈", "sim": "≈", "degree": "°",
    "circ": "°", "frac": r"\frac", "dfrac": r"\frac", "tfrac": r"\frac", "left": "", "right": "",
    "div": "÷", "ge": "≥", "geq": "≥", "le": "≤", "leq": "≤", "sqrt": "√", "pi": "π", "displaystyle": "",
    "boxed": "", "fbox": "", "pounds": "£",
}  # fmt: skip
_SIGNS = {"%": "%", "$": "$", "#": "#", "&": "&", "_": "_", ",": "", "!": ""}


def plain_math(text: str) -> str:
    r"""LaTeX commands as the signs they print: \times, \text{cm}, 1{,}200, ^\circ; \frac stays."""
    return _COMMAND.sub(_printed, text) if "\\" in text or "{," in text else text


def _printed(match: re.Match[str]) -> str:
    if match["text"] is not None:
        return " " + match["text"]
    if match["word"]:
        return _WORDS.get(match["word"], " ")
    if match["sign"]:
        return _SIGNS.get(match["sign"], " ")
    return "," if match["comma"] else "°"


def numerals(text: str) -> list[Numeral]:
    """Every number written in `text`, in order, without signs and units. `text` is in lower case."""
    found = [*_in_digits(text), *(Numeral(*place) for place in spoken(text))]
    if not text.isascii():
        found += [Numeral(*place) for place in written_in_chinese(text)]
    found.sort()
    # The "million" of "3 million" is part of it, and so is what cannot be read: 9^999 is no 9.
    kept, end = [], 0
    for numeral in found:
        if numeral.start >= end:
            kept.append(numeral)
            end = numeral.end
    return [numeral for numeral in kept if math.isfinite(numeral.value)]


def _in_digits(text: str) -> Iterator[Numeral]:
    at = 0
    while start := _START.search(text, at):
        long = _LONG.match(text, start.start())
        if long:
            yield Numeral(long.start(), long.end(), math.inf)
            at = long.end()
            continue
        match = _DIGITS.match(text, start.start())
        if match:
            yield Numeral(match.start(), match.end(), _value(match))
        at = match.end() if match else start.end()


def _value(match: re.Match[str]) -> float:
    """The value of digits with what is joined to them; NaN or infinity where it cannot be told."""
    if match.lastgroup in {"whole", "decimals"} and match.end() - match.start() < 40:
        return float(match[0].replace(",", "").replace(" ", ""))
    if match["fraction"]:
        return _VULGAR[match["fraction"]]
    try:
        if match["top"] or match["top_digit"]:
            part = float(match["top"] or match["top_digit"]) / float(match["bottom"] or match["bottom_digit"])
            return float(match["before"] or 0) + part
        return _with_joined(match)
    except (OverflowError, ZeroDivisionError):
        return math.nan


def _with_joined(match: re.Match[str]) -> float:
    exponent = match["exponent"]
    power = match["power"] or (match["raised"] or "").translate(_RAISED)
    ten = match["ten"] or (match["ten_raised"] or "").translate(_RAISED)
    if len(match[0]) > _LONGEST or any(len(sign) > 4 for sign in (exponent, power, ten) if sign):
        return math.nan
    whole = (match["whole"] or "").replace(",", "").replace(" ", "")
    number = whole + (match["decimals"] or match["no_whole"] or "")
    value = float(f"{number}e{exponent}" if exponent else number)
    if match["vulgar"]:
        value += _VULGAR[match["vulgar"]]
    elif match["over"]:
        value += float(match["over"]) / float(match["under"])
    elif match["divisor"]:
        value /= float(match["divisor"])
    elif power:
        value **= int(power)
    if ten:
        value *= 10.0 ** int(ten)
    if match["scale"]:
        value *= FACTORS[match["scale"]]
    elif match["scale_sign"]:
        value *= SCALES[match["scale_sign"]]
    elif match["and_half"]:
        value += 0.5
    return value
