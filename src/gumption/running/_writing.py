"""Appending replies to a part of a run, so that nothing that was recorded is lost."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from gumption.atomic import written
from gumption.records import Reply

__all__ = ["Writer"]

_SYNC_S = 5.0
"""How much work a crash of the machine, not only of the process, may cost."""
_LARGEST = 4 * 2**20
"""Bytes after which the next file is begun: one that grows is copied whole, time and again, to an address."""


class Writer:
    """Appends replies to one part, a line each. The file is made with the first reply; after some MiB the
    next one is begun, `0000_0001.jsonl` after `0000.jsonl`, which is a part like any other."""

    def __init__(self, path: Path) -> None:
        self._path = self._first = path
        self._count = 0
        self._encoder = msgspec.json.Encoder()
        self._file: int | None = None
        self._size = 0
        self._synced_at = 0.0

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def append(self, reply: Reply) -> None:
        """The line is with the system when this returns. Raises GumptionError where it cannot be written."""
        line = self._encoder.encode(reply) + b"\n"
        if self._file is not None and self._size >= _LARGEST:
            self._close()
            self._count += 1
            self._path = self._first.with_stem(f"{self._first.stem}_{self._count:04d}")
        with written(self._path):
            if self._file is None:
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
                self._size = 0
                self._synced_at = time.monotonic()
            self._write(self._file, line)
            if time.monotonic() - self._synced_at >= _SYNC_S:
                os.fdatasync(self._file)
                self._synced_at = time.monotonic()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with written(self._path):
                try:
                    os.fsync(file)
                finally:
                    os.close(file)

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
