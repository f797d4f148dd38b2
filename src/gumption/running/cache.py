"""Replies by the whole request, shared over runs: a suite cut out of an evaluated pool costs nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType

import msgspec

from gumption.records import GumptionError, Key, Reply

__all__ = ["ReplyCache"]


class ReplyCache:
    """A file of replies, keyed by the hash of the request and the epoch. Several runs may share it at once.

    The hash is over model, decoding, text and pictures; server, key and concurrency do not enter it. Failed
    requests are never kept. Raises GumptionError where the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=30, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS replies "
                "(request TEXT, epoch INTEGER, reply BLOB, PRIMARY KEY (request, epoch)) WITHOUT ROWID"
            )
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error

    def get(self, request_sha256: str, key: Key) -> Reply | None:
        """The reply to this request at this epoch, under `key`."""
        try:
            row = self._database.execute(
                "SELECT reply FROM replies WHERE request = ? AND epoch = ?", (request_sha256, key[1])
            ).fetchone()
            if row is None:
                return None
            reply = msgspec.json.decode(row[0], type=Reply)
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            raise self._unusable(error) from error
        return msgspec.structs.replace(
            reply, item_id=key[0], epoch=key[1], call=key[2], params={**reply.params, "cached": True}
        )

    def put(self, request_sha256: str, reply: Reply) -> None:
        """Keep a reply; one that is there already stays."""
        try:
            self._database.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?)",
                (request_sha256, reply.epoch, msgspec.json.encode(reply)),
            )
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> GumptionError:
        return GumptionError(
            f"the reply cache cannot be used: {error}",
            where=str(self._path),
            remedy="name another file with --cache, or leave it out",
        )

    def __enter__(self) -> ReplyCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()
