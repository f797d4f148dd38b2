"""One database: opened, checked, and used in short transactions whose failures say what to do.

SQLite runs in WAL mode with synchronous=FULL, so that what was committed survives SIGKILL and loss of power,
and a writing transaction takes the write lock at its start (BEGIN IMMEDIATE), so that what it read stays true
until it commits. PostgreSQL gets the same from row locks, which the callers take on the study or task.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError

from gumption.rating._shared_commit import SharedCommit
from gumption.rating._tables import SCHEMA, metadata, versions
from gumption.rating.errors import DatabaseBusyError, DatabaseError, SchemaError

__all__ = ["Database"]

_WAIT_MS = 15_000
"""How long a transaction waits for another process to let go."""
_BUSY = (
    "database is locked",
    "database table is locked",
    "lock timeout",
    "deadlock detected",
    "QueuePool limit",
)
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


class Database:
    """An open database of this schema version. Safe to share between threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.sqlite = engine.dialect.name == "sqlite"
        self.address = engine.url.render_as_string(hide_password=True)
        writes = engine.execution_options(gumption_writes=True)
        # SQLite has one writer. Waiting here is fair and free; its own waiting is polling with sleeps.
        self._shared = SharedCommit(writes) if self.sqlite else None

    @classmethod
    def open(cls, url: str, *, create: bool) -> Database:
        """Connect, make the tables if `create` and there are none, and check their version.

        Raises DatabaseError or one of its classes.
        """
        database = cls(_engine(_parsed(url)))
        try:
            database._check_schema(create=create)
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads; it sees one state of the database."""
        with self._explained(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on disk when the block ends, or as if it had never been."""
        begun = self._shared.writing() if self._shared else self._engine.begin()
        with self._explained(), begun as connection:
            yield connection

    def erase_traces(self) -> None:
        """After a deletion: leave none of the deleted bytes in SQLite's log or in PostgreSQL's tables.

        PostgreSQL's own write-ahead log and backups are its administrator's. Raises DatabaseBusyError where a
        reader in another process holds SQLite's log; the rows themselves are gone by then.
        """
        with self._explained(), self._alone(), self._engine.connect() as raw:
            connection = raw.execution_options(isolation_level="AUTOCOMMIT")
            if not self.sqlite:
                connection.exec_driver_sql("VACUUM rating, draft, assignment, link, rater")
                return
            busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar()
        if busy:
            raise DatabaseBusyError(
                "the rows are deleted, but a reader holds the log that still has their bytes",
                where=self.address,
                remedy="end that program; the bytes then go when the server is stopped, or with erase_traces",
            )

    def _alone(self) -> AbstractContextManager[None]:
        return self._shared.alone() if self._shared else nullcontext()

    def _check_schema(self, *, create: bool) -> None:
        with self.writing() as connection:
            tables = set(sa.inspect(connection).get_table_names())
            if versions.name not in tables:
                if tables & set(metadata.tables):
                    raise SchemaError(
                        "tables of other software have the names of ours",
                        where=self.address,
                        remedy="name an empty database",
                    )
                if not create:
                    raise DatabaseError(
                        "no study is in this database",
                        where=self.address,
                        remedy="make one with: gumption rate new RUN... -o FOLDER",
                    )
                metadata.create_all(connection)
                connection.execute(versions.insert().values(version=SCHEMA))
                return
            found = connection.execute(sa.select(sa.func.max(versions.c.version))).scalar()
        if found != SCHEMA:
            raise SchemaError(
                f"the tables are of version {found}, this gumption uses {SCHEMA}",
                where=self.address,
                remedy="export with the version of gumption that made them, or install that version",
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn the drivers' errors into ours."""
        try:
            yield
        except SQLAlchemyError as error:
            said = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()
            problem = said[0] if said else type(error).__name__
            if any(words in problem for words in _BUSY):
                raise DatabaseBusyError(
                    f"the database is in use ({problem})",
                    where=self.address,
                    remedy="try again; end other programs that hold it, as an open database browser",
                ) from error
            remedy = (
                "see that the folder is there, may be written and has room"
                if self.sqlite
                else "see that the server runs and that name, password and database in the address are right"
            )
            kind = "cannot be used" if isinstance(error, OperationalError) else "failed"
            raise DatabaseError(
                f"the database {kind}: {problem}", where=self.address, remedy=remedy
            ) from error


def _parsed(url: str) -> URL:
    remedy = "give sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise DatabaseError("not a database address", where="--database", remedy=remedy) from error
    parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
    if parsed.drivername not in ("sqlite", "postgresql+psycopg"):
        raise DatabaseError(f"no support for {parsed.drivername!r}", where="--database", remedy=remedy)
    if parsed.drivername == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise DatabaseError("a study must be in a file", where="--database", remedy=remedy)
    return parsed


def _engine(url: URL) -> Engine:
    sqlite = url.drivername == "sqlite"
    if sqlite and not Path(url.database or "").parent.is_dir():
        raise DatabaseError(
            "the folder of the database is not there", where=str(url.database), remedy="make the folder first"
        )
    arguments: dict[str, Any] = {"timeout": _WAIT_MS / 1000} if sqlite else {"connect_timeout": 10}
    try:
        engine = sa.create_engine(
            url, connect_args=arguments, pool_size=8, max_overflow=24, pool_pre_ping=not sqlite
        )
    except (ImportError, NoSuchModuleError) as error:
        raise DatabaseError(
            "the driver of PostgreSQL is not installed",
            where="--database",
            remedy="pip install 'gumption[rating,postgres]'",
        ) from error
    sa.event.listen(engine, "connect", _prepare_sqlite if sqlite else _prepare_postgres)
    if sqlite:
        sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own
    for setting in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
        f"busy_timeout={_WAIT_MS}",
    ):
        connection.execute(f"PRAGMA {setting}")


def _prepare_postgres(connection: Any, _record: Any) -> None:
    connection.execute("SET synchronous_commit = on")
    connection.execute(f"SET lock_timeout = {_WAIT_MS}")
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("gumption_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
