"""Episodes against a server: what is sent is what was drawn, and a kill costs what was in flight."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from viplan_play import play, right

import command_line
from gumption.benchmarks import open_suite
from gumption.models.drawn import Drawn
from gumption.ranking import scorecard
from gumption.records import Reply, Text
from gumption.running import Run
from servers import Act, Asked, Server, answer

pytestmark = pytest.mark.data
TASKS = 3


def truth(public_data: Path) -> dict[tuple[str, str], str]:
    """The right answer by picture and words, over everything that a model without a fault is asked."""
    known = {}
    for item in open_suite("viplan-blocksworld", public_data).items[:TASKS]:
        score, asked = play(item, right)
        assert score.value == 1.0
        for question in (one for questions in asked for one in questions):
            picture, words = question.parts
            assert isinstance(picture, Drawn) and isinstance(words, Text)
            known[sha256(picture.data).hexdigest(), words.text] = right(question)
    return known


def looked_up(known: dict[tuple[str, str], str], seconds: float) -> Callable[[Asked], Act]:
    """A server that knows these pictures and answers like a person who sees them."""

    def behave(asked: Asked) -> Act:
        (kind, data), words = asked.parts
        assert kind == "image/png" and isinstance(words, str)
        return answer(known[sha256(data).hexdigest(), words]).after(seconds)

    return behave


def call(
    server: Server, data: Path, out: Path, *more: str, suite: str = "viplan-blocksworld"
) -> tuple[str, ...]:
    return (
        *("run", suite, "--data", str(data), "--limit", str(TASKS)),
        *("--model", "openai/m", "--base-url", server.base_url, "--out", str(out), *more),
    )


def start(*words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "OPENAI_API_KEY": "none", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "gumption", *words]
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def to_the_end(*words: str) -> str:
    """What is printed; in this process."""
    done = command_line.gumption(Path(), *words, OPENAI_API_KEY="none")
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.002)


def recorded(run: Path) -> list[Reply]:
    return list(Run.open(run).replies()) if (run / "run.json").exists() else []


def test_a_kill_inside_an_episode_costs_what_was_in_flight(public_data: Path, tmp_path: Path) -> None:
    known = truth(public_data)
    run, in_flight, chance = tmp_path / "run", 4, random.Random(5)
    with Server(looked_up(known, 0.005)) as server:
        for _ in range(3):
            asked_before, kept_before = server.total, len(recorded(run))
            process = start(*call(server, public_data, run, "--concurrency", str(in_flight)))
            enough = asked_before + chance.randint(5, 50)
            wait_until(lambda enough=enough: server.total >= enough)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
            assert process.returncode == -signal.SIGKILL
            wait_until(lambda: server.in_flight == 0)
            asked, kept = server.total - asked_before, len(recorded(run)) - kept_before
            assert kept <= asked <= kept + in_flight
            assert kept and not (run / "scores.parquet").exists()  # in the midst of the three episodes
        to_the_end(*call(server, public_data, run, "--concurrency", str(in_flight)))
        keys = [reply.key for reply in recorded(run)]
        assert len(keys) == len(set(keys)) and server.total <= len(keys) + 3 * in_flight
        before = server.total
        to_the_end(*call(server, public_data, tmp_path / "whole"))
        assert server.total - before == len(keys)
    whole = Run.open(tmp_path / "whole")
    assert Run.open(run).scores().equals(whole.scores())
    total = scorecard(run).total
    assert (total.score.mean, total.coverage, total.n) == (1.0, 1.0, TASKS)
    # Each reply says which picture it was asked about, and scoring needs no server.
    assert all(len(reply.media_sha256) == 1 for reply in whole.replies())
    to_the_end("score", str(run))
    assert Run.open(run).scores().equals(whole.scores())


def test_a_planner_behind_a_server(public_data: Path, tmp_path: Path) -> None:
    """It follows the reference plans, told by the goal, and by how many steps are done in the history."""
    items = open_suite("viplan-blocksworld-planner", public_data).items[:TASKS]

    def goal(text: str) -> str:
        found = re.search(r"this is so:\n(.*?)\n\n", text, re.DOTALL)
        assert found
        return found[1]

    plans: dict[str, list[list[str]]] = {}
    for item in items:
        _, asked = play(item, lambda question: json.dumps(question.answer.gold))
        (first,) = asked[0]
        assert isinstance(first.parts[1], Text)
        plans[goal(first.parts[1].text)] = item.answer.gold
    lock = threading.Lock()

    def behave(asked: Asked) -> Act:
        with lock:
            plan = plans[goal(asked.text)]
        left = plan[asked.text.count(": done") :]
        steps = [{"action": a, "parameters": {"block": b, "column": c}} for a, b, c in left]
        return answer(f"```json\n{json.dumps({'plan': steps})}\n```")

    with Server(behave) as server:
        to_the_end(*call(server, public_data, tmp_path / "run", suite="viplan-blocksworld-planner"))
        assert server.total == sum(len(plan) for plan in plans.values())
    assert scorecard(tmp_path / "run").total.score.mean == 1.0


def test_a_model_that_only_says_no_is_scored_and_not_failed_silently(
    public_data: Path, tmp_path: Path
) -> None:
    with Server(lambda _: answer("No.")) as server:
        told = json.loads(to_the_end(*call(server, public_data, tmp_path / "run", "--json")))
    assert (told["micro"]["mean"], told["coverage"], told["unread"]) == (0.0, 1.0, 0.0)
    for row in Run.open(tmp_path / "run").scores().to_pylist():
        counts = dict(row["parts"])
        # Three blocks in four columns: each is in one, 12 facts of left and right, and as many more atoms as
        # there are blocks on others or clear ones: 18 of 56 in all.
        assert counts["asked"] == 56 and counts["f1"] == 0.0 and counts["planned"] == 0.0
        assert counts["correct"] == 56 - 18
