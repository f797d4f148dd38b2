"""Asking a model every question of a suite, and scoring what was recorded."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import msgspec

from gumption import __version__
from gumption.answers import READING_VERSION, SCORING_VERSION
from gumption.benchmarks import Asking, further_of, names, official_of, versions_of
from gumption.models import Model
from gumption.running._asking import Asker, settled
from gumption.running.scores import write_scores
from gumption.running.shard import Progress, ask_shard, drive_rows
from gumption.running.store import Protocol, Run, RunInfo
from gumption.suites import Suite

__all__ = ["run", "score_run"]


def run(
    suite: Suite,
    model: Model,
    out: Path,
    *,
    judge: Model | None = None,
    address: str = "",
    data: Path | None = None,
    asking: Asking | None = None,
    epochs: int = 1,
    concurrency: int = 16,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> Run:
    """Ask `model` every item of `suite`, keep the replies in the folder `out`, and score them.

    judge: marks answers where the benchmark wants one. address, data: where the suite came from, kept so that
    its pictures are found again. asking: another prompt, or every rotation of the options. epochs: how often
    each item is asked. concurrency: requests under way at once. cache: a file of replies shared over runs.

    A folder that holds part of the same run is taken up where it ended: recorded replies are not asked again,
    failed requests are. Raises GumptionError where the folder holds something else.
    """
    asking = asking or Asking()
    items = asking.applied(suite.items)
    official = suite.official or official_of(items)
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
            prompt=model.prompt or asking.name,
            reading=READING_VERSION,
            scoring=SCORING_VERSION,
            epochs=epochs,
            circular=asking.circular,
            decode=model.decode,
            judge={**judge.identity(), "decode": judge.decode} if judge else {},
            model=model.identity(),
        ),
        official=asking.official(official),
        further=asking.further(official, further_of(items)),
        rejected=tuple(map(str, suite.rejected)),
        gumption=__version__,
    )
    model.prepare(items)
    with Run.taken(out, info, items) as (record, part):
        replies = settled(record.replies())
        asked = ask_shard(
            range(len(items) * epochs),
            items,
            part,
            model=model,
            judge=judge,
            media=suite.media.read,
            recorded={key: reply for key, reply in replies.items() if reply.status != "infra_error"},
            cache=cache,
            concurrency=concurrency,
            progress=progress,
        )
        write_scores(record.folder / "scores.parquet", asked.rows)
        record.problems = asked.problems
    return record


def score_run(folder: Path, *, progress: Progress | None = None) -> Run:
    """Read and score the recorded replies of a run again, without asking anything."""
    record = Run.open(folder)
    items = record.items()
    protocol = record.info.protocol
    asker = Asker(settled(record.replies()))
    planned = range(len(items) * protocol.epochs)
    rows = asyncio.run(drive_rows(planned, items, asker, 1, progress))
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
