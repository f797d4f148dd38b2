"""One server process on this machine: started, waited for, stopped with all that descends from it."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from gumption.models.serving import _guard
from gumption.models.serving.engines import HOST, Found
from gumption.models.serving.failure import STARTED, cause_of, last_start
from gumption.records import GumptionError

__all__ = ["Server", "Tell"]

Tell = Callable[[str], None]
"""Takes a line about how the start goes."""

_FIRST_LOOK_S, _LONGEST_LOOK_S = 0.05, 1.0
_ANSWER_S = 5.0
_GRACE_S = 10.0
"""For a server to end by itself once it is told to."""
_TELL_S = 10.0
_PORTS = 3
"""Starts of which each finds its port taken meanwhile."""
_KEY = "_API_KEY"
"""End of the names of variables that a server is not given: other servers' keys, and its own, which it would
then want from us."""


class _Served(msgspec.Struct):
    id: str = ""


class _Models(msgspec.Struct):
    data: list[_Served] = []


class Server:
    """One server. It listens on this machine alone and wants no key."""

    def __init__(
        self, found: Found, weights: str, arguments: Sequence[str], *, gpus: Sequence[str], log: Path
    ) -> None:
        """gpus: the only ones that it sees; all where none are named. log: what it prints is added there."""
        self._found, self._weights, self._arguments = found, weights, arguments
        self._gpus, self.log = gpus, log
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""
        """Base URL of its chat interface, once it was started."""

    async def start(self, limit_s: float, tell: Tell) -> None:
        """Start it, and return once it answers.

        Raises GumptionError, which says why and what helps, where it ends before it answers, does not answer
        within `limit_s` seconds, or serves something else; then it is stopped.
        """
        try:
            for left in reversed(range(_PORTS)):
                self._launch()
                if await self._answers(limit_s, tell):
                    return
                if not left or not any(
                    "address already in use" in line.lower() for line in last_start(self.log)
                ):
                    raise self._gone("ended before it answered")
        except BaseException:
            await asyncio.to_thread(self.stop)
            raise

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def died(self) -> GumptionError:
        """Why it does not run any more."""
        return self._gone("ended while it was asked")

    def stop(self) -> None:
        """End it and all that descends from it; returns when they are gone. Nothing where none runs."""
        self.let_go()
        if self._process is not None:
            try:
                self._process.wait(_GRACE_S + 10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def let_go(self) -> None:
        """Have it end, without waiting for that."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def _launch(self) -> None:
        port = _free_port()
        command = self._found.command(self._weights, port, self._arguments)
        environment = {name: value for name, value in os.environ.items() if not name.upper().endswith(_KEY)}
        environment["PYTHONUNBUFFERED"] = "1"  # its last words are in the log when it is killed
        if self._gpus:
            environment["CUDA_VISIBLE_DEVICES"] = ",".join(self._gpus)
        try:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            with self.log.open("a", encoding="utf-8") as log:
                log.write(f"{STARTED}{shlex.join(command)}\n")
        except OSError as error:
            raise GumptionError(
                f"the server's log cannot be written: {error.strerror}",
                where=str(self.log),
                remedy="make room or mend the permissions",
            ) from error
        self.stop()
        self._process = subprocess.Popen(  # noqa: S603 - no shell, and a program that was looked up
            [sys.executable, "-I", "-S", _guard.__file__, str(_GRACE_S), str(self.log), *command],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment, start_new_session=True,
        )  # fmt: skip
        self.address = f"http://{HOST}:{port}/v1"

    async def _answers(self, limit_s: float, tell: Tell) -> bool:
        """Whether it answers in time; False where it ended. Raises GumptionError as `start` does."""
        began = told = time.monotonic()
        pause = _FIRST_LOOK_S
        while self.alive:
            if await asyncio.to_thread(self._healthy, min(_ANSWER_S, limit_s)):
                return True
            now = time.monotonic()
            if now - began > limit_s:
                raise self._gone(f"did not answer within {limit_s:g} s", "wait longer with --start-limit")
            if now - told >= _TELL_S:
                told = now
                said = next(reversed(last_start(self.log)), "nothing in its log yet").strip()
                tell(f"{self._label} starts, {now - began:.0f} s so far: {said[:120]}")
            await asyncio.sleep(pause)
            pause = min(_LONGEST_LOOK_S, 1.5 * pause)
        return False

    def _healthy(self, within_s: float) -> bool:
        """Whether it says that it is well, and that it serves what it is to serve."""
        root = self.address.removesuffix("/v1")
        try:
            _get(f"{root}/health", within_s)
            served = msgspec.json.decode(_get(f"{self.address}/models", within_s), type=_Models).data
        except (OSError, msgspec.MsgspecError):  # also of urllib: not there yet, not ready yet
            return False
        names = [model.id for model in served]
        if self._weights not in names:
            raise GumptionError(
                f"a server at {self.address} serves {', '.join(names)[:200] or 'nothing'}",
                where=self._label,
                remedy="run the same command again; if this comes back, name the model as the server does",
            )
        return True

    def _gone(self, fate: str, advice: str = "") -> GumptionError:
        code = None if self.alive or self._process is None else self._process.returncode
        ended = 128 - code if code is not None and code > 128 else code
        cause = cause_of(self.log, ended, self._found.engine)
        told = "" if ended is None else f" ({_code(ended)})"
        return GumptionError(
            f"the server {fate}{told}: {cause.problem}",
            where=self._label,
            remedy=f"{f'{advice}, or ' if advice else ''}{cause.remedy}. Its log: {self.log}",
        )

    @property
    def _label(self) -> str:
        return f"{self._found.engine.name}/{self._weights}"


def _code(code: int) -> str:
    if code >= 0:
        return f"code {code}"
    names = {number.value: number.name for number in signal.Signals}
    return f"signal {names.get(-code, -code)}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Asks this machine itself, whatever proxy the environment names."""


def _get(address: str, within_s: float) -> bytes:
    with _direct.open(address, timeout=within_s) as reply:
        data: bytes = reply.read(1 << 20)
        return data
