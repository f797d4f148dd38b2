"""Appending replies to a part of a run, so that nothing that was recorded is lost."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gumption.records import GumptionError, Reply

__all__ = ["Writer", "written"]

_SYNC_S = 5.0
"""How much work a crash of the machine, not only of the process, may cost."""


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Tells of a failure to write in the block as a GumptionError that names `path` and what to do."""
    try:
        yield
    except OSError as error:
        raise GumptionError(
            f"cannot be written: {error.strerror or error}",
            where=str(path),
            remedy="make room or mend the permissions, then run the same command again: "
            "what was recorded is not asked again",
        ) from error


class Writer:
    """Appends replies to one part, a line each. The file is made with the first reply."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._encoder = msgspec.json.Encoder()
        self._file: int | None = None
        self._size = 0
        self._synced_at = 0.0

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with written(self._path):
                try:
                    os.fsync(self._file)
                finally:
                    os.close(self._file)

    def append(self, reply: Reply) -> None:
        """The line is with the system when this returns. Raises GumptionError where it cannot be written."""
        line = self._encoder.encode(reply) + b"\n"
        with written(self._path):
            if self._file is None:
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
                self._synced_at = time.monotonic()
            self._write(self._file, line)
            if time.monotonic() - self._synced_at >= _SYNC_S:
                os.fdatasync(self._file)
                self._synced_at = time.monotonic()

    def _write(self, file: int, line: bytes) -> None:
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(file, rest) :]
        except OSError:
            # Half a line is tolerated at a part's end only: other replies may still come.
            os.ftruncate(file, self._size)
            raise
        self._size += len(line)
