"""What a command costs as a whole: from its start to its end, with every process that it starts."""

from __future__ import annotations

import os
import statistics
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOT", "Cost", "cost_of", "median", "peak_mb"]

ROOT = Path(__file__).parents[1]
_LOOK_S = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Cost:
    """Of one command, start and imports included."""

    seconds: float
    cpu: float
    """Seconds of processor, user and system, of all its processes that ended and were waited for."""
    peak_mb: float
    """Resident memory at its highest, summed over the process and its children, looked at twenty times a
    second. Linux."""


def cost_of(
    *command: str | Path, environment: Mapping[str, str] | None = None, log: Path | None = None
) -> Cost:
    """Run a command in the repository's root and time it from outside. RuntimeError if it fails.

    environment: added to ours. log: file of what it prints; nothing is kept without one.
    """
    with (log or Path(os.devnull)).open("wb") as printed:
        start = time.perf_counter()
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=ROOT,
            env=os.environ | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT if log else None,
        )
        ended = threading.Event()
        peaks = [0.0]
        watcher = threading.Thread(target=_watch, args=(process.pid, ended, peaks))
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        ended.set()
        watcher.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        said = log.read_text(errors="replace")[-2000:] if log else ""
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {process.returncode}\n{said}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, max(peaks))


def median(costs: Sequence[Cost]) -> Cost:
    """Median of the times, highest of the peaks."""
    return Cost(
        statistics.median(cost.seconds for cost in costs),
        statistics.median(cost.cpu for cost in costs),
        max(cost.peak_mb for cost in costs),
    )


def _watch(process: int, ended: threading.Event, peaks: list[float]) -> None:
    """What wait4 says of memory begins at that of the parent, so it is asked for meanwhile."""
    while not ended.wait(_LOOK_S):
        tree = _tree(process)
        peaks.append(sum(map(_resident_mb, tree)) if len(tree) > 1 else peak_mb(process))


def _tree(process: int) -> list[int]:
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
        children = [int(child) for one in threads for child in (one / "children").read_text().split()]
    except OSError:  # it has ended
        return []
    return [process, *(below for child in children for below in _tree(child))]


def peak_mb(process: int | str = "self") -> float:
    """Resident memory of a process at its highest so far; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def _resident_mb(process: int) -> float:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE / 2**20
    except (OSError, IndexError):  # it has ended
        return 0.0
