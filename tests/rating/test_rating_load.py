"""A dozen raters at once while the server is killed and started again. The bench `rating_load` has fifty."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest
from benches._raters import Load, counted_wrongly, lost, work
from places import Place
from serving import free_port, served
from studies import material, study

from gumption.rating.store import Store
from gumption.rating.study import Study

RATERS = 12


async def worked(folder: Path, url: str, made: Study, tokens: list[str], kill_at: int) -> Load:
    """What the raters met with; the server is killed once so many ratings are acknowledged."""
    port, load = free_port(), Load()
    with ExitStack() as stack:
        server = stack.enter_context(served(folder, port, url))
        working = asyncio.create_task(work(f"http://127.0.0.1:{port}", tokens, made, load))
        while len(load.acknowledged) < kill_at:
            await asyncio.sleep(0.005)
        server.kill()
        await asyncio.to_thread(server.wait)
        await asyncio.to_thread(stack.enter_context, served(folder, port, url))
        await working
    return load


def test_nothing_that_was_acknowledged_is_lost_or_counted_twice(place: Place) -> None:
    made = study(raters_wanted=3, attention_share=0.1, duplicate_share=0.1)
    with Store.open(place.folder, place.url, create=True) as store:
        store.create(made, material(4, 4))
        tokens = [one.token for one in store.invite(made.id, [""] * RATERS)]
    load = asyncio.run(worked(place.folder, place.url, made, tokens, kill_at=20))
    with Store.open(place.folder, place.url) as store:
        records = store.records(made.id, history=True)
    assert load.refused["no connection"] > 0
    assert set(load.refused) == {"no connection"}
    assert len(load.acknowledged) >= 16 * 3
    assert lost(load, records) == 0
    assert counted_wrongly(made, 16, records) == 0
    # Whatever is there was acknowledged: nobody was told of a failure that was none.
    assert {one.task for one in records if one.revision} == set(load.acknowledged)


@pytest.mark.parametrize("change", ["forget", "alter", "again", "twice"])
def test_a_loss_would_be_noticed(sqlite_place: Place, change: str) -> None:
    store = sqlite_place.open()
    made = study(raters_wanted=1)
    store.create(made, material(1, 2))
    (one,) = store.invite(made.id)
    load = Load()
    for _ in range(2):
        task = store.next_task(one.rater)
        assert task is not None
        store.submit(one.rater, task.id, {"order": 1, "goals": 2}, "said")
        load.acknowledged[task.id] = {"order": 1, "goals": 2}, "said"
    records = store.records(made.id, history=True)
    assert (lost(load, records), counted_wrongly(made, 2, records)) == (0, 0)
    if change == "forget":
        assert (lost(load, records[1:]), counted_wrongly(made, 2, records[1:])) == (1, 1)
    elif change == "alter":
        store.submit(one.rater, records[0].task, {"order": 1, "goals": 3}, "said")
        assert lost(load, store.records(made.id)) == 1
    elif change == "again":
        store.submit(one.rater, records[0].task, {"order": 1, "goals": 3}, "said")
        assert counted_wrongly(made, 2, store.records(made.id, history=True)) == 1
    else:
        assert counted_wrongly(made, 2, (*records, records[0])) == 1
