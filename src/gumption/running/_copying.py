"""Copying a run folder to its address: the replies while they come, everything at the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from gumption.records import GumptionError
from gumption.running._fetching import is_part
from gumption.running._holding import LOCK
from gumption.running._lingering import WORKERS
from gumption.running._mirror import Copies, stamp_of
from gumption.running.storage import Storage

__all__ = ["Copier", "every"]

_FIRST = ("run.json", "items.parquet")
"""A folder that has parts has these: whoever reads it at any moment can read it."""


class Hold(Protocol):
    """Of the folder at the address, by this process."""

    @property
    def lost(self) -> bool:
        """Another process has it."""

    @property
    def sure(self) -> bool:
        """No other process can have it."""


class Copier:
    """Copies what changed in a folder to its address, one pass after another."""

    def __init__(self, storage: Storage, folder: Path, copies: Copies, hold: Hold) -> None:
        self._storage, self._folder, self._copies, self._hold = storage, folder, copies, hold
        self._sent: set[str] = set()
        self.trouble: GumptionError | None = None
        """Why the last pass did not come to its end."""

    def copy(self, *, all_files: bool = False) -> None:
        """Copy what changed: the replies and what explains them, or all files. Ends where the store fails."""
        copied = False
        try:
            for path in self._changed(all_files):
                name = path.relative_to(self._folder).as_posix()
                if not self._hold.sure:
                    raise GumptionError(
                        "it is not sure that no other process took the run over", where=self._storage.address
                    )
                # What is written while it is sent changes the stamp, and is sent in the next pass.
                stamp = stamp_of(path)
                self._storage.put(path, name)
                self._sent.add(name)
                self._copies.note(name, stamp, self._storage.mark(name))
                copied = True
            self.trouble = None
        except GumptionError as error:
            self.trouble = error
        finally:
            if copied:
                self._copies.save()

    def finish(self, patience_s: float) -> None:
        """Copy all files, for so long where the store fails, and look that they are there."""
        end = time.monotonic() + patience_s
        pause = 0.1
        while True:
            self.copy(all_files=True)
            if self.trouble is None and self._all_there():
                return
            if self._hold.lost or time.monotonic() + pause > end:
                return
            time.sleep(pause)
            pause = min(2 * pause, 5.0)

    def left(self) -> tuple[int, int]:
        """How many files are not as they are at the address, and their bytes."""
        paths = self._changed(all_files=True)
        return len(paths), sum(path.stat().st_size for path in paths)

    def _changed(self, all_files: bool) -> list[Path]:
        found = {path.relative_to(self._folder).as_posix(): path for path in _files(self._folder)}
        names = [name for name in _FIRST if name in found] + sorted(found.keys() - set(_FIRST))
        return [
            found[name]
            for name in names
            if (all_files or name in _FIRST or is_part(name))
            and self._copies.here(name) != stamp_of(found[name])
        ]

    def _all_there(self) -> bool:
        """Whether what was sent is there. What another process replaced is to be sent again."""
        try:
            there = self._storage.kept()
        except GumptionError as error:
            self.trouble = error
            return False
        amiss = [
            name for name in self._sent if name not in there or there[name].mark != self._copies.there(name)
        ]
        for name in amiss:
            self._copies.forget(name)
        return not amiss


def _files(folder: Path) -> Iterator[Path]:
    """The files of a run folder, without locks and what is only being written."""
    for path in folder.rglob("*"):
        name = path.name
        passing = name in (LOCK, WORKERS) or name.endswith(".new")
        passing = passing or (name.startswith(".") and name.endswith(".tmp"))
        if not passing and path.is_file() and not path.is_symlink():
            yield path


@contextmanager
def every(seconds: float, do: Callable[[], None]) -> Iterator[None]:
    """Call `do` again and again in a thread while the block runs. What it raises, the block's end raises."""
    ended = threading.Event()
    raised: list[Exception] = []

    def work() -> None:
        try:
            while not ended.wait(seconds):
                do()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    if raised:
        raise raised[0]
