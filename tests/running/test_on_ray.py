"""A run that others ask: the same scores as here, and whatever ends in the middle, nothing asked is lost."""

from __future__ import annotations

import os
import pickle
import re
import resource
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

import stand_ins
from command_line import gumption
from gumption.executors import Executor
from gumption.models import open_models
from gumption.records import GumptionError
from gumption.running import Run, Spread, opened_model, run
from gumption.running.scores import scores_table
from gumption.running.spread import score_spread
from gumption.suites import Suite, read_file_or_folder
from ray_cluster import joined, kill_workers, wait_until, workers
from servers import Act, Asked, Behave, Server, answer, failure

KEY = "sk-not-for-any-worker-9876543210"
COUNT = 120


class Shipping:
    """Does shards here, the last one first, and all that goes out and comes back is bytes on the way."""

    name = "stand-in"

    def __init__(self, workers: int = 3) -> None:
        self.workers = workers
        self.shipped = b""
        self.shards = 0

    def each(
        self, start: Callable[[], Callable[[Any], Any]], shards: Sequence[Any], *, kept: bool = False
    ) -> Iterator[tuple[int, Any]]:
        do = self._shipped(start)()
        self.shards = len(shards)
        for place in reversed(range(len(shards))):
            yield place, self._shipped(do(self._shipped(shards[place])))

    def _shipped(self, what: Any) -> Any:
        data = pickle.dumps(what)
        self.shipped += data
        return pickle.loads(data)


class Elsewhere(Shipping):
    """On a machine with a folder of the run's name that is not the run's folder."""

    def __init__(self, run: Path) -> None:
        super().__init__()
        self._run = run

    def each(
        self, start: Callable[[], Callable[[Any], Any]], shards: Sequence[Any], *, kept: bool = False
    ) -> Iterator[tuple[int, Any]]:
        here = (self._run / "run.json").read_bytes()
        (self._run / "run.json").write_bytes(here.replace(b'"created": "2', b'"created": "3'))
        yield from super().each(start, shards, kept=kept)
        (self._run / "run.json").write_bytes(here)


def number_of(asked: Asked) -> int:
    found = re.search(r"Q(\d+):", asked.text)
    assert found
    return int(found[1])


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    """Questions of which a model that always says A has half right, in every block of ten."""
    rows = [
        {"id": f"q{n}", "question": f"Q{n}: where?", "choices": ["left", "right"], "answer": "AB"[n // 5 % 2]}
        for n in range(COUNT)
    ]
    path = tmp_path / "quiz.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return path


def asked_by(
    executor: Executor, suite: Suite, out: Path, base_url: str, address: str = "", **how: Any
) -> Run:
    options = {"base_url": base_url}
    (model,) = open_models("openai/m", **options)
    spread = Spread(executor, partial(opened_model, "openai/m", 0, options), address=address)
    return run(suite, model, out, spread=spread, **how)


def recorded(folder: Path) -> list[Any]:
    return [reply.key for reply in Run.open(folder).replies()] if (folder / "run.json").exists() else []


# ── what is shipped ──────────────────────────────────────────────────────────────────────────────────


def some_fail(asked: Asked) -> Act:
    n = number_of(asked)
    return failure(400, "boom") if n % 9 == 4 else answer("AB"[n % 3 == 0])


def test_shards_make_the_same_run_and_carry_no_key(
    quiz: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    suite = read_file_or_folder(quiz)
    others = Shipping()
    done: list[tuple[int, int]] = []
    with Server(some_fail) as server:
        (model,) = open_models("openai/m", base_url=server.base_url)
        here = run(suite, model, tmp_path / "here", epochs=2, concurrency=6)
        asked = server.total
        there = asked_by(
            others, suite, tmp_path / "there", server.base_url,
            epochs=2, concurrency=6, progress=lambda *told: done.append(told),
        )  # fmt: skip
        assert server.total - asked == asked == 2 * COUNT
        assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}", "a worker has a key of its own"
    assert there.scores().equals(here.scores())
    assert there.problems == here.problems == {"HTTP 400: boom": 2 * 13}
    ours, theirs = (msgspec.structs.replace(one.info, created="") for one in (here, there))
    assert ours == theirs
    assert others.shipped and KEY.encode() not in others.shipped
    assert others.shards % 3 == 0 and len(done) == others.shards + 1 and done[-1] == (2 * COUNT, 2 * COUNT)
    assert all(before < after for before, after in pairwise(done))


def test_what_is_recorded_is_not_asked_again_by_anybody(quiz: Path, tmp_path: Path) -> None:
    suite = read_file_or_folder(quiz)
    with Server(some_fail) as server:
        asked_by(Shipping(), suite, tmp_path / "run", server.base_url)
        # Only the 13 that failed are asked, by workers and then, where one fails once more, here.
        server.behave = lambda asked: failure(400, "boom") if number_of(asked) == 4 else answer("A")
        before = server.total
        asked_by(Shipping(workers=2), suite, tmp_path / "run", server.base_url)
        assert server.total - before == 13
        (model,) = open_models("openai/m", base_url=server.base_url)
        server.behave = lambda asked: answer("A")
        done = run(suite, model, tmp_path / "run")
        assert server.total - before == 14
    assert done.scores()["value"].null_count == 0
    scored = score_spread(range(COUNT), suite.items, {reply.key: reply for reply in _good(done)}, Shipping())
    assert scores_table(scored).equals(done.scores())


def _good(done: Run) -> Iterator[Any]:
    return (reply for reply in done.replies() if reply.status != "infra_error")


def test_a_folder_that_a_worker_does_not_see_is_not_taken_for_the_runs(quiz: Path, tmp_path: Path) -> None:
    others = Elsewhere(tmp_path / "run")
    with pytest.raises(GumptionError, match="does not see the run's folder") as caught:
        asked_by(others, read_file_or_folder(quiz), tmp_path / "run", "http://127.0.0.1:9/v1")
    assert "s3://" in caught.value.remedy


def test_a_worker_that_does_not_see_the_folder_puts_its_parts_at_the_address(
    quiz: Path, tmp_path: Path
) -> None:
    suite, run_folder = read_file_or_folder(quiz), tmp_path / "run"
    parts = tmp_path / "there" / "parts"
    parts.mkdir(parents=True)
    with Server(lambda asked: answer("A")) as server:
        # Whoever had the second of three shards before has copied two replies of it and was lost.
        lost = "".join(f'{{"item_id":"q{n}","text":"B"}}\n' for n in (44, 45))
        (parts / "0000-00001-0.jsonl").write_text(lost + '{"item_id":"q4')
        done = asked_by(
            Elsewhere(run_folder), suite, run_folder, server.base_url, address=f"file://{tmp_path}/there"
        )
        assert server.total == COUNT - 2 and not {44, 45} & set(map(number_of, server.asked))
    values = done.scores()["value"].to_pylist()
    assert values == [float((n // 5 % 2 == 0) != (n in (44, 45))) for n in range(COUNT)]
    assert sorted(part.name for part in parts.iterdir()) == [
        "0000-00000-0.jsonl", "0000-00001-0.jsonl", "0000-00001-1.jsonl", "0000-00002-0.jsonl"
    ]  # fmt: skip
    assert not list((run_folder / "parts").iterdir())
    lines = [line for part in parts.iterdir() for line in part.read_bytes().splitlines()]
    assert len(lines) == COUNT + 1


def test_more_workers_than_requests_at_once_are_refused(quiz: Path, tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="5 workers for 4 requests") as caught:
        asked_by(
            Shipping(5), read_file_or_folder(quiz), tmp_path / "run", "http://127.0.0.1:9/v1", concurrency=4
        )
    assert "--workers 4" in caught.value.remedy


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("openai/m", "--base-url", "http://127.0.0.1:9/v1", "--stop-when", "tokens=9"), "--stop-when"),
        (("vllm/m",), "openai/m"),
    ],
)
def test_what_only_one_process_can_do_is_refused(
    quiz: Path, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    ended = gumption(
        tmp_path, "run", "quiz.jsonl", "--on", "ray", "--model", *options, **stand_ins.install(tmp_path)
    )
    assert ended.returncode == 2 and told in ended.stderr.partition("To mend it")[2], ended.stderr
    assert not (tmp_path / "runs").exists()


# ── with Ray ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def ray() -> Iterator[Executor]:
    with joined() as executor:
        yield executor


def by_the_picture(asked: Asked) -> Act:
    """What is answered depends on the bytes of the picture, and on the words."""
    seen = b"".join(part.encode() if isinstance(part, str) else part[1] for part in asked.parts)
    return answer("ABCD"[zlib.crc32(seen) % 4])


@pytest.mark.ray
def test_the_command_makes_the_same_scores_as_here(ray: Executor, tmp_path: Path) -> None:
    with Server(by_the_picture) as server:
        ask = ("run", "tabletop", "--limit", "80", "--model", "openai/m", "--base-url", server.base_url)
        for out, on in (("here", ()), ("there", ("--on", "ray"))):
            ended = gumption(tmp_path, *ask, "--out", out, "--json", *on)
            assert ended.returncode == 0 and len(ended.stdout.splitlines()) == 1, ended.stderr
        assert server.total == 160
    here, there = Run.open(tmp_path / "here").scores(), Run.open(tmp_path / "there").scores()
    assert there.equals(here) and 0 < sum(here["value"].to_pylist()) < 80
    (tmp_path / "there" / "scores.parquet").unlink()
    ended = gumption(tmp_path, "score", "there", "--on", "ray", "--json")
    assert ended.returncode == 0 and Run.open(tmp_path / "there").scores().equals(here), ended.stderr


@pytest.mark.ray
def test_a_worker_killed_in_its_shard_loses_what_was_in_flight(
    ray: Executor, quiz: Path, tmp_path: Path
) -> None:
    killed: list[int] = []

    def kills(asked: Asked) -> Act:
        if asked.number == 50:
            killed.extend(kill_workers("ray::_Kept.do", most=1))
        return answer("A").after(0.02)

    with Server(kills) as server:
        done = asked_by(ray, read_file_or_folder(quiz), tmp_path / "run", server.base_url, concurrency=4)
        # Of its two requests under way, and of those whose replies were not yet written.
        assert len(killed) == 1 and COUNT < server.total <= COUNT + 2
    keys = recorded(tmp_path / "run")
    assert len(keys) == len(set(keys)) == COUNT
    assert done.scores()["value"].to_pylist() == [float(n // 5 % 2 == 0) for n in range(COUNT)]
    assert any(part.stem.endswith("-1") for part in (tmp_path / "run" / "parts").iterdir())


@pytest.mark.ray
def test_a_killed_driver_is_taken_up_by_the_same_command(ray: Executor, quiz: Path, tmp_path: Path) -> None:
    with Server(lambda asked: answer("A").after(0.05)) as server:
        command = (
            "run", "quiz.jsonl", "--model", "openai/m", "--base-url", server.base_url, "--concurrency", "4",
            "--out", "run", "--on", "ray",
        )  # fmt: skip
        driver = subprocess.Popen([sys.executable, "-m", "gumption", *command], cwd=tmp_path)
        wait_until(lambda: server.total >= 40)
        driver.send_signal(signal.SIGKILL)
        assert driver.wait() == -signal.SIGKILL
        # Its workers may still be asking: they are waited for.
        ended = gumption(tmp_path, *command)
        assert ended.returncode == 0, ended.stderr
        assert server.total <= COUNT + 4
    keys = recorded(tmp_path / "run")
    assert len(keys) == len(set(keys)) == COUNT
    values = Run.open(tmp_path / "run").scores()["value"].to_pylist()
    assert values == [float(n // 5 % 2 == 0) for n in range(COUNT)]


@pytest.mark.ray
def test_a_full_disk_under_a_worker_is_told_and_loses_nothing(
    ray: Executor, quiz: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with small_disk(out) as (full, more_room), Server(lambda asked: answer("A" + " " * 3000)) as server:
        suite = read_file_or_folder(quiz)
        server.behave = full(server.behave)
        with pytest.raises(GumptionError, match=r"cannot be written: (No space left|File too large)") as told:
            asked_by(ray, suite, out, server.base_url, concurrency=4)
        assert "make room" in told.value.remedy and f"{out}/parts/0000-0000" in told.value.where
        kept = recorded(out)
        assert 10 <= len(kept) == len(set(kept)) and len(kept) <= server.total <= len(kept) + 4
        more_room()
        before = server.total
        done = asked_by(ray, suite, out, server.base_url, concurrency=4)
        assert server.total - before == COUNT - len(kept)
        keys = recorded(out)
        assert len(keys) == len(set(keys)) == COUNT
        assert done.scores()["value"].to_pylist() == [float(n // 5 % 2 == 0) for n in range(COUNT)]


@contextmanager
def small_disk(folder: Path) -> Iterator[tuple[Callable[[Behave], Behave], Callable[[], object]]]:
    """A folder on a disk of 160 KB, and what makes it larger. Where none may be mounted, no file of a worker
    grows beyond 40 KB once it was asked: the same failure to write, with another number."""
    folder.mkdir()
    size = ["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(folder)]
    if os.geteuid() == 0 and subprocess.run(size, capture_output=True, check=False).returncode == 0:
        try:
            larger = ["mount", "-o", "remount,size=8m", str(folder)]
            yield (lambda behave: behave), lambda: subprocess.run(larger, check=True)
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        return
    limited: set[int] = set()

    def limit(behave: Behave) -> Behave:
        def limiting(asked: Asked) -> Act:
            for process in set(workers("ray::_Kept.do")) - limited:
                resource.prlimit(process, resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))
                limited.add(process)
            return behave(asked)

        return limiting

    def lift() -> None:
        limited.update(range(2**22))  # every process there may be

    yield limit, lift
