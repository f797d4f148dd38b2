"""Writers of SQLite that wait at the same time share one commit, and nothing else."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from gumption.rating._database import Database
from gumption.rating._tables import versions
from gumption.rating.errors import DatabaseError


@pytest.fixture
def database(tmp_path: Path):
    opened = Database.open(f"sqlite:///{tmp_path / 'ratings.sqlite'}", create=True)
    yield opened
    opened.close()


def seen(tmp_path: Path) -> set[int]:
    """As another process sees it."""
    connection = sqlite3.connect(tmp_path / "ratings.sqlite")
    rows = connection.execute("SELECT version FROM gumption_schema WHERE version >= 100").fetchall()
    connection.close()
    return {row[0] for row in rows}


def together(database: Database, count: int, fails: set[int], tmp_path: Path) -> tuple[set[int], list[bool]]:
    """`count` writers who all wait behind the first; who was told it is saved, and whether it then was."""
    told: set[int] = set()
    there: list[bool] = []
    first_in, go = threading.Event(), threading.Event()

    def write(number: int) -> None:
        try:
            with database.writing() as connection:
                if number == 100:
                    first_in.set()
                    go.wait(10)
                connection.execute(versions.insert().values(version=number))
                if number in fails:
                    raise ZeroDivisionError
        except ZeroDivisionError:
            return
        there.append(number in seen(tmp_path))
        told.add(number)

    threads = [threading.Thread(target=write, args=(100 + number,)) for number in range(count)]
    threads[0].start()
    first_in.wait(10)
    for thread in threads[1:]:
        thread.start()
    time.sleep(0.3)  # until all of them wait
    go.set()
    for thread in threads:
        thread.join(20)
    return told, there


def test_what_a_writer_is_told_is_on_disk_then(database: Database, tmp_path: Path) -> None:
    told, there = together(database, 12, set(), tmp_path)
    assert told == seen(tmp_path) == set(range(100, 112))
    assert all(there)


@pytest.mark.parametrize("fails", [{100}, {105}, {111}, {100, 103, 111}, set(range(100, 112))])
def test_one_writers_failure_is_its_own(database: Database, tmp_path: Path, fails: set[int]) -> None:
    told, _ = together(database, 12, fails, tmp_path)
    assert told == seen(tmp_path) == set(range(100, 112)) - fails
    with database.writing() as connection:
        connection.execute(versions.insert().values(version=500))
    assert 500 in seen(tmp_path)


def test_those_who_wait_share_one_commit(database: Database, tmp_path: Path) -> None:
    commits: list[int] = []
    sa.event.listen(database._engine, "commit", lambda _: commits.append(1))
    together(database, 12, set(), tmp_path)
    assert len(commits) == 1


def test_a_commit_that_fails_is_told_to_everybody(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(database._engine.dialect, "do_commit", full)
    errors: list[DatabaseError] = []

    def write(number: int) -> None:
        try:
            with database.writing() as connection:
                connection.execute(versions.insert().values(version=number))
        except DatabaseError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(100 + number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(errors) == 6
    monkeypatch.undo()
    assert not seen(tmp_path)
    with database.writing() as connection:
        connection.execute(versions.insert().values(version=200))
    assert seen(tmp_path) == {200}
