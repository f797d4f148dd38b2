"""Asking a model every question of a suite, and scoring what was recorded."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from gumption import __version__
from gumption.answers import READING_VERSION, SCORING_VERSION
from gumption.benchmarks import names, official_of, versions_of
from gumption.models import Model
from gumption.records import Item, Key, Reply, Scored
from gumption.running.episodes import drive
from gumption.running.scores import write_scores
from gumption.running.store import Protocol, Run, RunInfo, Writer
from gumption.suites import Suite

__all__ = ["Progress", "run", "score_run"]

Progress = Callable[[int, int], None]
"""Called with (done, planned) after each item."""


def run(
    suite: Suite,
    model: Model,
    out: Path,
    *,
    address: str = "",
    data: Path | None = None,
    epochs: int = 1,
    progress: Progress | None = None,
) -> Run:
    """Ask `model` every item of `suite`, keep the replies in the folder `out`, and score them.

    A folder that holds part of the same run is taken up where it ended: recorded replies are not asked again,
    failed requests are. Raises GumptionError where the folder holds something else.
    """
    items = suite.items
    info = RunInfo(
        suite=suite.name,
        suite_version=suite.version,
        suite_address=_address(address, out),
        data=os.path.relpath(data, out) if data else "",
        model=model.name,
        items=len(items),
        protocol=Protocol(
            suite=suite.checksum,
            benchmarks=versions_of(items),
            reading=READING_VERSION,
            scoring=SCORING_VERSION,
            epochs=epochs,
            model=model.identity(),
        ),
        official=official_of(items),
        rejected=tuple(map(str, suite.rejected)),
        gumption=__version__,
    )
    record = Run.create(out, info, items)
    recorded = {reply.key: reply for reply in record.replies() if reply.status != "infra_error"}
    with record.writing() as writer:
        rows = asyncio.run(_drive_all(items, epochs, _Recorder(recorded, model, writer), progress))
    write_scores(record.folder / "scores.parquet", rows)
    return record


def score_run(folder: Path, *, progress: Progress | None = None) -> Run:
    """Read and score the recorded replies of a run again, without asking anything."""
    record = Run.open(folder)
    items = record.items()
    recorded: dict[Key, Reply] = {}
    for reply in record.replies():
        # The first good reply stands; a failure gives way to a later success.
        if recorded.get(reply.key, reply).status == "infra_error" or reply.key not in recorded:
            recorded[reply.key] = reply
    protocol = record.info.protocol
    rows = asyncio.run(_drive_all(items, protocol.epochs, _Recorder(recorded), progress))
    write_scores(folder / "scores.parquet", rows)
    protocol = msgspec.structs.replace(
        protocol, reading=READING_VERSION, scoring=SCORING_VERSION, benchmarks=versions_of(items)
    )
    record.write_info(msgspec.structs.replace(record.info, protocol=protocol))
    return record


def _address(address: str, out: Path) -> str:
    """A benchmark's name as it is, a path as seen from the run folder."""
    is_path = address and address not in names() and Path(address).exists()
    return os.path.relpath(address, out) if is_path else address


class _Recorder:
    """Answers from what is recorded; asks the model for the rest, if there is one, and records it."""

    def __init__(
        self, recorded: dict[Key, Reply], model: Model | None = None, writer: Writer | None = None
    ) -> None:
        self._recorded, self._model, self._writer = recorded, model, writer

    async def __call__(self, question: Item, key: Key) -> Reply | None:
        reply = self._recorded.get(key)
        if reply is None and self._model is not None and self._writer is not None:
            reply = await self._model.ask(question, key)
            if reply is not None:
                self._writer.append(reply)
        return reply


async def _drive_all(
    items: Sequence[Item], epochs: int, ask: _Recorder, progress: Progress | None
) -> list[Scored]:
    rows = []
    for epoch in range(epochs):
        for item in items:
            rows.append(await drive(item, epoch, ask))
            if progress:
                progress(len(rows), len(items) * epochs)
    return rows
