"""For tests of what is done in shards: an executor that does them in any order and loses some, a killer of
Ray's workers, and an encoder that these can import."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gumption.executors import LostShardError
from ray_cluster import kill_workers


class Shuffled:
    """Does shards one after another, in an order by lot, each started anew. One that holds something `deadly`
    is lost when its turn comes."""

    name = "stand-in"

    def __init__(self, workers: int, seed: int = 0, deadly: Callable[[Any], bool] | None = None) -> None:
        self.workers, self._random, self._deadly = workers, Random(seed), deadly
        self.sizes: list[int] = []
        """Items of the shards that were done."""

    def each(
        self, start: Callable[[], Callable[[Any], Any]], shards: Sequence[Any], *, kept: bool = False
    ) -> Iterator[tuple[int, Any]]:
        for place in self._random.sample(range(len(shards)), len(shards)):
            if self._deadly and any(map(self._deadly, shards[place])):
                raise LostShardError(place, "its process died 3 times")
            self.sizes.append(len(shards[place]))
            yield place, start()(shards[place])


class KillOnce:
    """A `progress` that kills the workers of that title at the first result, while others are under way."""

    def __init__(self, title: str) -> None:
        self._title = title
        self.killed: list[int] = []
        self.done = 0

    def __call__(self, done: int, of: int) -> None:
        self.done = done
        if not self.killed and done < of:
            self.killed = kill_workers(self._title)


class Words:
    """Texts that share words are near, others at right angles, nearly."""

    id = "words@2"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.array([sum(map(_point, re.findall(r"\w+", text.lower())), _point("")) for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@cache
def _point(word: str) -> NDArray[np.float64]:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(128)
