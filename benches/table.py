"""One table of all rooms: time, how many times the yardstick's, growth over ten times the work, peak memory.

Every line is measured in a process of its own; ours and the yardstick's work take turns, and the medians are
shown: of processor time, children included, or of the clock where a job waits for a server. Peak memory is
that of our work and of what it was prepared from, before the yardstick ran.

    python -m benches table [--jobs=reading,matching] [--write]

With --write the table is put into docs/performance.md, between its two marks.
"""

from __future__ import annotations

import multiprocessing
import re
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benches._machine import in_words
from benches._processes import ROOT, Cost, peak_mb
from benches._table import markdown, show
from benches.jobs import JOBS, Work, job_of

REPEATS, ENOUGH_S = 5, 5.0
"""Turns of each size, fewer where they take longer than this altogether."""
_WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
HEADER = ("work", "size", "time", "yardstick", "x yardstick", "growth over 10x", "peak memory")
_PAGE = ROOT / "docs" / "performance.md"
_MARKS = re.compile(r"(?<=<!-- table -->\n).*(?=<!-- end of the table -->)", re.DOTALL)


def main() -> None:
    named = [one.partition("=")[2].split(",") for one in sys.argv if one.startswith("--jobs=")]
    rows: list[tuple[str, ...]] = []
    for name in named[-1] if named else JOBS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += rows_of(name)
    show("All rooms", HEADER, rows)
    if "--write" in sys.argv:
        text = f"{in_words()}\n\n{markdown(HEADER, rows)}\n"
        page = _PAGE.read_text(encoding="utf-8")
        if not _MARKS.search(page):
            raise SystemExit(f"{_PAGE} has lost the marks of the table")
        _PAGE.write_text(_MARKS.sub(lambda _: text, page), encoding="utf-8")


def rows_of(name: str) -> list[tuple[str, ...]]:
    """A line for each size of a job; one that says so where its yardstick is not installed."""
    job = job_of(name)
    measured = []
    for size in job.sizes:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            try:
                measured.append(pool.apply(measure, (name, size)))
            except ModuleNotFoundError as error:
                missing = f"not here: {error.name or error}"
                return [(job.what, f"{size:,} {job.unit}", missing, job.yardstick, "", "", "")]
    (first, *_), (last, *_) = measured
    return [
        (
            job.what,
            f"{size:,} {job.unit}",
            _told(seconds),
            job.yardstick,
            f"{seconds / other:.2g}",
            f"{last / first:.1f}" if size == job.sizes[1] else "",
            f"{megabytes:.0f} MB",
        )
        for size, (seconds, other, megabytes) in zip(job.sizes, measured, strict=True)
    ]


def measure(name: str, size: int) -> tuple[float, float, float]:
    """Seconds of ours and of the yardstick, and peak megabytes of ours, of this process or one it started."""
    job = job_of(name)
    with tempfile.TemporaryDirectory() as folder:
        ours, yardstick = job.prepared(size, Path(folder))
        cost = ours()
        peak = cost.peak_mb if isinstance(cost, Cost) else peak_mb()
        yardstick()  # loads what it needs
        spent: list[tuple[float, float]] = []
        while not spent or (len(spent) < REPEATS and sum(map(sum, spent)) < ENOUGH_S):
            spent.append((_seconds(ours, job.waits), _seconds(yardstick, job.waits)))
        seconds, other = (statistics.median(column) for column in zip(*spent, strict=True))
    return seconds, other, peak


def _seconds(work: Work, waits: bool) -> float:
    start = _clock(waits)
    work()
    return _clock(waits) - start


def _clock(waits: bool) -> float:
    if waits:
        return time.perf_counter()
    used = [resource.getrusage(who) for who in _WHO]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _told(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"
