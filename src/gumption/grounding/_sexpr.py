"""Text to nested lists of lower-case words. Linear in the text, iterative, bounded in size and depth."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

__all__ = ["MAX_BYTES", "MAX_DEPTH", "SECTIONS", "Group", "Source", "TooDeepError", "lower", "nest"]

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 200
SECTIONS = frozenset({":domain", ":objects", ":init", ":goal", ":metric", ":requirements", ":constraints"})
"""The sections of a problem."""

_TOKEN = re.compile(r";[^\n]*|//[^\n]*|\#(?=[ \t])[^\n]*|--(?=[ \t])[^\n]*|[(),]|[^\s(),;]+")
_COMMENT = (";", "//", "# ", "#\t", "-- ", "--\t")
_GLUED = re.compile(r"[^\s(),;?]\?[a-z]")
_SPLIT = re.compile(_TOKEN.pattern.replace(r"[^\s(),;]+", r"\?[^\s(),;?]*|(?:[^\s(),;?]|\?(?![a-z]))+"))
"""For texts that write `block?x` without a blank between."""


class Group(list[Any]):
    """One parenthesised list: words and further groups. `start` and `end` are the indices of its parentheses
    among the tokens; `end` is the last token inside where it was not closed."""

    __slots__ = ("end", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = -1

    @property
    def head(self) -> str:
        """The first word, "" where there is none."""
        return self[0] if self and isinstance(self[0], str) else ""

    def index_of(self, number: int) -> int:
        """The index among the tokens of the item at that place."""
        index = self.start
        for item in self[:number]:
            index = item.end if isinstance(item, Group) else index + 1
        return index + 1


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
        found = self._token.findall(self._plain, *self._span)
        if any(mark in lowered for mark in _COMMENT):
            found = [word for word in found if not word.startswith(_COMMENT)]
        if "," in lowered:
            found = [word for word in found if word != ","]
        self.tokens: list[str] = found
        self._starts: list[int] | None = None
        self._lines: list[int] | None = None

    def start(self, index: int) -> int:
        """Where in the text a token begins."""
        if self._starts is None:
            self._starts = [match.start() for match in self._matches() if _is_kept(match[0])]
        return self._starts[index] if 0 <= index < len(self._starts) else self._span[1]

    def position(self, index: int) -> tuple[int, int]:
        """Line and column of a token, from 1."""
        if self._lines is None:
            self._lines = [-1, *(match.start() for match in re.finditer("\n", self._lowered))]
        start = self.start(index)
        line = bisect_left(self._lines, start)
        return line, start - self._lines[line - 1]

    def oddities(self, groups: list[Group]) -> tuple[bool, bool]:
        """Whether there are comments of another language, and commas, inside these groups."""
        comment = comma = False
        if not any(mark in self._lowered for mark in (",", "/*", *_COMMENT[1:])):
            return comment, comma
        for group in groups:
            begin, end = self.start(group.start), self.start(group.end)
            comment = comment or self._plain[begin:end] != self._lowered[begin:end]
            for match in self._token.finditer(self._plain, begin, end):
                comma = comma or match[0] == ","
                comment = comment or (match[0][0] != ";" and match[0].startswith(_COMMENT))
        return comment, comma

    def only_comments(self, first: int) -> bool:
        """Whether nothing but blanks and comments stands before a token."""
        return first == 0 and not any(match[0] == "," for match in self._matches(self.start(0)))

    def _matches(self, end: int | None = None) -> Iterator[re.Match[str]]:
        return self._token.finditer(self._plain, self._span[0], self._span[1] if end is None else end)


def lower(text: str) -> str:
    """In lower case, letter by letter: the few that grow would shift positions and stay as they are."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def _is_kept(word: str) -> bool:
    return word != "," and not word.startswith(_COMMENT)


def _without_blocks(text: str) -> str:
    """Blank out /* ... */ but for its line breaks, so that positions stay."""
    pieces, at = [], 0
    while (opened := text.find("/*", at)) >= 0 and (closed := text.find("*/", opened + 2)) >= 0:
        pieces.append(text[at:opened])
        pieces.append("".join("\n" if letter == "\n" else " " for letter in text[opened : closed + 2]))
        at = closed + 2
    return "".join((*pieces, text[at:]))


def nest(
    tokens: list[str], first: int, limit: int, *, whole: bool = False, level: int = 1
) -> tuple[Group, list[Group], int]:
    """Nest the tokens from `first` up to `limit`, to the end of the first group.

    whole: do not stop there, and mend: a section that begins inside another section closes what stands open,
    and a closing parenthesis too many is passed over. level: how deep sections stand.
    Gives a group of everything, the groups that were not closed, and how many parentheses were mended.
    Raises TooDeepError.
    """
    root = Group(first - 1)
    stack: list[Group] = []
    current = root
    mended = 0
    for index in range(first, limit):
        word = tokens[index]
        if word == "(":
            if whole and len(stack) > level and index + 1 < limit and tokens[index + 1] in SECTIONS:
                mended += len(stack) - level
                for group in (current, *stack[level + 1 :]):
                    group.end = index - 1
                current = stack[level]
                del stack[level:]
            if len(stack) >= MAX_DEPTH:
                raise TooDeepError
            child = Group(index)
            current.append(child)
            stack.append(current)
            current = child
        elif word == ")":
            if stack:
                current.end = index
                current = stack.pop()
                if current is root and not whole:
                    break
            else:
                mended += 1
        else:
            current.append(word)
    unclosed = [*stack[1:], current] if stack else []
    for group in unclosed:
        group.end = limit - 1
    root.end = limit
    return root, unclosed, mended + len(unclosed)
