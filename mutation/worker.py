"""A process in a copy of the tree that runs tests in forked children: asked and answering in lines of JSON.

Three questions. `record`: which tests of a file pass, for how long, and which lines each runs. `load`:
import what the tests take from elsewhere, so that the children need not. `judge`: do these tests notice that
a file holds this source instead?
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import Phase, settings

from mutation.rooms import looks_at_the_clock

TREE = Path.cwd()
MOST_MEMORY = 6 * 2**30
"""Bytes of addresses that a child may take."""
_LOADED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Plugins are loaded before pytest starts here, which it would warn of."""
_QUIET = ("-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", *_LOADED)
_FIRST = 200
"""Tests: the file that holds most of them is tried first."""
IMPORTING = ""
"""In place of a test's name: what runs while tests are collected or fixtures of many tests are made."""


def main() -> None:
    # The same inputs each time, nothing kept from one mutant to the next, no search for the smallest input.
    phases = (Phase.explicit, Phase.generate, Phase.target)
    settings.register_profile("mutation", deadline=None, derandomize=True, database=None, phases=phases)
    os.environ["GUMPTION_HYPOTHESIS_PROFILE"] = "mutation"
    sys.path.insert(0, str(TREE / "src"))
    answers: dict[str, Callable[..., Any]] = {"record": _record, "load": _load, "judge": _judge}
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(answers[asked.pop("ask")](**asked)), flush=True)


def _load(modules: Iterable[str], test_files: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in modules:
            with contextlib.suppress(Exception):  # a child that needs it will fail as it would without
                importlib.import_module(name)
    # Once with the source as it is, so that all that a mutant leaves alone is compiled.
    _forked(lambda: int(pytest.main([*_QUIET, "--collect-only", *test_files])), TREE / ".collected", 600)


def _forked(work: Callable[[], int], told: Path, wall_s: float, said: str = os.devnull) -> tuple[int, Any]:
    """The exit code of the child (negative: the signal), and what it left in the file `told`.

    `said`: the file for what it prints.
    """
    told.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
            code = work()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)
    end = time.monotonic() + wall_s
    pause = 0.001
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(0.05, pause * 1.5)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what the tests left behind
    return os.waitstatus_to_exitcode(ended[1]), json.loads(told.read_text()) if told.exists() else None


# ── which tests run which lines ──────────────────────────────────────────────────────────────────────


def _record(test_file: str, sources: list[str]) -> Any:
    told, said = TREE / ".recorded", TREE / ".said"
    code, recorded = _forked(functools.partial(_recording, test_file, sources, told), told, 3600, str(said))
    if recorded is None:
        raise RuntimeError(f"{test_file}: its tests ended with {code}: {said.read_text()[-4000:]}")
    return recorded


def _recording(test_file: str, sources: list[str], told: Path) -> int:
    tracer = coverage.Coverage(
        data_file=None, include=[str(TREE / one) for one in sources], config_file=False, messages=False
    )
    tracer.start()
    plugin = _Recording(tracer)
    arguments = [one for one in _QUIET if one != "-x"]
    code = pytest.main([*arguments, test_file], plugins=[plugin])
    tracer.stop()
    data = tracer.get_data()
    lines = {
        one: {line: names for line, names in data.contexts_by_lineno(str(TREE / one)).items() if line > 0}
        for one in sources
    }
    elsewhere = [
        name
        for name, module in list(sys.modules.items())
        if (where := getattr(getattr(module, "__spec__", None), "origin", None))
        and not where.startswith(str(TREE))
    ]
    told.write_text(
        json.dumps({"seconds": plugin.seconds, "failed": plugin.failed, "lines": lines, "modules": elsewhere})
    )
    return int(code)


class _Recording:
    """Tells the tracer which test runs, and forgets between two tests what is remembered in the code."""

    def __init__(self, tracer: coverage.Coverage) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self._tracer = tracer
        self._remembering: list[Any] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [one for one in items if not looks_at_the_clock(one.nodeid)]

    def pytest_collection_finish(self) -> None:
        kind = type(functools.lru_cache(len))
        self._remembering = [
            one
            for one in gc.get_objects()
            if isinstance(one, kind) and str(getattr(one, "__module__", "")).startswith("gumption")
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        for one in self._remembering:
            one.cache_clear()
        self._tracer.switch_context(item.nodeid)
        begun = time.process_time()
        result = yield
        self.seconds[item.nodeid] = round(time.process_time() - begun, 4)
        self._tracer.switch_context(IMPORTING)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        wide = fixturedef.scope != "function"
        if wide:
            self._tracer.switch_context(IMPORTING)
        result = yield
        if wide:
            self._tracer.switch_context(request._pyfuncitem.nodeid)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


# ── whether tests notice ─────────────────────────────────────────────────────────────────────────────


def _judge(file: str, source: str, tests: list[str], seconds: dict[str, float]) -> dict[str, Any]:
    """`tests` in the order in which to run them; `seconds`: of processor, that each takes as it should be."""
    path, kept, told = TREE / file, TREE / ".kept", TREE / ".judged"
    begun = time.monotonic()
    shutil.copy2(path, kept)
    try:
        path.write_text(source)
        wall = 120 + 20 * sum(seconds.values())
        code, failed = _forked(functools.partial(_judging, tests, seconds, told), told, wall)
    finally:
        shutil.move(kept, path)
    if code == 0:
        by = None
    elif code < 0:
        by = f"{signal.Signals(-code).name} in {failed or 'collecting'}"
    else:
        by = failed or f"collecting: {pytest.ExitCode(code).name}"
    return {"by": by, "seconds": round(time.monotonic() - begun, 2)}


def _judging(tests: list[str], seconds: dict[str, float], told: Path) -> int:
    sys.dont_write_bytecode = True
    signal.setitimer(signal.ITIMER_PROF, 60)
    files = [test.partition("::")[0] for test in tests]
    first = Counter(files[:_FIRST]).most_common(1)[0][0]
    # One file alone to begin with: most mutants die there, and the others need not be collected.
    for stage in ([first], list(dict.fromkeys(file for file in files if file != first))):
        code = pytest.main([*_QUIET, *stage], plugins=[_Judging(tests, seconds, told)]) if stage else 0
        if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
            return int(code)
    return 0


class _Judging:
    """Runs the chosen tests in their order; one that takes several times its seconds ends the process."""

    def __init__(self, tests: list[str], seconds: dict[str, float], told: Path) -> None:
        self._order = {test: place for place, test in enumerate(tests)}
        self._seconds = seconds
        self._told = told

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (one for one in items if one.nodeid in self._order), key=lambda one: self._order[one.nodeid]
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._told.write_text(json.dumps(nodeid))
        signal.setitimer(signal.ITIMER_PROF, 5 + 5 * self._seconds[nodeid])


if __name__ == "__main__":
    main()
