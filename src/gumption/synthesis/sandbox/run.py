"""Running code that nobody vouches for."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from gumption.records import GumptionError
from gumption.synthesis.sandbox import _bubblewrap, _landlock
from gumption.synthesis.sandbox._calling import Called, Start, call
from gumption.synthesis.sandbox._interpreter import interpreter, package_paths
from gumption.synthesis.sandbox._syscalls import filter_program
from gumption.synthesis.sandbox.limits import Failure, Limits, SandboxResult

__all__ = ["MECHANISMS", "PACKAGES", "run_by"]

MECHANISMS = ("bubblewrap", "landlock", "none")
PACKAGES = ("numpy",)
_CODE = 2**20
"""Bytes of code that are run."""


def run_by(
    mechanism: str,
    code: str,
    inputs: Sequence[Any],
    limits: Limits,
    packages: tuple[str, ...] = PACKAGES,
    data: Path | None = None,
) -> SandboxResult:
    """Call the `main` that `code` defines with each input, under the named mechanism.

    Raises GumptionError where the mechanism cannot be had; what the code does never raises.
    """
    if len(code.encode("utf-8", "surrogatepass")) > _CODE:
        raise GumptionError("the code is over 1 MB", where="sandbox", remedy="leave the data out of it")
    start = {"bubblewrap": _in_bubblewrap, "landlock": _in_landlock, "none": _in_nothing}
    if mechanism not in start:
        raise GumptionError(
            f"no mechanism is called {mechanism!r}", where="sandbox", remedy=f"one of {', '.join(MECHANISMS)}"
        )
    called = start[mechanism](_Job(code, inputs, limits, packages, data))
    return _result(called, len(inputs), limits, mechanism)


class _Job(msgspec.Struct, frozen=True):
    code: str
    inputs: Sequence[Any]
    limits: Limits
    packages: tuple[str, ...]
    data: Path | None

    def encoded(self, results: int, path: list[str], tasks: int) -> bytes:
        """What the inside reads. `tasks`: those that count against the limit and are not the code's own."""
        limit = self.limits
        limits = [
            ("RLIMIT_CORE", 0),
            ("RLIMIT_CPU", math.ceil(limit.wall_s) + 1),
            ("RLIMIT_FSIZE", limit.disk_mb * 2**20),
            ("RLIMIT_NPROC", limit.processes + tasks),
            ("RLIMIT_NOFILE", 256),
            ("RLIMIT_AS", limit.memory_mb * 2**20),
        ]
        job = {
            "code": self.code,
            "inputs": list(self.inputs),
            "limits": limits,
            "path": path,
            "results": results,
        }
        try:
            return msgspec.json.encode(job)
        except (TypeError, ValueError, RecursionError) as error:
            raise GumptionError(
                f"the inputs are no JSON: {error}", where="sandbox", remedy="give plain data"
            ) from error


@cache
def _text(name: str) -> str:
    """A program that is given to the interpreter as text, since the sandbox has no files of ours."""
    return (Path(__file__).parent / name).read_text()


@cache
def _filter() -> bytes:
    return filter_program()


@contextmanager
def _sealed(data: bytes) -> Iterator[int]:
    """The number of an open file in memory with these bytes."""
    with os.fdopen(os.memfd_create("filter"), "w+b", buffering=0) as file:
        file.write(data)
        file.seek(0)
        yield file.fileno()


def _in_bubblewrap(job: _Job) -> Called:
    # Root's limit counts the processes of a user that nobody else is; in a user namespace bwrap's own count.
    own = 0 if os.geteuid() == 0 else 2
    with ExitStack() as stack:
        filter_fd = stack.enter_context(_sealed(_filter()))
        announced, announcing = os.pipe()
        stack.callback(os.close, announced)

        def start(results: int) -> Start:
            arguments = ["-I", "-S", "-c", _text("_inside.py")]
            try:
                command = _bubblewrap.command(
                    arguments, job.limits, job.packages, job.data, filter_fd, announcing
                )
            except GumptionError:
                os.close(announcing)
                raise
            data = job.encoded(results, [_bubblewrap.PACKAGES], own)
            return Start(command, data, (filter_fd, announcing), above=2, announced=(announced, announcing))

        return call(start, job.limits)


def _in_landlock(job: _Job) -> Called:
    uid = _landlock.uid()
    with ExitStack() as stack:
        work = stack.enter_context(_landlock.folder(uid))
        ruleset = stack.enter_context(_landlock.rules(work, job.packages, job.data))
        filter_fd = stack.enter_context(_sealed(_filter()))
        alive, closing = os.pipe()
        stack.callback(os.close, alive)

        def start(results: int) -> Start:
            told = {
                "uid": uid,
                "closed_home": uid is not None and _landlock.closed_home(job.packages, job.data),
                "ruleset": ruleset,
                "filter": filter_fd,
                "alive": alive,
                "results": results,
                "folder": str(work),
                "inside": _text("_inside.py"),
            }
            text = msgspec.json.encode(told).decode()
            own = 0 if uid is not None else _landlock.tasks_of_user()
            path = sorted({str(path.parent) for path in package_paths(job.packages)})
            return Start(
                [str(interpreter().executable), "-I", "-S", "-c", _text("_supervisor.py"), text],
                job.encoded(results, path, own),
                (ruleset, filter_fd, alive),
                above=1,
                environment=_bubblewrap.environment(str(work)),
                alive=closing,
                written=lambda: _landlock.written(work),
            )

        return call(start, job.limits)


def _in_nothing(job: _Job) -> Called:
    with _landlock.folder(None) as work:

        def start(results: int) -> Start:
            path = sorted({str(path.parent) for path in package_paths(job.packages)})
            return Start(
                [str(interpreter().executable), "-I", "-S", "-c", _text("_inside.py")],
                job.encoded(results, path, _landlock.tasks_of_user()),
                environment=_bubblewrap.environment(str(work)),
                folder=str(work),
                written=lambda: _landlock.written(work),
            )

        return call(start, job.limits)


_FAILURES: dict[str, Failure] = {
    "memory": "memory",
    "disk": "disk",
    "processes": "processes",
    "crash": "crash",
    "bad_result": "bad_result",
}


def _result(called: Called, wanted: int, limits: Limits, mechanism: str) -> SandboxResult:
    output: list[Any] = []
    error: Failure | None = None
    detail, done = "", False
    for line in bytes(called.results).splitlines():
        try:
            kind, value = msgspec.json.decode(line, type=tuple[str, Any])
        except (msgspec.MsgspecError, RecursionError) as problem:
            error, detail = "bad_result", f"what came back is no result: {problem}"
            break
        if done or (kind == "result" and len(output) == wanted):
            error, detail = "bad_result", "more came back than was asked for"
            break
        if kind == "result":
            output.append(value)
        elif kind == "done":
            done = True
        else:
            error, detail = _FAILURES.get(kind, "bad_result"), str(value)[:2000]
            break
    if called.breach:
        error, detail = called.breach, _BREACHES[called.breach].format(limits=limits)
    elif error is None and called.status in (-signal.SIGXCPU, signal.SIGXCPU, 128 + signal.SIGXCPU):
        error, detail = "timeout", _BREACHES["timeout"].format(limits=limits)
    elif error is None and (not done or len(output) != wanted):
        error, detail = (
            "crash",
            f"it ended with status {called.status} after {len(output)} of {wanted} results",
        )
    return SandboxResult(
        output=output,
        error=error,
        detail=visible(detail),
        mechanism=mechanism,
        wall_s=called.wall_s,
        printed=visible(bytes(called.printed).decode("utf-8", "replace")),
    )


_BREACHES: dict[Failure, str] = {
    "timeout": "not done after {limits.wall_s:g} s",
    "memory": "over {limits.memory_mb} MB",
    "processes": "over {limits.processes} processes and threads",
    "disk": "over {limits.disk_mb} MB written",
    "output": "over {limits.output_kb} KB of results or print",
}


def visible(text: str) -> str:
    """Text with its control characters spelt out, so that printing it does nothing to a terminal."""
    return "".join(
        one if one in "\n\t" or one.isprintable() else one.encode("unicode_escape", "surrogatepass").decode()
        for one in text
    )
