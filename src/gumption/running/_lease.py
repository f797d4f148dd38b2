"""The lock of a folder at an address: a file in `locks/` there, rewritten while its holder lives.

Locks are numbered. Who holds the highest number holds the folder, and a number is made once, so of several
that take over from a dead holder one succeeds. Dead is who has not rewritten the lock for as long as the lock
says, measured by the clock of whoever waits, from when it first looked: no two machines' clocks are compared.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from gumption.records import GumptionError
from gumption.running._mirror import LOCKS
from gumption.running.storage import Storage

__all__ = ["BEAT_S", "SILENT_S", "Lease"]

BEAT_S = 5.0
"""Seconds between two signs of life."""
SILENT_S = 60.0
"""Seconds without one after which a holder is taken for dead."""
_LONGEST_S = 600.0
"""Of silence that a lock may ask for."""
_LOOK_S = 0.25
_REMEDY = "wait for it, or choose another folder with --out"


class _Lock(msgspec.Struct, frozen=True):
    """What a lock file says."""

    holder: str
    """Machine and process, for people."""
    token: str
    silent_s: float
    beats: int = 0


class Lease:
    """A folder at an address, held."""

    def __init__(self, storage: Storage, number: int, lock: _Lock) -> None:
        self._storage, self._number, self._lock = storage, number, lock
        self._seen_at = _now()
        self.lost = False
        """Whether another process has taken the folder over."""

    @property
    def sure(self) -> bool:
        """Whether nobody can have taken the folder over: a sign of life came through not long ago."""
        return not self.lost and _now() - self._seen_at < self._lock.silent_s

    @classmethod
    def take(
        cls, storage: Storage, token_file: Path, tell: Callable[[str], None], silent_s: float = SILENT_S
    ) -> Lease:
        """Wait until it is known whether a holder lives, if there is one, and hold the folder.

        token_file: where this machine keeps what its holder is known by. The caller keeps other processes of
        the machine from it, so whoever is known by it is dead without waiting. Raises GumptionError where
        somebody else holds the folder.
        """
        mine = _Lock(f"{socket.gethostname()[:60]}, process {os.getpid()}", secrets.token_hex(16), silent_s)
        before = token_file.read_text() if token_file.exists() else ""
        dead = set(_numbers(storage))
        if dead:
            _await_silence(storage, max(dead), before, tell)
        number = max(dead, default=0) + 1
        token_file.parent.mkdir(parents=True, exist_ok=True)
        token_file.write_text(mine.token)
        lease = cls(storage, number, mine)
        if not storage.claim(_name(number), msgspec.json.encode(mine)):
            raise GumptionError(
                "another process has just taken this run", where=storage.address, remedy=_REMEDY
            )
        if set(_numbers(storage)) - dead != {number}:
            lease.release()
            raise GumptionError("another process is taking this run", where=storage.address, remedy=_REMEDY)
        for old in dead:
            storage.remove(_name(old))
        return lease

    def beat(self) -> None:
        """Give a sign of life, or find out that another has taken the folder over."""
        begun = _now()
        numbers = _numbers(self._storage)
        if self._number not in numbers or max(numbers) > self._number:
            self.lost = True
            return
        self._lock = msgspec.structs.replace(self._lock, beats=self._lock.beats + 1)
        self._storage.write(_name(self._number), msgspec.json.encode(self._lock))
        self._seen_at = begun

    def release(self) -> None:
        """Let go of the folder."""
        if not self.lost:
            self._storage.remove(_name(self._number))


def _now() -> float:
    """Seconds of a clock that goes on while the machine sleeps, as those of the others do."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _name(number: int) -> str:
    return f"{LOCKS}/{number:08d}"


def _numbers(storage: Storage) -> list[int]:
    names = [name.rpartition("/")[2] for name in storage.names(LOCKS)]
    return [int(name) for name in names if name.isdecimal() and len(name) == 8]


def _await_silence(storage: Storage, number: int, own: str, tell: Callable[[str], None]) -> None:
    """Return when the lock's holder is known to be dead. Raises GumptionError where it lives."""
    name = _name(number)
    first = storage.kept(LOCKS).get(name)
    if first is None:
        return
    try:
        lock = msgspec.json.decode(storage.read(name), type=_Lock)
    except (msgspec.MsgspecError, RecursionError):
        lock = _Lock("unknown", "", SILENT_S)
    if own and lock.token == own:
        return
    silence = min(max(lock.silent_s, 0.0), _LONGEST_S)
    tell(
        f"{storage.address} is held ({lock.holder[:100]}): waiting up to {silence:.0f} s for a sign of life."
    )
    end = time.monotonic() + silence
    while time.monotonic() < end:
        time.sleep(min(_LOOK_S, silence))
        now = storage.kept(LOCKS).get(name)
        if now is None:
            return
        if now.mark != first.mark:
            raise GumptionError(
                f"another process is writing this run ({lock.holder[:100]})",
                where=storage.address,
                remedy=_REMEDY,
            )
