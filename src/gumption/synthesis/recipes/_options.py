"""Options that carry their letters already, in cells or inside a question's text."""

from __future__ import annotations

import re

__all__ = ["listed_inside", "unlabelled"]

_LABEL = re.compile(r"\s*(?:\(([A-Za-z])\)|([A-Za-z])[.):])\s+")
_INSIDE = re.compile(r"(?:(?<=\s)|^)(?:\(([A-J])\)|([A-J])[.):])[ \t]*(?=\S)", re.MULTILINE)


def unlabelled(texts: list[str]) -> list[str]:
    """The texts without the letters A, B, C, ... that stand before all of them, if they do."""
    labels = [_LABEL.match(text) for text in texts]
    if len(texts) < 2 or not all(labels):
        return texts
    letters = "".join((found.group(1) or found.group(2)).upper() for found in labels if found)
    if letters != "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(texts)]:
        return texts
    return [text[found.end() :] for text, found in zip(texts, labels, strict=True) if found]


def listed_inside(text: str, letters: str) -> dict[str, str]:
    """Options by letter as a text lists them: the last run of labels that begins with the first letter."""
    marks = [
        (found.group(1) or found.group(2), found.start(), found.end()) for found in _INSIDE.finditer(text)
    ]
    run: list[tuple[str, int, int]] = []
    best: list[tuple[str, int, int]] = []
    for mark in marks:
        if mark[0] == letters[0]:
            run = [mark]
        elif run and len(run) < len(letters) and mark[0] == letters[len(run)]:
            run = [*run, mark]
        if len(run) > 1:
            best = run
    ends = [start for _, start, _ in best[1:]]
    found = {}
    for (letter, _, begins), end in zip(best, [*ends, len(text)], strict=False):
        # The last option ends with its line: what follows is an instruction.
        found[letter] = text[begins:end].strip().split("\n")[0].strip()
    return found
