"""Have the rooms become slower? Counted, not timed: `python -m benches.guard`, within seconds, for CI.

The figure of a path is how many lines of gumption's own code it runs for a fixed piece of work, divided by
the lines of a fixed loop that are counted in the same way, since versions of Python count somewhat
differently. The count is exact: the same on a busy machine and a quiet one, and whatever the versions of
other packages. What NumPy and other compiled code do in one line is not seen by it, so rank intervals are
measured otherwise: least processor time over that of a plain loop in NumPy, in turns.

Budgets are in budgets.json. A figure above its budget by more than it may be fails. After a change that is
meant to cost what it costs: `python -m benches.guard --renew`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import gumption
from benches._table import show
from benches.jobs import Work, job_of

__all__ = ["COUNTED", "TIMED", "counted", "figure", "over", "timed"]

COUNTED = {
    "reading": 60,
    "matching": 60,
    "pddl_reading": 200,
    "validation": 200,
    "recording": 60,
    "report": 60,
}
"""Path to the size of its work."""
TIMED = {"bootstrap": 2_000}
MOST = {"counted": 1.15, "timed": 1.17}
"""Of its budget that a figure may be: more than versions of Python and busy machines differ, below 1.3."""
_TURNS = 12
_BUDGETS = Path(__file__).with_name("budgets.json")
_OURS = str(Path(gumption.__file__).parent)


def main() -> None:
    figures = {name: figure(name) for name in (*COUNTED, *TIMED)}
    if "--renew" in sys.argv:
        _BUDGETS.write_text(
            json.dumps({name: round(one, 3) for name, one in figures.items()}, indent=2) + "\n"
        )
    budgets = json.loads(_BUDGETS.read_text())
    rows = [
        (name, f"{one:,.2f}", f"{budgets[name]:,.2f}", f"{one / budgets[name]:.3f}")
        for name, one in figures.items()
    ]
    show("Work of each path, x a plain loop", ("path", "now", "budget", "of budget"), rows)
    if slower := over(figures, budgets):
        sys.exit(f"Slower than their budgets allow: {', '.join(slower)}. See benches/guard.py.")


def figure(name: str) -> float:
    """Of a path, as it is now."""
    with tempfile.TemporaryDirectory() as folder:
        if name in TIMED:
            return timed(*job_of(name).prepared(TIMED[name], Path(folder)))
        ours, _ = job_of(name).prepared(COUNTED[name], Path(folder))
        ours()  # what is loaded and remembered at the first time is not the path's
        return counted(ours, _OURS) / counted(_loop, __file__)


def over(figures: Mapping[str, float], budgets: Mapping[str, float]) -> list[str]:
    """The paths whose figure is above what its budget allows."""
    return [
        name
        for name, one in figures.items()
        if one > budgets[name] * MOST["timed" if name in TIMED else "counted"]
    ]


def counted(work: Work, below: str) -> int:
    """Lines that the work runs of files at or below a path, in this thread."""
    lines = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001
        nonlocal lines
        lines += event == "line"
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001
        return line if frame.f_code.co_filename.startswith(below) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def timed(ours: Work, yardstick: Work) -> float:
    """Processor time of ours over the yardstick's, the least of each in turns: other work only adds to it."""
    ours()
    yardstick()
    spent = [(_seconds(ours), _seconds(yardstick)) for _ in range(_TURNS)]
    return min(one for one, _ in spent) / min(other for _, other in spent)


def _seconds(work: Work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _loop() -> int:
    """Fixed work without comprehensions, of which each version of Python counts other lines."""
    total = 0
    for number in range(500):
        if number % 3:
            for digit in range(5):
                total += digit * number
        else:
            total -= number
    return total


if __name__ == "__main__":
    main()
