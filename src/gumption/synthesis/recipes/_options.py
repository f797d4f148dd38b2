"""Options that carry their signs already, in cells or inside a question's text, and how signs are shown."""

from __future__ import annotations

import re

__all__ = ["labelled", "listed_inside", "sign_inside", "unlabelled"]

_LABEL = re.compile(r"\s*(?:\(([A-Za-z])\)|([A-Za-z])[.):])\s+")
_INSIDE = {
    "A": re.compile(r"(?:(?<=\s)|^)(?:\(([A-J])\)|([A-J])[.):])[ \t]*(?=\S)", re.MULTILINE),
    # Small letters and numbers stand in running text as well, so there they need a bracket or a line.
    "a": re.compile(
        r"(?:(?<=\s)|^)(?:\(([a-j])\)[ \t]*|([a-j])\)[ \t]+)(?=\S)|^([a-j])[.:][ \t]+", re.MULTILINE
    ),
    "1": re.compile(
        r"(?:(?<=\s)|^)(?:\(([1-9])\)[ \t]*|([1-9])\)[ \t]+)(?=\S)|^([1-9])[.:][ \t]+", re.MULTILINE
    ),
}
"""How an option begins, by the sign of the first."""
_SIGNS = {"A": "ABCDEFGHIJ", "a": "abcdefghij", "1": "123456789"}
_FIRST = re.compile(r"(?<![A-Za-z0-9])[Aa01](?![A-Za-z0-9])")


def labelled(label: str, number: int, key: str = "") -> str:
    """The label of the option or picture with this number, from 0; with the key where that is below 0."""
    first = _FIRST.search(label)
    if first is None:
        return label
    if number < 0:
        sign = key
    elif first.group() in "01":
        sign = str(number + int(first.group()))
    else:
        sign = chr(ord(first.group()) + number)
    return f"{label[: first.start()]}{sign}{label[first.end() :]}"


def unlabelled(texts: list[str]) -> list[str]:
    """The texts without the letters A, B, C, ... that stand before all of them, if they do."""
    labels = [_LABEL.match(text) for text in texts]
    if len(texts) < 2 or not all(labels):
        return texts
    letters = "".join((found.group(1) or found.group(2)).upper() for found in labels if found)
    if letters != "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(texts)]:
        return texts
    return [text[found.end() :] for text, found in zip(texts, labels, strict=True) if found]


def sign_inside(text: str) -> str:
    """The first sign of the options that a text lists, an A, an a or a 1; "" where it lists none."""
    return next((sign for sign in _SIGNS if _run(text, sign)), "")


def listed_inside(text: str, letters: str) -> dict[str, str]:
    """Options as a text lists them, by `letters` whatever signs it uses: the last run of labels that begins
    with the first sign; capitals go before small letters, these before numbers."""
    best = next((run for sign in _SIGNS if (run := _run(text, sign))), [])
    ends = [start for start, _ in best[1:]]
    # The last option ends with its line: what follows is an instruction.
    return {
        letter: text[begins:end].strip().split("\n")[0].strip()
        for letter, (_, begins), end in zip(letters, best, [*ends, len(text)], strict=False)
    }


def _run(text: str, sign: str) -> list[tuple[int, int]]:
    """Where the labels of the last run of two and more begin and end."""
    signs = _SIGNS[sign]
    run: list[tuple[int, int]] = []
    best: list[tuple[int, int]] = []
    for found in _INSIDE[sign].finditer(text):
        said = next(one for one in found.groups() if one)
        if said == sign:
            run = [found.span()]
        elif run and len(run) < len(signs) and said == signs[len(run)]:
            run = [*run, found.span()]
        if len(run) > 1:
            best = run
    return best
