"""What the authors' files hold, whatever their format: mappings, lists, and strings at dotted keys."""

from __future__ import annotations

import re
from typing import Any

from gumption.records import GumptionError

__all__ = ["DEPTH", "Unquotable", "string_at"]

DEPTH = 64
"""Levels of mappings and lists in a file."""
_KEYS_SHOWN = 20


class Unquotable:
    """Something in a file that is no string, as an error calls it."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __repr__(self) -> str:
        return self._what


def string_at(tree: Any, key: str) -> str:
    """The string at a dotted key, as in `default.templates.0`.

    tree: str, dict from str, list, and for whatever else an object whose `repr` says what it is. Raises
    GumptionError for a key that is not there and for what is no string, saying which keys are at that level.
    """
    rest = key
    while rest:
        step, inner = _step(tree, rest)
        if step is None:
            above = key[: len(key) - len(rest)].rstrip(".")
            under = f" under {above!r}" if above else ""
            raise GumptionError(f"no key {rest!r}{under}", remedy=_keys(tree, "there are"))
        tree, rest = inner, rest[len(step) + 1 :]
    if isinstance(tree, str):
        return tree
    what = "a mapping" if isinstance(tree, dict) else "a list" if isinstance(tree, list) else f"{tree!r:.100}"
    raise GumptionError(
        f"{key!r} is no string but {what}" if key else "no key is named", remedy=_keys(tree, "name one below")
    )


def _step(tree: Any, rest: str) -> tuple[str | None, Any]:
    """The first step of a path and what is there: the longest that fits, as keys may have dots too."""
    if isinstance(tree, dict):
        ends = [len(rest), *(dot.start() for dot in reversed(list(re.finditer(r"\.", rest))))]
        step = next((rest[:end] for end in ends if rest[:end] in tree), None)
        return step, tree.get(step)
    step = rest.partition(".")[0]
    # Of nine digits at most: an index, and never a number that takes long to read.
    if isinstance(tree, list) and re.fullmatch(r"\d{1,9}", step, re.ASCII) and int(step) < len(tree):
        return step, tree[int(step)]
    return None, None


def _keys(tree: Any, say: str) -> str:
    if isinstance(tree, dict):
        shown = [f"{name!r:.60}" for name, _ in zip(tree, range(_KEYS_SHOWN), strict=False)]
        more = f" and {len(tree) - len(shown)} more" if len(tree) > len(shown) else ""
        return f"{say}: {', '.join(shown) or 'none'}{more}"
    return f"{say}: 0 to {len(tree) - 1}" if isinstance(tree, list) and tree else "name another key"
