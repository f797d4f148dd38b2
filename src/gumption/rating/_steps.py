"""The steps of a plan written in prose, for showing one by one. The whole text is shown beside them."""

from __future__ import annotations

import re

__all__ = ["steps_of"]

_MOST_LINES = 2000
_MOST_STEPS = 200
_LONGEST = 1000
"""Characters of a step."""
_HEADING = re.compile(
    r"[^\w\n]{0,8}(?:\d{1,2}[.):][^\w\n]{0,6})?(?:plan|steps|action plan)\b[^\w\n]{0,8}$", re.IGNORECASE
)
_NUMBERED = re.compile(r"[^\w\n]{0,12}(?:step\s{0,3})?(\d{1,3})\s?[.):*]{1,4}\s{0,4}(\S.*)", re.IGNORECASE)
_BULLET = re.compile(r"\s{0,12}[-*\u2022]\s{1,4}(\S.*)")


def steps_of(text: str) -> tuple[str, ...]:
    """The last list that counts up from 1, else all bullets, below a line "Plan" where there is one.

    Two steps at least, else none: a text that lists nothing is read as a whole.
    """
    lines = text.splitlines()[:_MOST_LINES]
    headings = [place for place, line in enumerate(lines) if len(line) < 80 and _HEADING.match(line)]
    lines = lines[headings[-1] + 1 :] if headings else lines
    found = _counted(lines) or [match[1] for line in lines if (match := _BULLET.match(line[:_LONGEST]))]
    steps = tuple(re.sub(r"\*\*|__", "", step).strip() for step in found)
    return steps[:_MOST_STEPS] if len(steps) > 1 else ()


def _counted(lines: list[str]) -> list[str]:
    """Of the lists that count 1, 2, 3, ..., the last with two entries at least."""
    lists: list[list[str]] = []
    for line in lines:
        match = _NUMBERED.match(line[:_LONGEST])
        if match is None:
            continue
        if int(match[1]) == 1:
            lists.append([match[2]])
        elif lists and int(match[1]) == len(lists[-1]) + 1:
            lists[-1].append(match[2])
    return next((steps for steps in reversed(lists) if len(steps) > 1), [])
