"""Shards are done the same by whoever does them, and what goes wrong with one is told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import shard_work

from gumption.executors import Executor, LostShardError, open_executor
from gumption.records import GumptionError
from ray_cluster import joined, wait_until

EITHER = pytest.mark.parametrize("kept", [False, True], ids=["tasks", "kept"])


@pytest.fixture(scope="module")
def ray() -> Iterator[Executor]:
    with joined() as executor:
        assert (executor.name, executor.workers) == ("ray", 2)
        yield executor


def test_here_shards_are_done_in_their_order_after_one_start(tmp_path: Path) -> None:
    with open_executor() as executor:
        assert (executor.name, executor.workers) == ("local", 1)
        done = list(executor.each(partial(shard_work.squares, tmp_path), range(5)))
    assert [(place, square) for place, (square, _) in done] == [(n, n * n) for n in range(5)]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.ray
@EITHER
def test_every_shard_is_done_once_by_processes_of_their_own(
    ray: Executor, tmp_path: Path, kept: bool
) -> None:
    done = dict(ray.each(partial(shard_work.squares, tmp_path), range(20), kept=kept))
    assert {place: square for place, (square, _) in done.items()} == {n: n * n for n in range(20)}
    by = {process for _, process in done.values()}
    assert 1 <= len(by) <= 2
    assert len(list(tmp_path.iterdir())) == (len(by) if kept else 20)


@pytest.mark.ray
@EITHER
def test_a_shard_whose_process_was_killed_is_handed_out_again(
    ray: Executor, tmp_path: Path, kept: bool
) -> None:
    done = list(ray.each(partial(shard_work.dies, tmp_path, 2), range(6), kept=kept))
    assert sorted(done) == [(n, n) for n in range(6)]
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.ray
def test_a_shard_that_kills_every_process_is_named(
    ray: Executor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(LostShardError, match="shard 4 of 6 died 3 times") as caught:
        list(ray.each(partial(shard_work.dies, tmp_path, 99), range(6)))
    assert caught.value.place == 3 and caught.value.remedy
    assert len(list(tmp_path.iterdir())) == 3
    # Ray's own words about it would stand among what a verb prints.
    assert capfd.readouterr() == ("", "")


@pytest.mark.ray
def test_errors_come_through(ray: Executor) -> None:
    with pytest.raises(shard_work.OddError) as caught:
        list(ray.each(shard_work.evens, [0, 2, 4, 7]))
    told = caught.value
    assert (told.problem, told.where, told.remedy) == ("7 is odd", "here", "give even numbers")
    assert str(told) == "here: 7 is odd"
    with pytest.raises(shard_work.OddError, match="no simulator"):
        list(ray.each(shard_work.cannot_start, range(3), kept=True))
    with pytest.raises(ZeroDivisionError, match=r"shard_work\.py"):
        list(ray.each(shard_work.reciprocals, [1, 0]))


@pytest.mark.ray
def test_what_a_kept_worker_has_started_ends_with_the_work_and_when_it_is_given_up(ray: Executor) -> None:
    started = {process for _, process in ray.each(shard_work.sleepers, range(2), kept=True)}
    results = ray.each(shard_work.sleepers, range(9), kept=True)
    started.add(next(results)[1])
    results.close()  # type: ignore[attr-defined]
    assert len(started) >= 2
    wait_until(lambda: not any(Path(f"/proc/{process}").exists() for process in started))


@pytest.mark.parametrize(
    ("on", "workers", "told"), [("cloud", None, "--on cloud"), ("local", 2, "--workers")]
)
def test_what_there_is_not_is_refused(on: str, workers: int | None, told: str) -> None:
    with pytest.raises(GumptionError, match=told) as caught, open_executor(on, workers=workers):
        pass
    assert caught.value.remedy


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(GumptionError) as caught, open_executor("ray"):
        pass
    assert "gumption[ray]" in caught.value.remedy
