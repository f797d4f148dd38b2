"""The guard of benches/guard.py: the code is within its budgets, and a path made slower by 30 % is not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from benches.jobs import bootstrap, matching, reading, recording, report, validation
from benches.jobs import pddl_reading as pddl

import gumption
from benches import guard

BUDGETS = json.loads(Path(guard.__file__).with_name("budgets.json").read_text())
CALLED = {
    "reading": (reading, "read", 60),
    "matching": (matching, "match", 60),
    "pddl_reading": (pddl, "read_problem", 1),
    "validation": (validation, "validate", 1),
    "recording": (recording, "run", 1),
    "report": (report, "write_site", 1),
}
"""Where each counted path enters the room, and how often in its work."""


def busy(lines: int) -> None:
    """Runs so many lines that count as gumption's own."""
    program = "for _ in range(times):\n    done = True\n"
    code = compile(program, str(Path(gumption.__file__).parent / "busy.py"), "exec")
    exec(code, {"times": lines // 2})


def slowed(call: Callable[..., object], lines: int) -> Callable[..., object]:
    def slower(*arguments: object, **options: object) -> object:
        busy(lines)
        return call(*arguments, **options)

    return slower


def test_every_path_has_a_budget_and_keeps_it():
    paths = {*guard.COUNTED, *guard.TIMED}
    assert BUDGETS.keys() == paths
    assert CALLED.keys() == guard.COUNTED.keys()
    figures = {path: guard.figure(path) for path in paths}
    assert guard.over(figures, BUDGETS) == [], "slower, or dearer on purpose: see benches/guard.py"


@pytest.mark.parametrize("path", CALLED)
def test_thirty_per_cent_more_work_is_caught_and_five_are_not(path, monkeypatch):
    module, name, calls = CALLED[path]
    before = guard.figure(path)
    whole = before * guard.counted(guard._loop, guard.__file__)
    call = getattr(module, name)
    monkeypatch.setattr(module, name, slowed(call, round(0.05 * whole / calls)))
    assert guard.over({path: guard.figure(path)}, {path: before}) == []
    monkeypatch.setattr(module, name, slowed(call, round(0.3 * whole / calls)))
    assert guard.over({path: guard.figure(path)}, {path: before}) == [path]


def test_rank_intervals_that_take_longer_are_caught(monkeypatch):
    """By 40 %: timed twice beside other tests, 30 % would not always show."""
    before = guard.figure("bootstrap")
    call = bootstrap.rank

    def slower(*arguments, **options):
        start = time.process_time()
        found = call(*arguments, **options)
        end = start + 1.4 * (time.process_time() - start)
        while time.process_time() < end:
            pass
        return found

    monkeypatch.setattr(bootstrap, "rank", slower)
    assert guard.over({"bootstrap": guard.figure("bootstrap")}, {"bootstrap": before}) == ["bootstrap"]


def test_a_count_is_the_same_every_time():
    assert guard.figure("reading") == guard.figure("reading")


def test_only_lines_of_the_given_files_count():
    def three_lines() -> None:
        one = 1
        two = 2
        json.dumps([one, two])

    assert guard.counted(three_lines, __file__) == 3
    assert guard.counted(three_lines, json.__file__) > 3
