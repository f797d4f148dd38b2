"""The data that a pipeline is of: where they lie, and by what they are known again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from gumption.records import GumptionError
from gumption.synthesis._walk import files_of

__all__ = ["Data", "data_of"]

_CHUNK = 2**20


class Data(Struct, frozen=True):
    """A benchmark's folder, without the files that hold replies of models."""

    files: int
    sha256: str
    """Over names and bytes, whatever their order on disk."""
    withheld: tuple[str, ...]
    """Files that no pipeline sees and that do not count."""


def data_of(root: Path, withheld: Sequence[str]) -> Data:
    """Reads every file once. Raises GumptionError where one cannot be read."""
    hidden = set(withheld)
    names = sorted(name for name in files_of(root)[0] if name not in hidden)
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\0{_sha256(root / name)}\n".encode(errors="surrogateescape"))
    return Data(len(names), digest.hexdigest(), tuple(sorted(hidden)))


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise GumptionError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="check the permissions"
        ) from error
    return digest.hexdigest()
