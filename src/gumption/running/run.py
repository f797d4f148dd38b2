"""Asking a model every question of a suite, and scoring what was recorded."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gumption import __version__
from gumption.answers import READING_VERSION, SCORING_VERSION
from gumption.benchmarks import Asking, further_of, names, official_of, versions_of
from gumption.executors import Executor
from gumption.models import Model
from gumption.records import Item, Key, Reply
from gumption.running._asking import Asker, settled
from gumption.running.scores import write_scores
from gumption.running.shard import Progress, ask_shard, drive_rows, rows_of
from gumption.running.spread import Spread, ask_spread, score_spread
from gumption.running.store import Protocol, Run, RunInfo
from gumption.suites import Suite
from gumption.suites.drawing import draw

__all__ = ["describe", "run", "score_run"]


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
    spread: Spread | None = None,
    progress: Progress | None = None,
) -> Run:
    """Ask `model` every item of `suite`, keep the replies in the folder `out`, and score them.

    judge: marks answers where the benchmark wants one. address, data: where the suite came from, kept so that
    its pictures are found again. asking: another prompt, or every rotation of the options. epochs: how often
    each item is asked. concurrency: requests under way at once. cache: a file of replies shared over runs.
    spread: has workers ask, who open `model` and `judge` themselves; it is not asked in this process then.

    A folder that holds part of the same run is taken up where it ended: recorded replies are not asked again,
    failed requests are. Raises GumptionError where the folder holds something else.
    """
    asking = asking or Asking()
    items = asking.applied(suite.items)
    info = describe(
        suite, items, model, out, judge=judge, address=address, data=data, asking=asking, epochs=epochs
    )
    model.prepare(items)
    with Run.taken(out, info, items) as (record, part):
        replies = settled(record.replies())
        rows = range(len(items) * epochs)
        how: dict[str, Any] = {
            "recorded": {key: reply for key, reply in replies.items() if reply.status != "infra_error"},
            "cache": cache,
            "concurrency": concurrency,
            "progress": progress,
        }
        if spread:
            asked = ask_spread(rows, items, part, spread, info=record.info, media=suite.media, **how)
        else:
            asked = ask_shard(rows, items, part, model=model, judge=judge, media=suite.media.read, **how)
        write_scores(record.folder / "scores.parquet", asked.rows)
        record.problems = asked.problems
    return record


def describe(
    suite: Suite,
    items: Sequence[Item],
    model: Model,
    out: Path,
    *,
    judge: Model | None,
    address: str,
    data: Path | None,
    asking: Asking,
    epochs: int,
) -> RunInfo:
    """What run.json says of a run of `items`, which are the suite's as they are asked."""
    official = suite.official or official_of(items)
    return RunInfo(
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


def score_run(folder: Path, *, executor: Executor | None = None, progress: Progress | None = None) -> Run:
    """Read and score the recorded replies of a run again, without asking anything. executor: whose workers do
    it; else this process."""
    record = Run.open(folder)
    items = record.items()
    protocol = record.info.protocol
    replies = settled(record.replies())
    rows = _planned(record, items, replies)
    if executor:
        scored = score_spread(rows, items, replies, executor, progress)
    else:
        scored = asyncio.run(drive_rows(rows, items, Asker(replies), 1, progress))
    write_scores(folder / "scores.parquet", scored)
    protocol = msgspec.structs.replace(
        protocol, reading=READING_VERSION, scoring=SCORING_VERSION, benchmarks=versions_of(items)
    )
    record.write_info(msgspec.structs.replace(record.info, protocol=protocol))
    return record


def _planned(record: Run, items: Sequence[Item], replies: Mapping[Key, Reply]) -> Sequence[int]:
    """The rows of a run: all of them, or of one that was stopped early those up to there."""
    epochs, stop, stopped = record.info.protocol.epochs, record.info.stop, record.info.stopped_early
    if stop is None or stopped is None:
        return range(len(items) * epochs)
    if stop.order == "random":
        asked = draw(items, record.info.official, stop.seed).items(0, stopped.draws)
    else:
        # What the order went by was known to the earlier runs; what was asked has left replies.
        there = {item_id for item_id, _, _ in replies}
        asked = [number for number, item in enumerate(items) if item.id in there]
    return rows_of(asked, len(items), epochs)


def _address(address: str, out: Path) -> str:
    """A benchmark's name as it is, a path as seen from the run folder."""
    is_path = address and address not in names() and Path(address).exists()
    return os.path.relpath(address, out) if is_path else address
