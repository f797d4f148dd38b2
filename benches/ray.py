"""A run spread over two Ray workers, beside two plain processes that ask half of it each.

The server takes 50 ms a question; each worker and each process has two questions under way. The server notes
when each question comes: from the first to the last is the time that is compared, so starts stand in rows
of their own; and from a tenth to four fifths of them is how it goes while all are at work.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benches._processes import ROOT
from benches._questions import write
from benches._table import show

WORKERS, EACH = 2, 2
LATENCY_S = 0.05
SIZES = (100, 1_000)
_REPEATS = 2
_FEW = WORKERS * EACH


def main() -> None:
    rows: list[tuple[str, ...]] = []
    peaks: dict[int, float] = {}
    took: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder, _server() as (base_url, came):
        for size in SIZES:
            suite = str(write(Path(folder), size, pictures=False))
            spans: dict[str, list[tuple[float, float]]] = {"two processes": [], "two Ray workers": []}
            # In turn, so that what else the machine does meets both.
            for _ in range(_REPEATS):
                _two(suite, base_url, size)
                spans["two processes"].append(_span(came[-size:]))
                told = _ray(suite, base_url, size)
                spans["two Ray workers"].append(_span(came[-size:]))
                peaks[size] = max(peaks.get(size, 0.0), told["peak_mb"])
            both = {name: tuple(map(median, zip(*some, strict=True))) for name, some in spans.items()}
            took[size] = both["two Ray workers"][0]
            for name, (whole, midst) in both.items():
                two = both["two processes"]
                over = f"{100 * (whole / two[0] - 1):+.0f} %", f"{100 * (midst / two[1] - 1):+.0f} %"
                ideal = LATENCY_S * size / (WORKERS * EACH)
                shown = over if name != "two processes" else ("", "")
                rows.append((f"{name}, {size:,}", f"{whole:.2f} s", f"{whole / ideal:.2f}", *shown))
        weighed = _weighed(suite, base_url)
    show(
        f"Ray, {1000 * LATENCY_S:.0f} ms a question, {WORKERS * EACH} at once (limit of overhead +20 %)",
        ("questions", "first to last", "x least", "over two processes", "the same, all at work"),
        rows,
    )
    print()
    show(
        "Ray: what it takes besides",
        ("what", "measured"),
        [
            ("to start a cluster of two on this machine", f"{told['cluster']:.1f} s"),
            ("a run of four questions, its two workers started", f"{told['start']:.1f} s"),
            (
                f"time of {SIZES[1] // SIZES[0]} times the questions",
                f"{took[SIZES[1]] / took[SIZES[0]]:.1f} x",
            ),
            (
                f"peak memory, all processes, {SIZES[0]:,} and {SIZES[1]:,} questions",
                " and ".join(f"{peaks[size]:.0f} MB" for size in SIZES),
            ),
            ("of it Ray's own processes", f"{told['ray_mb']:.0f} MB"),
            ("of it one worker", f"{told['worker_mb']:.0f} MB"),
            ("sent to a worker, an item of text", f"{weighed[0]:.0f} bytes"),
            ("sent back, an item", f"{weighed[1]:.0f} bytes"),
        ],
    )


@contextmanager
def _server() -> Iterator[tuple[str, list[float]]]:
    """The address of the tests' server, and when each question came."""
    sys.path.append(str(ROOT / "tests"))
    from servers import Server, answer

    came: list[float] = []

    def note(asked: Any) -> Any:
        came.append(asked.at)
        return answer("A").after(LATENCY_S)

    with Server(note, keep=False) as server:
        yield server.base_url, came


def _span(came: Sequence[float]) -> tuple[float, float]:
    """Seconds from the first question to the last answer, and of the middle part."""
    return came[-1] - came[0] + LATENCY_S, came[len(came) * 4 // 5] - came[len(came) // 10]


def _two(suite: str, base_url: str, size: int) -> None:
    """Two processes ask half each."""
    halves = [f"{size * half // WORKERS}, {size * (half + 1) // WORKERS}" for half in range(WORKERS)]
    call = "from benches.ray import half; half({!r}, {!r}, {})"
    processes = [
        subprocess.Popen([sys.executable, "-c", call.format(suite, base_url, part)], cwd=ROOT)
        for part in halves
    ]
    if any(list(map(subprocess.Popen.wait, processes))):
        raise RuntimeError("a process that asks half has failed")


def _ray(suite: str, base_url: str, size: int) -> dict[str, float]:
    call = f"from benches.ray import spread; spread({suite!r}, {base_url!r}, {size})"
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def half(suite: str, base_url: str, first: int, last: int) -> None:
    """Asks these questions in this process."""
    _timed(suite, base_url, first, last, concurrency=EACH)


def spread(suite: str, base_url: str, size: int) -> None:
    """Asks the first questions by Ray, and prints what that took."""
    from gumption.executors import open_executor
    from gumption.running import Spread, opened_model

    begin = time.perf_counter()
    with open_executor("ray", workers=WORKERS) as executor:
        cluster = time.perf_counter() - begin
        how = Spread(executor, partial(opened_model, "openai/m", 0, {"base_url": base_url}))
        few = _timed(suite, base_url, 0, _FEW, concurrency=_FEW, spread=how)
        with _watched() as memory:
            _timed(suite, base_url, 0, size, concurrency=_FEW, spread=how)
    workers = [peak for (title, _), peak in memory.items() if title.startswith("ray::_Kept")]
    told = {
        "cluster": cluster,
        "start": few,
        "peak_mb": sum(memory.values()),
        "worker_mb": max(workers),
        "ray_mb": sum(memory.values()) - sum(workers) - memory["driver", os.getpid()],
    }
    print(json.dumps(told))


def _timed(suite: str, base_url: str, first: int, last: int, **how: Any) -> float:
    from dataclasses import replace

    from gumption.models import open_models
    from gumption.running import run
    from gumption.suites import read_file_or_folder

    whole = read_file_or_folder(Path(suite))
    (model,) = open_models("openai/m", base_url=base_url)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        done = run(replace(whole, items=whole.items[first:last]), model, Path(folder) / "run", **how)
        seconds = time.perf_counter() - begin
        if done.scores()["value"].null_count or len(done.scores()) != last - first:
            raise RuntimeError("not every question was answered")
    return seconds


@contextmanager
def _watched() -> Iterator[dict[tuple[str, int], float]]:
    """Megabytes by title and number of this process and all below it, at their highest, by proportional share
    of what they share. They need not be highest at the same moment."""
    peaks: dict[tuple[str, int], float] = {}
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.2):
            for process in (os.getpid(), *_below(os.getpid())):
                try:
                    title = Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ").strip()
                    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
                except OSError:
                    continue  # it has ended meanwhile
                name = "driver" if process == os.getpid() else title.partition(".do")[0]
                share = int(rollup.partition("\nPss:")[2].split()[0]) / 1024
                peaks[name, process] = max(peaks.get((name, process), 0.0), share)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield peaks
    finally:
        ended.set()
        thread.join()


def _below(process: int) -> Iterator[int]:
    try:
        children = [
            int(child)
            for task in Path(f"/proc/{process}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return
    for child in children:
        yield child
        yield from _below(child)


class _Weighing:
    """An executor that does shards here and weighs what another would send and get back."""

    name = "weighing"
    workers = WORKERS

    def __init__(self) -> None:
        self.out = self.back = 0

    def each(
        self,
        start: Callable[[], Callable[[Any], Any]],
        shards: Sequence[Any],
        *,
        kept: bool = False,  # noqa: ARG002
    ) -> Iterator[tuple[int, Any]]:
        do = start()
        for place, shard in enumerate(shards):
            self.out += len(pickle.dumps(shard))
            result = do(shard)
            self.back += len(pickle.dumps(result))
            yield place, result


def _weighed(suite: str, base_url: str) -> tuple[float, float]:
    """Bytes an item that are sent to workers, and that they send back."""
    from gumption.running import Spread, opened_model

    scales = _Weighing()
    how = Spread(scales, partial(opened_model, "openai/m", 0, {"base_url": base_url}))
    _timed(suite, base_url, 0, SIZES[0], concurrency=64, spread=how)
    return scales.out / SIZES[0], scales.back / SIZES[0]
