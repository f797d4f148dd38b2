"""Replies of the oracle where the answer has parts: lists in JSON, problems and plans."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

__all__ = ["actions", "atoms", "problem"]

_GOAL = re.compile(r"\(\s*:goal\b", re.IGNORECASE)
_LITERAL = re.compile(r"\(\s*not\s*\([^()]*\)\s*\)\s*|\([^()]*\)\s*", re.IGNORECASE)


def atoms(gold: Mapping[str, list[Any]], accuracy: float, generator: Random) -> str:
    """The gold list as JSON, each entry right with probability `accuracy`, independently of the others; else
    it is left out or, as often, has one name changed."""
    ((key, entries),) = gold.items()
    right = {json.dumps(entry, sort_keys=True) for entry in entries}
    said = []
    for entry in entries:
        if generator.random() < accuracy:
            said.append(entry)
        elif generator.random() < 0.5:
            others = [
                other for other in _altered(entry, entries) if json.dumps(other, sort_keys=True) not in right
            ]
            said += [generator.choice(others)] if others else []
    return json.dumps({key: said}, ensure_ascii=False)


def _altered(entry: Any, entries: list[Any]) -> Iterator[Any]:
    """The entry with one argument replaced by another of the list's; an object seen double."""
    if not isinstance(entry, dict):
        return
    names = {value["name"]: None for one in entries for value in one.values() if isinstance(value, dict)}
    for field, value in entry.items():
        if isinstance(value, dict):
            yield from ({**entry, field: {**value, "name": name}} for name in names if name != value["name"])
        elif field == "name":
            yield {**entry, field: f"{value}_2"}


def problem(gold: str, generator: Random) -> str:
    """A problem that forgets a part of its goal."""
    start = _GOAL.search(gold)
    parts = list(_LITERAL.finditer(gold, start.end())) if start else []
    if not parts:
        return ""
    left_out = generator.choice(parts)
    return gold[: left_out.start()] + gold[left_out.end() :]


def actions(gold: Mapping[str, list[Any]], *, right: bool) -> str:
    """A plan as JSON; a wrong one lacks its first step."""
    ((key, steps),) = gold.items()
    return json.dumps({key: steps if right else steps[1:]}, ensure_ascii=False)
