"""Where a benchmark's files come from, and the folder of this machine that holds them."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import msgspec

from gumption.cached import cache_folder
from gumption.lines import read_json

__all__ = [
    "RECORD",
    "Record",
    "Source",
    "fetch",
    "home_of",
    "matching",
    "named",
    "provenance",
    "read_record",
    "sha256_of",
    "show_licence",
]

RECORD = "source.json"
"""In a folder that was downloaded: what it is of, and the checksums of its files."""
_TSV_BASE = "https://opencompass.openxlab.space/utils/VLMEval/"
_LARGEST_RECORD = 64 * 2**20


@dataclass(frozen=True, kw_only=True)
class Source:
    """The published files of a benchmark."""

    repo: str
    """hub: a data set of huggingface.co, OWNER/NAME. github: a repository. tsv: a file of VLMEvalKit."""
    files: tuple[str, ...]
    """Patterns of paths in it; `*` crosses folders, as in huggingface_hub. Each must match something."""
    kind: Literal["hub", "tsv", "github"] = "hub"
    licence: str
    md5: str = ""
    """Of a tsv, where it is published."""
    url: str = ""
    """Of a tsv that does not lie with the others of VLMEvalKit."""

    @property
    def address(self) -> str:
        """What is downloaded where there is one file, else where the files are."""
        return self.url or f"{_TSV_BASE}{self.files[0]}" if self.kind == "tsv" else home_of(self)


class Record(msgspec.Struct, kw_only=True):
    """What `source.json` says."""

    kind: str
    repo: str
    licence: str
    revision: str
    """The commit; of a tsv its md5."""
    patterns: tuple[str, ...] = ()
    """Those of which all files are there."""
    files: dict[str, str] = {}
    """Path to SHA-256."""


def home_of(source: Source) -> str:
    """The page where a person finds the files."""
    sites = {"hub": "https://huggingface.co/datasets/", "github": "https://github.com/"}
    return f"{sites[source.kind]}{source.repo}" if source.kind in sites else source.address


def fetch(source: Source, data: Path | None = None) -> Path:
    """The folder that holds the source's files.

    data: a local mirror: the folder itself, or one that holds it under the repository's name, which is looked
    at first; files that could be of several data sets are refused. Without it,
    `$GUMPTION_CACHE` (~/.cache/gumption) is looked through, and what is not there is downloaded, at the
    revision that the first download found and recorded; one that was interrupted goes on where it ended.
    The licence is shown on standard error before anything is downloaded. Raises GumptionError, saying what to
    get and where to put it, for files that are not there, gated, out of reach or damaged.
    """
    if data is not None:
        from gumption.benchmarks._hub.mirror import mirrored

        return mirrored(source, data)
    folder = _cache_folder(source)
    record = read_record(folder)
    if record is None or not _whole(source, record, folder):
        from gumption.benchmarks._hub.download import download

        download(source, folder)
    return folder


def provenance(source: Source, folder: Path) -> dict[str, Any]:
    """What a suite should keep of its source: where it is, the revision, and SHA-256 of every file.

    The revision is "" for a folder of the user's own.
    """
    record = read_record(folder)
    if record is None or record.repo != source.repo:
        files = {name: sha256_of(folder / name) for name in matching(folder, source.files)}
        record = Record(kind=source.kind, repo=source.repo, licence=source.licence, revision="", files=files)
    files = {name: sha for name, sha in record.files.items() if named(name, source.files)}
    return {"homepage": home_of(source), "repo": source.repo, "revision": record.revision, "files": files}


def matching(folder: Path, patterns: tuple[str, ...]) -> list[str]:
    """Paths below `folder` that one of the patterns names, with forward slashes; hidden ones are left out."""
    return sorted(name for name in _names(folder) if named(name, patterns))


def sha256_of(path: Path) -> str:
    """SHA-256 (hex) of a file, read piece by piece."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def show_licence(source: Source, size: int | None, folder: Path) -> None:
    """Said once, before the first byte is downloaded."""
    about = f", {size / 1e6:,.1f} MB" if size else ""
    print(f"{source.repo}: licence {source.licence}; {home_of(source)}", file=sys.stderr)
    print(f"Downloading {', '.join(source.files)}{about} to {folder}", file=sys.stderr)


def _cache_folder(source: Source) -> Path:
    root = cache_folder()
    return root / "sources" / source.kind / source.repo.replace("/", "--")


def read_record(folder: Path) -> Record | None:
    """What `source.json` of a folder says; None where there is none, or GumptionError where it is damaged."""
    path = folder / RECORD
    if not path.is_file():
        return None
    what, remedy = "a record of what was downloaded", f"delete {folder} and start again"
    return read_json(path, Record, _LARGEST_RECORD, what, remedy)


def _whole(source: Source, record: Record, folder: Path) -> bool:
    return set(source.files) <= set(record.patterns) and all(
        (folder / name).is_file() for name in record.files if named(name, source.files)
    )


def _names(folder: Path) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if not name.startswith("."):
                yield (Path(root) / name).relative_to(folder).as_posix()


def named(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns names this path."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
