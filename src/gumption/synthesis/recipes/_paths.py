"""Files of a benchmark's folder by a pattern, never outside of it."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from gumption.records import GumptionError

__all__ = ["BOTH", "LARGEST", "matching", "read_bytes", "star"]

BOTH = " + "
"""Between patterns, or places in a file, whose rows follow each other."""

LARGEST = 256 * 2**20
"""Bytes of one file."""
_MOST = 200_000
"""Files of one pattern."""


def matching(folder: Path, pattern: str) -> list[str]:
    """Files below `folder` whose path fits, sorted; `*` stands for part of one name, ` + ` between patterns.

    Raises GumptionError for a pattern that leaves the folder, a link that does, and where nothing fits.
    """
    if BOTH in pattern:
        return [path for one in pattern.split(BOTH) for path in matching(folder, one)]
    path = PurePosixPath(pattern)
    if path.is_absolute() or ".." in path.parts or "**" in pattern or "\\" in pattern or not path.parts:
        raise GumptionError(
            f"no file of the folder: {pattern!r}", where="load", remedy="stay below the folder"
        )
    found = [""]
    for part in path.parts:
        found = [f"{above}/{name}".lstrip("/") for above in found for name in _names(folder / above, part)]
        if len(found) > _MOST:
            raise GumptionError(
                f"over {_MOST:,} files are {pattern!r}", where="load", remedy="split the folder"
            )
    files = [one for one in found if (folder / one).is_file()]
    root = folder.resolve()
    for one in files:
        if not (folder / one).resolve().is_relative_to(root):
            raise GumptionError(
                f"{one} is a link that leads out of the folder", where="load", remedy="copy it in"
            )
    if not files:
        raise GumptionError(f"no file is called {pattern}", where="load", remedy="look at the list of files")
    return sorted(files)


def _names(folder: Path, part: str) -> list[str]:
    if "*" not in part:
        return [part] if (folder / part).exists() else []
    if not folder.is_dir():
        return []
    fits = re.compile(_expression(part))
    return [one.name for one in folder.iterdir() if fits.fullmatch(one.name) and not one.name.startswith(".")]


def star(pattern: str, path: str) -> str:
    """What the first `*` of the pattern stands for in a path that fits it; its stem where there is none."""
    found = re.fullmatch(_expression(pattern), path)
    return found.group(1) if found and found.groups() else PurePosixPath(path).stem


def _expression(pattern: str) -> str:
    return "([^/]*)".join(re.escape(part) for part in pattern.split("*"))


def read_bytes(folder: Path, path: str) -> bytes:
    """A file's bytes. Raises GumptionError for one that is too large."""
    if (folder / path).stat().st_size > LARGEST:
        raise GumptionError(f"{path} is over {LARGEST >> 20} MB", where="load", remedy="split the file")
    return (folder / path).read_bytes()
