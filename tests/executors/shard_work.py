"""Work for shards: what a worker imports."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from gumption.records import GumptionError


class OddError(GumptionError):
    """One of a room's own."""


def squares(folder: Path) -> Callable[[int], tuple[int, int]]:
    """The square, and who made it. Each start leaves a file."""
    (folder / f"started-{os.getpid()}-{time.monotonic_ns()}").touch()
    return lambda number: (number * number, os.getpid())


def dies(folder: Path, times: int) -> Callable[[int], int]:
    """The number 3 kills its process the first `times` times."""

    def do(number: int) -> int:
        if number == 3:
            (folder / f"death-{time.monotonic_ns()}").touch()
            if len(list(folder.glob("death-*"))) <= times:
                os.kill(os.getpid(), signal.SIGKILL)
        return number

    return do


def is_odd(number: int) -> int:
    if number % 2:
        raise OddError(f"{number} is odd", where="here", remedy="give even numbers")
    return number


def evens() -> Callable[[int], int]:
    return is_odd


def reciprocals() -> Callable[[int], float]:
    return lambda number: 1 / number


def cannot_start() -> Callable[[int], int]:
    raise OddError("no simulator", where="this machine", remedy="install one")


def sleepers() -> Callable[[int], int]:
    """The process that the worker started and leaves to itself."""
    child = subprocess.Popen(["sleep", "600"])
    return lambda number: child.pid
