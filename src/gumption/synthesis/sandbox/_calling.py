"""One call: start the process, feed it, bound what comes back and what it uses, end it and all it started."""

from __future__ import annotations

import os
import re
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from gumption.synthesis.sandbox._watch import usage_of
from gumption.synthesis.sandbox.limits import Failure, Limits

__all__ = ["Called", "Start", "call"]

_TICK = 0.02
"""Seconds between looks at what the processes use."""
_GRACE = 5.0
"""Seconds for the mechanism to end everything."""
_PRINTED = 16 * 1024
"""Bytes of what is printed that are kept."""


@dataclass(slots=True)
class Called:
    """What came back, unread."""

    results: bytearray = field(default_factory=bytearray)
    printed: bytearray = field(default_factory=bytearray)
    status: int = 0
    """Exit status; negative: the signal that ended it."""
    breach: Failure | None = None
    """The limit that was met, for which it was ended."""
    wall_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Start:
    """How a mechanism starts a job."""

    command: list[str]
    job: bytes
    """Its standard input."""
    fds: tuple[int, ...] = ()
    """What it inherits beside its three streams and the pipe for results."""
    above: int = 0
    """Levels of processes, from the first one on, that are the mechanism's own."""
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    alive: int | None = None
    """End of a pipe: closing it makes the mechanism end everything. Without one, killing its first process
    does."""
    announced: tuple[int, int] | None = None
    """Both ends of a pipe on which bubblewrap tells the number of its init, with which all processes end. The
    second, which it writes to, is closed here."""
    written: Callable[[], int] | None = None
    """Bytes in the job's folder, where nothing else bounds them."""


def call(start: Callable[[int], Start], limits: Limits) -> Called:
    """Run a job until it ends or meets a limit. `start`: made of the number of the pipe for results."""
    called = Called()
    results, results_inside = os.pipe()
    try:
        try:
            job = start(results_inside)
            begun = time.monotonic()
            process = _started(job, results_inside)
        finally:
            os.close(results_inside)
        try:
            with _init_of(job.announced) as init:
                try:
                    _follow(process, results, called, limits, begun, job)
                finally:
                    _end(process, job.alive, init)
        finally:
            if process.stdout:
                process.stdout.close()
    finally:
        os.close(results)
    called.status = process.returncode
    called.wall_s = time.monotonic() - begun
    return called


def _started(job: Start, results: int) -> subprocess.Popen[bytes]:
    with os.fdopen(os.memfd_create("job"), "w+b") as stdin:
        stdin.write(job.job)
        stdin.seek(0)
        return subprocess.Popen(  # noqa: S603 -- the command is ours, what is hostile is its input
            job.command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(results, *job.fds),
            env=job.environment,
            cwd=job.folder,
            start_new_session=True,
        )


def _follow(
    process: subprocess.Popen[bytes],
    results: int,
    called: Called,
    limits: Limits,
    start: float,
    job: Start,
) -> None:
    assert process.stdout is not None
    most = limits.output_kb * 1024
    printed = 0
    with selectors.DefaultSelector() as selector:
        selector.register(results, selectors.EVENT_READ)
        selector.register(process.stdout, selectors.EVENT_READ)
        look = start + _TICK
        while selector.get_map():
            now = time.monotonic()
            if now - start > limits.wall_s:
                called.breach = "timeout"
                return
            if now >= look:
                called.breach = _over(process.pid, limits, job)
                if called.breach:
                    return
                look = now + _TICK
            for key, _ in selector.select(min(_TICK, max(start + limits.wall_s - now, 0.001))):
                data = os.read(key.fd, 2**16)
                if not data:
                    selector.unregister(key.fileobj)
                elif key.fd == results:
                    called.results += data
                else:
                    printed += len(data)
                    called.printed += data[: max(0, _PRINTED - len(called.printed))]
                if len(called.results) > most or printed > most:
                    called.breach = "output"
                    return
            if process.poll() is not None and not selector.get_map():
                return


def _over(pid: int, limits: Limits, job: Start) -> Failure | None:
    usage = usage_of(pid, job.above)
    if usage.tasks > limits.processes:
        return "processes"
    if usage.resident > limits.memory_mb * 2**20:
        return "memory"
    if job.written is not None and job.written() > limits.disk_mb * 2**20:
        return "disk"
    return None


@contextmanager
def _init_of(announced: tuple[int, int] | None) -> Iterator[int | None]:
    """A descriptor of the sandbox's init, to wait for; None where there is none, or it could not start."""
    pidfd = None
    if announced is not None:
        reading, writing = announced
        os.close(writing)
        told = b""
        # It is written in pieces, and cut short where bubblewrap could not start.
        while b"}" not in told and select.select([reading], [], [], _GRACE)[0]:
            piece = os.read(reading, 4096)
            if not piece:
                break
            told += piece
        if found := re.search(rb'"child-pid":\s*(\d+)', told):
            with suppress(ProcessLookupError):  # it ended already
                pidfd = os.pidfd_open(int(found[1]))
    try:
        yield pidfd
    finally:
        if pidfd is not None:
            os.close(pidfd)


def _end(process: subprocess.Popen[bytes], alive: int | None, init: int | None) -> None:
    """The mechanism's first process takes all others with it, and this waits until they are gone."""
    if alive is not None:
        os.close(alive)
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
    elif process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if init is not None:
        # bubblewrap itself may be gone while its init still ends what the code left behind.
        select.select([init], [], [], _GRACE)
