"""A stage's reply to a list of entries, whatever stands around it. Nothing is ever evaluated.

The list is looked for by its key, so that code fences, prose, reasoning and further fields do not matter; of
several lists the last one that can be read stands. A reply cut off inside its list cannot be read.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gumption.answers import refuses, visible
from gumption.records import ErrorKind, Mistake, Reading, Reply

__all__ = ["Found", "entries_of", "listed", "pddl_name"]

T = TypeVar("T")

_MOST = 16
"""Places that a list is looked for at, counted from the end of the reply."""
_BARE_LIST = re.compile(r"(?:```[a-z]*)?\s*(?=\[)", re.IGNORECASE)
_FIXED = re.compile(
    r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'  # a string as JSON has it
    r"|'(?P<single>(?:[^'\\]++|\\.)*+)(?:'|\\?\Z)"
    r"|\b(?P<word>True|False|None)\b"
    r"|(?P<comma>,)(?=\s*[\]}])",
    re.DOTALL,
)
_WORDS = {"True": "true", "False": "false", "None": "null"}
_UNFIT = re.compile(r"""[\s()\[\]{};,"'`?:*\\]+""")
"""What no name of PDDL holds, what would begin a comment, and what would make an escaped line break."""
_BEFORE = re.compile(r"^\W+")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Found(Generic[T]):
    """What a stage found, and how well its reply could be read."""

    value: T
    reading: Reading
    """Its value is the list as it was sent."""
    mistakes: tuple[Mistake, ...] = ()


def listed(reply: Reply, key: str) -> Reading:
    """The list under `key` in a reply, as the reading's value. Never raises on any reply.

    Python's quotes and words and a comma too many are mended (repair `python`); a bare list stands for the
    one that was asked for (repair `bare`).
    """
    if reply.status == "refused":
        return Reading("refused", rule="status")
    text, told = visible(reply.text)
    text = text.encode(errors="replace").decode().strip()
    repairs = list(told)
    starts = [match.end() for match in re.finditer(rf"""["']{key}["']\s*:\s*(?=\[)""", text)]
    if not starts and (bare := _BARE_LIST.match(text)):
        starts, repairs = [bare.end()], [*repairs, "bare"]
    for start in reversed(starts[-_MOST:]):
        for mended in (False, True):
            found = _decoded(text, start, mended=mended)
            if found is not None:
                return Reading("answered", found, "json", (*repairs, *["python"][: int(mended)]))
    return Reading("refused" if refuses(text) else "unanswered", repairs=tuple(repairs))


def _decoded(text: str, start: int, *, mended: bool) -> list[Any] | None:
    source, at = (_FIXED.sub(_as_json, text[start:]), 0) if mended else (text, start)
    try:
        value, _ = _DECODER.raw_decode(source, at)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _as_json(match: re.Match[str]) -> str:
    if match["single"] is not None:
        return json.dumps(match["single"].replace("\\'", "'"))
    if match["word"]:
        return _WORDS[match["word"]]
    return "" if match["comma"] else match[0]


def entries_of(reading: Reading, what: str) -> tuple[list[Any], list[Mistake]]:
    """The entries of a list that was read, and the mistakes to add to: one where there is no list."""
    if reading.outcome == "answered":
        return reading.value, []
    return [], [Mistake(ErrorKind.UNREADABLE, f"no list of {what} in the reply")]


def pddl_name(said: Any) -> str:
    """A name as PDDL can hold it: in lower case, from its first letter, digit or `_` on, with `_` for what it
    cannot hold. "" where there is none. said: a text, or a mapping that has it under "name"."""
    if isinstance(said, dict):
        said = said.get("name")
    return _UNFIT.sub("_", _BEFORE.sub("", said.strip().lower())) if isinstance(said, str) else ""
