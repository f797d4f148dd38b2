"""`gumption curate` on the question pool, whole: cold, from the cache of vectors, and what it took.

A process each, start, loading and writing included. Wall time on a busy machine says little: the seconds of
processor are beside it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benches._table import show

DATA = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or "../shared/data")
K = 500
_CURATE = """
import json, resource, sys
from gumption.cli import main
try:
    main()
except SystemExit as end:
    code = end.code
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([code, used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20]), file=sys.stderr)
"""


def main() -> None:
    if not (DATA / "question_pool").is_dir():
        print(f"Skipped: no {DATA}/question_pool")
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for name in ("cold", "warm"):
            out = Path(folder) / name / "suite"
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", _CURATE, "curate", "question-pool", "--data", str(DATA), "--k", str(K),
                 "-o", str(out), "--cache", f"{folder}/vectors.sqlite"],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            wall = time.perf_counter() - start
            _, processor, peak = json.loads(done.stderr.splitlines()[-1])
            rows.append((name, f"{wall:.0f} s", f"{processor:.0f} s", f"{peak:.2f} GB"))
            made.append(out)
        about = [json.loads((out / "suite.json").read_text()) for out in made]
        certificate = json.loads((made[0] / "certificate.json").read_text())
    show("gumption curate question-pool", ("", "wall", "processor", "peak memory"), rows)
    same = about[0]["checksum"] == about[1]["checksum"]
    pool, suite = certificate["pool_items"], certificate["suite_items"]
    print(
        f"\n{suite:,} of {pool:,} items ({100 * (1 - suite / pool):.1f} % fewer); {os.cpu_count()} cores; "
        f"both suites are {'the same' if same else 'DIFFERENT'}."
    )
    spread = certificate["balance"][0]["counts"]
    counts = [(one["name"], f"{one['pool']:,}", f"{one['suite']:,}") for one in spread]
    show("By dimension", ("dimension", "pool", "suite"), counts)
