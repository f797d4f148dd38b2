"""A list as models write it, to nested lists: JSON, Python and what lies between. Nothing is evaluated.

Bounded in size by its caller and in depth here; every character is passed a bounded number of times.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import msgspec

__all__ = ["Call", "Pairs", "Unreadable", "Value", "read_literal"]

_MAX_DEPTH = 20
_LONGEST_NUMBER = 300
"""Characters: what is longer can be beyond every float."""
_LONGEST = 400
"""Characters of one string."""
_QUOTES = {"'": "'", '"': '"', "`": "`", "\u2018": "\u2019", "\u201c": "\u201d", "\u2019": "\u2019"}
_ENDS = ",]):}\u3001\uff0c"
_BARE = re.compile(r"[^,\[\](){}:'\"\n`\u2018\u2019\u201c\u201d]+")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL)
_WORD = re.compile(r"[\w .\-/&]+")
_NAME = re.compile(r"[A-Za-z][A-Za-z \-]*")
_NULL = frozenset({"null", "none", "nil", "n/a"})


class Unreadable(ValueError):  # noqa: N818 - it is an outcome, told to nobody as an error
    """Not a literal."""


class Pairs(msgspec.Struct):
    """An object, every pair kept in order, repeated keys too."""

    items: list[tuple[Value, Value]]


class Call(msgspec.Struct):
    """name(argument, ...)."""

    name: str
    arguments: list[Value]


Value: TypeAlias = "str | float | bool | list[Value] | Pairs | Call | None"


def read_literal(text: str, repairs: set[str], *, whole: bool = True) -> Value:
    """The value that the text is; several in a row are a list. Adds to `repairs` what it took.

    whole: nothing but blanks and stray brackets may follow; else what follows is passed over.
    Raises Unreadable for anything that is more than a literal.
    """
    parser = _Parser(text, repairs)
    values = [parser.value(0)]
    while parser.more(whole=whole):
        values.append(parser.value(0))
    if parser.cut:
        repairs.add("cut")
    if len(values) == 1:
        return values[0]
    repairs.add("unbalanced")
    joined: list[Value] = []
    for value in values:
        if isinstance(value, list) and value and all(isinstance(item, list) for item in value):
            joined += value  # a bracket too many ended the list early
        else:
            joined.append(value)
    return joined


class _Parser:
    def __init__(self, text: str, repairs: set[str]) -> None:
        self._text = text
        self._repairs = repairs
        self._at = 0
        self.cut = False
        """Whether the text ended inside a string."""

    def more(self, *, whole: bool) -> bool:
        """Whether another value follows."""
        while (sign := self._peek()) and sign in ",;.])}":
            if sign in "])}":
                self._repairs.add("unbalanced")
            self._at += 1
        if sign in ("[", "(", "{", *_QUOTES) and (whole or sign != "`"):  # a fence ends there
            return True
        if sign and whole:
            raise Unreadable
        return False

    def value(self, depth: int) -> Value:
        if depth > _MAX_DEPTH:
            raise Unreadable
        sign = self._peek()
        if sign == "[":
            return self._items("]", depth)
        if sign == "(":
            self._repairs.add("tuple")
            return self._items(")", depth)
        if sign == "{":
            return self._pairs(depth)
        if sign in _QUOTES:
            return self._string()
        return self._word(depth)

    def _peek(self) -> str:
        """The next sign that is not blank; "" at the end."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _items(self, closing: str, depth: int) -> list[Value]:
        self._at += 1
        found: list[Value] = []
        while True:
            sign = self._peek()
            if sign == closing:
                self._at += 1
                return found
            if sign == "" or (sign and sign in "])}"):
                # Not closed, or closed with another bracket.
                self._repairs.add("unbalanced")
                self._at += bool(sign)
                return found
            if sign in (",", "\uff0c"):
                self._at += 1
                continue
            found.append(self.value(depth + 1))
            if self._peek() == ":":
                raise Unreadable

    def _pairs(self, depth: int) -> Pairs:
        self._at += 1
        found: list[tuple[Value, Value]] = []
        while True:
            sign = self._peek()
            if sign == "}":
                self._at += 1
                return Pairs(found)
            if sign == "":
                self._repairs.add("unbalanced")
                return Pairs(found)
            if sign == ",":
                self._at += 1
                continue
            key = self.value(depth + 1)
            if self._peek() != ":":
                raise Unreadable
            self._at += 1
            found.append((key, self.value(depth + 1)))

    def _string(self) -> str:
        """Up to the closing quote, which is followed by what may follow a string; others are apostrophes."""
        text = self._text
        opening = text[self._at]
        closing = _QUOTES[opening]
        start = at = self._at + 1
        end = min(len(text), start + _LONGEST)
        plain = opening in "'\""
        while at < end:
            sign = text[at]
            if sign == "\\":
                at += 2
                continue
            if sign == closing:
                if self._ends(at + 1):
                    self._at = at + 1
                    break
                plain = False
            elif sign in "'\"" and sign not in text[start:at] and self._opens_next(at + 1):
                plain = False  # closed with the other kind of quote
                self._at = at + 1
                break
            at += 1
        else:  # never closed
            at = next((one for one in range(start, end) if text[one] in ",]\n"), end)
            self.cut = at == len(text)
            plain = self.cut
            self._at = at
        if not plain:
            self._repairs.add("quote")
        return _plain(text[start:at]).strip()

    def _ends(self, at: int) -> bool:
        """Whether a string may end before this place."""
        rest = self._text[at : at + 8].lstrip()
        return not rest or rest[0] in _ENDS or (self._text[at : at + 1] == "\n")

    def _opens_next(self, at: int) -> bool:
        rest = self._text[at : at + 8].lstrip()
        return rest[:1] in ("]", ")") or (rest[:1] == "," and rest[1:].lstrip()[:1] in ("'", '"', "["))

    def _word(self, depth: int) -> Value:
        match = _BARE.match(self._text, self._at)
        if match is None:
            raise Unreadable
        word = match[0].strip()
        self._at = match.end()
        if self._text[self._at : self._at + 1] == "(":
            if not _NAME.fullmatch(word):
                raise Unreadable
            return Call(word, self._items(")", depth))
        if word.lower() in _NULL:
            return None
        if len(word) <= _LONGEST_NUMBER and _NUMBER.fullmatch(word):
            return float(word) if "." in word else int(word)
        if word in ("True", "False", "true", "false"):
            return word.lower() == "true"
        if not _WORD.fullmatch(word) or "__" in word or len(word) > _LONGEST:
            raise Unreadable
        if self._text[self._at : self._at + 1] in ("'", "\u2019"):  # an apostrophe in a word without quotes
            more = _BARE.match(self._text, self._at + 1)
            if more is None:
                raise Unreadable
            word = f"{word}'{more[0].strip()}"
            self._at = more.end()
        self._repairs.add("quote")
        return word


def _plain(text: str) -> str:
    """Without escapes; two that make one letter beyond the first plane become that letter."""
    if "\\" not in text:
        return text
    found = _ESCAPED.sub(_unescaped, text)
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return {"n": " ", "t": " ", "r": " "}.get(match[2], match[2])
