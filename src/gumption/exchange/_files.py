"""Files of other tools, read with a bound on what they unpack to."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gumption.lines import read_whole
from gumption.records import GumptionError

__all__ = ["Archive", "json_of", "json_of_file", "open_archive"]

_MAX_JSON = 512 * 2**20
"""Bytes of one JSON file."""
MAX_MEMBER = 256 * 2**20
"""Bytes of one file in an archive, unpacked."""
MAX_ARCHIVE = 8 * 2**30
"""Bytes of all files in an archive, unpacked."""
MAX_MEMBERS = 2_000_000
_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<26xHH")
"""The lengths of name and extra field, which the packed bytes stand behind."""


def json_of_file(path: Path) -> Any:
    """The same of a file. Raises GumptionError too where it cannot be read or is too large."""
    return json_of(read_whole(path, _MAX_JSON, "split the log into several files"), str(path))


def json_of(data: bytes, where: str) -> Any:
    """The value; NaN and Infinity, which Python's own writers make, are taken. Raises GumptionError."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise GumptionError(f"not JSON: {error}", where=where, remedy="fetch the file again") from error


class Archive:
    """A zip file whose members are read one at a time and never beyond the bounds."""

    def __init__(self, path: Path, stream: io.BufferedReader, archive: zipfile.ZipFile) -> None:
        self._path, self._stream, self._archive = path, stream, archive
        members = archive.infolist()
        if len(members) > MAX_MEMBERS or sum(member.file_size for member in members) > MAX_ARCHIVE:
            raise self._too_large("the archive", MAX_ARCHIVE)
        self._members = {member.filename: member for member in members}

    def names(self) -> list[str]:
        return list(self._members)

    def sizes(self) -> int:
        """Bytes that the members say they unpack to."""
        return sum(member.file_size for member in self._members.values())

    def read(self, name: str) -> bytes:
        """A member, unpacked. Raises GumptionError where it is missing, damaged or too large."""
        try:
            member = self._members[name]
            if member.file_size > MAX_MEMBER:
                raise self._too_large(name, MAX_MEMBER)
            if member.compress_type == _ZSTANDARD:
                return self._unpacked(member)
            with self._archive.open(member) as stream:
                return stream.read(MAX_MEMBER)  # zipfile gives no more than the size that was checked
        except KeyError as error:
            raise self._damaged(f"no {name} in it") from error
        except (
            OSError,
            EOFError,
            zipfile.BadZipFile,
            zlib.error,
            NotImplementedError,
            RuntimeError,
            UnicodeDecodeError,
        ) as error:
            raise self._damaged(str(error)) from error

    def _unpacked(self, member: zipfile.ZipInfo) -> bytes:
        """Zstandard, as Inspect packs its logs; Python's zipfile knows it from 3.14 on."""
        try:
            import zstandard
        except ImportError as error:
            raise GumptionError(
                "packed with Zstandard", where=str(self._path), remedy="pip install 'gumption[exchange]'"
            ) from error
        self._stream.seek(member.header_offset)
        name, extra = _LOCAL_HEADER.unpack(self._stream.read(_LOCAL_HEADER.size))
        self._stream.seek(name + extra, io.SEEK_CUR)
        packed = io.BytesIO(self._stream.read(member.compress_size))
        unpacker = zstandard.ZstdDecompressor(max_window_size=MAX_MEMBER)
        try:
            with unpacker.stream_reader(packed, read_across_frames=True) as stream:
                data: bytes = stream.read(member.file_size + 1)
        except zstandard.ZstdError as error:
            raise self._damaged(str(error)) from error
        if len(data) != member.file_size or zlib.crc32(data) != member.CRC:
            raise self._damaged(f"{member.filename} is not what it says it is")
        return data

    def _damaged(self, problem: str) -> GumptionError:
        return GumptionError(
            f"cannot be unpacked: {problem}", where=str(self._path), remedy="fetch the file again"
        )

    def _too_large(self, what: str, most: int) -> GumptionError:
        return GumptionError(
            f"{what} unpacks to over {most // 2**20} MiB", where=str(self._path), remedy="split the log"
        )


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Raises GumptionError where the file is no zip file, or more than the bounds."""
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            yield Archive(path, stream, archive)
    except (OSError, zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise GumptionError(
            f"not a zip file: {error}", where=str(path), remedy="fetch the file again"
        ) from error
