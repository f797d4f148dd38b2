"""`gumption run` as a whole process, over a server that takes 50 ms."""

from __future__ import annotations

import atexit
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

from benches._clients import BARE, GUMPTION, IN_FLIGHT
from benches._clients import Job as Asking
from benches._processes import Cost, cost_of
from benches._questions import write
from benches._server import served
from benches.jobs._job import Job, Work

LATENCY_S = 0.05


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:
    open_ones = ExitStack()
    server = open_ones.enter_context(served(LATENCY_S))
    atexit.register(open_ones.close)
    job = Asking(Path(sys.executable), write(folder, size), server.base_url, folder / "out")

    def ours() -> Cost:
        cost = cost_of(*GUMPTION.command(job))
        shutil.rmtree(job.out)
        return cost

    return ours, lambda: cost_of(*BARE.command(job))


JOB = Job(
    f"asking: pictures of 52 KB, {IN_FLIGHT} at once, a server of {1000 * LATENCY_S:.0f} ms, whole process",
    "pictures",
    (200, 2000),
    "bare loop over the openai SDK",
    _prepared,
    waits=True,
)
