"""Reading and scoring replies."""

from __future__ import annotations

import re
from pathlib import Path

from benches._replies import made
from benches.jobs._job import Job, Work
from gumption.answers import read, score

_FIRST_LETTER = re.compile(r"\b([A-D])\b")


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    pairs = made(size)

    def ours() -> None:
        for text, answer in pairs:
            score(answer, read(text, answer))

    def first_letter() -> int:
        right = 0
        for text, answer in pairs:
            match = _FIRST_LETTER.search(text)
            right += match is not None and match[1] == answer.gold
        return right

    return ours, first_letter


JOB = Job("reading and scoring replies", "replies", (2_000, 20_000), "a first-letter pattern", _prepared)
