"""What a site says of the files it has, so that what arrives can be checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from gumption.benchmarks._hub.source import sha256_of
from gumption.records import GumptionError

__all__ = ["Remote", "RevisionGoneError", "check", "unreachable"]


class RevisionGoneError(Exception):
    """The site has no such commit, or has it no more."""


@dataclass(frozen=True, kw_only=True)
class Remote:
    """A file as the site lists it. An empty checksum is one that the site does not give."""

    path: str
    size: int | None = None
    sha256: str = ""
    blob: str = ""
    """Git's own checksum of the content."""
    md5: str = ""

    def is_that(self, path: Path) -> bool:
        """Whether the file at `path` is the one that was listed, as far as the site lets us tell."""
        if not path.is_file() or (self.size is not None and path.stat().st_size != self.size):
            return False
        if self.sha256:
            return sha256_of(path) == self.sha256
        return (not self.md5 or _digest(path, "md5") == self.md5) and (
            not self.blob or _digest(path, "sha1", b"blob %d\0" % path.stat().st_size) == self.blob
        )


def check(files: list[Remote], folder: Path, where: str) -> None:
    """Put aside what arrived damaged. Raises GumptionError if there was anything of the kind."""
    damaged = [file.path for file in files if not file.is_that(folder / file.path)]
    for name in damaged:
        if (folder / name).is_file():
            (folder / name).replace(folder / f"{name}.damaged")
    if damaged:
        more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        raise GumptionError(
            f"{damaged[0]}{more} is not the file that the site lists: its size or checksum differs",
            where=where,
            remedy=f"it is kept as .damaged in {folder}; run the same command again to fetch it anew",
        )


def unreachable(where: str, reason: object, get_from: str) -> GumptionError:
    """The site cannot be asked, or says no: what to do without it."""
    return GumptionError(
        f"cannot be downloaded: {str(reason).strip().splitlines()[0] if str(reason).strip() else reason!r}",
        where=where,
        remedy=f"try again later, or get the files from {get_from} elsewhere, keep their paths, and name "
        "their folder with --data",
    )


def _digest(path: Path, name: str, head: bytes = b"") -> str:
    digest = hashlib.new(name, head, usedforsecurity=False)
    with path.open("rb") as stream:
        while piece := stream.read(2**20):
            digest.update(piece)
    return digest.hexdigest()
