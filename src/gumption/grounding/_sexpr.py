"""Text to nested lists of lower-case words. Linear in the text, iterative, bounded in size and depth."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "SECTIONS",
    "Group",
    "Source",
    "TooDeepError",
    "blanked",
    "lower",
    "nest",
]

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 100
SECTIONS = frozenset({":domain", ":objects", ":init", ":goal", ":metric", ":requirements", ":constraints"})
"""The sections of a problem."""

_BLANKS = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
_OPEN = rf"{_BLANKS}(),;"
"""What ends a word: blanks, invisible ones too, and signs. Written out, it is looked up in one table."""
_LINE = r"(?:;|//|\#(?!\d)|--(?=[ \t]))[^\r\n]*"
"""A comment to the end of the line: PDDL's own, and those of other languages. `#1` is a word."""
_TOKEN = re.compile(rf"[(),]|[^{_OPEN}/#\-][^{_OPEN}]*|{_LINE}|[^{_OPEN}]+")
_SPLIT = re.compile(rf"[(),]|{_LINE}|\?[^{_OPEN}?]*|(?:[^{_OPEN}?]|\?(?![a-z]))+")
"""For texts that write `block?x` without a blank between."""
_GLUED = re.compile(rf"\?(?<=[^{_OPEN}?]\?)[a-z]")
_COMMENT = re.compile(_LINE.removesuffix(r"[^\r\n]*")).match
_SIGNS = (";", "//", "#", "--")
"""Without one of these there is no comment to a line's end."""
_BLOCK = re.compile(r"(?:;|//)[^\r\n]*|/\*.*?\*/", re.DOTALL)
_VISIBLE = re.compile(r"[^\r\n]")
_BREAK = re.compile(r"\r\n?|\n")


class Group(list[Any]):
    """One parenthesised list: words and further groups. `start` and `end` are the indices of its parentheses
    among the tokens; `end` is the last token inside where it was not closed. `flat`: there are only words."""

    __slots__ = ("end", "flat", "start")
    start: int
    end: int
    flat: bool

    @property
    def head(self) -> str:
        """The first word, "" where there is none."""
        return self[0] if self and isinstance(self[0], str) else ""

    def placed(self, first: int = 0) -> Iterator[tuple[int, Any]]:
        """The items from `first` on, each with the index of its first token."""
        index = self.start + 1
        for number, item in enumerate(self):
            if number >= first:
                yield index, item
            index = item.end + 1 if isinstance(item, Group) else index + 1


class TooDeepError(Exception):
    """Nested deeper than any planning text is."""


class Source:
    """A text, or the part of it from `begin` to `end`, and its tokens, comments and commas left out. Where a
    token stands is worked out only when asked."""

    def __init__(self, text: str, begin: int = 0, end: int | None = None) -> None:
        lowered = lower(text)
        self._plain = _without_blocks(lowered) if "/*" in lowered else lowered
        self._lowered = lowered
        self._span = (begin, len(text) if end is None else end)
        self._token = _SPLIT if "?" in lowered and _GLUED.search(lowered) else _TOKEN
        self._all_kept = not any(sign in lowered for sign in (",", *_SIGNS))
        found = self._token.findall(self._plain, *self._span)
        if not self._all_kept:
            found = [word for word in found if word[0] not in ";,/#-" or _is_kept(word)]
        self.tokens: list[str] = found
        self._starts: list[int] | None = None

    def start(self, index: int) -> int:
        """Where in the text a token begins; before the first and after the last, where the text does."""
        if self._starts is None:
            matches = self._token.finditer(self._plain, *self._span)
            if self._all_kept:
                self._starts = [match.start() for match in matches]
            else:
                self._starts = [match.start() for match in matches if _is_kept(match[0])]
        if index < 0:
            return self._span[0]
        return self._starts[index] if index < len(self._starts) else self._span[1]

    def positions(self, indices: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Lines and columns of tokens, from 1."""
        breaks = [0, *(match.end() for match in _BREAK.finditer(self._lowered))]
        for index in indices:
            start = self.start(index)
            line = bisect_right(breaks, start)
            yield line, start - breaks[line - 1] + 1

    def oddities(self, parts: Iterable[tuple[int, int]]) -> tuple[bool, bool]:
        """Whether there are comments of another language, and commas. parts: from one token to another."""
        comment = comma = False
        if any(sign in self._lowered for sign in (",", "/*", *_SIGNS[1:])):
            for first, last in parts:
                begin, end = self.start(first), self.start(last)
                comment = comment or self._plain[begin:end] != self._lowered[begin:end]
                for match in self._token.finditer(self._plain, begin, end):
                    comma = comma or match[0] == ","
                    comment = comment or bool(match[0][0] != ";" and _COMMENT(match[0]))
        return comment, comma


def _is_kept(word: str) -> bool:
    return word != "," and not _COMMENT(word)


def lower(text: str) -> str:
    """In lower case, letter by letter: the few that grow would shift positions and stay as they are."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def blanked(match: re.Match[str]) -> str:
    """As many blanks as there are letters, line breaks kept, so that positions stay."""
    return _VISIBLE.sub(" ", match[0])


def _without_blocks(text: str) -> str:
    """With blanks in place of /* ... */, unless that begins in a comment of another kind."""
    end = text.rfind("*/") + 2  # beyond it none is closed, and looking for its end again and again is slow
    return (
        _BLOCK.sub(lambda match: blanked(match) if match[0].startswith("/*") else match[0], text[:end])
        + text[end:]
    )


def nest(
    tokens: list[str], first: int, limit: int, *, whole: bool = False, level: int = 1
) -> tuple[Group, list[Group], bool]:
    """Nest the tokens from `first` up to `limit`, to the end of the first group.

    whole: do not stop there, and mend: a section that begins inside another section closes what stands open,
    and a closing parenthesis too many is passed over. level: how deep sections stand.
    Gives a group of everything, the groups that were not closed, and whether a section began inside another.
    Raises TooDeepError.
    """
    root = opened = current = Group()
    root.start, root.end, root.flat = first - 1, limit, False
    stack: list[Group] = []
    astray = False
    for index in range(first, limit):
        word = tokens[index]
        if word == "(":
            if len(stack) > level and index + 1 < limit and tokens[index + 1] in SECTIONS:
                astray = True
                if whole:
                    for group in (current, *stack[level + 1 :]):
                        group.end, group.flat = index - 1, group is opened
                    current = stack[level]
                    del stack[level:]
            if len(stack) >= MAX_DEPTH:
                raise TooDeepError
            opened = Group()
            opened.start = index
            current.append(opened)
            stack.append(current)
            current = opened
        elif word == ")":
            if stack:
                current.end = index
                current.flat = current is opened
                current = stack.pop()
                if current is root and not whole:
                    break
        else:
            current.append(word)
    unclosed = [*stack[1:], current] if stack else []
    for group in unclosed:
        group.end, group.flat = limit - 1, group is opened
    return root, unclosed, astray
