"""The lines of a file from outside, read one at a time and bounded in size."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from gumption.records import GumptionError

__all__ = ["decode", "read_lines", "too_long"]

MAX_LINE = 64 * 2**20
"""Bytes in one line, and in one quoted row of several lines."""
MAX_LINES = 5_000_000
MAX_FILE = 64 * 2**30
"""Bytes read from one file, after unpacking."""


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
    except (EOFError, zlib.error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        remedy = "check the path and the permissions; fetch the file again if it is damaged"
        raise GumptionError(f"cannot be read: {reason}", where=str(path), remedy=remedy) from error


def decode(line: bytes | None) -> str:
    """The line as text; GumptionError if it is too long or not UTF-8."""
    if line is None:
        raise too_long()
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"not UTF-8: byte {error.start + 1} of the line cannot be read"
        raise GumptionError(problem, remedy="save the file as UTF-8") from error


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.name.endswith(".gz") else path.open("rb")


def _check_size(path: Path, number: int, total: int) -> None:
    if number > MAX_LINES or total > MAX_FILE:
        problem = f"more than {MAX_LINES:,} lines or {MAX_FILE // 2**30} GiB unpacked"
        raise GumptionError(problem, where=str(path), remedy="split the file")
