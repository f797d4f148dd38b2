"""Calling a written pipeline: in the sandbox, many calls at a time, on a folder without recorded replies."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from gumption.records import GumptionError
from gumption.synthesis._walk import files_of
from gumption.synthesis.contract import (
    DRIVER,
    Request,
    Row,
    Verdict,
    requests_of,
    rows_of,
    verdicts_of,
)
from gumption.synthesis.sandbox import Limits, SandboxResult, run_sandboxed
from gumption.synthesis.sandbox._bubblewrap import DATA
from gumption.synthesis.sandbox.mechanisms import in_force

__all__ = ["SHARD", "BrokenError", "Calls", "Fault", "mechanism_of", "packages_for", "said_of", "view"]

T = TypeVar("T")

SHARD = 1_000
"""Calls that share a process."""
LIMITS = Limits(wall_s=60.0, memory_mb=1024, processes=16, disk_mb=10, output_kb=256 * 1024)
_PACKAGES = ("gumption", "msgspec", "numpy", "yaml")
_READERS = {".parquet": ("pyarrow",), ".xlsx": ("openpyxl", "et_xmlfile")}
"""What the recipes need besides, to read files of a kind."""
_MOST_FAULTS = 5
"""Calls that may fail before the rest is given up: each may cost the whole time of a shard."""
_SAID = 1_500


class Fault(Struct, frozen=True):
    """One call that failed: the code's fault, never the model's."""

    call: str
    """load, build or score."""
    place: int
    """Which of the calls, from 0."""
    problem: str
    """What stopped it: timeout, memory, crash, ..., or "contract" for a result that is none."""
    said: str


class BrokenError(GumptionError):
    """A written file does not do what its contract says."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(
            f"{fault.call} failed on call {fault.place + 1} ({fault.problem}): {fault.said[-300:]}",
            where="pipeline.py",
            remedy="mend the function, then gumption synthesize check PIPELINE",
        )


def mechanism_of(unsandboxed: bool) -> str:
    """The sandbox in force, "none" where it was waived. Raises GumptionError where none is to be had."""
    return "none" if unsandboxed else in_force()


def packages_for(folder: Path) -> tuple[str, ...]:
    """Installed packages that a pipeline of this folder may import."""
    kinds = {Path(name).suffix.lower() for name in files_of(folder)[0]}
    return (*_PACKAGES, *(name for kind, names in _READERS.items() if kind in kinds for name in names))


@contextmanager
def view(root: Path, withheld: Sequence[str]) -> Iterator[Path]:
    """The folder as a pipeline may see it: without the files that hold replies of models.

    Files are hard links where the file system allows, else copies.
    """
    if not withheld:
        yield root.resolve()
        return
    hidden = set(withheld)
    with tempfile.TemporaryDirectory(prefix="gumption-view-") as place:
        # A sandbox may read as another user than the one that made the folder.
        Path(place).chmod(0o755)
        for name in files_of(root)[0]:
            if name not in hidden:
                target = Path(place, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                _put((root / name).resolve(), target)
        yield Path(place)


def _put(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


class Calls:
    """One written file on one folder."""

    def __init__(self, code: str, folder: Path, mechanism: str, limits: Limits = LIMITS) -> None:
        """folder: what `load` may read, see `view`. mechanism: as of `mechanism_of`."""
        self._code, self._limits, self._mechanism = code + DRIVER, limits, mechanism
        self._folder = folder.resolve()
        self._packages = packages_for(folder)

    def load(self) -> list[Row]:
        """The rows. Raises BrokenError."""
        inside = DATA if self._mechanism == "bubblewrap" else str(self._folder)
        result = self._run([["load", inside]])
        if not result.ok:
            raise BrokenError(_fault("load", 0, result))
        return _agreed("load", 0, rows_of, result.output[0])

    def build(self, rows: Sequence[Row]) -> list[Request]:
        """What is asked for each row. Raises BrokenError: no row is left out because it cannot be asked."""
        requests: list[Request] = []
        for begin in range(0, len(rows), SHARD):
            result = self._run([["build", row] for row in rows[begin : begin + SHARD]])
            if not result.ok:
                raise BrokenError(_fault("build", begin + len(result.output), result))
            requests += _agreed("build", begin, requests_of, result.output)
        return requests

    def score(
        self,
        pairs: Sequence[tuple[Row, str]],
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Verdict | Fault]:
        """What each reply is worth, a fault where the scorer failed: what comes after it is scored all the
        same, unless too many fail."""
        found: list[Verdict | Fault] = []
        faults = 0
        while len(found) < len(pairs):
            begin = len(found)
            result = self._run([["score", *pair] for pair in pairs[begin : begin + SHARD]])
            for place, output in enumerate(result.output, begin):
                verdict = _verdict(place, output)
                found.append(verdict)
                faults += isinstance(verdict, Fault)
            if not result.ok:
                found.append(_fault("score", len(found), result))
                faults += 1
            if faults >= _MOST_FAULTS:
                said = f"given up after {faults} calls that failed"
                rest = range(len(found), len(pairs))
                found += [Fault("score", place, "not run", said) for place in rest]
            if progress is not None:
                progress(len(found), len(pairs))
        return found

    def _run(self, jobs: list[Any]) -> SandboxResult:
        return run_sandboxed(
            self._code,
            jobs,
            self._limits,
            packages=self._packages,
            data=self._folder,
            mechanism=self._mechanism,
        )


def said_of(fault: Fault) -> str:
    """A fault of the scorer, in a line."""
    last = fault.said.strip().splitlines()[-1:]
    return f"the scorer failed: {': '.join((fault.problem, *last))[:300]}"


def _fault(call: str, place: int, result: SandboxResult) -> Fault:
    return Fault(call, place, result.error or "crash", (result.detail or result.printed)[-_SAID:])


def _verdict(place: int, output: Any) -> Verdict | Fault:
    try:
        return verdicts_of([output])[0]
    except GumptionError as error:
        return Fault("score", place, "contract", error.problem)


def _agreed(call: str, begin: int, check: Callable[[Any], T], output: Any) -> T:
    try:
        return check(output)
    except GumptionError as error:
        raise BrokenError(Fault(call, begin, "contract", error.problem)) from error
