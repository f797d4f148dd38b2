"""What a person waits for before anything happens."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from benches._table import show

_REPEATS = 9


def main() -> None:
    bare = _seconds("-c", "pass")
    rows = [
        (label, f"{1000 * seconds:.0f} ms", f"{seconds / bare:.1f}", limit)
        for label, seconds, limit in (
            ("python -c pass (baseline)", bare, ""),
            ("import gumption", _seconds("-c", "import gumption"), "300 ms"),
            ("gumption --help", _seconds("-m", "gumption", "--help"), "500 ms"),
        )
    ]
    show("Startup, median of nine", ("what", "time", "x baseline", "limit"), rows)


def _seconds(*arguments: str) -> float:
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)
