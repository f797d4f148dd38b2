"""What may happen to a run from outside, by way of the command line: nothing that was paid for is lost."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image as Pillow

import command_line
from gumption.ranking import scorecard
from gumption.records import Reply
from gumption.running import Run
from servers import Act, Asked, Server, answer, failure

KEY = "sk-not-for-any-file-9876543210"
FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv[1:] = sys.argv[2:]
from gumption.cli import main
main()
"""
"""No file of this process grows beyond so many bytes; Python ignores the signal that comes with it."""


class CommandLine:
    """gumption in a folder, with a key that must not turn up in what it writes or says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []
        self._environment = {
            "GUMPTION_CACHE": str(folder / "cache"),
            "OPENAI_API_KEY": KEY,
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }

    def start(self, *arguments: str, by: tuple[str, ...] = ("-m", "gumption")) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *by, *arguments],
            cwd=self.folder, env=os.environ | self._environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, output, errors."""
        done = command_line.gumption(self.folder, *arguments, **self._environment)
        self.said += done.stdout, done.stderr
        return done.returncode, done.stdout, done.stderr

    def with_little_disk(self, size: int, *arguments: str) -> tuple[int | None, str, str]:
        """The same where no file may grow beyond so many bytes."""
        return self.end(self.start(str(size), *arguments, by=("-c", FULL_DISK)))

    def end(self, process: subprocess.Popen[str]) -> tuple[int | None, str, str]:
        out, errors = process.communicate(timeout=60)
        self.said += out, errors
        return process.returncode, out, errors


@pytest.fixture
def gumption(tmp_path: Path) -> Iterator[CommandLine]:
    line = CommandLine(tmp_path)
    yield line
    assert line.said and not any(KEY in text for text in line.said)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


def quiz(folder: Path, count: int = 40) -> None:
    """Questions of which a model that always says A has half right, in every block of ten."""
    rows = [
        {"id": f"q{n}", "question": f"Q{n}: where?", "choices": ["left", "right"], "answer": "AB"[n // 5 % 2]}
        for n in range(count)
    ]
    (folder / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def number_of(asked: Asked) -> int:
    found = re.search(r"Q(\d+):", asked.text)
    assert found
    return int(found[1])


def every_fifth_fails(asked: Asked) -> Act:
    return failure(500, "boom") if number_of(asked) % 5 == 4 else answer("A")


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.002)


def recorded(run: Path) -> list[Reply]:
    return list(Run.open(run).replies()) if (run / "run.json").exists() else []


# ── killed ───────────────────────────────────────────────────────────────────────────────────────────


def egothink(folder: Path, count: int) -> None:
    """Pictures and items.jsonl as the benchmark has them."""
    (folder / "images").mkdir(parents=True)
    rows = []
    for n in range(count):
        Pillow.new("RGB", (8, 8), (n, 2 * n, 0)).save(folder / "images" / f"{n}.png")
        rows.append(
            {
                "id": f"activity-{n}", "dimension": f"d{n % 4}", "question": f"Q{n}: what is it?",
                "answer": f"thing {n}", "images": [f"images/{n}.png"],
            }
        )  # fmt: skip
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def answers_and_marks(asked: Asked) -> Act:
    n = number_of(asked)
    text = f"thing {n}" if asked.body["model"] == "m" else ("[[0]]", "[[0.5]]", "[[1]]")[n % 3]
    return answer(text).after(0.02 + 0.01 * (n % 3))


def judged(server: Server) -> int:
    return sum(asked.body["model"] == "judge" for asked in server.asked)


def test_a_kill_costs_what_was_in_flight_inside_an_episode_too(gumption: CommandLine, tmp_path: Path) -> None:
    count, in_flight, chance = 40, 4, random.Random(7)
    egothink(tmp_path / "data", count)
    run = tmp_path / "run"
    halves = 0
    with Server(answers_and_marks) as server:
        command = (
            "run", "egothink", "--data", "data", "--model", "openai/m", "--judge", "openai/judge",
            "--base-url", server.base_url, "--concurrency", str(in_flight), "--out",
        )  # fmt: skip

        def killed(*, requests: int = 0, marks: int = 0, seconds: float = 0.0) -> None:
            """Start, kill so long after so many requests and marks, and account for what that cost."""
            asked_before, recorded_before = server.total, len(recorded(run))
            marks += judged(server)
            process = gumption.start(*command, "run")
            wait_until(lambda: server.total >= asked_before + requests and judged(server) >= marks)
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
            assert gumption.end(process)[0] == -signal.SIGKILL
            wait_until(lambda: server.in_flight == 0)
            asked, kept = server.total - asked_before, len(recorded(run)) - recorded_before
            assert kept <= asked <= kept + in_flight
            assert server.peak <= in_flight

        for _ in range(3):
            killed(seconds=chance.uniform(0.2, 1.2))
        for _ in range(2):
            killed(requests=chance.randint(1, 8), seconds=chance.uniform(0, 0.03))
        for marks in (1, 2, 3):
            killed(marks=marks)  # the last of them has just arrived
            calls = {(reply.item_id, reply.call) for reply in recorded(run)}
            halves += sum((id, "judge") not in calls for id, call in calls if not call)
        assert halves, "no kill came between an answer and its mark"
        code, _, _ = gumption(*command, "run")
        assert code == 0
        # Nothing that was recorded was asked again.
        keys = [reply.key for reply in recorded(run)]
        assert len(keys) == len(set(keys)) == 2 * count
        assert server.total <= 2 * count + 8 * in_flight

        before = server.total
        code, _, _ = gumption(*command, "whole")
        assert code == 0 and server.total == before + 2 * count
    assert Run.open(run).scores().equals(Run.open(tmp_path / "whole").scores())
    # 14 items are marked 0, 13 of them 0.5 and 13 of them 1.
    assert scorecard(run).micro.mean == pytest.approx((13 * 0.5 + 13) / 40)


@pytest.mark.parametrize(
    "there", ["", "run.lock", "run.lock run.json.new", "run.lock run.json", "run.lock run.json parts"]
)
def test_a_run_killed_at_its_very_start_is_taken_up(
    gumption: CommandLine, tmp_path: Path, there: str
) -> None:
    """The files come in this order, so these are the folders that a kill can leave before the first reply."""
    quiz(tmp_path, 3)
    command = ("run", "quiz.jsonl", "--model", "baseline/oracle", "--out", "run")
    assert gumption(*command)[0] == 0
    whole = Run.open(tmp_path / "run")
    kept = {name: (tmp_path / "run" / name).read_bytes() for name in ("run.lock", "run.json")}
    items, scores = whole.items(), whole.scores()
    for path in sorted((tmp_path / "run").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    for name in there.split():
        if name == "parts":
            (tmp_path / "run" / name).mkdir()
        else:
            (tmp_path / "run" / name).write_bytes(kept.get(name, b'{"suite": "qu'))
    assert gumption(*command)[0] == 0
    assert Run.open(tmp_path / "run").items() == items and Run.open(tmp_path / "run").scores().equals(scores)


# ── a server that fails ──────────────────────────────────────────────────────────────────────────────


def test_failed_requests_lower_coverage_and_nothing_else(gumption: CommandLine, tmp_path: Path) -> None:
    quiz(tmp_path)
    with Server(every_fifth_fails) as server:
        command = (
            "run", "quiz.jsonl", "--model", "openai/m", "--base-url", server.base_url, "--out", "run",
        )  # fmt: skip
        code, out, _ = gumption(*command, "--concurrency", "40")
        assert code == 1
        assert "boom" in out and "HTTP 500" in out and "8 times" in out and "again" in out
        assert server.total == 32 + 8 * 6 and server.peak <= 40
        total = scorecard(tmp_path / "run").total
        # 16 of the 32 that came back are right, as are 20 of all 40.
        assert (total.n, total.planned, total.coverage, total.score.mean) == (32, 40, 0.8, 0.5)
        assert total.bounds == (16 / 40, 24 / 40)

        # The server is mended: what failed is asked, and nothing else.
        server.behave = lambda asked: answer("A")
        before = server.total
        code, out, _ = gumption(*command)
        assert (code, server.total - before) == (0, 8) and "boom" not in out
        total = scorecard(tmp_path / "run").total
        assert (total.n, total.coverage, total.score.mean) == (40, 1.0, 0.5)

        # Nothing is left to ask, whatever the concurrency and wherever the server.
        for option in (("--concurrency", "3"), ("--timeout", "9"), ("--base-url", "http://127.0.0.1:9/v1")):
            assert gumption(*command, *option)[0] == 0
        assert server.total - before == 8
    assert scorecard(tmp_path / "run").total == total


def test_a_shared_cache_saves_what_any_run_has_asked(gumption: CommandLine, tmp_path: Path) -> None:
    quiz(tmp_path)
    with Server(lambda asked: answer("AB"[number_of(asked) % 3 == 0])) as server:
        command = ("run", "quiz.jsonl", "--model", "openai/m", "--base-url", server.base_url)
        cached = (*command, "--cache", "replies.db")
        assert gumption(*cached, "--limit", "15", "--out", "compact")[0] == 0
        assert server.total == 15
        assert gumption(*cached, "--out", "whole")[0] == 0
        assert server.total == 40 and set(server.counts.values()) == {1}
        assert gumption(*cached, "--out", "again")[0] == 0
        assert server.total == 40
        # Other decoding is another request.
        assert gumption(*cached, "--out", "warmer", "--preset", "qwen2.5-vl")[0] == 0
        assert server.total == 80
        assert gumption(*command, "--out", "plain")[0] == 0
        assert server.total == 120
    scores = Run.open(tmp_path / "plain").scores()
    assert Run.open(tmp_path / "whole").scores().equals(scores)
    assert Run.open(tmp_path / "again").scores().equals(scores)
    assert Run.open(tmp_path / "compact").scores().equals(scores.slice(0, 15))


# ── the folder and the disk ──────────────────────────────────────────────────────────────────────────


def test_a_second_process_on_the_folder_is_refused(gumption: CommandLine, tmp_path: Path) -> None:
    quiz(tmp_path)
    with Server(lambda asked: Act(end="hang")) as server:
        command = ("run", "quiz.jsonl", "--model", "openai/m", "--base-url", server.base_url, "--out", "run")
        first = gumption.start(*command)
        wait_until(lambda: server.total > 0)
        before = (tmp_path / "run" / "run.json").read_bytes()
        for arguments in (command, (*command, "--epochs", "2")):
            code, _, errors = gumption(*arguments)
            assert code == 2 and "another process" in errors and "To mend it" in errors
        assert (tmp_path / "run" / "run.json").read_bytes() == before
        first.kill()
        gumption.end(first)


def test_a_full_disk_is_told_and_loses_nothing(gumption: CommandLine, tmp_path: Path) -> None:
    quiz(tmp_path)
    with Server(lambda asked: answer("A" + " " * 3000)) as server:
        command = (
            "run", "quiz.jsonl", "--model", "openai/m", "--base-url", server.base_url, "--concurrency", "4",
            "--out", "run",
        )  # fmt: skip
        code, _, errors = gumption.with_little_disk(32768, *command)
        assert code == 2, errors
        assert "run/parts/0000.jsonl" in errors and "File too large" in errors
        assert "To mend it" in errors and "Traceback" not in errors
        part = (tmp_path / "run" / "parts" / "0000.jsonl").read_bytes()
        # Ten lines of 3 KB fit, each of them whole.
        assert part.endswith(b"\n") and len(part) <= 32768
        kept = [reply.item_id for reply in recorded(tmp_path / "run")]
        assert len(kept) >= 9

        asked = {number_of(asked) for asked in server.asked}
        assert len(asked) <= len(kept) + 4
        before = server.total
        assert gumption(*command)[0] == 0
        assert server.total - before == 40 - len(kept)
    ids = [reply.item_id for reply in recorded(tmp_path / "run")]
    assert len(ids) == len(set(ids)) == 40
    assert scorecard(tmp_path / "run").total.coverage == 1.0


@pytest.mark.parametrize("limit", [0, 1000])
def test_a_disk_that_was_full_before(gumption: CommandLine, tmp_path: Path, limit: int) -> None:
    quiz(tmp_path)
    command = ("run", "quiz.jsonl", "--model", "baseline/oracle", "--out", "run")
    code, _, errors = gumption.with_little_disk(limit, *command)
    assert code == 2 and "cannot be written" in errors and "Traceback" not in errors
    assert gumption(*command)[0] == 0


def test_a_full_disk_under_the_cache(gumption: CommandLine, tmp_path: Path) -> None:
    quiz(tmp_path)
    with Server(lambda asked: answer("A" + " " * 900)) as server:
        command = (
            "run", "quiz.jsonl", "--model", "openai/m", "--base-url", server.base_url, "--out", "run",
            "--cache", "replies.db",
        )  # fmt: skip
        code, _, errors = gumption.with_little_disk(65536, *command)
        assert code == 2 and "replies.db" in errors and "Traceback" not in errors
        kept = len(recorded(tmp_path / "run"))
        before = server.total
        assert gumption(*command)[0] == 0
        # What the cache could not take was recorded all the same.
        assert server.total - before == 40 - kept < 40
