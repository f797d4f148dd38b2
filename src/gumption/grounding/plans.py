"""Plans as text: what planners write, and models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gumption.grounding._sexpr import lower

__all__ = ["read_actions", "write_actions"]

_CALL_OR_LIST = re.compile(r"(?<![\w-])([^\W\d_][\w-]*)\(([^()]*)\)|\(([^()]*)\)")
"""name(argument, ...) or (name argument ...)."""
_WORD = re.compile(r"[^\s,]+")


def read_actions(text: str) -> list[tuple[str, ...]]:
    """The steps of a plan, in lower case.

    Reads `(a b c)`, `0: (a b c)` and `a(b, c)`, any number on a line, and passes over `;` comments and
    whatever else stands on a line. Linear in the text.
    """
    found = []
    for line in lower(text).splitlines():
        for match in _CALL_OR_LIST.finditer(line.partition(";")[0]):
            name, arguments, listed = match.groups()
            words = [name, *_WORD.findall(arguments)] if name else _WORD.findall(listed)
            if words:
                found.append(tuple(words))
    return found


def write_actions(plan: Iterable[Sequence[str]]) -> str:
    """One step a line, as planners write them."""
    return "".join(f"({' '.join(step)})\n" for step in plan)
