"""The tab separated files of VLMEvalKit: one address, one published MD5."""

from __future__ import annotations

from pathlib import Path

from gumption.benchmarks._hub.remote import Remote
from gumption.benchmarks._hub.source import Source
from gumption.benchmarks._hub.web import save
from gumption.records import GumptionError

__all__ = ["bring", "listed", "revision_of"]


def revision_of(source: Source) -> str:
    """The published MD5: such a file has no other version. "" where none is published."""
    return source.md5


def listed(source: Source, revision: str) -> list[Remote]:
    """The one file."""
    (name,) = source.files
    return [Remote(path=name, md5=revision)]


def bring(source: Source, revision: str, files: list[Remote], folder: Path) -> None:
    """Download the file. One with another MD5 is kept aside and never used or fetched again by itself."""
    (file,) = files
    path = folder / file.path
    aside = path.with_name(f"{path.name}.wrong-md5")
    if aside.exists():
        raise _wrong(source, aside, revision)
    if file.is_that(path):
        return
    if not revision:
        # Nothing says whether the rest would still be of the same file.
        path.with_name(f"{path.name}.part").unlink(missing_ok=True)
    save(source.address, path, source.repo, source.address)
    if not file.is_that(path):
        path.replace(aside)
        raise _wrong(source, aside, revision)


def _wrong(source: Source, aside: Path, md5: str) -> GumptionError:
    return GumptionError(
        f"what {source.address} gives has not the published MD5 {md5}",
        where=str(aside),
        remedy="delete this file to download it once more; if it is a newer release that you want to use, "
        f"move it to {source.files[0]} in a folder of its own and name that with --data",
    )
