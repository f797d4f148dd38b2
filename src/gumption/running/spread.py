"""A run that is spread over the workers of an executor: each asks its rows and writes parts of its own.

What goes to a worker is what it asks: some items with their gold, where their pictures lie, what is recorded
of them, and how the model is opened. The model is opened there, by the same options and with the key of that
machine; a client or a key never travels. What comes back are scores; replies go into the parts.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gumption import __version__
from gumption.executors import Executor
from gumption.models import Model, open_models
from gumption.records import GumptionError, Item, Key, Reply, Scored
from gumption.running._asking import Asker, settled
from gumption.running._shard_parts import Here, Parts, There
from gumption.running.shard import Asked, Progress, ask_shard, drive_rows
from gumption.running.storage import Storage
from gumption.running.store import Run, RunInfo, read_part
from gumption.suites import Media
from gumption.suites.suite import shown_media

__all__ = ["Spread", "ask_spread", "opened_model", "score_spread"]

_MOST_ROWS = 1_000
"""Of a shard: some hundred KB of items, and what a worker holds at once."""
_SHARDS_A_WORKER = 8
"""At most, while they are small: the last one that is asked keeps the others waiting."""
_WAVES = 32
"""Rows of a shard for each request under way at once: at its end fewer and fewer are."""


@dataclass(frozen=True)
class Spread:
    """How the workers are to ask."""

    executor: Executor
    model: Callable[[], Model]
    """Opens the model: a partial of `opened_model`."""
    judge: Callable[[], Model] | None = None
    address: str = ""
    """Where the run is kept; a worker that does not see the run's folder puts its parts there."""


def opened_model(name: str, place: int, options: Mapping[str, Any]) -> Model:
    """Of the models that `name` stands for, the one at `place`. options: as for `open_models`."""
    return open_models(name, **options)[place]


def ask_spread(
    rows: Sequence[int],
    items: Sequence[Item],
    part: Path,
    spread: Spread,
    *,
    info: RunInfo,
    media: Media,
    recorded: Mapping[Key, Reply],
    cache: Path | None = None,
    concurrency: int = 16,
    progress: Progress | None = None,
) -> Asked:
    """As `ask_shard`, by the workers of `spread`, in parts whose names begin as that of `part`.

    info: what run.json says, by which a worker knows the folder. concurrency: requests under way at once,
    over all workers.
    """
    executor = spread.executor
    if concurrency < executor.workers:
        raise GumptionError(
            f"{executor.workers} workers for {concurrency} requests at once",
            where=f"--concurrency {concurrency}",
            remedy=f"raise it, or give --workers {concurrency}",
        )
    each = concurrency // executor.workers
    job = _Job(
        part=part,
        info=info,
        model=spread.model,
        judge=spread.judge,
        address=spread.address,
        # Others learn nothing from the items of a suite.
        learnt_from=tuple(items) if info.protocol.model.get("kind") == "baseline" else (),
        cache=cache,
        concurrency=each,
        folder=str(Path.cwd()),
    )
    size = _size(len(rows), executor.workers, each)
    shards = list(_shards(rows, items, recorded, size, media))
    scored: dict[int, list[Scored]] = {}
    problems: Counter[str] = Counter()
    done = 0
    if progress:
        progress(done, len(rows))
    for place, asked in executor.each(partial(_asking, job), shards, kept=True):
        scored[place] = asked.rows
        problems.update(asked.problems)
        done += len(asked.rows)
        if progress:
            progress(done, len(rows))
    return Asked(_in_order(scored), dict(problems.most_common()))


def score_spread(
    rows: Sequence[int],
    items: Sequence[Item],
    replies: Mapping[Key, Reply],
    executor: Executor,
    progress: Progress | None = None,
) -> list[Scored]:
    """The scores of planned rows, made from recorded replies by the workers of `executor`, in their order."""
    size = _size(len(rows), executor.workers, 1)
    shards = list(_shards(rows, items, replies, size, Media()))
    scored: dict[int, list[Scored]] = {}
    done = 0
    for place, some in executor.each(partial(_scoring, __version__), shards):
        scored[place] = some
        done += len(some)
        if progress:
            progress(done, len(rows))
    return _in_order(scored)


def _in_order(scored: Mapping[int, list[Scored]]) -> list[Scored]:
    return [row for place in sorted(scored) for row in scored[place]]


@dataclass(frozen=True)
class _Shard:
    """Some planned rows, with all that is known of them."""

    number: int
    items: list[Item]
    rows: list[int]
    """Of these items, as if they were the run's."""
    recorded: list[Reply]
    media: dict[str, Path]


@dataclass(frozen=True)
class _Job:
    """What is the same for all shards."""

    part: Path
    info: RunInfo
    model: Callable[[], Model]
    judge: Callable[[], Model] | None
    address: str
    learnt_from: tuple[Item, ...]
    cache: Path | None
    concurrency: int
    folder: str
    """The working folder, from which paths are meant."""


def _size(rows: int, workers: int, concurrency: int) -> int:
    """Rows of a shard: every worker gets as many shards."""
    wanted = rows // (workers * concurrency * _WAVES)
    shards = max(1, min(_SHARDS_A_WORKER, wanted), -(-rows // (workers * _MOST_ROWS)))
    return max(1, -(-rows // (workers * shards)))


def _shards(
    rows: Sequence[int], items: Sequence[Item], recorded: Mapping[Key, Reply], size: int, media: Media
) -> Iterator[_Shard]:
    known: dict[tuple[str, int], list[Reply]] = {}
    for (item_id, epoch, _), reply in recorded.items():
        known.setdefault((item_id, epoch), []).append(reply)
    for number, first in enumerate(range(0, len(rows), size)):
        planned = [divmod(row, len(items)) for row in rows[first : first + size]]
        places = {one: place for place, one in enumerate(dict.fromkeys(one for _, one in planned))}
        own = [items[one] for one in places]
        paths = {sha256: media.path(sha256) for sha256 in shown_media(own)}
        yield _Shard(
            number,
            own,
            [epoch * len(own) + places[one] for epoch, one in planned],
            [reply for epoch, one in planned for reply in known.get((items[one].id, epoch), ())],
            {sha256: path for sha256, path in paths.items() if path is not None},
        )


# ── in a worker ──────────────────────────────────────────────────────────────────────────────────────


def _asking(job: _Job) -> Callable[[_Shard], Asked]:
    _check_version(job.info.gumption)
    if Path(job.folder).is_dir():
        os.chdir(job.folder)
    parts: Parts
    if _sees(job):
        parts = Here(job.part)
    elif job.address:
        parts = There(job.part, Storage(job.address))
    else:
        raise GumptionError(
            f"the worker on {socket.gethostname()} does not see the run's folder",
            where=str(job.part.parent.parent.absolute()),
            remedy="give an --out on a file system that all machines of the cluster share, or at an address "
            "such as s3://BUCKET/FOLDER",
        )
    model, judge = job.model(), job.judge() if job.judge else None
    model.prepare(job.learnt_from)
    return partial(_ask, job, parts, model, judge)


def _sees(job: _Job) -> bool:
    """Whether the run's folder is here, and not another one of the same name."""
    folder = job.part.parent.parent
    if not (folder / "run.json").exists():
        return False
    # As they are written: what was read has lists for tuples.
    return msgspec.json.encode(Run.open(folder).info) == msgspec.json.encode(job.info)


def _ask(job: _Job, parts: Parts, model: Model, judge: Model | None, shard: _Shard) -> Asked:
    with parts.of(shard.number) as (before, part):
        # Whoever had this shard before and died has left a part.
        replies = [*shard.recorded, *(reply for one in before for reply in read_part(one))]
        return ask_shard(
            shard.rows,
            shard.items,
            part,
            model=model,
            judge=judge,
            media=Media(shard.media).read,
            recorded={key: one for key, one in settled(replies).items() if one.status != "infra_error"},
            cache=job.cache,
            concurrency=job.concurrency,
        )


def _scoring(version: str) -> Callable[[_Shard], list[Scored]]:
    _check_version(version)
    return _score


def _score(shard: _Shard) -> list[Scored]:
    return asyncio.run(drive_rows(shard.rows, shard.items, Asker(settled(shard.recorded)), 1, None))


def _check_version(version: str) -> None:
    if version != __version__:
        raise GumptionError(
            f"the worker on {socket.gethostname()} has gumption {__version__}, and not {version}",
            where="--on ray",
            remedy="install the same version on all machines of the cluster",
        )
