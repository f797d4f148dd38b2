"""SIGKILL while `gumption curate` asks models: the same call goes on, no vote lost or cast twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from roles_script import CAUSE, COUNT, PLACE, proposal
from test_by_model_induction import review, saying, vote

import command_line
from gumption.running import Run
from gumption.suites import read_selection
from servers import Act, Asked, Server

pytest.importorskip("onnxruntime", reason="needs the extra [embeddings]")
ITEMS, IN_FLIGHT = 60, 6
KINDS = ("How many cups are on shelf", "Where is robot", "Why did it fall from step")


def play(asked: Asked) -> Act:
    """A Proposer of three dimensions, a Reviewer content with them, and voters by an item's first words."""
    if asked.body["model"] == "proposer":
        return saying(proposal(COUNT, PLACE, CAUSE))
    if asked.body["model"] == "reviewer":
        return review()
    return vote(asked).after(0.02)


def votes_in(folder: Path) -> list[tuple[str, str, str]]:
    """The call of each recorded reply, its model, and the request's hash."""
    if not (folder / "run.json").exists():
        return []
    return [(one.call, one.model, one.request_sha256) for one in Run.open(folder).replies()]


def test_a_kill_costs_what_was_in_flight(tmp_path: Path) -> None:
    rows = [
        {"id": f"i{n}", "question": f"{KINDS[n % 3]} {n}?", "answer": "so", "category": f"c{n % 4}"}
        for n in range(ITEMS)
    ]
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with Server(play) as server:

        def call(out: str) -> list[str]:
            words = ["curate", "pool.jsonl", "-o", out, "--k", "8", "--base-url", server.base_url]
            words += ["--proposer", "openai/proposer", "--reviewer", "openai/reviewer"]
            words += ["--voter", "openai/one", "--voter", "openai/two", "--cache", "vectors.sqlite"]
            return [*words, "--concurrency", str(IN_FLIGHT), "--fewest", "2"]

        def to_the_end(out: str) -> str:
            done = command_line.gumption(tmp_path, *call(out), OPENAI_API_KEY="none")
            assert done.returncode == 0, done.stderr
            return done.stdout

        replies, lost = tmp_path / "small.induction", 0
        # Among the probe's votes of the induction, then among those of the assignment.
        for moment in (40, 200):
            before, kept_before = server.total, votes_in(replies)
            process = subprocess.Popen(
                [sys.executable, "-m", "gumption", *call("small")], cwd=tmp_path,
                env={**os.environ, "NO_COLOR": "1", "OPENAI_API_KEY": "none"},
                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
            deadline = time.monotonic() + 120
            while server.total < before + moment and process.poll() is None:
                assert time.monotonic() < deadline
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
            assert process.returncode == -signal.SIGKILL
            while server.in_flight:
                time.sleep(0.005)
            assert not (tmp_path / "small" / "suite.json").exists()
            kept = votes_in(replies)
            assert kept[: len(kept_before)] == kept_before, "a recorded reply is gone"
            lost += server.total - before - (len(kept) - len(kept_before))
            assert lost <= 2 * IN_FLIGHT
        told = to_the_end("small")
        kept = votes_in(replies)
        assert server.total == len(kept) + lost
        assert max(Counter(kept).values()) == 1, "a vote was cast twice"
        asked = server.total

        # An uninterrupted call asks the same and makes the same suite.
        to_the_end("whole")
        assert server.total - asked == len(kept)
        assert sorted(votes_in(tmp_path / "whole.induction")) == sorted(kept)
    about = [json.loads((tmp_path / name / "suite.json").read_text()) for name in ("small", "whole")]
    assert about[0]["checksum"] == about[1]["checksum"]
    assert "3 dimensions" in told
    assert Counter(one.dimension for one in read_selection(tmp_path / "small")) == {
        "Counting": 8, "Place": 8, "Cause": 8,
    }  # fmt: skip
    roles = about[0]["provenance"]["roles"]
    assert "proposer" in roles["proposer"] and "reviewer" in roles["reviewer"]
