"""Shards by Ray: on the cluster that RAY_ADDRESS names, or on one of this machine that ends with the work.

Ray's own repetition of tasks is off: what is handed out again, and how often, is decided here.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from gumption.executors._lost import LostShardError
from gumption.records import GumptionError

__all__ = ["Ray", "opened"]

S = TypeVar("S")
R = TypeVar("R")

_TRIES = 3
"""Processes that may die over one shard."""
_STORE_BYTES = 100 << 20
"""Of objects that a cluster of this machine holds in shared memory: shards and results are small."""
_GRACE_S = 5.0
"""For a worker that is no longer needed to end what it has started."""
_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # A second failure, while the first is told.
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",
    # Workers of this machine see its GPUs: Ray would hide them from tasks that ask for none.
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    # Workers do the work that this process would do: they are not to stand behind all others.
    "RAY_worker_niceness": "0",
    # What a worker has started ends with it, also where the worker is killed.
    "RAY_process_group_cleanup_enabled": "1",
}


@contextmanager
def opened(workers: int | None) -> Iterator[Ray]:
    """Ray, joined or started. One that this process has joined already is used and left as it is."""
    try:
        ray: Any = import_module("ray")
    except ImportError as error:
        raise GumptionError(
            "Ray is not installed", where="--on ray", remedy="pip install 'gumption[ray]', or leave out --on"
        ) from error
    if ray.is_initialized():
        yield Ray(ray, workers or _cpus(ray))
        return
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    address = os.environ.get("RAY_ADDRESS", "")
    with _joined(ray, address) if address else _started(ray, workers):
        # Ray prints on standard output that a worker has died, where a program may wait for JSON.
        import_module("ray._private.worker")._worker_logs_enabled = False  # type: ignore[attr-defined]
        yield Ray(ray, workers or _cpus(ray))


@contextmanager
def _joined(ray: Any, address: str) -> Iterator[None]:
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise GumptionError(
            f"the Ray cluster does not answer: {error}",
            where=f"RAY_ADDRESS={address}",
            remedy="start it (ray start --head) or mend the address; if it wants a token, set "
            "RAY_AUTH_MODE=token too; without RAY_ADDRESS this machine alone is used",
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def _started(ray: Any, workers: int | None) -> Iterator[None]:
    # Whoever reaches a cluster can run code on it. Where Ray knows of tokens this one wants one, which
    # Ray would keep in a file in the home folder if there were none here.
    before = {name: os.environ.get(name) for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN")}
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    # Not in TMPDIR: a long name of a folder is too long for the sockets in it.
    folder = tempfile.mkdtemp(prefix="gumption-ray-", dir="/tmp")
    try:
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=_STORE_BYTES,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _temp_dir=folder,
        )
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class Ray:
    """Shards as Ray tasks, or as calls of actors that are kept."""

    name = "ray"

    def __init__(self, ray: Any, workers: int) -> None:
        self._ray = ray
        self.workers = workers

    def each(
        self, start: Callable[[], Callable[[S], R]], shards: Sequence[S], *, kept: bool = False
    ) -> Iterator[tuple[int, R]]:
        """As they are done."""
        crew: _Tasks | _Actors = _Actors(self._ray, start) if kept else _Tasks(self._ray, start)
        waiting = list(range(len(shards)))[::-1]
        deaths: Counter[int] = Counter()
        under_way: dict[Any, int] = {}
        try:
            while waiting or under_way:
                while waiting and len(under_way) < self.workers:
                    place = waiting.pop()
                    under_way[crew.hand_out(shards[place])] = place
                (done,), _ = self._ray.wait(list(under_way), num_returns=1)
                place = under_way.pop(done)
                try:
                    result = self._result(done)
                except _DiedError as death:
                    crew.lost(done)
                    deaths[place] += 1
                    if deaths[place] == _TRIES:
                        raise LostShardError(
                            place,
                            f"the process of shard {place + 1} of {len(shards)} died {_TRIES} times: {death}",
                            where="--on ray",
                            remedy="run the same command again, with fewer --workers or on machines with "
                            "more memory; with --on local the reason is seen",
                        ) from death
                    waiting.append(place)
                    continue
                crew.done(done, more=bool(waiting))
                yield place, result
        finally:
            crew.end(under_way)

    def _result(self, reference: Any) -> Any:
        fates = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except fates.RayTaskError as error:
            if isinstance(error.cause, GumptionError):
                raise error.cause from None
            raise
        except (
            fates.WorkerCrashedError,
            fates.RayActorError,
            fates.NodeDiedError,
            fates.OutOfMemoryError,
            fates.ObjectLostError,
        ) as error:
            raise _DiedError(str(error).splitlines()[0]) from error


class _DiedError(Exception):
    """The process that had a shard is no more."""


class _Tasks:
    """A task a shard, in any process that Ray has free."""

    def __init__(self, ray: Any, start: Callable[[], Callable[[Any], Any]]) -> None:
        self._ray = ray
        self._start = ray.put(start)
        self._do = ray.remote(num_cpus=1, max_retries=0)(_do)

    def hand_out(self, shard: Any) -> Any:
        return self._do.remote(self._start, shard)

    def lost(self, reference: Any) -> None:
        """The next one has a process of its own."""

    def done(self, reference: Any, *, more: bool) -> None:
        """Ray takes back the process."""

    def end(self, under_way: dict[Any, int]) -> None:
        for reference in under_way:
            self._ray.cancel(reference, force=True)


class _Actors:
    """An actor for each shard that is under way at once; idle ones are handed the next."""

    def __init__(self, ray: Any, start: Callable[[], Callable[[Any], Any]]) -> None:
        self._ray = ray
        self._start = ray.put(start)
        self._new = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Kept)
        self._idle: list[Any] = []
        self._busy: dict[Any, Any] = {}

    def hand_out(self, shard: Any) -> Any:
        actor = self._idle.pop() if self._idle else self._new.remote()
        reference = actor.do.remote(self._start, shard)
        self._busy[reference] = actor
        return reference

    def lost(self, reference: Any) -> None:
        # It may only be out of reach.
        self._ray.kill(self._busy.pop(reference))

    def done(self, reference: Any, *, more: bool) -> None:
        self._idle.append(self._busy.pop(reference))
        if not more:
            # Room for an actor that waits for its place.
            self._dismiss()

    def end(self, under_way: dict[Any, int]) -> None:
        for reference in under_way:
            self._ray.kill(self._busy[reference])
        self._dismiss()

    def _dismiss(self) -> None:
        ending = [actor.__ray_terminate__.remote() for actor in self._idle]
        if ending:
            self._ray.wait(ending, num_returns=len(ending), timeout=_GRACE_S)
        for actor in self._idle:
            self._ray.kill(actor)
        self._idle.clear()


class _Kept:
    """What an actor is: it starts with its first shard, so that a failure to start is told as any other."""

    def __init__(self) -> None:
        self._do: Callable[[Any], Any] | None = None

    def do(self, start: Callable[[], Callable[[Any], Any]], shard: Any) -> Any:
        if self._do is None:
            self._do = start()
        return self._do(shard)


def _do(start: Callable[[], Callable[[Any], Any]], shard: Any) -> Any:
    return start()(shard)


def _cpus(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
