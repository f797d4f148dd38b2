"""Shards one after another, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

__all__ = ["Local"]

S = TypeVar("S")
R = TypeVar("R")


class Local:
    """Starts once, whatever `kept` says."""

    name = "local"
    workers = 1

    def each(
        self,
        start: Callable[[], Callable[[S], R]],
        shards: Sequence[S],
        *,
        kept: bool = False,  # noqa: ARG002 - there is one process, and it is kept
    ) -> Iterator[tuple[int, R]]:
        """In the order of `shards`."""
        do = start()
        for place, shard in enumerate(shards):
            yield place, do(shard)
