"""Benchmarks whose pictures and clips are published in archives: fetched, and unpacked once."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from gumption.benchmarks._hub import Source, fetch
from gumption.benchmarks._hub.source import matching
from gumption.records import GumptionError

__all__ = ["unpacked"]

_DAMAGED = (
    *(OSError, EOFError, ValueError, RuntimeError),
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError),
)
"""What the standard library raises of damaged archives."""
_MOST_BYTES = 2**40
"""Unpacked, of one archive."""


def unpacked(archives: Source, data: Path | None) -> Path:
    """The folder that holds the source's files with its archives unpacked, each where it lies.

    data: a local mirror, in which the user unpacked them; it is given back as it is. Raises GumptionError for
    an archive that is damaged, leads out of its folder, or does not fit on the disk.
    """
    if data is not None:
        return data
    folder = fetch(archives)
    for name in matching(folder, archives.files):
        path = folder / name
        if unpack := _UNPACK.get("".join(path.suffixes[-2:])) or _UNPACK.get(path.suffix):
            _once(path, unpack)
    return folder


def _once(path: Path, unpack: Callable[[Path, Path], None]) -> None:
    done = path.with_name(f".{path.name}.unpacked")
    if done.exists():
        return
    try:
        unpack(path, path.parent)
    except _DAMAGED as error:
        problem = f"cannot be unpacked: {error}"
        raise GumptionError(problem, where=str(path), remedy="delete it and start again") from error
    done.touch()


def _zip(path: Path, folder: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        _bounded(sum(member.file_size for member in archive.infolist()))
        root = folder.resolve()
        for member in archive.infolist():
            # A link that lies there already would be written through, as a hub's cache is made of links.
            place = (root / member.filename).resolve()
            if not place.is_relative_to(root):
                raise OSError(f"{member.filename!r} leads out of its folder")
            if place != root:  # "" and "./" are the folder itself
                archive.extract(member, root)


def _tar(path: Path, folder: Path) -> None:
    with tarfile.open(path) as archive:
        total = 0
        for member in archive:
            total += member.size
            _bounded(total)
            archive.extract(member, folder, filter="data")  # refuses what leads out of the folder


def _bounded(size: int) -> None:
    if size > _MOST_BYTES:
        raise OSError(f"over {_MOST_BYTES // 2**30} GiB")


_UNPACK: dict[str, Callable[[Path, Path], None]] = {".zip": _zip, ".tar": _tar, ".tar.gz": _tar, ".tgz": _tar}
