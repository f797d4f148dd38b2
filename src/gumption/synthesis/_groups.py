"""Which files of a folder are one table: one item a file, one part a file, or a file of its own."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from gumption.records import GumptionError
from gumption.synthesis._siblings import Apart
from gumption.synthesis._sniff import sources_of
from gumption.synthesis.recipes._paths import matching
from gumption.synthesis.recipes.loading import read
from gumption.synthesis.spec import Source

__all__ = ["grouped"]

_FEW = 4
"""From how many alike files on they are one table."""
_COMPARED = 40
"""Files of a group whose columns are compared."""


def grouped(
    root: Path, data: list[str], told: list[str], apart: Apart
) -> list[tuple[list[str], tuple[Source, ...]]]:
    """Groups of files with how they can be read; what cannot be read is told of in words."""
    out: list[tuple[list[str], tuple[Source, ...]]] = []
    for pattern, files in sorted(_groups(data, apart)):
        several = _sniffed(root, files[0], told, apart)
        if len(files) == 1:
            out.append((files, several))
            continue
        several = _one_row_each(root, files, several)
        if _alike(root, files, several) and matching(root, pattern) == sorted(files):
            whole = several or (Source(pattern, "text"),)
            out.append((files, tuple(replace(source, path=pattern) for source in whole)))
        else:
            out += [([one], _sniffed(root, one, told, apart)) for one in files]
    return [(files, several) for files, several in out if several]


def _one_row_each(root: Path, files: list[str], several: tuple[Source, ...]) -> tuple[Source, ...]:
    """Objects that look like answers by key are rows where all files have the same keys."""
    if [source.rows for source in several] != ["{}"] or several[0].format != "json":
        return several
    keys: set[tuple[str, ...]] = set()
    for one in files[:: max(1, len(files) // _COMPARED)]:
        try:
            keys.add(tuple(sorted(str(row["@key"]) for row in read(root, replace(several[0], path=one)))))
        except (GumptionError, KeyError):
            return several
    return (replace(several[0], rows=""),) if len(keys) == 1 else several


def _sniffed(root: Path, path: str, told: list[str], apart: Apart) -> tuple[Source, ...]:
    try:
        return sources_of(root, path, apart)
    except GumptionError as error:
        told.append(error.problem)
        return ()


def _alike(root: Path, files: list[str], several: tuple[Source, ...]) -> bool:
    """Whether files can be read like the first and most of their columns are the same."""
    if not several:
        return True
    columns: set[str] = set()
    for one in files[:: max(1, len(files) // _COMPARED)]:
        try:
            names = {name for row in read(root, replace(several[-1], path=one))[:20] for name in row}
        except GumptionError:
            return False
        if columns and len(columns & names) * 2 < len(columns | names):
            return False
        columns = columns or names
    return True


def _groups(data: list[str], apart: Apart) -> list[tuple[str, list[str]]]:
    """Patterns with their files: alike names in sibling folders, alike suffixes in one, or one file."""
    siblings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in data:
        path = PurePosixPath(one)
        if len(path.parts) > 1:
            siblings[path.parent.parent.as_posix(), path.name].append(one)
    groups: list[tuple[str, list[str]]] = []
    taken: set[str] = set()
    for (above, name), several in siblings.items():
        if len(several) >= _FEW:
            groups.append((str(PurePosixPath(above, "*", name)), several))
            taken.update(several)
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in data:
        if one not in taken:
            alike[PurePosixPath(one).parent.as_posix(), PurePosixPath(one).suffix].append(one)
    for (folder, suffix), several in alike.items():
        split = any(apart(one) is not None for one in several)
        if len(several) >= _FEW and not split:
            groups.append((str(PurePosixPath(folder, f"*{suffix}")), several))
        else:
            groups += [(one, [one]) for one in several]
    return groups
