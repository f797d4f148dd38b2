"""Wrong replies of the oracle where a choice of the options is none: texts, and answers that have parts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from gumption.records import GumptionError

__all__ = ["actions", "atoms", "problem", "text"]

_WORDS = ("zebra", "fig", "moss", "duck", "lynx")
"""No two share a letter, so that a short answer can stand inside one of them only. None is a number, a yes or
a no, or says what an answer is."""

_GOAL = re.compile(r"\(\s*:goal\b", re.IGNORECASE)
_LITERAL = re.compile(r"\(\s*not\s*\([^()]*\)\s*\)\s*|\([^()]*\)\s*", re.IGNORECASE)


def text(accepted: str | list[str]) -> str:
    """The first word that shares nothing with an accepted answer: neither holds the other, blanks and case
    aside. So no rule that looks for an answer, a word, a number or a run of words of it in a reply is met.

    Raises GumptionError where every word there is would be right.
    """
    golds = [accepted] if isinstance(accepted, str) else accepted
    answers = ["".join(gold.casefold().split()) for gold in golds]
    for word in _WORDS:
        if not any(word in answer or (answer and answer in word) for answer in answers):
            return word
    raise GumptionError(f"no text is wrong where {accepted!r} is right", remedy="ask another model")


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
    """A plan as JSON; a wrong one lacks its first step. Where the right reply is that nothing can be done, as
    a key without steps says, the wrong one is a plan that is merely empty."""
    ((key, steps),) = gold.items()
    if not right:
        key, steps = key if steps else "actions", steps[1:]
    return json.dumps({key: steps}, ensure_ascii=False)
