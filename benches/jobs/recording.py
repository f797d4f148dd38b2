"""A whole run from recorded replies: asked, kept line by line, read, scored, written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec

from benches._replies import made
from benches.jobs._job import Job, Work
from gumption.models.replay import Replay
from gumption.records import Item, Reply
from gumption.running import run
from gumption.suites import Suite

__all__ = ["JOB", "recorded"]


def recorded(size: int) -> tuple[Suite, Replay]:
    """A suite of as many questions, and a model that knows a reply to each."""
    pairs = made(size)
    items = tuple(
        Item(f"q{number}", "bench", (), answer, category=f"c{number % 14}")
        for number, (_, answer) in enumerate(pairs)
    )
    said = {(f"q{number}", 0, ""): Reply(f"q{number}", text=text) for number, (text, _) in enumerate(pairs)}
    return Suite("bench", "1", items), Replay("bench", said, "bench")


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:
    suite, model = recorded(size)
    lines = [
        msgspec.json.encode(Reply(f"q{number}", text=text)) for number, (text, _) in enumerate(made(size))
    ]

    def ours() -> None:
        run(suite, model, folder / "run")
        shutil.rmtree(folder / "run")

    def bare() -> None:
        descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for line in lines:
            os.write(descriptor, line + b"\n")
        os.fsync(descriptor)
        os.close(descriptor)

    return ours, bare


JOB = Job(
    "a run from recorded replies: kept, read, scored, written",
    "items",
    (2_000, 20_000),
    "bare write of the same lines",
    _prepared,
)
