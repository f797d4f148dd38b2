"""A folder at an address, `s3://bucket/prefix` and the like, through fsspec.

Keys, and the server where it is not the provider's own, come from the environment, as the store's client
reads them: for S3 `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_PROFILE`, `AWS_DEFAULT_REGION` and, for
MinIO and other servers of that interface, `AWS_ENDPOINT_URL`. An address holds none of them, so it may stand
in a file.
"""

from __future__ import annotations

import datetime
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gumption.atomic import replacing, written
from gumption.records import GumptionError
from gumption.running._tries import missing_package, tried

__all__ = ["Kept", "Storage", "is_address"]

_MOST_NAMES = 1_000_000
_SMALL = 16 * 2**20
"""Bytes up to which a file is read before it is sent, so that one that grows meanwhile is sent as it was."""
_REMEDY = "write it as s3://BUCKET/FOLDER"
_S3 = ("s3", "s3a")
_WHOLE = {*_S3, "gs", "gcs", "az", "abfs", "abfss", "oss", "oci"}
"""Object stores: an object is there when all of it has come. Elsewhere a file is moved into place."""
_KNOWN = {*_WHOLE, "file", "hdfs", "memory"}
"""An address may stand in a file of somebody else: it leads to stores, and to no other servers."""


def is_address(text: object) -> bool:
    """Whether this names a place as `s3://bucket/prefix` does, and not a path."""
    return isinstance(text, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text) is not None


@dataclass(frozen=True)
class Kept:
    """A file as it lies at an address."""

    size: int
    """Bytes."""
    mark: str
    """Another one where the content is another: the store's own tag, or size and time."""


class Storage:
    """One folder at an address. Several threads may use it, and it travels to other processes without keys.

    Every method raises GumptionError where the store refuses, or cannot be reached in four tries (some five
    seconds, if each is refused at once). Names are relative to the folder, with "/"; those that would lead
    out of it are refused.
    """

    def __init__(self, address: str) -> None:
        """Nothing is asked of the store yet. Raises GumptionError for an address with a key in it."""
        self.address = _checked_address(address)
        self._scheme = self.address.partition("://")[0]
        self._files, self._root = _opened(self.address, self._scheme)

    def __repr__(self) -> str:
        return f"Storage({self.address!r})"

    def __reduce__(self) -> tuple[type[Storage], tuple[str]]:
        return Storage, (self.address,)

    def put(self, path: Path, name: str) -> None:
        """Copy a file there: whole or not at all."""
        try:
            data = path.read_bytes() if path.stat().st_size <= _SMALL else None
        except OSError as error:
            raise GumptionError(
                f"cannot be read: {error.strerror or error}", where=str(path), remedy="check the permissions"
            ) from error
        if data is not None:
            self.write(name, data)
        else:
            self._place(name, lambda target: self._files.put_file(str(path), target))

    def write(self, name: str, data: bytes) -> None:
        """Put these bytes there: whole or not at all."""
        self._place(name, lambda target: self._files.pipe_file(target, data))

    def get(self, name: str, to: Path) -> None:
        """Copy a file from there; `to` is replaced as a whole."""
        source = self._path(name)
        with written(to), replacing(to) as temporary, self._found(name):
            tried(lambda: self._files.get_file(source, str(temporary)), self._place_of(name))

    def read(self, name: str) -> bytes:
        """The content of a small file."""
        source = self._path(name)
        with self._found(name):
            return bytes(tried(lambda: self._files.cat_file(source), self._place_of(name)))

    def names(self, under: str = "") -> dict[str, int]:
        """Every file in the folder, or in a folder within it, with its size in bytes."""
        return {name: kept.size for name, kept in self.kept(under).items()}

    def kept(self, under: str = "") -> dict[str, Kept]:
        """Every file in the folder, or in a folder within it, by its name, sorted."""
        root = self._path(under) if under else self._root
        try:
            found: dict[str, dict[str, Any]] = tried(
                lambda: self._files.find(root, detail=True), self._place_of(under)
            )
        except FileNotFoundError:
            return {}
        if len(found) > _MOST_NAMES:
            raise GumptionError(
                f"{len(found):,} files",
                where=self.address,
                remedy="give the address of a run, not of a bucket",
            )
        files = {}
        for path, info in sorted(found.items()):
            name = path.removeprefix(self._root).lstrip("/")
            # The marker of an empty folder, a link that may lead elsewhere, a file not yet in its place.
            if not name or path.endswith("/") or info.get("islink") or _is_temporary(name):
                continue
            files[_checked_name(name, self.address)] = Kept(int(info.get("size") or 0), _mark(info))
        return files

    def mark(self, name: str) -> str:
        """The mark of a file, as `kept` tells it."""
        path = self._path(name)
        with self._found(name):
            return _mark(tried(lambda: self._files.info(path), self._place_of(name)))

    def claim(self, name: str, holder: bytes) -> bool:
        """Make a file that nobody has made before; whether it is ours. `holder` is like nobody else's.

        On S3 this is a conditional request. A store that knows none lets the last of several claimers of one
        moment have it, which each of them sees on reading it.
        """
        path = self._path(name)

        def make() -> bool:
            try:
                self._make(path, holder)
            except OSError:
                # Somebody's, or ours if an earlier try came through although its answer did not.
                if not self._files.exists(path):
                    raise
            return bytes(self._files.cat_file(path)) == holder

        with self._found(name):
            return tried(make, self._place_of(name))

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        path = self._path(name)
        try:
            tried(lambda: self._files.rm_file(path), self._place_of(name))
        except FileNotFoundError:
            return

    def _make(self, path: str, data: bytes) -> None:
        """Raises FileExistsError, or another OSError, where there is such a file."""
        if self._scheme in _WHOLE or not hasattr(self._files, "link"):
            self._files.pipe_file(path, data, mode="create")
            return
        # A link to a finished file is made at once, as opening a new one and filling it is not.
        with self._beside(path) as temporary:
            self._files.pipe_file(temporary, data)
            self._files.link(temporary, path)

    def _place(self, name: str, send: Callable[[str], None]) -> None:
        path = self._path(name)

        def place() -> None:
            if self._scheme in _WHOLE:
                send(path)
                return
            with self._beside(path) as temporary:
                send(temporary)
                self._files.mv(temporary, path)

        with self._found(name):
            tried(place, self._place_of(name))

    @contextmanager
    def _beside(self, path: str) -> Iterator[str]:
        """A temporary path in the same folder of a file system, which is made."""
        folder, _, name = path.rpartition("/")
        temporary = f"{folder}/.{name[:200]}.{secrets.token_hex(6)}.tmp"
        self._files.makedirs(folder, exist_ok=True)
        try:
            yield temporary
        finally:
            if self._files.exists(temporary):
                self._files.rm_file(temporary)

    @contextmanager
    def _found(self, name: str) -> Iterator[None]:
        """Says in the block's place that there is no such file, or no such bucket."""
        try:
            yield
        except FileNotFoundError:
            raise GumptionError(
                "is not there", where=self._place_of(name), remedy="look at the address, and for the bucket"
            ) from None

    def _path(self, name: str) -> str:
        return f"{self._root}/{_checked_name(name, self.address)}"

    def _place_of(self, name: str) -> str:
        return f"{self.address}/{name}" if name else self.address


def _opened(address: str, scheme: str) -> tuple[Any, str]:
    """The file system, and the folder's path in it without a slash at its end."""
    try:
        import fsspec
    except ImportError as error:
        raise missing_package("fsspec", address) from error
    options: dict[str, Any] = {"skip_instance_cache": True}
    if scheme in _S3:
        # We try again ourselves, so that the number of tries is ours to bound.
        config = {"connect_timeout": 5, "read_timeout": 60, "retries": {"max_attempts": 0}}
        options |= {"use_listings_cache": False, "config_kwargs": config}
    try:
        files, root = fsspec.url_to_fs(address, **options)
    except ImportError as error:
        raise missing_package("s3fs" if scheme in _S3 else f"a package for {scheme}", address) from error
    if scheme in _S3:
        files.retries = 1
    return files, str(root).rstrip("/")


def _checked_address(address: str) -> str:
    scheme, _, rest = address.partition("://")
    shown = f"{scheme[:20]}://..."
    if not is_address(address):
        raise GumptionError(f"{address[:100]!r} is no address", remedy=_REMEDY)
    # These say who one is, or make an address good for whoever has it.
    if re.search(r"[@?#]", rest):
        raise GumptionError(
            "an address with a name, key or query in it",
            where=shown,
            remedy="leave out what stands before @ and from ? or # on: keys come from the environment",
        )
    if scheme.lower() not in _KNOWN:
        raise GumptionError(
            f"{scheme[:20]} is not known",
            where=shown,
            remedy=f"{_REMEDY}; known are {', '.join(sorted(_KNOWN))}",
        )
    if "::" in address or re.search(r"[\x00-\x1f\x7f\\*\[\]]", rest) or len(address) > 1024:
        raise GumptionError("no folder has such an address", where=shown, remedy=_REMEDY)
    if {"", ".", ".."} & set(rest.strip("/").split("/")):
        raise GumptionError("names no folder by its own address", where=shown, remedy=_REMEDY)
    return f"{scheme.lower()}://{rest.rstrip('/')}"


def _checked_name(name: str, address: str) -> str:
    """The name, if it stays in the folder and every file system can have it."""
    plain = len(name) <= 700 and not re.search(r"[\x00-\x1f\x7f\ud800-\udfff\\*?\[\]]", name)
    if not plain or any(piece in ("", ".", "..") or len(piece.encode()) > 255 for piece in name.split("/")):
        raise GumptionError(
            f"a file of a name that no run has: {name[:100]!r}",
            where=address,
            remedy="remove it, or give the address of a run",
        )
    return name


def _is_temporary(name: str) -> bool:
    last = name.rpartition("/")[2]
    return last.startswith(".") and last.endswith(".tmp")


def _mark(info: dict[str, Any]) -> str:
    if tag := info.get("ETag") or info.get("etag") or info.get("md5Hash"):
        return str(tag).strip('"')
    told = [info.get(name) for name in ("size", "LastModified", "updated", "mtime", "created", "ino")]
    # The same time is a date in one answer of a store and a number in another.
    return " ".join(str(one.timestamp() if isinstance(one, datetime.datetime) else one) for one in told)
