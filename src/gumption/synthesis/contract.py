"""What a written pipeline is: one file of Python with three functions, and what each takes and gives.

    load(folder: str) -> list[dict]          rows of the benchmark, each with an "id" (a string or an integer)
    build(row: dict) -> dict                 what to ask: {"parts": [...], ...}, see Request
    score(row: dict, reply: str) -> dict     what the reply is worth: see Verdict

All three are pure: no clock, no randomness, no state between calls; only `load` reads files, and only below
`folder`. The file never talks to a model: the engine sends what `build` made. Everything that passes between
the file and Gumption is JSON, checked here on both sides, since the file is not trusted.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from gumption.records import GumptionError, Outcome

__all__ = [
    "ALLOWED",
    "DRIVER",
    "FUNCTIONS",
    "MOST_ROWS",
    "Part",
    "Request",
    "Row",
    "Verdict",
    "requests_of",
    "rows_of",
    "verdicts_of",
]

FUNCTIONS = ("load", "build", "score")
ALLOWED = (
    "ast",
    "base64",
    "collections",
    "csv",
    "dataclasses",
    "fractions",
    "functools",
    "gumption.synthesis.recipes",
    "io",
    "itertools",
    "json",
    "math",
    "numpy",
    "os.path",
    "pathlib",
    "re",
    "statistics",
    "string",
    "typing",
    "unicodedata",
)
"""What a written file may import. The sandbox is what enforces; this only explains early."""
DRIVER = """

def main(job):
    if job[0] == "load":
        return load(job[1])
    if job[0] == "build":
        return build(job[1])
    return score(job[1], job[2])
"""
"""Appended to the file when it runs: a job is ["load", folder], ["build", row] or ["score", row, reply]."""

MOST_ROWS = 200_000
LONGEST = 200_000
"""Characters of one text."""

Row: TypeAlias = dict[str, Any]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of a request: exactly one field is set."""

    text: str = ""
    image: str = ""
    """A path relative to the benchmark's folder."""
    image_base64: str = ""


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is asked of a model for one row."""

    parts: tuple[Part, ...]
    """In the order in which they are shown."""
    category: str = ""
    cluster: str = ""
    """The picture or scene that it shares with other rows."""
    options: int = 0
    """How many options there are to guess from; 0 for an open answer."""


class Verdict(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a reply is worth."""

    score: float | None
    """In [0, 1]; None where there is nothing to score (a judge that failed)."""
    outcome: Outcome
    value: Any = None
    """What was read."""
    rule: str = ""
    """What it was read by."""


Call: TypeAlias = Literal["load", "build", "score"]


def rows_of(output: Any) -> list[Row]:
    """Checks what `load` returned. Raises GumptionError where it is no list of rows with ids of their own."""
    if not isinstance(output, list) or not output:
        raise _refused("load", f"it returned {_kind(output)}", "return a list of rows that is not empty")
    if len(output) > MOST_ROWS:
        raise _refused("load", f"it returned {len(output):,} rows", f"at most {MOST_ROWS:,}")
    seen: set[str] = set()
    for number, row in enumerate(output):
        id = row.get("id") if isinstance(row, dict) else None
        if isinstance(id, bool) or not isinstance(id, str | int) or not str(id):
            raise _refused(
                "load", f"row {number} has the id {id!r}", "give each row an id: a string or an integer"
            )
        if str(id) in seen:
            raise _refused("load", f"two rows have the id {id!r}", "give each row an id of its own")
        seen.add(str(id))
    return output


def requests_of(output: list[Any]) -> list[Request]:
    """Checks what `build` returned for each row. Raises GumptionError for what is no request."""
    found: list[Request] = []
    for number, one in enumerate(output):
        try:
            request = msgspec.convert(one, Request)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the second for a lone surrogate
            raise _refused("build", f"row {number}: {error}", "return parts as the contract says") from error
        if not request.parts:
            raise _refused("build", f"row {number} has no parts", "return at least one text or image")
        for part in request.parts:
            _check_part(part, number)
        found.append(request)
    return found


def verdicts_of(output: list[Any]) -> list[Verdict]:
    """Checks what `score` returned for each reply. Raises GumptionError for what is no verdict."""
    found: list[Verdict] = []
    for number, one in enumerate(output):
        try:
            verdict = msgspec.convert(one, Verdict)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the second for a lone surrogate
            raise _refused("score", f"reply {number}: {error}", "return score and outcome") from error
        if verdict.score is not None and not 0.0 <= verdict.score <= 1.0:
            raise _refused("score", f"reply {number} scores {verdict.score!r}", "keep scores in [0, 1]")
        found.append(verdict)
    return found


def _check_part(part: Part, number: int) -> None:
    given = [name for name in part.__struct_fields__ if getattr(part, name)]
    if len(given) != 1:
        raise _refused(
            "build", f"row {number} has a part with {given or 'nothing'}", "set one field of a part"
        )
    if part.image:
        path = PurePosixPath(part.image)
        if path.is_absolute() or ".." in path.parts or "\\" in part.image or "\0" in part.image:
            raise _refused("build", f"row {number} shows {part.image!r}", "stay below the benchmark's folder")
    if len(part.text) > LONGEST:
        raise _refused("build", f"row {number} has a text of {len(part.text):,} characters", "shorten it")
    if part.image_base64:
        try:
            base64.b64decode(part.image_base64, validate=True)
        except (binascii.Error, ValueError) as error:
            raise _refused("build", f"row {number}: {error}", "give base64 without blanks") from error


def _kind(value: Any) -> str:
    return "an empty list" if value == [] else f"a {type(value).__name__}"


def _refused(where: str, problem: str, remedy: str) -> GumptionError:
    return GumptionError(problem, where=where, remedy=remedy)
