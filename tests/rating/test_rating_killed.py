"""Whatever was acknowledged is there after SIGKILL; several processes and threads at once lose nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from places import Place
from studies import invite, material, new, study, values, work

from gumption.rating.store import Store

WRITER = """
import sys
from pathlib import Path
from gumption.rating.store import Store
folder, url, study, rater = sys.argv[1:]
store = Store.open(Path(folder), url)
revision = 0
while True:
    task = store.next_task(rater)
    for number in range(40):
        marks = {"order": number % 5 + 1, "goals": number % 11}
        store.save_draft(rater, task.id, marks, f"draft {number}")
        rating = store.submit(rater, task.id, marks, f"comment {number}")
        print(task.id, rating.revision, number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 17, 60])
def test_every_acknowledged_rating_survives_sigkill(place: Place, after: int) -> None:
    store = place.open()
    made = new(store, study(raters_wanted=1), material(8, 8))
    (rater,) = invite(store, made)
    command = [sys.executable, "-c", WRITER, str(place.folder), place.url, made.id, rater]
    acknowledged: list[list[str]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            acknowledged.append(line.split())
            if len(acknowledged) == after:
                os.kill(writer.pid, signal.SIGKILL)  # in the midst of the next write
    assert writer.returncode == -signal.SIGKILL
    assert len(acknowledged) >= after
    found = {
        (record.task, record.revision): (record.comment, record.values)
        for record in store.records(made.id, history=True)
    }
    for task, revision, number in acknowledged:
        comment, marks = found[task, int(revision)]
        assert comment == f"comment {number}"
        assert marks == {"order": int(number) % 5 + 1, "goals": int(number) % 11}
    # The one that was under way is there whole or not at all, and the rater goes on where they were.
    assert len(found) - len(acknowledged) in (0, 1)
    assert store.next_task(rater) is not None
    if not place.url:
        with sqlite3.connect(place.folder / "ratings.sqlite") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()


def test_the_last_place_is_given_once(place: Place) -> None:
    """Two stores are two processes to the database; twelve raters at once want the place of each output."""
    stores = [place.open(), place.open()]
    made = new(stores[0], study(raters_wanted=1), material(2, 2))
    raters = invite(stores[0], made, 12)
    for _ in range(4):
        with ThreadPoolExecutor(12) as pool:
            given = list(pool.map(lambda at: stores[at % 2].next_task(raters[at]), range(12)))
        records = stores[0].records(made.id)
        held = Counter(record.unit for record in records if record.live or record.revision)
        assert max(held.values()) == 1
        for at, task in enumerate(given):
            if task is not None:
                stores[0].submit(raters[at], task.id, values(task))
    assert Counter(record.unit for record in stores[0].records(made.id)).total() == 4


def test_many_raters_at_once_lose_nothing(place: Place) -> None:
    stores = [place.open(), place.open()]
    made = new(stores[0], study(raters_wanted=3, attention_share=0.1, duplicate_share=0.1), material(3, 4))
    raters = invite(stores[0], made, 8)
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda at: work(stores[at % 2], raters[at]), range(8)))
    records = stores[0].records(made.id)
    assert {record.task for record in records if record.revision} == {
        task.id for tasks in done for task in tasks
    }
    judged = Counter(record.unit for record in records if record.expected is None and not record.repeat)
    assert set(judged.values()) == {3} and len(judged) == 12


def test_one_task_on_two_devices_gets_revisions_in_a_row(place: Place) -> None:
    stores = [place.open(), place.open()]
    made = new(stores[0])
    (rater,) = invite(stores[0], made)
    task = stores[0].next_task(rater)
    assert task is not None
    with ThreadPoolExecutor(8) as pool:
        saved = list(
            pool.map(lambda at: stores[at % 2].submit(rater, task.id, values(task), f"from {at}"), range(16))
        )
    assert sorted(rating.revision for rating in saved) == list(range(1, 17))
    assert [record.revision for record in stores[0].records(made.id, history=True)] == list(range(1, 17))


def _bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("ratings.sqlite*")))


def test_no_byte_of_a_deleted_rater_is_left_in_sqlites_files(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    made = new(store)
    (leaving, staying) = store.invite(made.id, ["Grace Hopper", "Ada Lovelace"])
    task = store.next_task(leaving.rater)
    assert task is not None
    long = " ".join(f"mynameisgrace{number}\u20ac\u20ac\u20ac" for number in range(200))  # longer than a page
    assert len(long.encode()) > 4096
    store.submit(leaving.rater, task.id, values(task), long)
    store.submit(leaving.rater, task.id, values(task), "mynameisgrace, second thoughts")
    store.save_draft(leaving.rater, task.id, {}, "mynameisgrace, a draft")
    other = store.next_task(staying.rater)
    assert other is not None
    store.submit(staying.rater, other.id, values(other), "thisisada")
    before = _bytes(sqlite_place.folder)
    assert b"mynameisgrace" in before and b"Grace Hopper" in before and leaving.rater.encode() in before
    store.delete_rater(leaving.rater)
    for moment in ("open", "closed"):
        after = _bytes(sqlite_place.folder)
        for trace in (b"mynameisgrace", b"Grace Hopper", leaving.rater.encode(), task.id.encode()):
            assert trace not in after, moment
        assert b"thisisada" in after
        store.close()


def test_tokens_are_kept_as_hashes_only(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    made = study()
    tokens = [store.create(made, material()), *(one.token for one in store.invite(made.id, ["", ""]))]
    tokens.append(store.renew(store.raters(made.id)[0].id))
    for token in tokens:
        assert token.encode() not in _bytes(sqlite_place.folder)
    assert store.access(tokens[0]).role == "organiser"


def test_a_store_that_was_closed_is_there_again(place: Place) -> None:
    with place.open() as store:
        made = new(store)
        (rater,) = invite(store, made)
        work(store, rater, 2)
        records = store.records(made.id)
    with Store.open(place.folder, place.url, clock=place.clock) as again:
        assert again.records(made.id) == records and again.study(made.id) == made
