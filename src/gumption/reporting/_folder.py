"""Replacing a report folder in one step, and never a folder that is something else."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gumption.records import GumptionError

__all__ = ["MARK", "replacing_folder"]

MARK = '<meta name="generator" content="gumption report">'
"""Stands in the first lines of every report's index.html."""


@contextmanager
def replacing_folder(out: Path, entries: frozenset[str]) -> Iterator[Path]:
    """A new empty folder that takes the place of `out` if the block ends well and vanishes if it does not.

    `entries` are the names a report folder may hold. Raises GumptionError, before the block and again at
    its end, if `out` is a file or a folder that holds anything else: it was not made here.
    """
    out = out.resolve()
    _check(out, entries)
    out.parent.mkdir(parents=True, exist_ok=True)
    suffix = secrets.token_hex(4)
    new, old = (out.with_name(f".{out.name}.{what}-{suffix}") for what in ("new", "old"))
    new.mkdir()
    try:
        yield new
        _check(out, entries)
        if out.exists():
            out.rename(old)
        try:
            new.rename(out)
        except OSError:
            if old.exists():
                old.rename(out)
            raise
    except BaseException:
        shutil.rmtree(new)
        raise
    if old.exists():
        shutil.rmtree(old)


def _check(out: Path, entries: frozenset[str]) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        _refuse(out, "is a file, not a folder")
    names = {path.name for path in out.iterdir()}
    if names and not _is_report(out / "index.html"):
        _refuse(out, "is not empty and is not a report")
    if strange := sorted(names - entries):
        _refuse(out, f"holds {strange[0]!r}, which is no part of a report")


def _is_report(index: Path) -> bool:
    if not index.is_file():
        return False
    with index.open("rb") as file:
        return MARK.encode() in file.read(2_000)


def _refuse(out: Path, problem: str) -> None:
    raise GumptionError(
        f"{problem}; it was left as it is",
        where=str(out),
        remedy="Name another folder for the report, or move what is in this one.",
    )
