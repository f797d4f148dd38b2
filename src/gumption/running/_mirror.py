"""Folders at addresses, as they are on this machine: which of their files are the same here and there.

    CACHE/addresses/HASH/mirror/…    for reading: what lies at the address, and nothing else
    CACHE/addresses/HASH/driver/…    of the process that asks: may be ahead of what lies at the address

HASH is of the address; the folder itself ends in the address's own last two names.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gumption.atomic import replacing, written
from gumption.cached import cache_folder
from gumption.records import GumptionError
from gumption.running.storage import Kept, Storage

__all__ = ["LOCKS", "Copies", "fetch", "fetched", "local_folder", "stamp_of"]

LOCKS = "locks"
"""Folder at the address in which drivers say that they are there."""
_HEADS = ("run.json", "suite.json")
_MOST_NAMED = 20
_AT_ONCE = 8
"""Files fetched at the same time: a store answers slowly, but many."""


class Copies:
    """Which files are the same here and there, by what told the file apart when it was copied."""

    def __init__(self, path: Path) -> None:
        """`path`: the file in which this is kept. A damaged one costs copying again."""
        self._path = path
        try:
            self._known = msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[str, str]])
        except (OSError, msgspec.MsgspecError):
            self._known = {}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._known))

    def here(self, name: str) -> str:
        """The stamp of the local file when it was copied, "" if it never was."""
        return self._known.get(name, ("", ""))[0]

    def there(self, name: str) -> str:
        """The mark of the file at the address when it was copied, "" if it never was."""
        return self._known.get(name, ("", ""))[1]

    def note(self, name: str, stamp: str, mark: str) -> None:
        self._known[name] = (stamp, mark)

    def forget(self, name: str) -> None:
        self._known.pop(name, None)

    def save(self) -> None:
        with written(self._path), replacing(self._path) as temporary:
            temporary.write_bytes(msgspec.json.encode(self._known))


def stamp_of(path: Path) -> str:
    """Another one when the file was written to since; "" where there is no file."""
    try:
        told = path.stat(follow_symlinks=False)
    except OSError:
        return ""
    return f"{told.st_size} {told.st_mtime_ns} {told.st_ino}"


def local_folder(address: str, use: str) -> tuple[Path, Path]:
    """The folder on this machine that stands for the one at the address, and the one about it."""
    cache = cache_folder()
    about = cache / "addresses" / hashlib.sha256(address.encode()).hexdigest()[:20] / use
    names = address.replace("://", "/").split("/")[-2:]
    return about.joinpath("files", *(name[:100] or "_" for name in names)), about


def fetched(address: str) -> Path:
    """The folder at an address, a run or a suite, for reading: what changed there since last time is copied.

    Raises GumptionError where there is none and where the store cannot be used.
    """
    storage = Storage(address)
    folder, about = local_folder(storage.address, "mirror")
    with _in_turn(about):
        there = storage.kept()
        if not there.keys() & set(_HEADS):
            raise _nothing(storage.address, there)
        copies = Copies(about / "copies.json")
        for name in copies:
            if name not in there:
                (folder / name).unlink(missing_ok=True)
                copies.forget(name)
        changed = [
            name
            for name, kept in there.items()
            if not name.startswith(f"{LOCKS}/")
            and (copies.there(name), copies.here(name)) != (kept.mark, stamp_of(folder / name))
        ]
        fetch(storage, {name: there[name] for name in changed}, folder, copies)
    return folder


def _nothing(address: str, names: Iterable[str]) -> GumptionError:
    below = [f"{address}/{name.removesuffix('/run.json')}" for name in names if name.endswith("/run.json")]
    return GumptionError(
        "there is no run and no suite: neither run.json nor suite.json",
        where=address,
        remedy=f"name the runs below it: {' '.join(below[:_MOST_NAMED])}"
        if below
        else "give the address that gumption run was given as --out, and for one of several models its own",
    )


def fetch(storage: Storage, files: dict[str, Kept], folder: Path, copies: Copies) -> None:
    """Copy files from the address, several at once, and note each."""

    def one(name: str) -> None:
        storage.get(name, folder / name)
        copies.note(name, stamp_of(folder / name), files[name].mark)

    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        for copied in [pool.submit(one, name) for name in files]:
            copied.result()
    finally:
        pool.shutdown(cancel_futures=True)
        copies.save()


@contextmanager
def _in_turn(about: Path) -> Iterator[None]:
    """One process at a time brings a mirror up to date; the others wait."""
    with written(about):
        about.mkdir(parents=True, exist_ok=True)
        lock = os.open(about / "mirror.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    with os.fdopen(lock, "r+"):
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
