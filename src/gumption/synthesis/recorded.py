"""Files of recorded replies with what a reference makes of them: the other side of a pipeline's fidelity.

A line is a JSON object in one of two layouts, `.jsonl` or `.jsonl.gz`:

    item, model, reply, score           the score in [0, 1], or null where the reference gives none
    id, model, reply, extracted, gold   the kits' layout: what a matcher read, as in "(B)", and the right one;
                                        "(Z)" is a matcher that read none (BLINK, VLMEvalKit)
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from gumption.lines import decode, read_lines
from gumption.records import GumptionError

__all__ = ["Recorded", "read_recorded"]

_LETTER = re.compile(r"\(([A-Z])\)")
"""How such a matcher's reading begins; the option's text may follow."""
_READ_NONE = "Z"


class Recorded(Struct, frozen=True):
    """A reply and what it is worth by the reference."""

    item: str
    model: str
    reply: str
    score: float | None = None
    reading: Any = None
    """What the reference read, "" for nothing; None where the file does not tell."""


class _Line(Struct, frozen=True):
    model: str
    reply: str
    item: str | int | None = None
    id: str | int | None = None
    score: float | UnsetType | None = UNSET
    extracted: str | None = None
    gold: str | None = None


def read_recorded(path: Path, *, scored: bool = True) -> list[Recorded]:
    """The lines of a recorded file. scored: whether each must say what its reply is worth.

    Raises GumptionError with the line that is none of the two layouts, and for a file without any.
    """
    found = []
    for number, line in read_lines(path):
        try:
            text = decode(line)
            if text.strip():
                found.append(_recorded(msgspec.json.decode(text, type=_Line), scored))
        except (msgspec.MsgspecError, RecursionError, GumptionError) as error:
            raise GumptionError(
                str(error),
                where=f"{path.name}, line {number}",
                remedy="give item, model, reply and score, or id, model, reply, extracted and gold",
            ) from error
    if not found:
        raise GumptionError("it holds no replies", where=str(path), remedy="give a file that does")
    return found


def _recorded(line: _Line, scored: bool) -> Recorded:
    item = line.id if line.item is None else line.item
    if item is None:
        raise GumptionError("it names no item")
    if line.extracted is not None and line.gold is not None:
        reading, gold = _letter(line.extracted), _letter(line.gold)
        score: float | None = float(reading == gold)
        return Recorded(str(item), line.model, line.reply, score, "" if reading == _READ_NONE else reading)
    if line.score is UNSET:
        if scored:
            raise GumptionError("it has no score")
        return Recorded(str(item), line.model, line.reply)
    if line.score is not None and not 0.0 <= line.score <= 1.0:
        raise GumptionError(f"the score {line.score!r} is not in [0, 1]")
    return Recorded(str(item), line.model, line.reply, line.score)


def _letter(reading: str) -> str:
    """The letter that a reading begins with, else all of it."""
    found = _LETTER.match(reading.strip())
    return found[1] if found else reading.strip()
