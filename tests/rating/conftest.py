"""Stores on SQLite and on a PostgreSQL that is started here."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from gumption.rating.store import Store


class Clock:
    """Time that tests move."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """Where a store is, and a way to open it once more as another process would."""

    def __init__(self, folder: Path, url: str, clock: Clock) -> None:
        self.folder, self.url, self.clock = folder, url, clock
        self._opened: list[Store] = []

    def open(self) -> Store:
        store = Store.open(self.folder, self.url, create=True, clock=self.clock)
        self._opened.append(store)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()


def _program(name: str) -> str | None:
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return str(versions[-1]) if versions else shutil.which(name)


def _as_user(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root: who it is to run as, as the beginning of a command."""
    if os.geteuid() != 0:
        return []
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = known.get("postgres") or known["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Callable[[], str]]:
    """A server of our own on a socket in a temporary folder; gives the address of an empty database."""
    initdb, postgres = _program("initdb"), _program("postgres")
    if initdb is None or postgres is None:
        pytest.skip("no PostgreSQL server program: apt-get install postgresql")
    # Short, as a socket's path has to be, and not in pytest's folder, which only its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="gumption-pg-"))
    try:
        user = _as_user(folder)
        data = str(folder / "data")
        made = [*user, initdb, "-D", data, "-U", "gumption", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(made, check=True, capture_output=True, cwd="/", timeout=120)
        log = (folder / "log").open("wb")
        # What is tested is our side of a commit; this server and its disk go with the tests.
        settings = [word for setting in ("listen_addresses=", "fsync=off") for word in ("-c", setting)]
        started = [*user, postgres, "-D", data, "-k", str(folder), *settings]
        with log, subprocess.Popen(started, stdout=log, stderr=log, cwd="/") as server:
            try:
                _wait_for(folder, server)
                yield lambda: _emptied(folder)
            finally:
                server.send_signal(signal.SIGQUIT)
                server.wait(60)
    finally:
        shutil.rmtree(folder)


def _connect(folder: Path) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(host=str(folder), user="gumption", dbname="postgres", autocommit=True)


def _wait_for(folder: Path, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, (folder / "log").read_text()
        try:
            with _connect(folder):
                return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise AssertionError((folder / "log").read_text())


def _emptied(folder: Path) -> str:
    """The address of the one database, without tables: making databases costs more than what is tested."""
    with _connect(folder) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return f"postgresql://gumption@/postgres?host={folder}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty store on each kind of database."""
    url = request.getfixturevalue("postgres_server")() if request.param == "postgres" else ""
    place = Place(tmp_path / "study", url, Clock())
    yield place
    place.close()


@pytest.fixture
def sqlite_place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path / "study", "", Clock())
    yield place
    place.close()


@pytest.fixture
def store(place: Place) -> Store:
    return place.open()
