"""The question pool of the public data: loaded, and made into a pool folder, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benches._table import show

DATA = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or "../shared/data")
_FILE = DATA / "question_pool" / "pool.jsonl.gz"
_BARE = "import gzip, json; sum(1 for line in gzip.open({path!r}) if json.loads(line))"
_LOADED = """
from pathlib import Path
from gumption.benchmarks import open_suite
assert len(open_suite("question-pool", Path({data!r})).items) == 23_067
"""


def main() -> None:
    if not _FILE.is_file():
        print(f"Skipped: no {_FILE}")
        return
    with tempfile.TemporaryDirectory() as folder:
        pool = ["-m", "gumption", "pool", "add", f"{folder}/pool", "question-pool", "--data", str(DATA)]
        shown = ["-m", "gumption", "pool", "show", f"{folder}/pool"]
        steps = {
            "bare loop over the lines (baseline)": ["-c", _BARE.format(path=str(_FILE))],
            "loaded as a suite": ["-c", _LOADED.format(data=str(DATA))],
            "`gumption pool add`: loaded, checked and written": pool,
            "`gumption pool show`: the folder read and checked": shown,
        }
        measured = {what: _alone(arguments) for what, arguments in steps.items()}
    bare = next(iter(measured.values()))[0]
    rows = [
        (what, f"{seconds:.2f} s", f"{seconds / bare:.1f}", f"{megabytes:.0f} MB")
        for what, (seconds, megabytes) in measured.items()
    ]
    show("23,068 questions", ("whole process", "time", "x bare loop", "peak memory"), rows)


def _alone(arguments: list[str]) -> tuple[float, float]:
    """Seconds and peak megabytes of a process, start included."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # 1: a row was left out
        raise SystemExit(f"failed: {' '.join(arguments)}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024
