"""Files from outside, line by line or whole, as bytes or as JSON, bounded in size."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import msgspec

from gumption.records import GumptionError

__all__ = ["MAX_LINE", "decode", "read_json", "read_lines", "read_rows", "read_whole", "too_long"]

T = TypeVar("T")

MAX_LINE = 64 * 2**20
"""Bytes in one line, and in one quoted row of several lines."""
MAX_LINES = 5_000_000
MAX_FILE = 64 * 2**30
"""Bytes read from one file, after unpacking."""
_UNREADABLE = (EOFError, zlib.error, OSError, ValueError)  # the last for a NUL in the path


def too_long() -> GumptionError:
    problem = f"longer than {MAX_LINE // 2**20} MiB"
    return GumptionError(problem, remedy="keep large pictures in files of their own")


def read_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Number (from 1) and bytes of each line without its line break; None for a line over `MAX_LINE`.

    A name that ends in ".gz" is unpacked on the way; a UTF-8 byte order mark is dropped.
    Raises GumptionError if the file cannot be read, is damaged, or is over `MAX_LINES` or `MAX_FILE`.
    """
    total = 0
    try:
        with _open(path) as stream:
            number = 0
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                total += len(line)
                whole = line.endswith(b"\n") or len(line) <= MAX_LINE
                tail = line
                while not tail.endswith(b"\n") and (tail := stream.readline(MAX_LINE)):
                    total += len(tail)
                    _check_size(path, number, total)
                _check_size(path, number, total)
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)
                yield number, line.removesuffix(b"\n").removesuffix(b"\r") if whole else None
    except _UNREADABLE as error:
        raise _unreadable(path, error) from error


def read_whole(path: Path, most: int, remedy: str) -> bytes:
    """The bytes of a file, unpacked where its name ends in ".gz".

    Raises GumptionError if it cannot be read, is damaged, or, with `remedy`, is over `most` bytes.
    """
    try:
        with _open(path) as stream:
            data = stream.read(most + 1)
    except _UNREADABLE as error:
        raise _unreadable(path, error) from error
    if len(data) > most:
        raise GumptionError(f"over {most // 2**20} MiB", where=str(path), remedy=remedy)
    return data


def read_json(path: Path, kind: type[T], most: int, what: str, remedy: str) -> T:
    """A file as JSON of the type `kind`. Raises GumptionError as `read_whole` does, and "not {what}"."""
    try:
        return msgspec.json.decode(read_whole(path, most, remedy), type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(f"not {what}: {error}", where=str(path), remedy=remedy) from error


def read_rows(path: Path, kind: type[T], what: str, remedy: str) -> Iterator[tuple[str, T]]:
    """The place of each line that is not blank, for errors, and what it is as JSON of the type `kind`.

    Raises GumptionError as `read_lines` and `decode` do, and "not {what}" with `remedy` where a line is
    something else; each names the line.
    """
    decoder = msgspec.json.Decoder(kind)
    for number, line in read_lines(path):
        where = f"{path}, line {number}"
        try:
            text = decode(line)
            row = decoder.decode(text) if text.strip() else None
        except GumptionError as error:
            raise GumptionError(error.problem, where=where, remedy=error.remedy) from error
        except (msgspec.MsgspecError, RecursionError) as error:
            raise GumptionError(f"not {what}: {error}", where=where, remedy=remedy) from error
        if row is not None:
            yield where, row


def decode(line: bytes | None) -> str:
    """The line as text; GumptionError if it is too long or not UTF-8."""
    if line is None:
        raise too_long()
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"not UTF-8: byte {error.start + 1} of the line cannot be read"
        raise GumptionError(problem, remedy="save the file as UTF-8") from error


def _unreadable(path: Path, error: Exception) -> GumptionError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    remedy = "check the path and the permissions; fetch the file again if it is damaged"
    return GumptionError(f"cannot be read: {reason}", where=str(path), remedy=remedy)


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.name.endswith(".gz") else path.open("rb")


def _check_size(path: Path, number: int, total: int) -> None:
    if number > MAX_LINES or total > MAX_FILE:
        problem = f"more than {MAX_LINES:,} lines or {MAX_FILE // 2**30} GiB unpacked"
        raise GumptionError(problem, where=str(path), remedy="split the file")
