"""The options of a choice item, and where a text mentions them: by whole tokens, numbers as numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Mention", "Options", "options_of"]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?!\w)|[\u4e00-\u9fff]|(?:[^\W\u4e00-\u9fff]|(?<=\w)'(?=\w))+")
_ARTICLES = {"the", "a", "an"}
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
}
# The everyday words of a Chinese reply to English options.
_CHINESE = {
    "left": "左",
    "right": "右",
    "above": "上",
    "below": "下",
    "front": "前",
    "behind": "后",
    "yes": "是",
    "no": "否",
}
_NEGATORS = {
    "not", "never", "neither", "nor", "cannot", "without", "except", "unlike", "isn't", "aren't", "wasn't",
    "doesn't", "don't", "can't", "won't", "didn't", "wouldn't", "couldn't", "instead", "rather", "than", "over",
    "incorrect", "wrong", "不", "非",
}  # fmt: skip
_REACH = 4
"""Tokens: how far a negation reaches forward within its clause ("not on the right")."""
_CLAUSE = re.compile(r"[,;:.!?()\n]|\b(?:but|because|since|while|whereas|although)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """An option's text in a reply: which letter, from where to where, and whether it is denied there."""

    letter: str
    start: int
    end: int
    negated: bool


class Options:
    """The letters of an item and their texts as token runs, ready to be found in many replies."""

    def __init__(self, choices: tuple[tuple[str, str], ...]) -> None:
        self.letters = frozenset(letter for letter, _ in choices)
        runs: dict[tuple[str, ...], set[str]] = {}
        for letter, text in choices:
            tokens = tuple(token for token, _, _ in _tokens(text))
            bare = tokens[1:] if len(tokens) > 1 and tokens[0] in _ARTICLES else tokens
            for run in {bare, *([tuple(_CHINESE[bare[0]])] if len(bare) == 1 and bare[0] in _CHINESE else [])}:
                if run:
                    runs.setdefault(run, set()).add(letter)
        # Two options of one text cannot be told apart by it.
        self.runs = {run: next(iter(letters)) for run, letters in runs.items() if len(letters) == 1}
        self.yes_no = {letter: run[0] for run, letter in self.runs.items() if run in {("yes",), ("no",)}}
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for run in sorted(self.runs, key=len, reverse=True):
            self._by_first.setdefault(run[0], []).append((run, self.runs[run]))

    def mentions(self, text: str) -> list[Mention]:
        """Every option text in `text`, longest match first, never overlapping, in order."""
        first = self._by_first
        if not first:
            return []
        tokens = _tokens(text)
        found: list[Mention] = []
        at, count = 0, len(tokens)
        while at < count:
            for run, letter in first.get(tokens[at][0], ()):
                stop = at + len(run)
                if stop <= count and all(tokens[at + k][0] == run[k] for k in range(1, len(run))):
                    start, end = tokens[at][1], tokens[stop - 1][2]
                    found.append(Mention(letter, start, end, _negated(tokens, at, text, found)))
                    at = stop - 1
                    break
            at += 1
        return found

    def whole(self, text: str) -> str | None:
        """The letter whose text is all of `text`, articles aside."""
        tokens = tuple(token for token, _, _ in _tokens(text))
        if len(tokens) > 1 and tokens[0] in _ARTICLES and tokens not in self.runs:
            tokens = tokens[1:]
        return self.runs.get(tokens)


@lru_cache(maxsize=4096)
def _options(choices: tuple[tuple[str, str], ...]) -> Options:
    return Options(choices)


def options_of(choices: Mapping[str, str]) -> Options:
    return _options(tuple(choices.items()))


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """Lower-case tokens with their places; numbers in one spelling, number words as numbers."""
    found = []
    for match in _TOKEN.finditer(text):
        token = match[0].lower()
        if token[0].isdigit():
            token = _number(token)
        else:
            token = _NUMBER_WORDS.get(token, token)
        found.append((token, match.start(), match.end()))
    return found


def _number(token: str) -> str:
    if len(token) > 40:
        return token
    try:
        return f"{float(token.replace(',', '')):.12g}"
    except ValueError:
        return token


def _negated(tokens: list[tuple[str, int, int]], at: int, text: str, before: list[Mention]) -> bool:
    """True where a negation stands shortly before token `at` in the same clause."""
    for back in range(at - 1, max(-1, at - 1 - _REACH), -1):
        token, _, end = tokens[back]
        if _CLAUSE.search(text, end, tokens[at][1]):
            return False
        if token in _NEGATORS:
            return True
        if token in {"or", "nor"} and before and before[-1].negated and before[-1].end <= end:
            return True
    return False
