"""The run folder: what was asked, every reply as it came, and the scores made of them.

    run.json          what identifies the run and its protocol; never a secret
    items.parquet     the questions with their gold, so that the run explains itself without its suite
    parts/*.jsonl     replies, one a line, append-only, one writer
    scores.parquet    derived: can be made again from the rest at any time

A line is flushed before the next question is asked, so a crash costs what was in flight and nothing else.
`run.json` is the first of these files and each is there whole or not at all, so a run that was killed at any
moment can be taken up.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from gumption.atomic import written
from gumption.lines import MAX_LINE
from gumption.records import Aggregate, GumptionError, Item, Reply, Stopped, StopRule
from gumption.running._holding import LOCK, held
from gumption.running._lingering import wait_for_workers
from gumption.running._mirror import fetched
from gumption.running.scores import read_scores
from gumption.running.storage import is_address
from gumption.suites import read_items, write_items

__all__ = ["Protocol", "Run", "RunInfo", "read_part"]

FORMAT = 1
_LARGEST_INFO = 64 * 2**20
"""Bytes of run.json that are read: beyond them it is damaged."""
_BEFORE_THE_FIRST = {LOCK, "run.json.new"}
"""What a run that was killed at its very start leaves."""


class Protocol(msgspec.Struct, frozen=True):
    """Everything that two runs must share for their scores to be comparable; `model` is what they compare."""

    suite: str
    """Checksum of the items."""
    benchmarks: dict[str, str]
    """Version of each benchmark's asking and scoring."""
    prompt: str
    """Name of the prompt, or "recorded" where the replies were asked for elsewhere."""
    reading: str
    scoring: str
    epochs: int
    circular: bool = False
    """Whether a choice is asked in every rotation of its options and right only if all are."""
    decode: dict[str, Any] = msgspec.field(default_factory=dict)
    judge: dict[str, Any] = msgspec.field(default_factory=dict)
    model: dict[str, Any] = msgspec.field(default_factory=dict)


class RunInfo(msgspec.Struct, frozen=True):
    """What `run.json` says."""

    suite: str
    """Name of the suite."""
    suite_version: str
    suite_address: str
    """A benchmark's name or a path, relative to the run folder: where the pictures are looked for."""
    data: str
    """The data folder that was named for the benchmark, relative to the run folder; "" if none was."""
    model: str
    items: int
    protocol: Protocol
    official: Aggregate | None = None
    further: tuple[Aggregate, ...] = ()
    rejected: tuple[str, ...] = ()
    """Rows of the suite that could not be asked, one sentence each."""
    pipeline: dict[str, str] = {}
    """What built the requests and scored the replies where it was written code: version, sandbox, hash."""
    stop: StopRule | None = None
    """When the run may end before its last item; None asks all."""
    stopped_early: Stopped | None = None
    """That it did. Items beyond are not planned: they lower no coverage."""
    created: str = ""
    gumption: str = ""
    format: int = FORMAT


class Run:
    """A run folder, for reading and for one writer at a time."""

    def __init__(self, folder: Path, info: RunInfo) -> None:
        self.folder = folder
        self.info = info
        self.problems: dict[str, int] = {}
        """What failed requests of the asking just done said, most frequent first."""

    @classmethod
    def open(cls, folder: Path | str) -> Run:
        """The run in a folder, or at an address such as `s3://bucket/folder`, which is fetched to be read.

        Raises GumptionError where that is no run.
        """
        folder = fetched(str(folder)) if is_address(folder) else Path(folder)
        try:
            with (folder / "run.json").open("rb") as stream:
                text = stream.read(_LARGEST_INFO)
            info = msgspec.json.decode(text, type=RunInfo)
        except OSError as error:
            raise GumptionError(
                "not a run: it has no run.json that can be read",
                where=str(folder),
                remedy="give the folder that gumption run wrote",
            ) from error
        except (msgspec.MsgspecError, RecursionError) as error:
            raise GumptionError(
                f"run.json is damaged or of another version: {error}",
                where=str(folder),
                remedy="use the version of gumption that wrote it, or run again into a new folder",
            ) from error
        return cls(folder, info)

    @classmethod
    @contextmanager
    def taken(cls, folder: Path | str, info: RunInfo, items: Sequence[Item]) -> Iterator[tuple[Run, Path]]:
        """Start a run, or take up the one that is there if it is of the same protocol.

        Gives the run and the path of the part that replies are to be appended to next. The folder is held
        meanwhile. Raises GumptionError where another process holds it, where it holds something else, and
        where it cannot be written.
        """
        folder = Path(folder)
        with written(folder):
            there = {path.name for path in folder.iterdir()} if folder.exists() else set()
        if "run.json" not in there and there - _BEFORE_THE_FIRST:
            raise GumptionError(
                "the folder is not empty and not a run", where=str(folder), remedy="choose another with --out"
            )
        with held(folder):
            wait_for_workers(folder)
            run = cls._created(folder, info, items)
            starts = [part.stem.partition("-")[0] for part in run._parts()]
            numbers = [int(start) for start in starts if start.isdecimal()]
            yield run, folder / "parts" / f"{max(numbers, default=-1) + 1:04d}.jsonl"

    @classmethod
    def _created(cls, folder: Path, info: RunInfo, items: Sequence[Item]) -> Run:
        asked = any(part.stat().st_size for part in (folder / "parts").glob("*.jsonl"))
        if (folder / "run.json").exists():
            run = cls.open(folder)
            # Reading and scoring are made anew from the replies: another version of them is the same run.
            ours = run.info.protocol
            theirs = msgspec.structs.replace(info.protocol, reading=ours.reading, scoring=ours.scoring)
            # Without a reply there is nothing that another protocol could mix with: a start that failed.
            if ours != theirs and asked:
                raise GumptionError(
                    f"the folder holds another run ({run.difference(theirs)})",
                    where=str(folder),
                    remedy="choose another folder with --out, or delete this one",
                )
            created = run.info.created
        else:
            run = cls(folder, info)
            created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        run.write_info(msgspec.structs.replace(info, created=created))
        with written(folder):
            (folder / "parts").mkdir(exist_ok=True)
            if not asked or not (folder / "items.parquet").exists():
                write_items(folder / "items.parquet", items)
        return run

    def write_info(self, info: RunInfo) -> None:
        """Replace run.json as a whole."""
        self.info = info
        temporary = self.folder / "run.json.new"
        with written(self.folder / "run.json"):
            # In a folder from elsewhere the name may be a link: what it leads to is not touched.
            temporary.unlink(missing_ok=True)
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode(info), indent=2) + b"\n")
            temporary.replace(self.folder / "run.json")

    def suite_address(self) -> tuple[str, Path | None]:
        """Address and data folder of the suite, to be opened from the working folder; fetched if elsewhere.

        Raises GumptionError where it cannot be fetched.
        """
        data = self.folder / self.info.data if self.info.data else None
        if is_address(self.info.suite_address):
            return str(fetched(self.info.suite_address)), data
        path = self.folder / self.info.suite_address
        return (str(path) if path.exists() else self.info.suite_address), data

    def items(self) -> list[Item]:
        return read_items(self.folder / "items.parquet")

    def scores(self) -> pa.Table:
        return read_scores(self.folder / "scores.parquet")

    def replies(self) -> Iterator[Reply]:
        """Every recorded reply in the order of recording. A torn last line of a part is left out.

        Raises GumptionError, naming the line, for damage anywhere else.
        """
        for part in self._parts():
            yield from read_part(part)

    def _parts(self) -> list[Path]:
        return sorted((self.folder / "parts").glob("*.jsonl"))

    def difference(self, protocol: Protocol) -> str:
        """What this run's protocol and another one differ in, "" if in nothing."""
        ours, theirs = msgspec.to_builtins(self.info.protocol), msgspec.to_builtins(protocol)
        return ", ".join(
            f"{key}: {ours[key]!r} there, {theirs[key]!r} asked for"
            for key in ours
            if ours[key] != theirs[key]
        )


def read_part(part: Path) -> Iterator[Reply]:
    """The replies of one part, as of `Run.replies`."""
    decoder = msgspec.json.Decoder(Reply)
    for number, line in enumerate(_lines(part), 1):
        try:
            yield decoder.decode(line)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise GumptionError(
                f"a damaged reply: {error}",
                where=f"{part}, line {number}",
                remedy="delete the line and start the run again: it asks only what is missing",
            ) from error


def _lines(part: Path) -> Iterator[bytes]:
    """The whole lines of a part; one over `MAX_LINE` in pieces, none of which is a reply."""
    try:
        with part.open("rb") as stream:
            while line := stream.readline(MAX_LINE):
                if line.endswith(b"\n") or len(line) == MAX_LINE:
                    yield line
    except OSError as error:
        raise GumptionError(
            f"cannot be read: {error.strerror}", where=str(part), remedy="check the permissions"
        ) from error
