"""What a job is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

__all__ = ["Job", "Work"]

Work: TypeAlias = Callable[[], object]
"""What it returns is of no use, but for the Cost of a command."""


@dataclass(frozen=True)
class Job:
    """Work at a size, and the yardstick beside it."""

    what: str
    unit: str
    """What the size counts."""
    sizes: tuple[int, int]
    """The second is ten times the first."""
    yardstick: str
    """The program or loop to compare with, in words."""
    prepared: Callable[[int, Path], tuple[Work, Work]]
    """Ours and the yardstick's, to be called again and again, for a size and an empty folder. The first call
    of the yardstick loads what it needs; ModuleNotFoundError where that is not installed."""
    waits: bool = False
    """Whether it waits for something else than the processor, so that the clock is what counts."""
