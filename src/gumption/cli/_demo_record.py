"""What `gumption demo --full` must know of an earlier start: its settings, and how long each step took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gumption.atomic import replacing
from gumption.records import GumptionError

__all__ = ["Record", "Settings", "Timer"]


class Settings(msgspec.Struct, frozen=True):
    """What the pool and the made models depend on."""

    scenes: int
    seed: int


class _File(msgspec.Struct):
    settings: Settings
    seconds: dict[str, float] = {}
    """Of each step that was done, over all starts."""


@dataclass
class Timer:
    """Whether what is timed did anything."""

    counts: bool = True


class Record:
    """The file `loop.json`."""

    def __init__(self, path: Path, file: _File) -> None:
        self._path, self._file = path, file

    @classmethod
    def taken(cls, path: Path, settings: Settings) -> Record:
        """Take up what is there. Raises GumptionError where it has other settings, or is damaged."""
        if not path.exists():
            return cls(path, _File(settings))
        try:
            file = msgspec.json.decode(path.read_bytes(), type=_File)
        except msgspec.MsgspecError as error:
            raise GumptionError(
                f"it is damaged: {error}", where=str(path), remedy="delete its folder and start again"
            ) from error
        if file.settings != settings:
            there = file.settings
            raise GumptionError(
                f"{there.scenes} scenes of seed {there.seed} are there already",
                where=str(path.parent),
                remedy="name another folder with --out, or delete this one",
            )
        return cls(path, file)

    def seconds(self, *steps: str) -> float:
        """All that these steps took, and what begins with their name and a slash."""
        return sum(
            spent
            for name, spent in self._file.seconds.items()
            if any(name == step or name.startswith(f"{step}/") for step in steps)
        )

    @contextmanager
    def timed(self, step: str) -> Iterator[Timer]:
        """Adds what the block takes to the step's seconds, also where it is cut short, unless it finds that
        there was nothing to do."""
        timer, start = Timer(), time.perf_counter()
        try:
            yield timer
        finally:
            if timer.counts:
                spent = self._file.seconds.get(step, 0.0) + time.perf_counter() - start
                self._file.seconds[step] = round(spent, 3)
                with replacing(self._path) as temporary:
                    temporary.write_bytes(
                        msgspec.json.format(msgspec.json.encode(self._file), indent=1) + b"\n"
                    )
