"""Stores on SQLite and on a PostgreSQL that is started here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from places import Clock, Place
from postgres import postgres, program

from gumption.rating.store import Store


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Callable[[], str]]:
    """A server of our own; gives the address of its one database, emptied: making databases costs more."""
    if program("initdb") is None or program("postgres") is None:
        pytest.skip("no PostgreSQL server program: apt-get install postgresql")
    # What is tested is our side of a commit; this server and its disk go with the tests.
    with postgres("fsync=off") as url:

        def emptied() -> str:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
            return url

        yield emptied


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
