"""Databases that cannot be used, and what is said then."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from places import Place
from studies import invite, new, values

from gumption.rating import _database
from gumption.rating.errors import DatabaseBusyError, DatabaseError, NotThereError, SchemaError
from gumption.rating.store import Store
from gumption.records import GumptionError


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "mysql://me@host/db",
        "sqlite://",
        "sqlite:///:memory:",
        "postgresql+asyncpg://host/db",
        "sqlite:////nowhere/at/all/x.sqlite",
        "postgresql://me:hunter2@/db?host=/nowhere",
        "postgresql://me:hunter2@127.0.0.1:1/db",
    ],
)
def test_a_bad_address_is_explained_without_its_password(tmp_path: Path, url: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        Store.open(tmp_path / "study", url, create=True)
    assert caught.value.remedy
    assert "hunter2" not in f"{caught.value}{caught.value.where}{caught.value.remedy}"


def test_a_folder_without_a_study_is_told_and_left_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(NotThereError, match="no study"):
        Store.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_a_study_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="no study"):
        Store.open(tmp_path, f"sqlite:///{tmp_path / 'empty.sqlite'}")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GumptionError, match="cannot be used"):
        Store.open(tmp_path / "file" / "study", create=True)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "ratings.sqlite").write_bytes(b"not a database at all, but long enough to look like one" * 40)
    with pytest.raises(DatabaseError, match="not a database"):
        Store.open(tmp_path)


@pytest.mark.parametrize("version", [0, 2])
def test_tables_of_another_version_are_not_touched(place: Place, version: int) -> None:
    store = place.open()
    new(store)
    with store._database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE gumption_schema SET version = {version}")
    store.close()
    with pytest.raises(SchemaError, match=f"version {version}") as caught:
        Store.open(place.folder, place.url, create=True)
    assert "version" in caught.value.remedy


def test_tables_of_other_software_are_not_touched(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "ratings.sqlite")
    connection.execute("CREATE TABLE rating (stars INTEGER)")
    connection.close()
    with pytest.raises(SchemaError, match="other software"):
        Store.open(tmp_path, create=True)


def test_a_database_that_is_held_is_told_and_works_again(
    sqlite_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_database, "_WAIT_MS", 100)
    store = sqlite_place.open()
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    holder = sqlite3.connect(sqlite_place.folder / "ratings.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseBusyError, match="in use") as caught:
        store.submit(rater, task.id, values(task))
    assert "try again" in caught.value.remedy
    assert store.task(rater, task.id).revision == 0  # reading goes on
    holder.execute("ROLLBACK")
    holder.close()
    assert store.submit(rater, task.id, values(task)).revision == 1


def test_a_deletion_that_a_reader_holds_up_is_told_and_can_be_finished(
    sqlite_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_database, "_WAIT_MS", 100)
    store = sqlite_place.open()
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    store.submit(rater, task.id, values(task), "mynameisgrace")
    holder = sqlite3.connect(sqlite_place.folder / "ratings.sqlite", isolation_level=None)
    holder.execute("BEGIN")
    holder.execute("SELECT count(*) FROM rating").fetchone()
    with pytest.raises(DatabaseBusyError, match="rows are deleted"):
        store.delete_rater(rater)
    holder.execute("ROLLBACK")
    holder.close()
    assert store.raters(made.id) == ()
    store.erase_traces()
    left = b"".join(path.read_bytes() for path in sqlite_place.folder.glob("ratings.sqlite*"))
    assert b"mynameisgrace" not in left


def test_the_settings_that_durability_rests_on_are_on(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    with store._database.reading() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1}
