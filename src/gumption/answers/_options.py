"""The options of a choice item, and where a text mentions them: by whole tokens, numbers as numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

__all__ = ["Mention", "Options", "joined", "options_of"]

_WORD = r"[^\W\u4e00-\u9fff]+"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)*(?!\w)|{_WORD}(?:'{_WORD})*|[\u4e00-\u9fff]")
_ARTICLES = {"the", "a", "an"}
_TEENS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_TEENS.split(" "))}
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
_MAY_DENY = _BEFORE | {"of", "or"}
_REACH = 4
"""Tokens: how far a denial reaches within its clause ("not on the right", "the right one does not fit")."""
_SPAN = 16
"""Tokens: how far apart the two halves of a statement may stand ("B, on the wall, is closer")."""
_COPULAS = {"is", "are"}
_AFTER_LABEL = {
    "is", "has", "appears", "seems", "looks", "being", "which", "that", "on", "at", "in", "near", "would",
    "must",
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
        self.longest = max((len(text) for _, text in choices), default=0)
        runs: dict[tuple[str, ...], set[str]] = {}
        self._texts: dict[tuple[str, ...], str] = {}
        for letter, text in choices:
            full = tuple(_tokens(text))
            self._texts.setdefault(full, letter)
            bare = _without_article(full)
            if bare:
                runs.setdefault(bare, set()).add(letter)
            if len(bare) == 1 and bare[0] in _CHINESE:
                runs.setdefault((_CHINESE[bare[0]],), set()).add(letter)
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
        tokens = _tokens(text) if first else []
        if first.keys().isdisjoint(tokens):
            return []
        hits: list[tuple[int, int, str]] = []
        free = 0
        for at, token in enumerate(tokens):
            if at >= free and token in first:
                for run, letter in first[token]:
                    if tuple(tokens[at : at + len(run)]) == run:
                        free = at + len(run)
                        hits.append((at, free, letter))
                        break
        starts = _starts(text) if hits else []
        found: list[Mention] = []
        around = list(tokens)  # the "cannot" of an option "cannot tell" denies nothing beside it
        for at, stop, _ in hits:
            around[at:stop] = [""] * (stop - at)
        for at, stop, letter in hits:
            catch_all = at > 1 and tokens[at] in _CATCH_ALL and tokens[at - 2 : at] == ["of", "the"]
            denied = (
                catch_all
                or _denied_before(text, around, starts, at, found)
                or _denied_after(text, around, starts, stop)
            )
            found.append(Mention(letter, starts[at], _end(text, starts[stop - 1]), denied))
        return found

    def statements(self, text: str) -> list[Mention]:
        """Options of the form "X is Y" whose X and Y stand in one sentence with no other X between them."""
        tokens = _tokens(text) if self._statements else []
        if self._statements.keys().isdisjoint(tokens):
            return []
        starts = _starts(text)
        labels = [
            at
            for at, token in enumerate(tokens)
            if token in self._statements and _is_label(text, tokens, starts, at)
        ]
        found: list[Mention] = []
        for at, following in pairwise([*labels, len(tokens)]):
            complement, letter = self._statements[tokens[at]]
            for ahead in range(at + 1, min(following, at + _SPAN)):
                if tokens[ahead] in _DENIALS or _STOP.search(text, starts[ahead - 1], starts[ahead]):
                    break
                if tuple(tokens[ahead : ahead + len(complement)]) == complement:
                    found.append(Mention(letter, starts[at], _end(text, starts[ahead]), False))
                    break
        return found

    def whole(self, text: str) -> str | None:
        """The letter whose text is all of `text`, articles aside; the A of "A right" is a letter."""
        if len(text) > 2 * self.longest + 16:
            return None
        full = tuple(_tokens(text))
        if full in self._texts and _without_article(full) in self.runs:
            return self._texts[full]
        if full[:1] == ("a",) and "A" in self.letters and "A" in text:
            return self.runs.get(full)
        return self.runs.get(_without_article(full))


@lru_cache(maxsize=4096)
def _options(choices: tuple[tuple[str, str], ...]) -> Options:
    return Options(choices)


def options_of(choices: Mapping[str, str]) -> Options:
    return _options(tuple(choices.items()))


def _tokens(text: str) -> list[str]:
    """Lower-case tokens; numbers in one spelling, number words as numbers."""
    return [_canonical(token) for token in _TOKEN.findall(text)]


@lru_cache(maxsize=65536)
def _canonical(token: str) -> str:
    token = token.lower()
    if token[0].isdigit() and len(token) <= 40:
        try:
            return f"{float(token.replace(',', '')):.12g}"
        except ValueError:
            return token
    return _NUMBER_WORDS.get(token, token)


def _starts(text: str) -> list[int]:
    return [match.start() for match in _TOKEN.finditer(text)]


def _end(text: str, start: int) -> int:
    match = _TOKEN.match(text, start)
    return match.end() if match else start


def _without_article(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The run less a leading article; the A of "A is closer" is a label and stays."""
    article = len(tokens) > 1 and tokens[0] in _ARTICLES and tokens[1] not in _AFTER_LABEL
    return tokens[1:] if article else tokens


def _is_label(text: str, tokens: list[str], starts: list[int], at: int) -> bool:
    """True unless token `at` is a small letter or the article "A"."""
    start = starts[at]
    if len(tokens[at]) > 1:
        return True
    if not text[start].isupper():
        return False
    if text[start] != "A" or not text[start + 1 : start + 2].isspace():
        return True
    return at + 1 < len(tokens) and tokens[at + 1] in _AFTER_LABEL


def _denied_before(text: str, tokens: list[str], starts: list[int], at: int, before: list[Mention]) -> bool:
    """True where a denial stands shortly before token `at` in its clause."""
    if _MAY_DENY.isdisjoint(tokens[max(0, at - _REACH) : at]):
        return False
    for back in range(at - 1, max(-1, at - 1 - _REACH), -1):
        word = tokens[back]
        if _CLAUSE.search(text, _end(text, starts[back]), starts[at]):
            return False
        if word in _BEFORE or (word == "of" and back and tokens[back - 1] == "instead"):
            return True
        if word == "or" and before and before[-1].negated and before[-1].end <= starts[back]:
            return True
    return False


def _denied_after(text: str, tokens: list[str], starts: list[int], stop: int) -> bool:
    """True where what is named is then denied in the same clause."""
    if _DENIALS.isdisjoint(tokens[stop : stop + _REACH]):
        return False
    for forward in range(stop, min(len(tokens), stop + _REACH)):
        if _CLAUSE.search(text, _end(text, starts[forward - 1]), starts[forward]):
            return False
        if tokens[forward] in _DENIALS:
            return True
    return False


_JOIN = re.compile(r"(?:or|and|,|/|&|, or|, and)(?: (?:the|maybe|perhaps|possibly|option))?")


def joined(text: str, first: Mention, second: Mention) -> bool:
    """Whether two mentions are set side by side: by "or", "and", a comma or a stroke alone."""
    between = text[first.end : min(second.start, first.end + 20)].strip(" ()*_\"'").lower()
    return _JOIN.fullmatch(between) is not None
