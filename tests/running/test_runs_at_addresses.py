"""Runs at addresses: lost machines, stores in trouble and second drivers cost nothing that was paid for."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow

import command_line
from gumption.ranking import scorecard
from gumption.records import Answer, GumptionError, Image, Item, Reply, Text
from gumption.reporting import RecordedRun
from gumption.running import Run, _mirror, _tries, _writing
from gumption.running._copying import Copier
from gumption.running._fetching import take_up
from gumption.running._lease import Lease
from gumption.running._mirror import Copies, fetched
from gumption.running._writing import Writer
from gumption.running.addresses import Place, Timing, at_address
from gumption.running.storage import Storage
from gumption.suites import Media, Suite, write_folder
from s3_server import BUCKET, KEY_ID, SECRET, Fate, Gate, serving_s3
from servers import Act, Asked, Server, answer

SOON = Timing(beat=0.1, silent=4.0, patience=0.3)
SOONER = """
import functools, sys
from gumption.running import addresses
addresses.Timing = functools.partial(addresses.Timing, beat=0.2, silent=4.0, patience=float(sys.argv.pop(1)))
from gumption.cli import main
main()
"""
"""gumption that copies more often, so that a test need not wait; its first argument is how long it waits for
a store in trouble."""


@pytest.fixture(scope="module")
def server() -> Iterator[Gate]:
    with serving_s3() as gate:
        yield gate


@pytest.fixture
def gate(server: Gate) -> Iterator[Gate]:
    server.asked.clear()
    yield server
    server.fate = lambda method, path: "through"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Be on the machine of this name: its cache folder is another."""

    def be(name: str) -> None:
        monkeypatch.setenv("GUMPTION_CACHE", str(tmp_path / name))

    be("here")
    monkeypatch.setattr(_tries, "_PAUSES", (0.0,))
    return be


@pytest.fixture
def address(tmp_path: Path, machine: object) -> str:
    return f"file://{tmp_path}/store/runs/blink/model"


def wait_until(condition: Callable[[], bool], every: float = 0.02) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(every)


def begin(folder: Path, *replies: str, part: str = "0000") -> None:
    """A run folder as far as copying looks at it."""
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    if not (folder / "run.json").exists():
        (folder / "run.json").write_text("{}")
    with (folder / "parts" / f"{part}.jsonl").open("a") as stream:
        stream.writelines(f"{reply}\n" for reply in replies)


def lines(folder: Path) -> list[str]:
    return [line for part in sorted((folder / "parts").iterdir()) for line in part.read_text().splitlines()]


# ── by the command line, with S3 ─────────────────────────────────────────────────────────────────────


class Machine:
    """gumption in a folder whose cache is its own, in a process that can be killed."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.cache = folder, folder / name

    def start(self, *arguments: str, patience: float = 20.0) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", SOONER, str(patience), *arguments],
            cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "GUMPTION_CACHE": str(self.cache), "OPENAI_API_KEY": "sk-test"},
        )  # fmt: skip


def quiz(folder: Path, count: int) -> None:
    rows = [
        {"id": f"q{n}", "question": f"Q{n}: where?", "choices": ["left", "right"], "answer": "AB"[n // 5 % 2]}
        for n in range(count)
    ]
    (folder / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def item_of(asked: Asked) -> str:
    return "q" + re.findall(r"Q(\d+):", asked.text)[0]


def at_the_address(store: Storage, folder: Path) -> list[Reply]:
    """The replies as whoever reads them there now finds them."""
    shutil.rmtree(folder, ignore_errors=True)
    if "run.json" not in store.names():
        return []
    for name in store.names():
        store.get(name, folder / name)
    return list(Run.open(folder).replies())


def test_a_lost_machine_costs_what_was_not_copied(
    gate: Gate, tmp_path: Path, machine: Callable[[str], None]
) -> None:
    """The first machine is killed, after another was refused; the next finds the store broken for a while."""
    quiz(tmp_path, 60)
    store = Storage(f"s3://{BUCKET}/lost/m")
    lives = True

    def behave(asked: Asked) -> Act:
        return Act(end="hang") if lives and served.total > 20 else answer("A").after(0.01)

    with Server(behave) as served:
        base = ("run", "quiz.jsonl", "--model", "openai/m", "--base-url", served.base_url)
        command = (*base, "--concurrency", "2", "--out", store.address)
        first = Machine(tmp_path, "first").start(*command)
        part = "parts/0000.jsonl"
        wait_until(lambda: part in store.names() and store.read(part).count(b"\n") >= 6, every=0.1)
        machine("third")
        other = command_line.gumption(tmp_path, *command, OPENAI_API_KEY="sk-test")
        assert other.returncode == 2 and "another process is writing this run" in other.stderr
        first.kill()
        first.communicate()
        shutil.rmtree(tmp_path / "first")
        there = {reply.item_id for reply in at_the_address(store, tmp_path / "seen")}
        before = {item_of(asked) for asked in served.asked}
        assert len(there) >= 6 and len(before) < 30

        # Everything that the store is asked fails for some time, from the middle of the run to after its end.
        lives = False
        second = Machine(tmp_path, "second").start(*command)
        wait_until(lambda: served.total > 25)
        gate.fate = lambda method, path: "busy"
        wait_until(lambda: {item_of(asked) for asked in served.asked} >= {f"q{n}" for n in range(60)})
        time.sleep(0.5)
        assert second.poll() is None
        gate.fate = lambda method, path: "through"
        out, errors = second.communicate(timeout=120)
        assert second.returncode == 0, errors
        assert store.address in out and "/second" not in out

        # Nothing that had been copied was asked again.
        items = [item_of(asked) for asked in served.asked]
        assert all(items.count(item) == 1 for item in there)
        assert len(items) <= 60 + len(before - there) + 2

        # The same scores as of a run that was never disturbed.
        assert (
            command_line.gumption(tmp_path, *base, "--out", "plain", OPENAI_API_KEY="sk-test").returncode == 0
        )
    assert len(at_the_address(store, tmp_path / "seen")) == 60
    assert Run.open(tmp_path / "seen").scores().equals(Run.open(tmp_path / "plain").scores())
    assert sorted(store.names()) == [
        "items.parquet", "parts/0000.jsonl", "parts/0001.jsonl", "run.json", "scores.parquet"
    ]  # fmt: skip
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or not re.search(f"{KEY_ID}|{SECRET}".encode(), path.read_bytes()), path


def test_a_store_that_stays_away_is_told_and_the_next_start_copies(
    gate: Gate, tmp_path: Path, machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    quiz(tmp_path, 6)
    store = Storage(f"s3://{BUCKET}/away")
    monkeypatch.setattr("gumption.running.addresses.Timing", lambda: SOON)
    asked = tmp_path / "asked"

    def fate(method: str, path: str) -> Fate:
        # From the first reply on.
        return "busy" if asked.exists() else "through"

    def reply(_: Asked) -> Act:
        asked.touch()
        return answer("A")

    with Server(reply) as served:
        command = (
            "run",
            "quiz.jsonl",
            "--model",
            "openai/m",
            "--base-url",
            served.base_url,
            "--out",
            store.address,
        )
        gate.fate = fate
        done = command_line.gumption(tmp_path, *command, OPENAI_API_KEY="sk-test")
        assert done.returncode == 1, done.stderr
        assert "Not copied" in done.stderr and store.address in done.stderr and "Traceback" not in done.stderr
        assert "run the same command again" in done.stderr and "here/addresses" in done.stderr
        # Scored all the same: of the first five A is right, of the sixth it is not.
        assert scorecard(next((tmp_path / "here").rglob("run.json")).parent).total.score.mean == 5 / 6

        gate.fate = lambda method, path: "through"
        done = command_line.gumption(tmp_path, *command, OPENAI_API_KEY="sk-test")
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert served.total == 6
    assert len(at_the_address(store, tmp_path / "seen")) == 6


def test_verbs_read_addresses(tmp_path: Path, machine: Callable[[str], None]) -> None:
    quiz(tmp_path, 10)
    there = f"file://{tmp_path}/store/quiz"

    def gumption(*arguments: str, code: int = 0) -> str:
        done = command_line.gumption(tmp_path, *arguments)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    models = ("--model", "baseline/oracle", "--model", "baseline/random")
    gumption("run", "quiz.jsonl", *models, "--out", there)
    gumption("run", "quiz.jsonl", *models, "--out", "plain")
    names = ["baseline-oracle-1", "baseline-random"]
    away, here = [f"{there}/{name}" for name in names], [f"plain/{name}" for name in names]
    machine("elsewhere")
    table = gumption("rank", *away)
    assert table == gumption("rank", *here)
    assert "Open" in gumption("report", *away, "-o", "pages") and (tmp_path / "pages" / "index.html").exists()
    assert "2 models" in gumption("certify", *away, "--no-texts", code=2)
    # What scores again writes there.
    before = Storage(away[0]).kept()["scores.parquet"]
    (tmp_path / "store" / "quiz" / names[0] / "scores.parquet").write_bytes(b"damaged")
    gumption("score", away[0])
    assert Storage(away[0]).kept()["scores.parquet"].size == before.size
    assert Run.open(away[0]).scores().equals(Run.open(tmp_path / here[0]).scores())
    assert scorecard(fetched(away[0])).total == scorecard(tmp_path / here[0]).total
    told = gumption("report", there, code=2)
    assert all(address in told for address in away)
    assert "there is no run" in gumption("score", f"{there}/none", code=2)
    assert "not empty and not a run" in gumption("run", "quiz.jsonl", *models[:2], "--out", there, code=2)


def test_a_suite_at_an_address(tmp_path: Path, machine: Callable[[str], None]) -> None:
    Pillow.new("RGB", (4, 4), (255, 0, 0)).save(tmp_path / "red.png")
    sha256 = hashlib.sha256((tmp_path / "red.png").read_bytes()).hexdigest()
    item = Item("q", "quiz", (Image(sha256), Text("Is it red?")), Answer("yes_no", "yes"))
    suite = Suite("quiz", "1", (item,), media=Media({sha256: tmp_path / "red.png"}))
    write_folder(suite, tmp_path / "store" / "suite")
    run = f"file://{tmp_path}/store/run"
    command = ("run", f"file://{tmp_path}/store/suite", "--model", "baseline/oracle", "--out", run)
    assert command_line.gumption(tmp_path, *command).returncode == 0
    shutil.rmtree(tmp_path / "here")
    machine("elsewhere")
    assert Run.open(run).info.suite_address == f"file://{tmp_path}/store/suite"
    assert RecordedRun(Run.open(run)).media(sha256) == (tmp_path / "red.png").read_bytes()
    # Where the suite is gone, that is said and nothing more.
    shutil.rmtree(tmp_path / "store" / "suite")
    view = RecordedRun(Run.open(run))
    assert view.media(sha256) is None and "there is no run and no suite" in view.media_problem


# ── copying ──────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_written_is_there_while_it_is_written(address: str) -> None:
    store = Storage(address)
    with at_address(address, timing=SOON) as place:
        begin(place.folder, "one")
        wait_until(lambda: "parts/0000.jsonl" in store.names())
        begin(place.folder, "two")
        wait_until(lambda: store.read("parts/0000.jsonl") == b"one\ntwo\n")
        (place.folder / "scores.parquet").write_bytes(b"scores")
        (place.folder / "suite").mkdir()
        (place.folder / "suite" / "suite.json").write_bytes(b"{}")
        (place.folder / "run.lock").touch()
        (place.folder / "link").symlink_to("/etc/hostname")
        (place.folder / ".scores.parquet.0123.tmp").touch()
    assert str(place) == address and place.left is None
    assert list(store.names()) == ["parts/0000.jsonl", "run.json", "scores.parquet", "suite/suite.json"]


def test_what_vanishes_there_meanwhile_is_copied_again(address: str) -> None:
    store = Storage(address)
    with at_address(address, timing=SOON) as place:
        begin(place.folder, "one")
        wait_until(lambda: "parts/0000.jsonl" in store.names())
        store.write("parts/0000.jsonl", b"of somebody else")
        store.remove("run.json")
    assert place.left is None
    assert store.read("parts/0000.jsonl") == b"one\n" and store.read("run.json") == b"{}"


def test_a_path_is_a_place_too(tmp_path: Path) -> None:
    with at_address(tmp_path / "runs") as place:
        assert place == Place(tmp_path / "runs") and str(place) == str(tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_only_what_changed_is_fetched(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Storage(address)
    for name in ("run.json", "parts/0000.jsonl", "parts/0001.jsonl"):
        store.write(name, name.encode())
    got: list[str] = []
    get = Storage.get
    monkeypatch.setattr(Storage, "get", lambda self, name, to: (got.append(name), get(self, name, to))[1])
    folder = fetched(address)
    assert sorted(got) == ["parts/0000.jsonl", "parts/0001.jsonl", "run.json"]
    got.clear()
    assert fetched(address) == folder and not got
    store.write("parts/0001.jsonl", b"more")
    store.remove("parts/0000.jsonl")
    (folder / "run.json").write_text("of somebody else")
    fetched(address)
    assert sorted(got) == ["parts/0001.jsonl", "run.json"]
    assert lines(folder) == ["more"] and (folder / "run.json").read_bytes() == b"run.json"


def test_nothing_that_leads_out_of_the_folder_is_fetched(tmp_path: Path, address: str) -> None:
    store = tmp_path / "store" / "runs" / "blink" / "model"
    (store / "parts").mkdir(parents=True)
    (store / "run.json").write_text("{}")
    (store / "parts" / "a\\..\\b.jsonl").write_text("x")
    with pytest.raises(GumptionError, match="a name that no run has"):
        fetched(address)


class Held:
    sure, lost = True, False


reply = st.text("abc", min_size=1, max_size=3)


@settings(max_examples=60)
@given(st.lists(reply, max_size=4), st.lists(reply, max_size=3), st.lists(reply, max_size=3), st.booleans())
def test_two_sides_that_went_on_apart_come_together(
    tmp_path_factory: pytest.TempPathFactory,
    shared: list[str],
    here: list[str],
    there: list[str],
    known: bool,
) -> None:
    """A part that began alike on both sides: every reply of either is in the folder in the end."""
    folder = tmp_path_factory.mktemp("apart")
    store, local = Storage(f"file://{folder}/store"), folder / "local"
    copies = Copies(folder / "copies.json")
    begin(local, *shared)
    if known:
        Copier(store, local, copies, Held()).copy(all_files=True)
    begin(local, *here)
    store.write("run.json", b"{}")
    store.write("parts/0000.jsonl", "".join(f"{reply}\n" for reply in shared + there).encode())
    take_up(store, local, copies)
    found = lines(local)
    for side in (shared + here, shared + there):
        assert all(found.count(one) >= side.count(one) for one in side)
    # What both have is not doubled where one side only went on.
    if not here or not there:
        assert sorted(found) == sorted(shared + here + there)
    copier = Copier(store, local, copies, Held())
    copier.finish(0)
    assert copier.trouble is None and copier.left() == (0, 0)
    assert {name: store.read(name) for name in store.names()} == {
        path.relative_to(local).as_posix(): path.read_bytes() for path in local.rglob("*") if path.is_file()
    }


def test_a_run_removed_at_the_address_is_begun_anew(address: str, tmp_path: Path) -> None:
    with at_address(address, timing=SOON) as place:
        begin(place.folder, "one")
    begin(place.folder, "never copied")
    begin(place.folder, "nor this", part="0001")
    shutil.rmtree(tmp_path / "store")
    with at_address(address, timing=SOON) as place:
        assert not place.folder.exists()
        begin(place.folder, "another")
    assert Storage(address).read("parts/0000.jsonl") == b"another\n"
    # What had never been copied is kept on this machine.
    kept = {path.read_text() for path in (tmp_path / "here").rglob("*.jsonl")}
    assert kept == {"one\nnever copied\n", "nor this\n", "another\n"}


def test_a_part_goes_on_in_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_writing, "_LARGEST", 300)
    with Writer(tmp_path / "0000.jsonl") as writer:
        for n in range(20):
            writer.append(Reply(f"q{n}", text="x" * 80))
    parts = sorted(tmp_path.iterdir())
    assert [part.name for part in parts[:2]] == ["0000.jsonl", "0000_0001.jsonl"] and len(parts) > 3
    assert all(part.stat().st_size < 300 + 200 for part in parts)
    found = [json.loads(line)["item_id"] for part in parts for line in part.read_text().splitlines()]
    assert found == [f"q{n}" for n in range(20)]


# ── who holds it ─────────────────────────────────────────────────────────────────────────────────────


def test_one_machine_at_a_time(address: str, machine: Callable[[str], None]) -> None:
    told: list[str] = []
    with at_address(address, timing=SOON):
        with (
            pytest.raises(GumptionError, match="another process is writing this run"),
            at_address(address, timing=SOON),
        ):
            pass
        machine("elsewhere")
        with (
            pytest.raises(GumptionError, match=r"another process is writing this run .*process \d+"),
            at_address(address, timing=SOON, tell=told.append),
        ):
            pass
        assert len(told) == 1 and "waiting up to" in told[0]
    with at_address(address, timing=SOON, tell=told.append) as place:
        begin(place.folder, "one")
    assert len(told) == 1
    assert list(Storage(address).names()) == ["parts/0000.jsonl", "run.json"]


def test_a_dead_holder_is_waited_for_and_a_dead_process_of_this_machine_is_not(
    address: str, machine: Callable[[str], None], tmp_path: Path
) -> None:
    store = Storage(address)
    start = time.monotonic()
    Lease.take(store, tmp_path / "token", lambda _: None, silent_s=0.5)
    assert Lease.take(store, tmp_path / "token", lambda _: None, silent_s=0.5)
    assert time.monotonic() - start < 0.5
    told: list[str] = []
    start = time.monotonic()
    taken = Lease.take(store, tmp_path / "other token", told.append, silent_s=0.5)
    assert time.monotonic() - start >= 0.5 and len(told) == 1
    # One lock is left, and it is let go of.
    assert len(store.names("locks")) == 1
    taken.release()
    assert store.names() == {}


def test_a_higher_number_wins(address: str, tmp_path: Path) -> None:
    """As where a holder wakes up late, and writes its lock again after another took over and removed it."""
    store = Storage(address)
    late = Lease.take(store, tmp_path / "token", lambda _: None)
    late.beat()
    assert late.sure and not late.lost
    store.write("locks/00000002", store.read("locks/00000001"))
    late.beat()
    assert late.lost and not late.sure
    late.release()
    assert "locks/00000002" in store.names()


def test_of_several_that_take_over_one_does(address: str, tmp_path: Path) -> None:
    store = Storage(address)
    dead = Lease.take(store, tmp_path / "dead", lambda _: None, silent_s=0.3)

    def take(number: int) -> Lease | None:
        with contextlib.suppress(GumptionError):
            return Lease.take(store, tmp_path / str(number), lambda _: None, silent_s=0.3)
        return None

    with ThreadPoolExecutor(5) as pool:
        taken = [lease for lease in pool.map(take, range(5)) if lease]
    # One who came late may have found the first one silent in turn.
    for lease in (dead, *taken):
        lease.beat()
    assert [lease.lost for lease in (dead, *taken)].count(False) == 1 and dead.lost


def test_who_was_taken_for_dead_copies_no_more(
    address: str, machine: Callable[[str], None], tmp_path: Path
) -> None:
    with at_address(address, timing=SOON) as place:
        begin(place.folder, "of the first")
    # No sign of life comes from it in time.
    with at_address(address, timing=Timing(beat=5.0, silent=0.3, patience=0.1)) as place:
        machine("elsewhere")
        with at_address(address, timing=SOON) as other:
            begin(other.folder, "of the second", part="0001")
            begin(place.folder, "too late")
    assert other.left is None
    assert place.left is not None and "another process has taken the run over" in str(place.left)
    assert "nothing is lost" in place.left.remedy and str(place.folder) in place.left.remedy
    assert Storage(address).read("parts/0000.jsonl") == b"of the first\n"
    # The first machine's next start brings it.
    machine("here")
    with at_address(address, timing=SOON) as place:
        assert lines(place.folder) == ["of the first", "too late", "of the second"]
    assert place.left is None
    assert Storage(address).read("parts/0000.jsonl") == b"of the first\ntoo late\n"


def test_locks_of_strangers_are_read_with_care(address: str, tmp_path: Path) -> None:
    store = Storage(address)
    hostile = [b"", b"{", b"[" * 100_000, b'{"holder": "x", "token": "", "silent_s": -5}']
    for content in hostile:
        store.write("locks/00000007", content)
        store.write("locks/not-a-number", b"x")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("gumption.running._lease.SILENT_S", 0.1)
            lease = Lease.take(store, tmp_path / "token", lambda _: None, silent_s=0.1)
        assert "locks/00000008" in store.names() and "locks/00000007" not in store.names()
        lease.release()


def test_a_cache_that_was_damaged_costs_copying_again(address: str) -> None:
    with at_address(address, timing=SOON) as place:
        begin(place.folder, "one")
    _, about = _mirror.local_folder(address, "driver")
    (about / "copies.json").write_bytes(b"\xff{")
    with at_address(address, timing=SOON) as place:
        assert lines(place.folder) == ["one"]
        begin(place.folder, "two")
    assert place.left is None and Storage(address).read("parts/0000.jsonl") == b"one\ntwo\n"
