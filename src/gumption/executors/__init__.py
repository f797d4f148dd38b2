"""Where shards of work are done: in this process, or by Ray's workers on one machine or many.

A shard is whatever the caller cuts its work into; what is done with one is a function that the caller names.
Whoever does the shards, the results are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from gumption.executors._local import Local
from gumption.executors._lost import LostShardError
from gumption.records import GumptionError

__all__ = ["Executor", "Local", "LostShardError", "open_executor"]

S = TypeVar("S")
R = TypeVar("R")


class Executor(Protocol):
    """Does shards, several at once where it can."""

    @property
    def name(self) -> str:
        """local or ray."""

    @property
    def workers(self) -> int:
        """How many shards are under way at once."""

    def each(
        self, start: Callable[[], Callable[[S], R]], shards: Sequence[S], *, kept: bool = False
    ) -> Iterator[tuple[int, R]]:
        """Do every shard, and give its place in `shards` and its result as each is done.

        start: gives the function that does one shard; a function of a module, or a functools.partial of
        one, for it travels to the worker, as shards and results do. No secret may be in any of them: a worker
        reads keys from its own environment. kept: whether a worker is a process of its own that starts once
        and does many shards, for what is dear to start (simulators, planners, encoders); else each shard
        starts.

        A shard whose process died is handed out again. Raises LostShardError for one that killed its process
        three times, and what a shard raises: a GumptionError as it is, anything else with the worker's
        traceback. What is under way then ends.
        """


@contextmanager
def open_executor(on: str = "local", *, workers: int | None = None) -> Iterator[Executor]:
    """The executor that `--on` names, for as long as the block runs.

    local: this process, one shard after another. ray: the cluster whose address is in RAY_ADDRESS, else one
    on this machine that ends with the block. workers: of ray; else as many as there are CPUs.

    Raises GumptionError for another name, for workers that are not to be had, and where Ray is not installed
    or its cluster does not answer.
    """
    if on == "local":
        if workers is not None:
            raise GumptionError("--workers is for --on ray", remedy="leave it out, or add --on ray")
        yield Local()
    elif on == "ray":
        from gumption.executors._ray import opened

        with opened(workers) as executor:
            yield executor
    else:
        raise GumptionError(f"--on {on} is not known", remedy="--on local or --on ray")
