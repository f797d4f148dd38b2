"""What a process that lives long must not pile up: memory, descriptors, threads, children; and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.stats import theilslopes

__all__ = ["ALLOWED", "Finding", "Watch", "growth"]

ALLOWED = {
    "memory_mb": 24.0,
    "descriptors": 2.0,
    "threads": 1.0,
    "children": 1.0,
    "files": 2.0,
    "disk_mb": 1.0,
}
"""How much may come on top over the whole watched time before it counts as growth."""
_WARM = 0.25
"""Share of the samples at the beginning in which what is loaded late is loaded."""
_FEWEST = 8


@dataclass(frozen=True)
class Finding:
    """Something that grew, over all that was watched after the warm-up."""

    whose: str
    what: str
    first: float
    last: float
    least: float
    """Of the growth, by the lower end of a 95 % interval of the slope."""


@dataclass
class Watch:
    """Samples of processes and folders, one of each after every round."""

    processes: Mapping[str, int]
    """Names and process ids."""
    folders: Mapping[str, Path]
    samples: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def sample(self) -> None:
        """Look at everything once. Raises ProcessLookupError where a process is gone."""
        for name, process in self.processes.items():
            self._note(name, _of_process(process))
        for name, folder in self.folders.items():
            files = [path for path in folder.rglob("*") if path.is_file()]
            self._note(
                name, {"files": len(files), "disk_mb": sum(path.stat().st_size for path in files) / 2**20}
            )

    def findings(self) -> list[Finding]:
        """What grew by more than is allowed."""
        return [
            Finding(name, what, round(values[0], 1), round(values[-1], 1), round(least, 1))
            for name, kinds in self.samples.items()
            for what, values in kinds.items()
            if (least := growth(values)) > ALLOWED[what]
        ]

    def _note(self, name: str, seen: Mapping[str, float]) -> None:
        for what, value in seen.items():
            self.samples.setdefault(name, {}).setdefault(what, []).append(value)


def growth(values: Sequence[float]) -> float:
    """At least how much a series grew after its warm-up; 0 for what sinks, and for fewer than 8 values there.

    It is the lower end of the slope's 95 % interval times the length. The slope is that of Theil and Sen, the
    median of those between all pairs, so that single peaks do not matter.
    """
    kept = np.asarray(values[int(len(values) * _WARM) :], dtype=float)
    if len(kept) < _FEWEST:
        return 0.0
    thinned = kept[:: max(1, len(kept) // 500)]  # pairs are many
    return max(0.0, float(theilslopes(thinned, alpha=0.95).low_slope) * (len(thinned) - 1))


def _of_process(process: int) -> dict[str, float]:
    place = Path("/proc") / str(process)
    if not place.exists():
        raise ProcessLookupError(process)
    told = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    children = [(task / "children").read_text().split() for task in (place / "task").iterdir()]
    return {
        "memory_mb": int(told["VmRSS"].split()[0]) / 1024,
        "descriptors": len(list((place / "fd").iterdir())),
        "threads": int(told["Threads"]),
        "children": sum(map(len, children)),
    }
