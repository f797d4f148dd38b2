"""Commits of SQLite writers that wait at the same time, made as one.

A commit waits for the disk for longer than what it commits took to write, and SQLite has one writer. So
each writer adds a savepoint to the transaction of those before it, and the one behind whom nobody waits
commits for all. Nobody goes on before that: what a writer is told is saved is on disk, as with a commit of
its own.
PostgreSQL does the same by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.engine import Connection, Engine

__all__ = ["SharedCommit"]

_MOST = 100
"""Writers of one commit, so that the first of them does not wait for long."""


class SharedCommit:
    """`writing` as `Database` has it. Safe to share between threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._turn = threading.Lock()
        self._waiting = 0
        self._counting = threading.Lock()
        self._batch: _Batch | None = None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self._counting:
            self._waiting += 1
        with self._turn:
            with self._counting:
                self._waiting -= 1
            batch = self._batch = self._batch or _Batch(self._engine)
            try:
                with batch.connection.begin_nested():
                    yield batch.connection
            finally:
                batch.writers += 1
                if not self._waiting or batch.writers >= _MOST:
                    self._commit()
        batch.wait()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No writer is under way until the block ends."""
        with self._turn:
            self._commit()
            yield

    def _commit(self) -> None:
        batch, self._batch = self._batch, None
        if batch:
            batch.commit()


class _Batch:
    """One transaction of several writers."""

    def __init__(self, engine: Engine) -> None:
        self.connection = engine.connect()
        self.connection.begin()
        self.writers = 0
        self._over = threading.Event()
        self._failure: Exception | None = None

    def commit(self) -> None:
        try:
            self.connection.commit()
        except Exception as error:
            self._failure = error
            # Whatever state it is in: its transaction ends with it.
            self.connection.invalidate()
        finally:
            self.connection.close()
            self._over.set()

    def wait(self) -> None:
        """Until it is on disk. Raises what the commit raised."""
        self._over.wait()
        if self._failure:
            raise self._failure
