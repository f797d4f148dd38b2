"""A whole run from recorded replies: asked, kept line by line, read, scored, written; and scored again."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benches._replies import replies
from benches._table import show

SIZES = (10_000, 100_000)


def main() -> None:
    rows = []
    for size in SIZES:
        # A process of its own, so that the peak of memory is this size's alone.
        out = subprocess.run(
            [sys.executable, "-c", f"from benches.recording import measure; measure({size})"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        rows.append((f"{size:,}", *out.split("|")))
    show(
        "A run from recorded replies",
        ("items", "bare write of the same lines", "run", "score again", "run x bare", "peak memory"),
        rows,
    )


def measure(size: int) -> None:
    """Print the figures of one size."""
    import msgspec

    from gumption.models.replay import Replay
    from gumption.records import Item, Reply
    from gumption.running import run, score_run
    from gumption.suites import Suite

    _, pairs = replies(size)
    items = tuple(
        Item(f"q{number}", "bench", (), answer, category=f"c{number % 14}")
        for number, (_, answer) in enumerate(pairs)
    )
    recorded = {
        (f"q{number}", 0, ""): Reply(f"q{number}", text=text) for number, (text, _) in enumerate(pairs)
    }
    suite = Suite("bench", "1", items)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        descriptor = os.open(Path(folder) / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for reply in recorded.values():
            os.write(descriptor, msgspec.json.encode(reply) + b"\n")
        os.fsync(descriptor)
        os.close(descriptor)
        bare = time.perf_counter() - start
        start = time.perf_counter()
        run(suite, Replay("bench", recorded, "bench"), Path(folder) / "run")
        first = time.perf_counter() - start
        start = time.perf_counter()
        score_run(Path(folder) / "run")
        again = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{bare:.2f} s|{first:.2f} s|{again:.2f} s|{first / bare:.0f}|{peak:.0f} MB", end="")
