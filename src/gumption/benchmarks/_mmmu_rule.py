"""How MMMU's own code reads a reply: the option that is named last, or every number and tail of a sentence.

Rules from `MMMU-Benchmark/MMMU`, eval/eval_utils.py; the look for "A." is in its mmmu-pro/evaluate.py and in
the kits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

__all__ = ["letter", "open_is_right"]

_TRIMMED = (",", ".", "!", "?", ";", ":", "'")
_FEW_WORDS = 5
"""Option texts are looked for in longer replies only."""
_TAILS = ("could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result ")
_TRIVIAL = {":", ",", ".", "!", "?", ";", "'"}
_GROUPED = re.compile(r"-?\b\d{1,3}(?:,\d{3})+\b")
_SCIENTIFIC = re.compile(r"(?:-|(?<!\d))\d+(?:\.\d+)?[eE][+-]?\d+")
_SIMPLE = re.compile(r"(?:(?:-|(?<!\d))(?:\d+\.\d+|\d+\b)|-?\.\d+)(?![eE][+-]?\d+)(?![,\d])")
"""A run of digits is tried from its start only, so that a long one costs no more than its length."""
_LONGEST = 100_000
"""Characters of a reply that are read, from its end."""

Value: TypeAlias = str | float


def letter(reply: str, choices: Mapping[str, str]) -> str | None:
    """The option: a letter in round brackets, else one before a blank, else one before a point, else (in more
    than five words) an option's text; of several the one that stands last. None where the official code
    draws one at random."""
    for sign in _TRIMMED:
        reply = reply.strip(sign)
    said = f" {reply[-_LONGEST:]} "
    low = said.lower()
    placed: list[tuple[Callable[[str], bool], Callable[[str], int]]] = [
        (lambda one: f"({one})" in said, lambda one: said.rfind(f"({one})")),
        (lambda one: f"{one} " in said, lambda one: said.rfind(f" {one} ")),
        (lambda one: f"{one}." in said, lambda one: said.rfind(f" {one} ")),
    ]
    if len(said.split()) > _FEW_WORDS:
        placed.append((lambda one: choices[one].lower() in low, lambda one: low.rfind(choices[one].lower())))
    for there, place in placed:
        found = [one for one in choices if there(one)]
        if found:
            return max(found, key=place)
    return None


def open_is_right(reply: str, gold: str | list[str]) -> bool:
    """Whether a number of the reply equals a gold one, to two decimals, or a tail of it holds a gold text.

    A tail is what follows the last "is ", "so ", "answer " and the like of a line, the shortest of them; of
    the last line, what follows "=" too. Without any the whole reply is one.
    """
    golds = [value for one in ([gold] if isinstance(gold, str) else gold) for value in _normal(one)]
    tails = _tails(reply[-_LONGEST:])
    said = [*tails, *(number for tail in tails for number in _numbers(tail))]
    return any(_same(value, golds) for text in said for value in _normal(text))


def _same(value: Value, golds: list[Value]) -> bool:
    if isinstance(value, str):
        return any(isinstance(gold, str) and gold in value for gold in golds)
    return any(not isinstance(gold, str) and gold == value for gold in golds)


def _tails(reply: str) -> list[str]:
    reply = reply.strip().strip(".").lower()
    lines = reply.split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        marks = (*_TAILS, "=") if number == len(lines) else _TAILS
        after = [line.rsplit(mark, 1)[1].strip() for mark in marks if mark in line]
        shortest = _shortest(after)
        if shortest and shortest not in _TRIVIAL:
            found.append(shortest)
    return found or [reply]


def _shortest(after: list[str]) -> str:
    """The shortest tail; an empty one gives way to whatever comes after it."""
    best = ""
    for tail in after:
        if not best or len(tail) < len(best):
            best = tail
    return best


def _numbers(text: str) -> list[str]:
    return [number for pattern in (_GROUPED, _SCIENTIFIC, _SIMPLE) for number in pattern.findall(text)]


def _normal(text: str) -> list[Value]:
    """A number to two decimals, or the text in lower case; a single sign with a blank at either side."""
    text = text.strip()
    try:
        return [round(float(text.replace(",", "")), 2)]
    except ValueError:
        low = text.lower()
        return [f" {low}", f"{low} "] if len(low) == 1 else [low]
