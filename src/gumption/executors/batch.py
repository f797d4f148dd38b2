"""Many small items in shards, and what becomes of one that kills whoever does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from gumption.executors import Executor, LostShardError

__all__ = ["batch"]

S = TypeVar("S")
R = TypeVar("R")

_SHARDS_A_WORKER = 8
"""At least, where there are items enough: so that nobody waits long for the last one."""


def batch(
    executor: Executor,
    start: Callable[[], Callable[[tuple[S, ...]], Sequence[R]]],
    items: Sequence[S],
    *,
    most: int,
    lost: Callable[[S, LostShardError], R],
    kept: bool = False,
) -> Iterator[tuple[int, R]]:
    """Each item's place in `items` and its result, as shards are done; no item twice.

    start, kept: as for `Executor.each`; the function that `start` gives does a tuple of items and gives their
    results in the same order. most: items of a shard. lost: what stands for an item that killed its process
    three times; it may raise an error that names the item. The items of a shard that did so are done one by
    one before it is said of any.

    Raises what `each` raises, and ValueError where a shard has more or fewer results than items.
    """
    size = _size(executor, len(items), most)
    waiting = [range(begin, min(begin + size, len(items))) for begin in range(0, len(items), size)]
    while waiting:
        left = dict(enumerate(waiting))
        shards = [tuple([items[place] for place in places]) for places in waiting]
        try:
            for number, results in executor.each(start, shards, kept=kept):
                yield from zip(left.pop(number), results, strict=True)
        except LostShardError as error:
            places = left.pop(error.place)
            alone = [range(place, place + 1) for place in places] if len(places) > 1 else []
            if not alone:
                yield places[0], lost(items[places[0]], error)
            waiting = [*alone, *left.values()]
        else:
            return


def _size(executor: Executor, items: int, most: int) -> int:
    # In this process a shard costs nothing, and what is done is to be told at once.
    if executor.name == "local":
        return 1
    return min(most, max(1, items // (executor.workers * _SHARDS_A_WORKER)))
