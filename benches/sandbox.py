"""What a sandbox costs beside a bare subprocess: for one call, and for a thousand items in one."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Callable
from functools import partial

from benches._table import show
from gumption.records import GumptionError
from gumption.synthesis.sandbox._interpreter import interpreter
from gumption.synthesis.sandbox.limits import Limits
from gumption.synthesis.sandbox.run import run_by

_REPEATS = 25
_ITEMS = 1000
CODE = "def main(x):\n    return x.strip().lower() == 'b'\n"
_BARE = CODE + "import json, sys\nprint(json.dumps([main(x) for x in json.load(sys.stdin)]))"


def main() -> None:
    calls: list[tuple[str, Callable[[list[str]], object]]] = [("bare subprocess (baseline)", bare)]
    for mechanism in ("none", "landlock", "bubblewrap"):
        try:
            _sandboxed("", mechanism, ["a"])
            calls.append((mechanism, partial(_sandboxed, CODE, mechanism)))
        except GumptionError as error:
            print(f"{mechanism}: {error}")
    times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name, _ in calls}
    for _ in range(_REPEATS):  # in turns, so that what else the machine does falls on all alike
        for name, call in calls:
            for place, items in enumerate((["b"], ["b"] * _ITEMS)):
                start = time.perf_counter()
                call(items)
                times[name][place].append(time.perf_counter() - start)
    base = [statistics.median(found) for found in times["bare subprocess (baseline)"]]
    rows = []
    for name, found in times.items():
        one, many = map(statistics.median, found)
        rows.append(
            (
                name,
                f"{1000 * one:.1f} ms",
                f"{1000 * (one - base[0]):+.1f} ms",
                f"{1000 * many:.1f} ms",
                f"{1000 * (many - base[1]):+.1f} ms",
            )
        )
    header = ("how", "one call", "over the baseline", f"{_ITEMS:,} items in one call", "over the baseline")
    show(f"Sandbox, medians of {_REPEATS} (limit: 25 ms over)", header, rows)


def _sandboxed(code: str, mechanism: str, items: list[str]) -> object:
    return run_by(mechanism, code, items, Limits(), ())


def bare(items: list[str]) -> None:
    subprocess.run(
        [str(interpreter().executable), "-I", "-S", "-c", _BARE],
        input=json.dumps(items).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
