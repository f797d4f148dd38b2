"""A folder that one process has to itself."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gumption.atomic import written
from gumption.records import GumptionError

__all__ = ["LOCK", "held"]

LOCK = "run.lock"
"""The file by which a folder is held."""


@contextmanager
def held(folder: Path, named: str = "") -> Iterator[None]:
    """Keep the folder to this process. The system lets go of it with the process, however that ends.

    named: how the run is known, if not by the folder.

    Raises GumptionError where another process holds it, and where it cannot be written.
    """
    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
        # In a folder from elsewhere the name may be a link: what it leads to is not touched.
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    with os.fdopen(lock, "r+"):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise GumptionError(
                "another process is writing this run",
                where=named or str(folder),
                remedy="wait for it, or choose another folder with --out",
            ) from error
        yield
