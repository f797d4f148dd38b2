"""`python -m fuzz READER [--seconds 600] [--seed 0] [--only N]`: one reader, or `all` one after another."""

from __future__ import annotations

import argparse
import datetime
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from fuzz.readers import READERS

RESULTS = Path(__file__).with_name("results.jsonl")


def main() -> None:
    """Exits with 1 where something was found."""
    parser = argparse.ArgumentParser("fuzz", description=__doc__)
    parser.add_argument("reader", choices=(*READERS, "all"))
    parser.add_argument("--seconds", type=float, default=600, help="of each reader")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="N", help="hand it input N alone, and record nothing")
    asked = parser.parse_args()
    if asked.only is not None:
        sys.exit(subprocess.call([*_child(asked.reader, asked.seed, asked.only), "--only"]))  # noqa: S603
    found = 0
    for reader in READERS if asked.reader == "all" else (asked.reader,):
        result = fuzzed(reader, asked.seconds, asked.seed)
        with RESULTS.open("a") as stream:
            stream.write(json.dumps(result) + "\n")
        print(json.dumps(result, indent=1))
        found += len(result["findings"])
    sys.exit(found > 0)


def fuzzed(reader: str, seconds: float, seed: int) -> dict[str, Any]:
    """What came of handing the reader damaged inputs for so many seconds."""
    end = time.time() + seconds
    findings: dict[str, dict[str, Any]] = {}
    told = {"inputs": 0, "accepted": 0, "slowest_s": 0.0, "peak_mb": 0}
    begin = 0
    while time.time() < end:
        with tempfile.TemporaryFile("w+") as output, tempfile.NamedTemporaryFile() as errors:
            # A child is ended by the first input that it does not survive; the next begins behind that one.
            code = subprocess.call(  # noqa: S603
                [*_child(reader, seed, begin), "--until", str(end)], stdout=output, stderr=errors
            )
            output.seek(0)
            for line in output:
                said = json.loads(line)
                told["inputs"] += said["inputs"]
                told["accepted"] += said["accepted"]
                told["slowest_s"] = max(told["slowest_s"], said["slowest_s"])
                told["peak_mb"] = max(told["peak_mb"], said["peak_mb"])
                begin = said["next"]
                if finding := said["finding"]:
                    kind = finding["what"].partition(":")[0]
                    findings.setdefault(f"{kind} {finding['where']}", finding)["times"] += 1
            if code:
                trace = Path(errors.name).read_text(errors="replace").strip().splitlines()
                slow = code == -signal.SIGPROF or any("Timeout" in line for line in trace)
                what = "over 10 s" if slow else f"ended with {code}"
                where = next((one.strip() for one in trace if "/gumption/" in one), "; ".join(trace[-2:]))
                key = f"{what} {where}"
                findings.setdefault(key, {"what": what, "where": where, "n": begin, "times": 0})["times"] += 1
                begin += 1
    git = ("git", "-C", str(RESULTS.parents[1]))
    commit = subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True).strip()  # noqa: S603
    changed = subprocess.check_output([*git, "status", "--porcelain", "src", "fuzz"], text=True).split("\n")  # noqa: S603
    return {
        "reader": reader,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit,
        "changed": sorted({line[3:] for line in changed if line} - {"fuzz/results.jsonl"}),
        "seed": seed,
        "seconds": seconds,
        **told,
        "findings": list(findings.values()),
    }


def _child(reader: str, seed: int, begin: int) -> list[str]:
    return [sys.executable, "-X", "faulthandler", "-m", "fuzz.child", reader, str(seed), str(begin)]


if __name__ == "__main__":
    main()
