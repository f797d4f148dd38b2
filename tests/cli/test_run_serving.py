"""`gumption run --model vllm/NAME`: the server's life from the command line, however that ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gumption.running import Run
from stand_ins import TOKEN, gone, install, starts

KEY = "sk-not-for-any-file-0123456789"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"id": n, "question": f"Where is {n}?", "choices": ["left", "right"], "answer": "A"}
        for n in range(24)
    ]
    (tmp_path / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def started(folder: Path, *arguments: str, verb: str = "run") -> subprocess.Popen[str]:
    environment = {
        **os.environ, **install_once(folder), "OPENAI_API_KEY": KEY, "NO_COLOR": "1", "COLUMNS": "80",
    }  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-m", "gumption", verb, *arguments],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def install_once(folder: Path) -> dict[str, str]:
    there = folder / "programs"
    if not there.exists():
        there.mkdir()
        (there / "environment.json").write_text(json.dumps(install(there)))
    environment: dict[str, str] = json.loads((there / "environment.json").read_text())
    return environment


def quiz(folder: Path, *acts: str) -> tuple[str, ...]:
    line = " ".join(f"--act {act}" for act in acts)
    arguments = ("quiz.jsonl", "--model", f"vllm/{folder / 'weights'}", "--out", "run", "--json")
    return (*arguments, "--server-args", line) if line else arguments


def nothing_is_left(folder: Path) -> bool:
    found = starts(folder)
    return bool(found) and all(
        gone(start["pid"]) and (start["child"] is None or gone(start["child"])) for start in found
    )


def test_a_run_starts_asks_records_and_stops(folder: Path) -> None:
    with started(folder, *quiz(folder, "slow 0.5", "child"), "--replicas", "2") as command:
        out, err = command.communicate(timeout=60)
    assert command.returncode == 0, err
    assert json.loads(out)["micro"]["mean"] == 1.0
    assert "starting vllm 9.8.7" in err and "answers after" in err
    record = Run.open(folder / "run")
    assert record.info.protocol.model == {
        "kind": "vllm", "name": str(folder / "weights"), "version": "9.8.7",
        "arguments": ["--act", "slow", "0.5", "--act", "child"],
    }  # fmt: skip
    assert sorted(path.name for path in (folder / "run" / "server").iterdir()) == ["0.log", "1.log"]
    written = [path.read_bytes() for path in (folder / "run").rglob("*") if path.is_file()]
    assert not any(secret.encode() in data for data in written for secret in (KEY, TOKEN))
    assert nothing_is_left(folder)
    with started(folder, *quiz(folder, "slow 0.5", "child")) as again:
        assert again.wait(60) == 0
    assert len(starts(folder)) == 2, "a run that is complete needs no server, whatever the number of replicas"


def test_memory_errors_end_the_run_with_2_and_what_helps(folder: Path) -> None:
    with started(folder, *quiz(folder, "oom", "child")) as command:
        _, err = command.communicate(timeout=60)
    assert command.returncode == 2 and "Traceback" not in err
    assert "GPU's memory is not enough" in err and "--max-model-len" in err
    assert nothing_is_left(folder)


def test_servers_that_crash_lower_the_coverage_and_never_the_score(folder: Path) -> None:
    with started(folder, *quiz(folder, "crash 9")) as command:
        out, err = command.communicate(timeout=60)
    card = json.loads(out)
    assert command.returncode == 1 and card["coverage"] < 1, err
    assert card["micro"]["mean"] in (1.0, None) and "SIGSEGV" in err
    assert nothing_is_left(folder)


@pytest.mark.parametrize(
    ("number", "act"),
    [
        (signal.SIGINT, "slow 600"),
        (signal.SIGINT, "hang"),
        (signal.SIGTERM, "hang"),
        (signal.SIGKILL, "slow 600"),
        (signal.SIGKILL, "hang"),
    ],
)
def test_however_the_command_ends_nothing_of_the_server_is_left(
    folder: Path, number: signal.Signals, act: str
) -> None:
    with started(folder, *quiz(folder, act, "child")) as command:
        until = time.monotonic() + 30
        while not (starts(folder) and (act == "slow 600" or starts(folder)[0]["asked"])):
            assert time.monotonic() < until
            time.sleep(0.05)
        command.send_signal(number)
        command.communicate(timeout=30)
    assert command.returncode != 0
    assert nothing_is_left(folder)


def test_the_doctor_says_which_engines_there_are(folder: Path) -> None:
    with started(folder, "--model", f"sglang/{folder / 'weights'}", verb="doctor") as command:
        out, err = command.communicate(timeout=60)
    assert command.returncode == 0, out + err
    assert "ok    vllm 9.8.7" in out and "ok    sglang 9.8.7" in out and "'A'" in out
    assert nothing_is_left(folder)


def test_an_evaluator_whose_server_is_started_here_says_so(folder: Path) -> None:
    (folder / "theirs").mkdir()
    (folder / "quiz.jsonl").rename(folder / "theirs" / "quiz.jsonl")
    (folder / "theirs" / "README.md").write_text(
        "# Where is it?\n\n`answer` is the letter of the right choice.\n"
    )
    told = ("theirs", "--out", "pipeline", "--evaluator", f"vllm/{folder / 'weights'}", "--attempts", "1")
    with started(folder, *told, verb="synthesize") as command:
        _, err = command.communicate(timeout=60)
    assert command.returncode == 1, err
    assert "starting vllm 9.8.7" in err and "answers after" in err
    assert nothing_is_left(folder)


def test_the_doctor_says_which_engines_there_are_not(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gumption", "doctor"],
        cwd=tmp_path, env={**os.environ, "PATH": "/nowhere"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    for engine in ("vllm", "sglang"):
        assert f"{engine} was not found" in done.stdout


def test_a_judge_is_not_started_beside_the_model(folder: Path) -> None:
    with started(folder, *quiz(folder), "--judge", "vllm/other") as command:
        _, err = command.communicate(timeout=60)
    assert command.returncode == 2 and "--judge vllm/other" in err and "OPENAI_BASE_URL" in err
