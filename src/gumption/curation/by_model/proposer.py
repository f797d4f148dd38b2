"""A model that proposes dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from gumption.curation.by_model._past import told_past
from gumption.curation.by_model._prompts import WORDS
from gumption.curation.dimensions import Dimension, Dimensions, Example
from gumption.curation.roles import Brief
from gumption.records import GumptionError
from gumption.running.budget import Budget
from gumption.running.forms import FaultError, Form, Miss, filled, record
from gumption.running.prompting import cut, data
from gumption.running.talks import Talk

__all__ = ["ModelProposer"]

LONGEST_NAME = 60
LONGEST_DEFINITION = 600
MOST_TERMS = 12
_BENCHMARKS = 40
_BENCHMARK_CHARACTERS = 600
_PROBE = 60
_PROBE_CHARACTERS = 400
"""What of the brief is shown, so that a prompt has at most some 60,000 characters."""


class _Entry(Struct):
    name: str
    definition: str
    terms: list[str] = []


class _Proposal(Struct):
    dimensions: list[_Entry]


class ModelProposer:
    """Asks a model, under the call "propose/N" in iteration N."""

    def __init__(
        self, model: str, *, budget: Budget | None = None, retries: int = 2, prompt: str = "propose-1"
    ) -> None:
        """model: its name, for the log. retries: further questions where a reply does not fit. prompt: a file
        of by_model/prompts; GumptionError where there is none."""
        self.name = f"{model}, {WORDS.id(prompt)}"
        self._budget, self._retries, self._prompt = budget or Budget(), retries, prompt

    def propose(self, brief: Brief) -> Talk[Dimensions | None]:
        """A set within the wanted size that was not rejected before, or None; the budget's log says why."""
        form = Form(
            "propose",
            str(len(brief.past) + 1),
            self._words(brief),
            _SCHEMA,
            partial(_proposed, brief=brief),
        )
        (value,) = yield from filled([form], self._budget, self._retries)
        return None if isinstance(value, Miss) else value

    def _words(self, brief: Brief) -> str:
        described = list(brief.benchmarks.items())[:_BENCHMARKS]
        fewest, most = brief.wanted
        return WORDS.filled(
            self._prompt,
            benchmarks=data(
                {"benchmark": cut(name, 100), "description": cut(told, _BENCHMARK_CHARACTERS)}
                for name, told in described
            ),
            probe=data(map(_shown, _spread(brief.probe, _PROBE))),
            past=told_past(brief.past),
            fewest=fewest,
            most=most,
        )


_SCHEMA = record(
    {
        "dimensions": {
            "type": "array",
            "items": record(
                {
                    "name": {"type": "string"},
                    "definition": {"type": "string"},
                    "terms": {"type": "array", "items": {"type": "string"}},
                }
            ),
        }
    }
)


def _proposed(said: Any, brief: Brief) -> Dimensions:
    proposal = msgspec.convert(said, _Proposal)
    found = tuple(map(_dimension, proposal.dimensions))
    fewest, most = brief.wanted
    if not fewest <= len(found) <= most:
        raise FaultError(f"{len(found)} dimensions, and {fewest} to {most} are wanted")
    try:
        dimensions = Dimensions(found)
    except GumptionError as error:
        raise FaultError(f"{error.problem}: {error.remedy}") from error
    if any(past.dimensions.sha256 == dimensions.sha256 for past in brief.past if not past.review.accepted):
        raise FaultError("this very set was rejected before: change what the reviewer asked for")
    return dimensions


def _dimension(entry: _Entry) -> Dimension:
    name, definition = " ".join(entry.name.split()), " ".join(entry.definition.split())
    if len(name) > LONGEST_NAME:
        raise FaultError(f"the name {name[:LONGEST_NAME]!r}... is longer than {LONGEST_NAME} characters")
    if len(definition) > LONGEST_DEFINITION:
        raise FaultError(f"the definition of {name!r} is longer than {LONGEST_DEFINITION} characters")
    if not (name + definition).isprintable():
        raise FaultError(f"{name!r} or its definition holds characters that cannot be printed")
    terms = [" ".join(term.split())[:LONGEST_NAME] for term in entry.terms[:MOST_TERMS]]
    return Dimension(name, definition, tuple(term for term in terms if term and term.isprintable()))


def _spread(probe: Sequence[Example], most: int) -> Sequence[Example]:
    """At most so many, from all over the probe."""
    if len(probe) <= most:
        return probe
    return [probe[place * len(probe) // most] for place in range(most)]


def _shown(example: Example) -> dict[str, str]:
    return {
        "benchmark": cut(example.benchmark, 100),
        "category": cut(example.category, 100),
        "answer": example.kind,
        "question": cut(example.text, _PROBE_CHARACTERS),
    }
