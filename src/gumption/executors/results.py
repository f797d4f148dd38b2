"""A file of results, a line of JSON a task: there whole or not at all, and taken up where it was cut short.

While tasks are done their results are appended to `NAME.partial` as they come, by one process. At the end
they are put into the order of the tasks as `NAME`, so that its bytes do not depend on who did them.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from gumption.atomic import replacing, written
from gumption.lines import read_lines
from gumption.records import GumptionError

__all__ = ["Recorded", "results"]


class Recorded(Protocol):
    """A result, a msgspec Struct."""

    @property
    def task(self) -> str:
        """Of which task: a hash of all that the result depends on."""


R = TypeVar("R", bound=Recorded)


def results(
    out: Path | None,
    kind: type[R],
    tasks: Sequence[str],
    do: Callable[[Sequence[int]], Iterable[tuple[int, R]]],
    *,
    again: Callable[[R], bool],
    progress: Callable[[int, int], None] | None = None,
) -> list[R]:
    """The results of tasks, in their order. Those that `out` has are not made again.

    out: the file; None to keep none. kind: of the results, a Struct. tasks: their hashes, no two alike. do:
    does the tasks at these places, and gives place and result as they come. again: whether a recorded result
    is to be made anew, as one that came of a failure of the machine. progress: told (done, of).

    Raises GumptionError where `out` holds something else or results of other tasks, where another process
    writes it, and where it cannot be written; and what `do` raises. What was recorded by then stays.
    """
    found: dict[int, R] = {}
    if out is None:
        for place, result in do(range(len(tasks))):
            found[place] = result
            if progress:
                progress(len(found), len(tasks))
        return [found[place] for place in range(len(tasks))]
    growing = out.with_name(f"{out.name}.partial")
    with _held(growing) as file:
        places = {task: place for place, task in enumerate(tasks)}
        if len(places) < len(tasks):
            raise GumptionError("a task is there twice", where=str(out), remedy="give each once")
        for result in (*_read(out, kind, torn=False), *_read(growing, kind, torn=True)):
            if result.task not in places:
                raise GumptionError(
                    "results of other tasks are there already", where=str(out), remedy="name another file"
                )
            if not again(result):
                found[places[result.task]] = result
        _end_line(file)
        missing = [place for place in range(len(tasks)) if place not in found]
        for place, result in do(missing) if missing else ():
            found[place] = result
            _append(file, growing, msgspec.json.encode(result) + b"\n")
            if progress:
                progress(len(found), len(tasks))
        ordered = [found[place] for place in range(len(tasks))]
        with written(out), replacing(out) as temporary, temporary.open("wb") as whole:
            whole.writelines(msgspec.json.encode(result) + b"\n" for result in ordered)
            whole.flush()
            os.fsync(whole.fileno())
        growing.unlink()
    return ordered


def _read(path: Path, kind: type[R], *, torn: bool) -> Iterator[R]:
    """The results of a file, none where there is no file. torn: its last line may be half a line."""
    if not path.exists():
        return
    decoder = msgspec.json.Decoder(kind)
    damaged = 0
    for number, line in read_lines(path):
        if not damaged:
            try:
                yield decoder.decode(line or b"")
                continue
            except (msgspec.MsgspecError, RecursionError):
                damaged = number
        if not torn or number > damaged:
            raise GumptionError(
                "not a line of such results", where=f"{path}:{damaged}", remedy="name another file with --out"
            )


@contextmanager
def _held(path: Path) -> Iterator[int]:
    """The file open to be appended to, by this process alone; gone afterwards if nothing is in it."""
    with written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # In a folder from elsewhere the name may be a link: what it leads to is not touched.
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise GumptionError(
                "another process is writing these results",
                where=str(path),
                remedy="wait for it, or name another file with --out",
            ) from error
        try:
            yield file
        finally:
            if not os.fstat(file).st_size:
                path.unlink(missing_ok=True)
    finally:
        os.close(file)


def _end_line(file: int) -> None:
    """Cut off the half line that a killed process has left."""
    size = end = os.fstat(file).st_size
    while end:
        begin = max(0, end - 2**16)
        found = os.pread(file, end - begin, begin).rfind(b"\n")
        if found >= 0:
            end = begin + found + 1
            break
        end = begin
    if end < size:
        os.ftruncate(file, end)


def _append(file: int, path: Path, line: bytes) -> None:
    with written(path):
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(file, rest) :]
