"""Cells of declared rows, understood without the recipes."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

__all__ = ["number", "numbers", "said", "several"]

_NUMBER = re.compile(r"[^\d+-]*([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)\D*")
_LONGEST = 50_000
"""Characters of a cell that is read as a list."""


def said(cell: Any) -> str:
    """A cell as a person writes it."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def several(cell: Any, separator: str = "") -> Any:
    """A cell that holds more than one thing, as a list or an object; a plain one as a list of itself."""
    if isinstance(cell, list | dict):
        return cell
    text = said(cell)
    if separator:
        return [one.strip() for one in text.split(separator)]
    if text[:1] in ("[", "{", "(") and len(text) < _LONGEST:
        for reader in (json.loads, ast.literal_eval):
            try:
                found = reader(text)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(found, list | tuple | dict):
                return list(found) if isinstance(found, tuple) else found
    return [cell]


def number(cell: Any) -> Fraction:
    """A cell's number, exactly as it is written. Raises ValueError where it has none."""
    text = said(cell)
    found = _NUMBER.fullmatch(text)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return Fraction(str(cell))
    if found is None or not found[1].strip("+-"):
        raise ValueError(f"{text!r} is no number")
    return Fraction(found[1].replace(",", ""))


def numbers(cell: Any) -> list[float]:
    """All numbers of a cell, however it nests or writes them. Raises ValueError for what is none."""
    flat: list[float] = []
    left = [cell]
    while left:
        one = left.pop(0)
        if isinstance(one, Mapping):
            left = [*one.values(), *left]
        elif isinstance(one, list | tuple):
            left = [*one, *left]
        elif isinstance(one, str) and one.strip()[:1] in ("[", "{", "("):
            left = [several(one), *left]
        elif isinstance(one, str):
            flat += [float(part) for part in one.replace(",", " ").replace(";", " ").split()]
        else:
            flat.append(float(one))
    return flat
