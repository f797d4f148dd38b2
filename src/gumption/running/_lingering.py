"""Workers that outlive their driver: whoever takes the run up waits for them, so that nothing is asked twice.

A cluster needs a few seconds to see that a driver is gone; so long its workers go on asking and recording.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gumption.atomic import written
from gumption.records import GumptionError

__all__ = ["WORKERS", "wait_for_workers", "working"]

WORKERS = "workers.lock"
"""The file that every worker of a run holds together with the others."""
_LONGEST_S = 60.0
_LOOK_S = 0.05


@contextmanager
def working(folder: Path) -> Iterator[None]:
    """Hold the folder as one of its workers while the block runs, or until the process ends."""
    with written(folder / WORKERS):
        lock = os.open(folder / WORKERS, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


def wait_for_workers(folder: Path) -> None:
    """Until no worker holds the folder. Raises GumptionError where one does for a minute."""
    if not (folder / WORKERS).exists():
        return
    with written(folder / WORKERS):
        lock = os.open(folder / WORKERS, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    end = time.monotonic() + _LONGEST_S
    try:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise GumptionError(
                        "workers of an earlier start are still asking",
                        where=str(folder),
                        remedy="end that job (ray list jobs names it), then run the same command again",
                    ) from None
                time.sleep(_LOOK_S)
            else:
                return
    finally:
        os.close(lock)
