"""Servers that cannot start, hang, crash or will not end: what is said, what becomes of the questions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from served import ask, opened, told

from gumption.models.serving import _guard, server
from gumption.records import GumptionError
from servers import Server
from stand_ins import TOKEN, gone, starts

pytestmark = pytest.mark.usefixtures("serving_programs")


def test_a_replica_that_dies_is_replaced_once_and_no_question_is_lost(tmp_path: Path) -> None:
    model = opened(tmp_path, "crash 7", "once", "child", replicas=2)
    replies = ask(
        model, 40, until=lambda: sum("answers" in line for line in told) == len(starts(tmp_path)) > 2
    )
    assert {reply.status for reply in replies} == {"ok"}
    assert any(reply.params.get("server_deaths") for reply in replies)
    found = starts(tmp_path)
    assert len(found) in (3, 4) and sum(len(start["asked"]) for start in found) > len(replies)
    assert sum("SIGSEGV" in line for line in told) == len(found) - 2


def test_when_none_is_left_questions_are_failed_requests(tmp_path: Path) -> None:
    model = opened(tmp_path, "crash 3")
    replies = ask(model, 30)
    assert len(starts(tmp_path)) == 2, "it is started again once, not for ever"
    statuses = [reply.status for reply in replies]
    assert set(statuses) <= {"ok", "infra_error"} and statuses.count("infra_error") >= 26
    lost = next(reply for reply in replies if reply.status == "infra_error")
    assert "SIGSEGV" in lost.error and lost.text == "" and lost.request_sha256


def test_a_replica_that_was_killed_for_memory_says_so(tmp_path: Path) -> None:
    ask(opened(tmp_path, "crash 1", "once", "killed"), 1)
    assert any("SIGKILL" in line and "free -h" in line for line in told)


def test_memory_that_is_not_enough_is_said_with_what_helps(tmp_path: Path) -> None:
    with pytest.raises(GumptionError) as caught:
        ask(opened(tmp_path, "oom", "child"), 5)
    assert "GPU's memory is not enough" in caught.value.problem and "code 1" in caught.value.problem
    for help in ("--max-model-len", "--gpus", str(tmp_path / "server" / "0.log")):
        assert help in caught.value.remedy


def test_a_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(GumptionError, match="did not answer within 1 s") as caught:
        ask(opened(tmp_path, "silent", "child", start_limit_s=1.0), 2)
    assert "--start-limit" in caught.value.remedy and time.monotonic() - began < 15


def test_when_one_of_several_cannot_start_none_goes_on(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="memory is not enough"):
        ask(opened(tmp_path, "oom", replicas=3), 4)


def test_a_server_that_died_between_two_askings_is_replaced(tmp_path: Path) -> None:
    model = opened(tmp_path)
    ask(model, 2, stop=False)
    os.kill(starts(tmp_path)[0]["pid"], signal.SIGKILL)
    assert [reply.status for reply in ask(model, 5)] == ["ok"] * 5
    assert len(starts(tmp_path)) == 2


def test_a_stubborn_server_and_its_child_are_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_GRACE_S", 2.0)
    model = opened(tmp_path, "stubborn", "child")
    ask(model, 1, stop=False)
    began = time.monotonic()
    model.stop()
    assert 2 <= time.monotonic() - began < 10, "it had its grace and no more"


def test_the_last_reference_takes_the_servers_with_it(tmp_path: Path) -> None:
    model = opened(tmp_path, "child")
    ask(model, 1, stop=False)
    del model
    (start,) = starts(tmp_path)
    assert gone(start["pid"]) and gone(start["child"])


def test_a_killed_guard_takes_the_server_with_it(tmp_path: Path) -> None:
    model = opened(tmp_path)
    ask(model, 1, stop=False)
    (start,) = starts(tmp_path)
    guard = int(Path(f"/proc/{start['pid']}/stat").read_text().rpartition(")")[2].split()[1])
    assert guard != os.getpid()
    os.kill(guard, signal.SIGKILL)
    assert gone(start["pid"])
    model.stop()


def test_a_port_that_was_taken_meanwhile_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server() as other:
        ports = [int(other.base_url.split(":")[2].split("/")[0]), server._free_port()]
        monkeypatch.setattr(server, "_free_port", iter(ports).__next__)
        replies = ask(opened(tmp_path), 3)
    assert [reply.status for reply in replies] == ["ok"] * 3
    assert [start["port"] for start in starts(tmp_path)] == ports and other.total == 0


def test_the_log_is_bounded_and_what_is_split_over_writes_is_still_no_secret(tmp_path: Path) -> None:
    log, line = tmp_path / "log", "x" * 1000 + f" {TOKEN} "
    chatty = f"import sys\nfor _ in range(70_000): sys.stdout.write({line!r} + chr(10))"
    guard = subprocess.Popen(
        [sys.executable, "-I", "-S", _guard.__file__, "1", str(log), sys.executable, "-c", chatty],
        stdin=subprocess.PIPE,
    )
    with guard:
        assert guard.wait(60) == 0
    parts = [log, tmp_path / "log.1"]
    assert all(1 < part.stat().st_size < _guard.LONGEST_LOG + 2000 for part in parts)
    assert not any(TOKEN.encode() in part.read_bytes() for part in parts)
