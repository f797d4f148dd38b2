"""What a process and all its descendants use, read from /proc."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["Usage", "usage_of"]

_PAGE = os.sysconf("SC_PAGE_SIZE")
_MOST = 20_000


class Usage:
    """Sums over a tree of processes."""

    __slots__ = ("pids", "resident", "tasks")

    def __init__(self) -> None:
        self.pids: list[int] = []
        self.tasks = 0
        """Processes and threads."""
        self.resident = 0
        """Bytes."""


def usage_of(root: int, above: int = 0) -> Usage:
    """What the descendants of `root` use, from the level `above` below it on (0 counts root itself)."""
    usage = Usage()
    level, left = 0, [root]
    while left and len(usage.pids) < _MOST:
        below: list[int] = []
        for pid in left:
            try:
                children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it ended meanwhile
            below += map(int, children.split())
            usage.pids.append(pid)
            if level >= above and fields[0] not in "ZX":
                usage.tasks += int(fields[17])
                usage.resident += int(fields[21]) * _PAGE
        level, left = level + 1, below
    return usage
