"""The folder of a source's files in a local mirror, which may hold the files of many data sets."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from gumption.benchmarks._hub.source import Source, home_of, matching, named
from gumption.records import GumptionError

__all__ = ["mirrored"]

_QUESTIONS = (".parquet", ".json", ".jsonl", ".tsv")
"""How a file of rows ends; the others are pictures, clips and archives."""
_SHARD = re.compile(r"(.*)-(\d{5})-of-(\d{5})(\.\w+)", re.ASCII)


def mirrored(source: Source, data: Path) -> Path:
    """The source's folder in `data`: one that has the repository's name, else `data` itself.

    Raises GumptionError where files are missing, and where those that match could be of several data sets.
    """
    missing: list[str] = []
    for folder in (*_own(source, data), data):
        if not folder.is_dir():
            continue
        names = matching(folder, source.files)
        lacking = [one for one in source.files if not any(named(name, (one,)) for name in names)]
        if not lacking:
            _check_one_set(source, folder, names)
            return folder
        missing = missing or lacking
    raise GumptionError(
        f"no {', '.join(missing or source.files)} in {data}",
        where=source.repo,
        remedy=f"get the files from {home_of(source)}, keep their paths, and name their folder with --data",
    )


def _own(source: Source, data: Path) -> Iterator[Path]:
    """Folders below `data` that are named after the repository, in whatever case and with _ for - too."""
    owner, _, name = source.repo.rpartition("/")
    yield data / source.repo
    if data.is_dir():
        wanted = [_plain(f"{owner}--{name}"), _plain(name)]
        there = [(_plain(path.name), path) for path in sorted(data.iterdir()) if path.is_dir()]
        yield from (path for own in wanted for plain, path in there if plain == own)


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _check_one_set(source: Source, folder: Path, names: list[str]) -> None:
    """That the files of rows which a pattern finds are of one data set, and all of it."""
    for pattern in source.files:
        found = [name for name in names if named(name, (pattern,)) and _is_rows(name)]
        places = sorted({str(PurePosixPath(name).parent) for name in found})
        if len(places) > 1 and not _is_named_after(source, folder):
            _check_places(source, folder, pattern, names, places)
        endings = sorted({PurePosixPath(name.removesuffix(".gz")).suffix for name in found})
        if len(endings) > 1:
            _refuse(source, folder, pattern, f"files that end in {' and '.join(endings)}")
        _check_shards(source, folder, pattern, found)


def _check_places(source: Source, folder: Path, pattern: str, names: list[str], places: list[str]) -> None:
    """Files of rows in several folders are one set only where each folder has all that the set needs."""
    others = [one for one in source.files if one != pattern]
    for place in places:
        beside = [name for name in names if name.startswith(f"{place}/")]
        if not others or not all(any(named(name, (one,)) for name in beside) for one in others):
            _refuse(source, folder, pattern, f"files in {_some(places)}")


def _check_shards(source: Source, folder: Path, pattern: str, names: list[str]) -> None:
    """Files that are numbered "-00000-of-00002" are all there, and of one numbering."""
    totals: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for name in names:
        if found := _SHARD.fullmatch(name):
            totals[f"{found[1]}{found[4]}"][int(found[3])].add(int(found[2]))
    for stem, by_total in totals.items():
        if len(by_total) > 1:
            counts = " and ".join(f"of {total}" for total in sorted(by_total))
            _refuse(source, folder, pattern, f"files {stem} numbered {counts}")
        ((total, there),) = by_total.items()
        lost = sorted(set(range(total)) - there)
        if lost:
            raise GumptionError(
                f"of {total} files {stem} only {len(there)} are there; number {lost[0]:05d} is not",
                where=str(folder),
                remedy=f"get the rest from {home_of(source)}",
            )


def _refuse(source: Source, folder: Path, pattern: str, what: str) -> None:
    raise GumptionError(
        f"{what} match {pattern}: it cannot be told which of them are of {source.repo}",
        where=str(folder),
        remedy=f"put the files of {source.repo} into a folder {source.repo.rpartition('/')[2]} there, "
        "or name their own folder with --data",
    )


def _some(places: list[str]) -> str:
    shown = [place if place != "." else "the folder itself" for place in places[:3]]
    return ", ".join(shown) + (f" and {len(places) - 3} more" if len(places) > 3 else "")


def _is_rows(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith(_QUESTIONS)


def _is_named_after(source: Source, folder: Path) -> bool:
    owner, _, name = source.repo.rpartition("/")
    return _plain(folder.resolve().name) in (_plain(name), _plain(f"{owner}--{name}"))
