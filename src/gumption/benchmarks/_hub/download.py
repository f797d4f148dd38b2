"""Bringing a source's files to the cache folder: once, whole, checked, and at one revision."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gumption.atomic import replacing
from gumption.benchmarks._hub import github, huggingface, tsv
from gumption.benchmarks._hub.remote import Remote, RevisionGoneError
from gumption.benchmarks._hub.source import (
    RECORD,
    Record,
    Source,
    named,
    read_record,
    sha256_of,
    show_licence,
)
from gumption.records import GumptionError

__all__ = ["download"]

_KINDS = {"hub": huggingface, "github": github, "tsv": tsv}


def download(source: Source, folder: Path) -> None:
    """Bring what is missing. The revision is recorded before the first file comes, and kept ever after.

    Raises GumptionError for what is gated, out of reach or damaged.
    """
    site = _KINDS[source.kind]
    with _held(folder):
        known = read_record(folder)
        revision = known.revision if known else site.revision_of(source)
        try:
            wanted = site.listed(source, revision)
        except RevisionGoneError as error:
            raise GumptionError(
                f"the revision {revision} of the first download is not there any more",
                where=source.repo,
                remedy=f"delete {folder} to begin anew at the newest revision, whose scores do not compare "
                "with those of the old one; or get the old files elsewhere and name their folder with --data",
            ) from error
        _check_all(source, wanted, revision)
        record = known or Record(
            kind=source.kind, repo=source.repo, licence=source.licence, revision=revision
        )
        if known is None:
            show_licence(source, sum(file.size or 0 for file in wanted), folder)
            _write(folder, record)
        site.bring(source, revision, wanted, folder)
        files = record.files | {file.path: file.sha256 or sha256_of(folder / file.path) for file in wanted}
        patterns = tuple(dict.fromkeys((*record.patterns, *source.files)))
        _write(folder, msgspec.structs.replace(record, files=files, patterns=patterns))


def _check_all(source: Source, wanted: list[Remote], revision: str) -> None:
    lacking = [one for one in source.files if not any(named(file.path, (one,)) for file in wanted)]
    if lacking:
        raise GumptionError(
            f"no file {', '.join(lacking)} at revision {revision}",
            where=source.repo,
            remedy="the data set has changed: name a folder with the files as published with --data",
        )


def _write(folder: Path, record: Record) -> None:
    with replacing(folder / RECORD) as temporary:
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Keep the folder to this process: another that wants the same files waits for them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        raise GumptionError(problem, where=str(folder), remedy="name another with GUMPTION_CACHE") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
