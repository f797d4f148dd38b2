"""Numbers in Chinese numerals: 十二, 一百零五, 两万三千, 三点五, 三分之一, 两个半."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["SCALES", "written_in_chinese"]

_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_NUMERALS = "".join((*_DIGITS, *SCALES))
_MEASURES = (
    "个個只把张張条條块塊本辆輛台扇件支根位名米厘公毫千克吨平升秒小时天岁年月次層层對对双雙杯瓶盆棵朵盏"
    "幅面间間座种種口匹头頭颗粒片英度人元"
)
"""What follows a number that counts or measures; before other signs it is part of a word (一些, 十分)."""
_RUN = re.compile(
    rf"""
    (?<![\d第周期拜几数{_NUMERALS}])(?![万萬亿億])
    (?P<run>[{_NUMERALS}]++(?:点[{_NUMERALS}]++)?(?:分之[{_NUMERALS}]++)?)
    (?: (?P<and_half>[个個]半) | (?P<half>(?<=一)半) | (?=[{_MEASURES}到至或]|分[钟米]|[\s.,;:!?)(\]"'/]|$) )
    """,
    re.VERBOSE,
)
_LONGEST = 40


def written_in_chinese(text: str) -> Iterator[tuple[int, int, float]]:
    """Start, end and value of each number in Chinese numerals, in order."""
    for match in _RUN.finditer(text):
        run, end = match["run"], match.end()
        if len(run) > 1 and run[-1] == "千" and text[end : end + 1] in set("克米瓦卡"):
            run, end = run[:-1], end - 1  # the unit is kilo-: 三千克 is 3 kg
        value = (0.5 if run == "一" else None) if match["half"] else _value(run)
        if value is not None:
            yield match.start(), end, value + (0.5 if match["and_half"] else 0)


def _value(run: str) -> float | None:
    if len(run) > _LONGEST:
        return None
    if "分之" in run:
        bottom, top = (_value(side) for side in run.split("分之"))
        if not bottom or top is None:
            return None
        return top if bottom == 100 else top / bottom  # 百分之五 is 5 %: the percent sign is dropped
    whole, _, decimals = run.partition("点")
    if decimals:
        value = _value(whole)
        if value is None or not set(decimals) <= set(_DIGITS):
            return None
        return float(f"{value:.0f}." + "".join(str(_DIGITS[sign]) for sign in decimals))
    if not set(whole) & set(SCALES):
        return float("".join(str(_DIGITS[sign]) for sign in whole))
    return _positional(whole)


def _positional(run: str) -> float:
    total = section = last = 0
    digit: int | None = None
    for sign in run:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
            last = last if digit else 0
            continue
        scale = SCALES[sign]
        if scale < 10**4:
            section += (1 if digit is None else digit) * scale
        else:
            amount = section + (digit or 0)
            total = (total + amount) * scale if total < scale else total + amount * scale
            section = 0
        digit, last = None, scale
    # A closing digit counts the next lower scale: 一百五 is 150, 一百零五 is 105.
    return float(total + section + (digit or 0) * (last // 10 if last > 10 else 1))
