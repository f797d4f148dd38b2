"""The unit of work: some planned rows in, a part file out.

A run on one machine is one shard. An executor that spreads a run gives each worker a range of rows and a part
of its own, and scores the run when all are done: parts are read together, whoever wrote them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from gumption.models import Model, ReadMedia
from gumption.records import Item, Key, Reply, Scored
from gumption.running._asking import Asker
from gumption.running._writing import Writer
from gumption.running.cache import ReplyCache
from gumption.running.episodes import Ask, drive

__all__ = ["Asked", "Progress", "ask_shard", "drive_rows", "rows_of"]

Progress = Callable[[int, int], None]
"""Called with (done, planned) after each item."""


@dataclass(frozen=True)
class Asked:
    """What came of a shard."""

    rows: list[Scored]
    """One a planned row, in their order."""
    problems: dict[str, int]
    """What failed requests said, most frequent first."""


def ask_shard(
    rows: Sequence[int],
    items: Sequence[Item],
    part: Path,
    *,
    model: Model,
    media: ReadMedia,
    judge: Model | None = None,
    recorded: Mapping[Key, Reply] | None = None,
    cache: Path | None = None,
    concurrency: int = 16,
    progress: Progress | None = None,
) -> Asked:
    """Ask the planned rows of a shard and append every reply to `part`, which no other shard writes.

    rows: of the run's planned rows, which are all items of epoch 0, then of epoch 1, and so on. recorded:
    replies that are not to be asked for again. concurrency: requests under way at once.
    """

    async def ask() -> Asked:
        with Writer(part) as writer, ReplyCache(cache) if cache else nullcontext() as kept:
            asker = Asker(
                recorded or {},
                model=model,
                judge=judge,
                writer=writer,
                media=media,
                cache=kept,
                concurrency=concurrency,
            )
            try:
                scored = await drive_rows(rows, items, asker, concurrency, progress)
            finally:
                await model.close()
                if judge:
                    await judge.close()
            return Asked(scored, dict(asker.problems.most_common()))

    return asyncio.run(ask())


def rows_of(numbers: Iterable[int], items: int, epochs: int) -> list[int]:
    """The planned rows of some of the items, all epochs of an item together."""
    return [number + epoch * items for number in numbers for epoch in range(epochs)]


async def drive_rows(
    rows: Sequence[int], items: Sequence[Item], ask: Ask, workers: int, progress: Progress | None
) -> list[Scored]:
    """The episodes of some planned rows, `workers` at a time; in their order whatever finished first."""
    scored: dict[int, Scored] = {}
    left = iter(rows)

    async def work() -> None:
        for row in left:
            epoch, number = divmod(row, len(items))
            scored[row] = await drive(items[number], epoch, ask)
            if progress:
                progress(len(scored), len(rows))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, len(rows))):
                group.create_task(work())
    except ExceptionGroup as group_error:
        # The first failure is the reason; the other workers were stopped because of it.
        raise group_error.exceptions[0] from None
    return [scored[row] for row in rows]
