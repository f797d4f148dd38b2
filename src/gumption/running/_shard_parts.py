"""Where a worker writes the replies of a shard, and finds what was written of it before.

The parts of shard 7 of a run that goes on with part 0003 are 0003-00007-0.jsonl, 0003-00007-1.jsonl, ...: one
for each time that the shard was handed out.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from gumption.records import GumptionError
from gumption.running._copying import every
from gumption.running._lingering import working
from gumption.running.storage import Storage

__all__ = ["Here", "Parts", "There"]

_COPY_S = 5.0
"""Between two copies of a growing part: what a lost machine costs."""
_PATIENCE_S = 60.0
"""With a store that does not answer when a shard is done."""


class Parts(Protocol):
    """The parts of the shards of one run."""

    def of(self, shard: int) -> AbstractContextManager[tuple[list[Path], Path]]:
        """Files with what was recorded of the shard before, and the one to write, which is not there yet."""


class Here:
    """In the run's own folder."""

    def __init__(self, part: Path) -> None:
        """part: whose name the shards' parts begin with."""
        self._part = part

    @contextmanager
    def of(self, shard: int) -> Iterator[tuple[list[Path], Path]]:
        with working(self._part.parent.parent):
            before = sorted(self._part.parent.glob(f"{_name(self._part, shard)}-*.jsonl"))
            yield before, self._part.with_name(f"{_name(self._part, shard)}-{len(before)}.jsonl")


class There:
    """On this machine for now, and every few seconds at the run's address."""

    def __init__(self, part: Path, storage: Storage) -> None:
        """part: as of Here."""
        self._part, self._storage = part, storage

    @contextmanager
    def of(self, shard: int) -> Iterator[tuple[list[Path], Path]]:
        begin = f"parts/{_name(self._part, shard)}-"
        folder = Path(tempfile.mkdtemp(prefix="gumption-shard-"))
        before = []
        for name in self._storage.names("parts"):
            if name.startswith(begin):
                before.append(folder / name.rpartition("/")[2])
                self._storage.get(name, before[-1])
        part = folder / f"{_name(self._part, shard)}-{len(before)}.jsonl"
        copied: dict[Path, int] = {}

        def copy() -> None:
            # A part that has grown large is followed by others, whose names begin as its own.
            for path in sorted(folder.glob(f"{part.stem}*.jsonl")):
                size = path.stat().st_size
                if copied.get(path) != size:
                    self._storage.put(path, f"parts/{path.name}")
                    copied[path] = size

        def copy_if_it_answers() -> None:
            with suppress(GumptionError):  # a store that is away for a while delays; at the end it is told
                copy()

        try:
            with every(_COPY_S, copy_if_it_answers):
                yield before, part
        finally:
            _insist(copy, folder)
            shutil.rmtree(folder, ignore_errors=True)


def _insist(copy: Callable[[], None], folder: Path) -> None:
    """Copy as soon as the store answers. Raises GumptionError where it does not; the replies then stay."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return copy()
        except GumptionError as error:
            if time.monotonic() > end:
                raise GumptionError(
                    f"replies could not be copied, and stay in {folder} on {socket.gethostname()}: {error}",
                    remedy="run the same command again when the store answers; to save asking them again, "
                    "copy the files into the run's parts first",
                ) from error
        time.sleep(_COPY_S)


def _name(part: Path, shard: int) -> str:
    return f"{part.stem}-{shard:05d}"
