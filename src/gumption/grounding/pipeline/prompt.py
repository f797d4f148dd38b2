"""How the stages put their questions: the words, the examples, the case at hand, in our own words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from gumption.grounding.pddl import Domain
from gumption.records import Image, Part, Text

__all__ = ["put", "signatures", "written_list"]


def put(
    words: str,
    examples: Sequence[tuple[Iterable[Image | str | None], str]],
    case: Iterable[Image | str | None],
) -> list[Part]:
    """The parts of a question: what is asked, examples as (what is shown, right answer), the case at hand."""
    parts: list[Part] = [Text(words)]
    for number, (shown, answer) in enumerate(examples, 1):
        parts += [Text(f"Example {number}:"), *_parts(shown), Text(f"Answer: {answer}")]
    return [*parts, *([Text("Now this one:")] if examples else []), *_parts(case)]


def _parts(shown: Iterable[Image | str | None]) -> list[Part]:
    return [Text(part) if isinstance(part, str) else part for part in shown if part is not None]


def written_list(key: str, entries: Sequence[Any]) -> str:
    """A reply of a stage, on one line."""
    return json.dumps({key: entries}, ensure_ascii=False)


def signatures(domain: Domain) -> str:
    """The domain's predicates, one a line, as `on(x: block, y: block)`."""
    lines = []
    for name, parameters in domain.predicates.items():
        told = (f"{one.name.removeprefix('?')}: {' or '.join(one.types)}" for one in parameters)
        lines.append(f"{name}({', '.join(told)})")
    return "\n".join(lines)
