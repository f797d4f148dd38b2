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
_DENIALS = {
    "not", "never", "neither", "nor", "cannot", "isn't", "aren't", "wasn't", "weren't", "doesn't", "don't",
    "can't", "won't", "didn't", "wouldn't", "couldn't", "less", "incorrect", "wrong", "lacks", "fails",
    "不", "非",
}  # fmt: skip
_EXCLUSIONS = {"without", "except", "unlike", "than", "versus", "vs"}
_CATCH_ALL = {"above", "below", "following"}
_BEFORE = _DENIALS | _EXCLUSIONS
_REACH = 4
"""Tokens: how far a denial reaches within its clause ("not on the right", "the right one does not fit")."""
_SPAN = 16
"""Tokens: how far apart the two halves of a statement may stand ("B, on the wall, is closer")."""
_COPULAS = {"is", "are"}
_AFTER_LABEL = {
    "is", "has", "appears", "seems", "looks", "being", "which", "that", "on", "at", "in", "near", "would", "must",
}  # fmt: skip
"""What follows a capital A where it is a label and not the article."""
_STOP = re.compile(r"[.!?\n]")
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
        self._texts: dict[tuple[str, ...], str] = {}
        for letter, text in choices:
            full = tuple(token for token, _, _ in _tokens(text))
            self._texts.setdefault(full, letter)
            bare = _without_article(full)
            for run in {
                bare,
                *([tuple(_CHINESE[bare[0]])] if len(bare) == 1 and bare[0] in _CHINESE else []),
            }:
                if run:
                    runs.setdefault(run, set()).add(letter)
        # Two options of one text cannot be told apart by it.
        self.runs = {run: next(iter(letters)) for run, letters in runs.items() if len(letters) == 1}
        self.yes_no = {letter: run[0] for run, letter in self.runs.items() if run in {("yes",), ("no",)}}
        # "A is closer" also stands in "point A, on the car, seems closer than B".
        self._statements = {
            run[0]: (run[2:], letter)
            for run, letter in self.runs.items()
            if len(run) > 2 and run[1] in _COPULAS
        }
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
                    denied = _denied_before(tokens, at, text, found) or _denied_after(tokens, stop, text)
                    found.append(Mention(letter, start, end, denied))
                    at = stop - 1
                    break
            at += 1
        return found

    def statements(self, text: str) -> list[Mention]:
        """Options of the form "X is Y" whose X and Y stand in one sentence with no other X between them."""
        if not self._statements:
            return []
        tokens = _tokens(text)
        found: list[Mention] = []
        for at, (token, start, end) in enumerate(tokens):
            if token not in self._statements or not _is_label(tokens, at, text):
                continue
            complement, letter = self._statements[token]
            for ahead in range(at + 1, min(len(tokens), at + _SPAN)):
                word = tokens[ahead][0]
                if word in _DENIALS or _STOP.search(text, tokens[ahead - 1][2], tokens[ahead][1]):
                    break
                if word in self._statements and _is_label(tokens, ahead, text):
                    break
                if tuple(token for token, _, _ in tokens[ahead : ahead + len(complement)]) == complement:
                    found.append(Mention(letter, start, tokens[ahead][2], False))
                    break
        return found

    def whole(self, text: str) -> str | None:
        """The letter whose text is all of `text`, articles aside; the A of "A right" is a letter."""
        tokens = _tokens(text)
        full = tuple(token for token, _, _ in tokens)
        if full in self._texts and _without_article(full) in self.runs:
            return self._texts[full]
        if "A" in self.letters and tokens and text[tokens[0][1] : tokens[0][2]] == "A":
            return self.runs.get(full)
        return self.runs.get(_without_article(full))


@lru_cache(maxsize=4096)
def _options(choices: tuple[tuple[str, str], ...]) -> Options:
    return Options(choices)


def options_of(choices: Mapping[str, str]) -> Options:
    return _options(tuple(choices.items()))


def _without_article(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The run less a leading article; the A of "A is closer" is a label and stays."""
    article = len(tokens) > 1 and tokens[0] in _ARTICLES and tokens[1] not in _AFTER_LABEL
    return tokens[1:] if article else tokens


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


def _is_label(tokens: list[tuple[str, int, int]], at: int, text: str) -> bool:
    """True unless token `at` is a small letter or the article "A"."""
    token, start, end = tokens[at]
    if len(token) > 1:
        return True
    if not text[start].isupper():
        return False
    if token != "a" or not text[end : end + 1].isspace():
        return True
    return at + 1 < len(tokens) and tokens[at + 1][0] in _AFTER_LABEL


def _number(token: str) -> str:
    if len(token) > 40:
        return token
    try:
        return f"{float(token.replace(',', '')):.12g}"
    except ValueError:
        return token


def _denied_before(tokens: list[tuple[str, int, int]], at: int, text: str, before: list[Mention]) -> bool:
    """True where a denial stands shortly before token `at` in the same clause, or in "none of the above"."""
    if at > 1 and tokens[at][0] in _CATCH_ALL and (tokens[at - 2][0], tokens[at - 1][0]) == ("of", "the"):
        return True
    for back in range(at - 1, max(-1, at - 1 - _REACH), -1):
        token, _, end = tokens[back]
        if _CLAUSE.search(text, end, tokens[at][1]):
            return False
        if token in _BEFORE or (token == "of" and back and tokens[back - 1][0] == "instead"):
            return True
        if token in {"or", "nor"} and before and before[-1].negated and before[-1].end <= end:
            return True
    return False


def _denied_after(tokens: list[tuple[str, int, int]], stop: int, text: str) -> bool:
    """True where what is named is then denied in the same clause."""
    for forward in range(stop, min(len(tokens), stop + _REACH)):
        token, start, _ = tokens[forward]
        if _CLAUSE.search(text, tokens[forward - 1][2], start):
            return False
        if token in _DENIALS:
            return True
    return False
