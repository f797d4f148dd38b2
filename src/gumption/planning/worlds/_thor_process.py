"""AI2-THOR in a process group of its own, which can be ended whole whatever it is doing."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, Any, Literal

import msgspec

from gumption.planning.worlds.scenes import SceneObject
from gumption.records import GumptionError

__all__ = ["Event", "SimulatorError", "ThorProcess"]

_MOST = 64 * 2**20
"""Bytes of one answer."""
_TAIL = 2000
"""Characters of the process's own words that an error repeats."""
_FAREWELL_S = 10.0

FailureKind = Literal["missing", "start", "timeout", "crash", "usage", "replay", "physics"]


class SimulatorError(GumptionError):
    """The simulator failed and not the plan: the caller makes an `infra_error` of it.

    kind: missing (no package or no Unity build), start, timeout, crash, usage (this build does not know a
    request), replay (after a restart the episode went otherwise), physics (it refused a step with which
    nothing is wrong).
    """

    def __init__(self, problem: str, kind: FailureKind, *, where: str = "AI2-THOR", remedy: str = "") -> None:
        super().__init__(problem, where=where, remedy=remedy)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        # It comes from a simulator in another process too.
        return partial(SimulatorError, where=self.where, remedy=self.remedy), (self.problem, self.kind)


class Event(msgspec.Struct, frozen=True):
    """What a step led to."""

    success: bool
    error: str
    """AI2-THOR's own words where it failed."""
    returned: Any
    held: tuple[str, ...]
    objects: tuple[SceneObject, ...]


class _Answer(msgspec.Struct):
    event: Event | None = None
    version: str = ""
    picture: str = ""
    failed: Literal["missing", "broken", "usage", ""] = ""
    problem: str = ""


class ThorProcess:
    """A running controller. Every request has a deadline; after a SimulatorError it is dead."""

    def __init__(self, command: Sequence[str]) -> None:
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._child = subprocess.Popen(  # noqa: S603 - our own interpreter, or what the caller names
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            start_new_session=True,
        )
        self._end = weakref.finalize(self, _end, self._child, self._words)

    @property
    def alive(self) -> bool:
        """Whether it has not been ended from here."""
        return self._end.alive

    def ask(self, request: Mapping[str, Any], timeout_s: float) -> _Answer:
        """Send a request and wait for its answer. Raises SimulatorError, and ends the process, where none
        comes in time, where the process is gone, or where the controller can do no more."""
        try:
            line = self._exchange(msgspec.json.encode(request) + b"\n", time.monotonic() + timeout_s)
            answer = msgspec.json.decode(line, type=_Answer)
        except TimeoutError:
            self.kill()
            raise SimulatorError(
                f"no answer within {timeout_s:g} s to {_short(request)}",
                "timeout",
                remedy="try again; a machine that is slow needs a longer step_timeout_s",
            ) from None
        except (OSError, EOFError, msgspec.MsgspecError) as error:
            words = self._last_words()
            self.kill()
            raise SimulatorError(
                f"the process is gone after {_short(request)}: {words or error}",
                "crash",
                remedy="see ~/.ai2thor/log/unity.log",
            ) from error
        if answer.failed:
            self.kill()
            kind: FailureKind = "crash" if answer.failed == "broken" else answer.failed
            raise SimulatorError(
                f"{answer.problem} (at {_short(request)})", kind, remedy="see ~/.ai2thor/log/unity.log"
            )
        return answer

    def close(self) -> None:
        """Let it end by itself, and see to it that it does."""
        if self.alive and self._child.stdin is not None:
            with suppress(OSError):
                self._child.stdin.close()
            deadline = time.monotonic() + _FAREWELL_S
            with suppress(TimeoutError, EOFError, OSError):
                while True:
                    self._read(deadline)
        self.kill()

    def kill(self) -> None:
        """End it and all that it started."""
        self._end()

    def _exchange(self, line: bytes, deadline: float) -> bytes:
        if not self.alive or self._child.stdin is None:
            raise EOFError("it has been ended")
        self._child.stdin.write(line)
        self._child.stdin.flush()
        received = bytearray()
        while not received.endswith(b"\n"):
            received += self._read(deadline)
            if len(received) > _MOST:
                raise EOFError(f"an answer of more than {_MOST // 2**20} MiB")
        return bytes(received)

    def _read(self, deadline: float) -> bytes:
        stream = self._child.stdout
        if stream is None:
            raise EOFError("it has no output")
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
        found = os.read(stream.fileno(), 2**20)
        if not found:
            raise EOFError("it ended")
        return found

    def _last_words(self) -> str:
        if not self.alive:
            return ""
        size = self._words.seek(0, os.SEEK_END)
        self._words.seek(max(0, size - _TAIL))
        return self._words.read().decode(errors="replace").strip()


def _end(child: subprocess.Popen[bytes], words: IO[bytes]) -> None:
    # The group before the child is waited for: until then its number belongs to nobody else.
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdin, child.stdout, words):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _short(request: Mapping[str, Any]) -> str:
    command = request.get("command", {"action": request["do"]})
    return " ".join(str(command[key]) for key in ("action", "objectId") if key in command)
