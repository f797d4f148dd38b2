"""A model that reviews dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from gumption.curation.by_model._past import told_past
from gumption.curation.by_model._prompts import WORDS
from gumption.curation.dimensions import OTHER, Dimensions
from gumption.curation.roles import Balance, Change, Past, Review
from gumption.running.budget import Budget
from gumption.running.forms import FaultError, Form, Miss, filled, one_of, record
from gumption.running.prompting import cut, data
from gumption.running.talks import Talk

__all__ = ["ModelReviewer"]

ACTIONS = ("merge", "split", "sharpen", "add", "drop")
LONGEST = 600
"""Characters of a sentence of a review."""
_EXAMPLES = 4
_EXAMPLE_CHARACTERS = 300
_PAIRS = 8


class _Change(Struct):
    action: str
    dimensions: list[str]
    reason: str
    suggestion: str = ""


class _Said(Struct):
    accepted: bool
    redundancy: str
    coverage: str
    balance: str
    changes: list[_Change] = []


class ModelReviewer:
    """Asks a model, under the call "review/N" in iteration N."""

    def __init__(
        self, model: str, *, budget: Budget | None = None, retries: int = 2, prompt: str = "review-1"
    ) -> None:
        """As of `ModelProposer`."""
        self.name = f"{model}, {WORDS.id(prompt)}"
        self._budget, self._retries, self._prompt = budget or Budget(), retries, prompt

    def review(self, dimensions: Dimensions, balance: Balance, past: Sequence[Past]) -> Talk[Review | None]:
        """A judgement that accepts without changes or rejects with some, or None; the budget's log says
        why."""
        form = Form(
            "review",
            str(len(past) + 1),
            self._words(dimensions, balance, past),
            _schema(dimensions.names),
            partial(_reviewed, names=dimensions.names),
        )
        (value,) = yield from filled([form], self._budget, self._retries)
        return None if isinstance(value, Miss) else value

    def _words(self, dimensions: Dimensions, balance: Balance, past: Sequence[Past]) -> str:
        return WORDS.filled(
            self._prompt,
            dimensions=data(
                {
                    "name": one.name,
                    "definition": cut(one.definition, LONGEST),
                    "questions": balance.counts.get(one.name, 0),
                    "benchmarks": balance.sources.get(one.name, {}),
                    "examples": [
                        cut(text, _EXAMPLE_CHARACTERS)
                        for text in balance.examples.get(one.name, ())[:_EXAMPLES]
                    ],
                }
                for one in dimensions.all
            ),
            other=balance.counts.get(OTHER, 0),
            total=sum(balance.counts.values()),
            entropy=f"{balance.entropy:.2f}",
            overlap=_pairs(balance.overlap),
            confusion=_pairs(balance.confusion),
            past=told_past(past),
        )


def _pairs(found: Mapping[str, float]) -> str:
    return data(
        {"pair": cut(pair, 200), "value": round(value, 3)} for pair, value in islice(found.items(), _PAIRS)
    )


def _schema(names: Sequence[str]) -> dict[str, Any]:
    text = {"type": "string"}
    change = {
        "action": one_of(ACTIONS),
        "dimensions": {"type": "array", "items": one_of(names)},
        "reason": text,
        "suggestion": text,
    }
    return record(
        {
            "redundancy": text,
            "coverage": text,
            "balance": text,
            "changes": {"type": "array", "items": record(change)},
            "accepted": {"type": "boolean"},
        }
    )


def _reviewed(raw: Any, names: Sequence[str]) -> Review:
    said = msgspec.convert(raw, _Said)
    if said.accepted and said.changes:
        raise FaultError("it accepts and asks for changes: accept with none, or do not accept")
    if not said.accepted and not said.changes:
        raise FaultError("it does not accept and asks for no change: say what is to change")
    known = {name.strip().lower(): name for name in names}
    changes = tuple(_change(change, known) for change in said.changes)
    redundancy, coverage, balance = (
        cut(text, LONGEST) for text in (said.redundancy, said.coverage, said.balance)
    )
    return Review(said.accepted, redundancy, coverage, balance, changes)


def _change(said: _Change, known: Mapping[str, str]) -> Change:
    action = said.action.strip().lower()
    if action not in ACTIONS:
        raise FaultError(f"no action is called {said.action[:40]!r}: write one of {', '.join(ACTIONS)}")
    # What is to be added is no dimension yet; a model that names it all the same has said nothing wrong.
    named = [] if action == "add" else [name.strip().lower() for name in said.dimensions]
    strange = next((name for name in named if name not in known), None)
    if strange is not None:
        raise FaultError(f"no dimension is called {strange[:80]!r}: write one of {', '.join(known.values())}")
    about = tuple(dict.fromkeys(known[name] for name in named))
    if len(about) < {"merge": 2, "add": 0}.get(action, 1):
        raise FaultError(f"{action} names {len(about)} dimensions: name those that it is about")
    return Change(action, about, cut(said.reason, LONGEST), cut(said.suggestion, LONGEST))
