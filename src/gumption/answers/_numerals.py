"""The forms in which a number is written: digits, words, fractions, powers, LaTeX, Chinese numerals.

Every pattern is bounded or possessive, so that a long run of digits or words is read once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Numeral", "numerals", "plain_math"]

_LONGEST = 400
"""Digits: more than a float can hold; longer runs are no number."""


class Numeral(NamedTuple):
    """A written number without its sign: where it stands, and its value (None if it cannot be told)."""

    start: int
    end: int
    value: float | None


# ── English words ────────────────────────────────────────────────────────────────────────────────────

_SMALL = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_FACTORS = {"dozen": 12, "hundred": 100, **_SCALES}
_PARTS = {
    word + ending: parts
    for parts, names in {
        2: "half",
        3: "third",
        4: "quarter fourth",
        5: "fifth",
        6: "sixth",
        7: "seventh",
        8: "eighth",
        9: "ninth",
        10: "tenth",
    }.items()
    for word in names.split()
    for ending in ("", "s")
} | {"halves": 2}
_FIRST = "|".join((*_SMALL, *_TENS, "hundred", *_SCALES, "dozen", "half"))
_NEXT = "|".join(
    sorted((*_SMALL, *_TENS, "hundred", *_SCALES, "dozen", "point", *_PARTS), key=len, reverse=True)
)
_SCALED = r"(?:hundred|thousand|million|billion|dozen|half)\b"
_WORD = re.compile(r"[a-z]+")

# ── other signs ──────────────────────────────────────────────────────────────────────────────────────

_VULGAR = {
    "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5,
    "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8, "⅐": 1 / 7,
    "⅑": 1 / 9, "⅒": 1 / 10,
}  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_CHINESE_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_CHINESE_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_CHINESE = "".join((*_CHINESE_DIGITS, *_CHINESE_SCALES))
_MEASURES = (
    "个個只把张張条條块塊本辆輛台扇件支根位名米厘公毫千克吨平升秒小时天岁年月次层層对對双雙杯瓶盆棵朵盏"
    "幅面间間座种種口匹头頭颗粒片英度人元"
)
"""What follows a Chinese number that counts or measures; before other signs it is part of a word."""

_NUMERAL = re.compile(
    rf"""
    (?<![A-Za-z\d_])(?<!\d\.)
    (?:
      (?: (?P<whole>\d{{1,9}}\s?)? \\frac\s?
          (?: \{{\s?(?P<top>\d{{1,20}}(?:\.\d{{1,20}})?)\s?\}}\s?\{{\s?(?P<bottom>\d{{1,20}}(?:\.\d{{1,20}})?)\s?\}}
            | (?P<top1>\d)(?P<bottom1>\d) ) )
    | (?: (?P<digits> [1-9]\d{{0,2}}(?:,\d{{3}})++(?!,?\d) | [1-9]\d{{0,2}}(?:\ \d{{3}})++(?!\d|\ \d) | \d++ )
          (?P<decimals>\.\d++)? (?!\.\d)
        | (?P<bare>(?<!\.)\.\d++) )
      (?: [eE](?P<exponent>[-+]?\d++)(?![A-Za-z]) )?
      (?: \s?(?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])
        | (?:\ |-|\ and\ )(?P<over>\d{{1,9}})\s?[/⁄]\s?(?P<under>\d{{1,9}})(?![\d/.])
        | \s?[/⁄]\s?(?P<divisor>\d{{1,20}}(?:\.\d{{1,20}})?)(?!\d)
        | \ ?(?:\^|(?<=\d)\*\*)\ ?(?:\{{\s?|\()?(?P<power>[-+]?\d++)[)}}]?
        | (?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++) )?
      (?: \s?[x×*·]\s?10(?: (?:\^|\*\*)[{{(]?(?P<ten>[-+]?\d++)[)}}]? | (?P<ten_raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++) ) )?
      (?: [\s-](?P<scale>hundred|thousand|million|billion|dozen)\b
        | (?P<scale_sign>[万萬亿億])
        | (?P<and_half>\ and\ (?:a|one)\ half\b) )?
    | (?P<fraction>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])
    | (?P<words> (?: (?:an?\s(?={_SCALED}))? (?:{_FIRST})\b | an?\s(?:quarter\b|third(?=\sof\b|\W*$)) )
                 (?: (?:[\s-]|\sand\s)(?:an?\s)?(?:{_NEXT})\b )*+ )
    )
    | (?<![第周期拜{_CHINESE}]) (?P<china>[{_CHINESE}]++(?:点[{_CHINESE}]++)?(?:分之[{_CHINESE}]++)?)
      (?: (?P<and_half_china>[个個]半) | (?P<half_of>(?<=一)半) | (?=[{_MEASURES}]|分[钟米]|[\s.,;:!?)(\]"'/]|$) )
    """,
    re.IGNORECASE | re.VERBOSE,
)

_MATH = re.compile(
    r"""\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname|mbox|rm)\s?\{(?P<text>[^{}\n]{0,200})\}
      | \\(?P<word>[a-zA-Z]+) | \\(?P<sign>[^a-zA-Z\s\d])| \{(?P<comma>,)\} | \^\s?\{?\\circ\}?(?P<degree>)""",
    re.VERBOSE,
)
_MATH_WORDS = {
    "times": "×", "cdot": "·", "pm": "±", "approx": "≈", "simeq": "≈", "sim": "≈", "degree": "°", "circ": "°",
    "frac": r"\frac", "dfrac": r"\frac", "tfrac": r"\frac", "left": "", "right": "", "quad": " ", "qquad": " ",
    "div": "÷", "ge": "≥", "geq": "≥", "le": "≤", "leq": "≤", "sqrt": "√", "pi": "π", "displaystyle": "",
    "boxed": "", "fbox": "", "euro": "€", "pounds": "£",
}  # fmt: skip
_MATH_SIGNS = {
    "%": "%",
    "$": "$",
    "#": "#",
    "&": "&",
    "_": "_",
    ",": "",
    "!": "",
    ";": " ",
    ":": " ",
    "\\": " ",
}


def plain_math(text: str) -> str:
    r"""LaTeX commands as the signs they print: \times, \text{cm}, 1{,}200, ^\circ; \frac stays."""
    if "\\" not in text and "{," not in text:
        return text
    return _MATH.sub(_plain_command, text)


def _plain_command(match: re.Match[str]) -> str:
    if match["text"] is not None:
        return " " + match["text"]
    if match["word"] is not None:
        return _MATH_WORDS.get(match["word"], " ")
    if match["sign"] is not None:
        return _MATH_SIGNS.get(match["sign"], " ")
    return "," if match["comma"] else "°"


def numerals(text: str) -> Iterator[Numeral]:
    """Every number written in `text`, in order, without signs and units."""
    for match in _NUMERAL.finditer(text):
        if match["words"]:
            yield from _spoken(match["words"], match.start())
        elif match["china"]:
            yield _chinese_numeral(match, text)
        elif match["fraction"]:
            yield Numeral(match.start(), match.end(), _VULGAR[match["fraction"]])
        else:
            yield Numeral(match.start(), match.end(), _written(match))


def _written(match: re.Match[str]) -> float | None:
    """The value of digits with what is joined to them."""
    if match["top"] or match["top1"]:
        part = _ratio(match["top"] or match["top1"], match["bottom"] or match["bottom1"])
        return None if part is None else float(match["whole"] or 0) + part
    digits, exponent = match["digits"] or "", match["exponent"]
    power = match["power"] or (match["raised"] or "").translate(_RAISED)
    ten = match["ten"] or (match["ten_raised"] or "").translate(_RAISED)
    if len(match[0]) > _LONGEST or any(len(sign) > 4 for sign in (exponent, power, ten) if sign):
        return None
    number = digits.replace(",", "").replace(" ", "") + (match["decimals"] or match["bare"] or "")
    value = float(f"{number}e{exponent}" if exponent else number)
    try:
        if match["vulgar"]:
            value += _VULGAR[match["vulgar"]]
        elif match["over"]:
            value += float(match["over"]) / float(match["under"])
        elif match["divisor"]:
            value /= float(match["divisor"])
        if power:
            value **= int(power)
        if ten:
            value *= 10.0 ** int(ten)
    except (OverflowError, ZeroDivisionError):
        return None
    if match["scale"]:
        value *= _FACTORS[match["scale"].lower()]
    elif match["scale_sign"]:
        value *= _CHINESE_SCALES[match["scale_sign"]]
    elif match["and_half"]:
        value += 0.5
    return value if math.isfinite(value) else None


def _ratio(top: str, bottom: str) -> float | None:
    divisor = float(bottom)
    return float(top) / divisor if divisor else None


def _spoken(run: str, offset: int) -> Iterator[Numeral]:
    """The numbers in a run of number words; a run may hold several ("three four")."""
    words = [
        (match[0], match.start() + offset, match.end() + offset) for match in _WORD.finditer(run.lower())
    ]
    names = [word for word, _, _ in words]
    at = 0
    while at < len(names):
        value, stop = _amount(names, at)
        if stop > at and value is not None:
            yield Numeral(words[at][1], words[stop - 1][2], value)
        at = max(stop, at + 1)


def _amount(words: list[str], at: int) -> tuple[float | None, int]:
    """A cardinal with its fraction from word `at` on, and the word after it."""
    article = words[at] in {"a", "an"}
    first = words[at + article] if at + article < len(words) else ""
    if first in _PARTS:
        # "half", "a quarter", "half a dozen"; a lone "third" is an ordinal.
        if not article and first != "half":
            return None, at + 1
        value, stop = 1 / _PARTS[first], at + article + 1
        ahead = stop + (words[stop : stop + 1] in (["a"], ["an"]))
        scale = _FACTORS.get(words[ahead] if ahead < len(words) else "")
        return (value * scale, ahead + 1) if scale else (value, stop)
    value, stop = _cardinal(words, at)
    if stop == at:
        return None, at
    rest = words[stop : stop + 4]
    if rest and rest[0] in _PARTS:
        # "three quarters", but "twenty third" is an ordinal
        return (value / _PARTS[rest[0]], stop + 1) if 0 < value < 20 else (None, stop + 1)
    if len(rest) > 1 and rest[0] == "point":
        digits = ""
        stop += 1
        while stop < len(words) and _SMALL.get(words[stop], 10) < 10 and len(digits) < 15:
            digits += str(_SMALL[words[stop]])
            stop += 1
        return float(f"{value:.0f}.{digits or 0}"), stop
    if len(rest) > 1 and rest[0] == "and":
        if rest[1] == "half":
            return value + 0.5, stop + 2
        if len(rest) > 2 and rest[2] in _PARTS:
            count = 1 if rest[1] in {"a", "an"} else _SMALL.get(rest[1], 0)
            if count:
                return value + count / _PARTS[rest[2]], stop + 3
    return value, stop


def _cardinal(words: list[str], at: int) -> tuple[float, int]:
    """A whole number from word `at` on, and the word after it (`at` itself if there is none)."""
    start, total, ceiling = at, 0.0, float("inf")
    part: int | None = None
    while at < len(words):
        word = words[at]
        joined = word == "and" and at > start and words[at - 1] in {"hundred", *_SCALES}
        if joined and at + 1 < len(words) and (words[at + 1] in _SMALL or words[at + 1] in _TENS):
            if at + 2 < len(words) and words[at + 2] in _PARTS:
                break
        elif word in {"a", "an"} and at == start:
            part = 1
        elif word in _SMALL and (
            part is None or part % 100 == 0 or (part % 100 >= 20 and part % 10 == 0 and 0 < _SMALL[word] < 10)
        ):
            if part == 0:
                break
            part = (part or 0) + _SMALL[word]
        elif word in _TENS and (part is None or (part and part % 100 == 0)):
            part = (part or 0) + _TENS[word]
        elif word == "hundred" and (part is None or 0 < part < 100):
            part = 100 * (part or 1)
        elif word in _SCALES and _SCALES[word] < ceiling and (part or (part is None and at == start)):
            ceiling = _SCALES[word]
            total, part = total + (part or 1) * ceiling, None
        elif word == "dozen" and at - start <= 2 and part != 0:
            return 12.0 * (part or 1), at + 1
        else:
            break
        at += 1
    return total + (part or 0), at


def _chinese_numeral(match: re.Match[str], text: str) -> Numeral:
    run, end = match["china"], match.end()
    if match["half_of"]:
        return Numeral(match.start(), end, 0.5 if run == "一" else None)
    if len(run) > 1 and run[-1] == "千" and text[end : end + 1] in set("克米瓦卡"):
        run, end = run[:-1], end - 1  # kilo is the unit's: 三千克 is 3 kg
    value = _chinese(run)
    if value is not None and match["and_half_china"]:
        value += 0.5
    return Numeral(match.start(), end, value)


def _chinese(run: str) -> float | None:
    """The value of Chinese numerals: positional, with scales, with a decimal or as a fraction."""
    if len(run) > 40:
        return None
    if "分之" in run:
        bottom, top = (_chinese(half) for half in run.split("分之"))
        if bottom == 100:
            return top
        return top / bottom if bottom and top is not None else None
    whole, _, decimals = run.partition("点")
    if decimals:
        digits = "".join(str(_CHINESE_DIGITS.get(sign, "")) for sign in decimals)
        value = _chinese(whole)
        return None if value is None or len(digits) != len(decimals) else float(f"{value:.0f}.{digits}")
    if not set(whole) & set(_CHINESE_SCALES):
        return float("".join(str(_CHINESE_DIGITS[sign]) for sign in whole))
    total = section = 0
    digit, last = None, 0
    for sign in whole:
        if sign in _CHINESE_DIGITS:
            digit, last = _CHINESE_DIGITS[sign], (0 if _CHINESE_DIGITS[sign] == 0 else last)
            continue
        scale = _CHINESE_SCALES[sign]
        if scale < 10**4:
            section += (1 if digit is None else digit) * scale
        else:
            total, section = total + (section + (digit or 0)) * scale, 0
        digit, last = None, scale
    # A closing digit counts the next lower scale: 一百五 is 150, 一百零五 is 105.
    return float(total + section + (digit or 0) * (last // 10 if last > 10 else 1))
