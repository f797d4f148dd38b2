"""Plain data as YAML that every reader takes for the same: texts in double quotes, nothing left to guess."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

__all__ = ["Yaml", "yaml"]

Yaml: TypeAlias = "Mapping[str, Yaml] | Sequence[Yaml] | str | int | float | None"

_KEY = re.compile(r"[a-z][a-zA-Z0-9_-]+")
_NOT_KEYS = frozenset({"true", "false", "yes", "no", "on", "off", "null"})
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def yaml(data: Yaml) -> str:
    """Block style, two spaces a level. Keys stand in their order.

    A text is always quoted: "no", "1e3" and "2026-01-01" stay texts in YAML 1.1 and 1.2. What is not
    printable is escaped, half a surrogate pair becomes U+FFFD. Raises ValueError for a number that is not
    finite.
    """
    return "\n".join(_lines(data, "")) + "\n"


def _lines(data: Yaml, indent: str) -> Iterator[str]:
    if isinstance(data, Mapping) and data:
        for key, value in data.items():
            name = key if _KEY.fullmatch(key) and key not in _NOT_KEYS else _text(key)
            yield from _entry(f"{indent}{name}:", value, indent + "  ")
    elif isinstance(data, Sequence) and not isinstance(data, str) and data:
        for value in data:
            first, *rest = _lines(value, indent + "  ")
            yield f"{indent}- {first.lstrip(' ')}"
            yield from rest
    else:
        yield indent + _scalar(data)


def _entry(head: str, value: Yaml, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str) and value:
        yield head
        yield from _lines(value, indent)
    else:
        yield f"{head} {_scalar(value)}"


def _scalar(value: Yaml) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    return "{}" if isinstance(value, Mapping) else "[]"


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} has no place in YAML")
    digits = repr(value)
    # 1e-05 is a text to readers of YAML 1.1, and 1.0e-05 a number to all.
    return digits.replace("e", ".0e") if "e" in digits and "." not in digits else digits


def _text(text: str) -> str:
    return '"' + "".join(_letter(letter) for letter in text) + '"'


def _letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter.isprintable():
        return letter
    code = ord(letter)
    if 0xD800 <= code <= 0xDFFF:
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
