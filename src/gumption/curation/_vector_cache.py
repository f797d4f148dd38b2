"""Vectors by what they were made of and by whom: one file, which several processes may share.

SQLite keeps it whole through a crash: a block of vectors is either there or not. What was altered by
something else is found by its checksum and made again.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gumption.records import GumptionError

__all__ = ["VectorCache"]


class VectorCache:
    """A file of vectors as bytes, keyed by (id of the encoder, SHA-256 of the content in hex)."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, encoder: str, contents: Sequence[str]) -> dict[str, bytes]:
        """Those of the contents that are there, with their vectors."""
        with self._open() as database:
            rows = database.execute(
                "SELECT content, vector, checksum FROM vectors "
                "WHERE encoder = ? AND content IN (SELECT value FROM json_each(?))",
                (encoder, msgspec.json.encode(contents).decode()),
            )
            return {content: vector for content, vector, checksum in rows if zlib.crc32(vector) == checksum}

    def put(self, encoder: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors, all of them or, after a crash, none."""
        rows = [(encoder, key, value, zlib.crc32(value)) for key, value in vectors.items()]
        with self._open() as database, database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection for one call: none is carried into another process or thread."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self._path, timeout=30)
            try:
                database.execute("PRAGMA journal_mode=WAL")
                database.execute("PRAGMA synchronous=NORMAL")
                database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (encoder TEXT, content TEXT, vector BLOB, "
                    "checksum INTEGER, PRIMARY KEY (encoder, content))"
                )
                yield database
            finally:
                database.close()
        except (OSError, sqlite3.Error) as error:
            raise GumptionError(
                f"the cache of vectors cannot be used: {error}",
                where=str(self._path),
                remedy="name another file, or delete this one: the vectors are then made again",
            ) from error
