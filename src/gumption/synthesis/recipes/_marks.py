"""Marks in texts that stand where a picture belongs, of whatever name: `<image>`, `<pic 2>`, `[img:0]`."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["MARK", "place_of"]

MARK = re.compile(
    r"(?P<opens><\|?|\[\[?|\{\{?|\(|%)(?P<before>\s?(?=[A-Za-z]{3})[A-Za-z_ -]{3,20}?[\s:#=_.-]{0,2})"
    r"(?P<number>\d{0,2})"
    r"(?P<after>\s?(?:\|?>|\]\]?|\}\}?|\)|%))"
)
"""Anything that may be such a mark: a word in brackets, and perhaps a number."""
_USUAL = re.compile(r"<\s*image[\s_]*(\d*)\s*>", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,2}(?!.*\d)")


@lru_cache(maxsize=16)
def place_of(mark: str) -> tuple[re.Pattern[str], int]:
    """What finds the marks like the first one, with the number as a group, and that of the first."""
    if not mark:
        return _USUAL, 1
    found = _NUMBER.search(mark)
    if found is None:
        return re.compile(f"{re.escape(mark)}()", re.IGNORECASE), 1
    before, after = re.escape(mark[: found.start()]), re.escape(mark[found.end() :])
    return re.compile(rf"{before}(\d{{1,2}}){after}", re.IGNORECASE), int(found.group())
