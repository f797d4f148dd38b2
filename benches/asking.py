"""A whole `gumption run` over a server that takes 50 ms, beside a bare loop over the same SDK.

Each run is a process of its own, timed from outside, start and imports included. The bare loop does the least
that such a job can do: read the picture, encode it, ask, append a line.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benches._clients import BARE, GUMPTION, IN_FLIGHT, Client, Job
from benches._processes import Cost, cost_of, median
from benches._questions import PICTURE_BYTES, write
from benches._server import served
from benches._table import show

SIZES = (500, 5_000)
LATENCY_S = 0.05
_REPEATS = (3, 1)
"""Of each size."""


def main() -> None:
    costs: dict[tuple[str, bool, int], Cost] = {}
    with tempfile.TemporaryDirectory() as folder, served(LATENCY_S) as server:
        for pictures in (True, False):
            for size, repeats in zip(SIZES, _REPEATS, strict=True):
                suite = write(Path(folder), size, pictures=pictures)
                # In turn, so that what else the machine does meets both.
                runs = [
                    [_cost(client, suite, server.base_url) for client in (BARE, GUMPTION)]
                    for _ in range(repeats)
                ]
                for name, ours in zip(("bare loop", "gumption run"), zip(*runs, strict=True), strict=True):
                    costs[name, pictures, size] = median(ours)
    _show(costs)


def _show(costs: dict[tuple[str, bool, int], Cost]) -> None:
    rows = []
    for (name, pictures, size), cost in costs.items():
        bare = costs["bare loop", pictures, size]
        rows.append(
            (
                f"{name}, {size:,} {'pictures' if pictures else 'texts'}",
                f"{cost.seconds:.2f} s",
                f"{cost.seconds / bare.seconds:.2f}",
                f"{1000 * cost.cpu / size:.2f} ms",
                f"{cost.peak_mb:.0f} MB",
            )
        )
    show(
        f"Asking {IN_FLIGHT} at once, {1000 * LATENCY_S:.0f} ms latency, {PICTURE_BYTES // 1000} KB pictures",
        ("whole process", "time", "x bare loop", "CPU an item, start included", "peak memory"),
        rows,
    )
    print()
    few, many = (costs["gumption run", True, size] for size in SIZES)
    texts = [costs["gumption run", False, size].seconds for size in SIZES]
    ratio = few.seconds / costs["bare loop", True, SIZES[0]].seconds
    further = 1000 * (many.cpu - few.cpu) / (SIZES[1] - SIZES[0])
    show(
        "Asking, against the limits",
        ("what", "measured", "limit"),
        [
            (f"time of {SIZES[0]} pictures, x bare loop", f"{ratio:.2f}", "2"),
            ("CPU of each further picture", f"{further:.2f} ms", "2.5 ms"),
            (f"peak memory of {SIZES[0]} pictures", f"{few.peak_mb:.0f} MB", "150 MB"),
            ("time of ten times the pictures", f"{many.seconds / few.seconds:.1f} x", "12 x"),
            ("time of ten times the texts", f"{texts[1] / texts[0]:.1f} x", "12 x"),
        ],
    )


def _cost(client: Client, quiz: Path, base_url: str) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        job = Job(Path(sys.executable), quiz, base_url, Path(folder) / "out")
        return cost_of(*client.command(job))
