"""How long and how large a search may grow."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path
from typing import Literal

__all__ = ["Budget", "Exhausted"]

_STATM = Path("/proc/self/statm")
_PIECES_A_LOOK = 2048
"""Looking at the memory costs a hundred times what looking at the clock does."""


class Exhausted(Exception):  # noqa: N818 - no error: a search that ended early
    """A limit was reached."""

    def __init__(self, status: Literal["timeout", "memory", "gave_up"], detail: str) -> None:
        self.status, self.detail = status, detail
        super().__init__(detail)


class Budget:
    """Wall-clock seconds, and mebibytes by which this process may grow, from now on. None is no limit.

    What other threads of the process allocate meanwhile counts as well.
    """

    def __init__(self, timeout_s: float | None = None, memory_mb: float | None = None) -> None:
        self._timeout_s, self._memory_mb = timeout_s, memory_mb
        self._end = None if timeout_s is None else time.monotonic() + timeout_s
        self._most = None if memory_mb is None else _resident() + int(memory_mb * 2**20)
        self._pieces = 0

    def spend(self, pieces: int = 1) -> None:
        """Count some work: look at the clock, and at the memory now and then. Raises Exhausted."""
        if self._end is not None and time.monotonic() > self._end:
            raise Exhausted("timeout", f"not done in {self._timeout_s:g} s")
        self._pieces += pieces
        if self._pieces >= _PIECES_A_LOOK:
            self._pieces = 0
            if self._most is not None and _resident() > self._most:
                raise Exhausted("memory", f"grew by more than {self._memory_mb:g} MiB")


def _resident() -> int:
    """Bytes of memory this process holds now; where the system does not say, the most it ever held."""
    try:
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
