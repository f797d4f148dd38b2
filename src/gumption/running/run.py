"""Asking a model every question of a suite, and scoring what was recorded."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import msgspec

from gumption import __version__
from gumption.answers import READING_VERSION, SCORING_VERSION
from gumption.benchmarks import PROMPT_VERSION, names, official_of, versions_of
from gumption.models import Model
from gumption.records import Item, Scored
from gumption.running._asking import Asker, settled
from gumption.running.cache import ReplyCache
from gumption.running.episodes import drive
from gumption.running.scores import write_scores
from gumption.running.store import Protocol, Run, RunInfo
from gumption.suites import Suite

__all__ = ["Progress", "run", "score_run"]

Progress = Callable[[int, int], None]
"""Called with (done, planned) after each item."""


def run(
    suite: Suite,
    model: Model,
    out: Path,
    *,
    judge: Model | None = None,
    address: str = "",
    data: Path | None = None,
    epochs: int = 1,
    concurrency: int = 16,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> Run:
    """Ask `model` every item of `suite`, keep the replies in the folder `out`, and score them.

    judge: marks answers where the benchmark wants one. address, data: where the suite came from, kept so that
    its pictures are found again. epochs: how often each item is asked. concurrency: requests under way at
    once. cache: a file of replies shared over runs.

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
            prompt=model.prompt or PROMPT_VERSION,
            reading=READING_VERSION,
            scoring=SCORING_VERSION,
            epochs=epochs,
            decode=model.decode,
            judge=judge.identity() if judge else {},
            model=model.identity(),
        ),
        official=official_of(items),
        rejected=tuple(map(str, suite.rejected)),
        gumption=__version__,
    )
    model.prepare(items)
    with (
        Run.taken(out, info, items) as (record, writer),
        ReplyCache(cache) if cache else nullcontext() as kept,
    ):
        recorded = {
            key: reply for key, reply in settled(record.replies()).items() if reply.status != "infra_error"
        }

        async def ask_all() -> tuple[list[Scored], dict[str, int]]:
            asker = Asker(
                recorded,
                model=model,
                judge=judge,
                writer=writer,
                media=suite.media.read,
                cache=kept,
                concurrency=concurrency,
            )
            try:
                rows = await _drive_all(items, epochs, asker, concurrency, progress)
            finally:
                await model.close()
                if judge:
                    await judge.close()
            return rows, dict(asker.problems.most_common())

        rows, record.problems = asyncio.run(ask_all())
        write_scores(record.folder / "scores.parquet", rows)
    return record


def score_run(folder: Path, *, progress: Progress | None = None) -> Run:
    """Read and score the recorded replies of a run again, without asking anything."""
    record = Run.open(folder)
    items = record.items()
    protocol = record.info.protocol
    asker = Asker(settled(record.replies()))
    rows = asyncio.run(_drive_all(items, protocol.epochs, asker, 1, progress))
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


async def _drive_all(
    items: Sequence[Item], epochs: int, ask: Asker, workers: int, progress: Progress | None
) -> list[Scored]:
    """Every episode, `workers` at a time; rows in the order of the items whatever finished first."""
    planned = len(items) * epochs
    rows: list[Scored | None] = [None] * planned
    done = 0
    jobs: Iterator[tuple[int, Item]] = iter(enumerate(item for _ in range(epochs) for item in items))

    async def work() -> None:
        nonlocal done
        for place, item in jobs:
            rows[place] = await drive(item, place // len(items), ask)
            done += 1
            if progress:
                progress(done, planned)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, planned)):
                group.create_task(work())
    except ExceptionGroup as group_error:
        # The first failure is the reason; the other workers were stopped because of it.
        raise group_error.exceptions[0] from None
    return [row for row in rows if row is not None]
