"""The clients of benches/peers.py do the same work, and what does not is found out."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benches._clients import BARE, CLIENTS, GUMPTION, Client, Job
from benches._processes import Cost, cost_of
from benches._questions import PICTURE_BYTES, write
from benches._server import Seen, Served, served

from benches import peers

ITEMS = 8


@pytest.fixture(scope="module")
def quiz(tmp_path_factory):
    return write(tmp_path_factory.mktemp("quiz"), ITEMS)


def test_questions_show_pictures_of_their_own_and_three_in_four_are_answered_a(quiz):
    rows = [json.loads(line) for line in quiz.read_text().splitlines()]
    pictures = {(quiz.parent / row["image"]).read_bytes() for row in rows}
    assert len(pictures) == ITEMS
    assert {len(picture) for picture in pictures} == {PICTURE_BYTES}
    assert [row["answer"] for row in rows] == ["A", "A", "A", "B"] * 2


def test_the_bare_loop_and_gumption_ask_each_question_once_and_score_alike(quiz):
    python = Path(sys.executable)
    with served(0.0) as server:
        for client in (BARE, GUMPTION):
            cost, seen = peers._ask(client, python, quiz, server, ITEMS)
            assert seen.requests == ITEMS
            # Base64 makes four bytes of three.
            assert seen.megabytes == pytest.approx(ITEMS * PICTURE_BYTES * 4 / 3 / 1e6, rel=0.05)
            assert cost.cpu > 0
            assert cost.peak_mb > 10


def test_a_client_that_asks_too_little_or_scores_otherwise_is_refused(quiz, tmp_path):
    shorter = tmp_path / "quiz.jsonl"
    shorter.write_text("".join(quiz.read_text().splitlines(keepends=True)[:-1]))
    for path in quiz.parent.glob("*.jpg"):
        (tmp_path / path.name).symlink_to(path)

    def fewer(job: Job) -> list[str | Path]:
        return BARE.command(replace(job, quiz=shorter))

    def whole(job: Job) -> tuple[int, float]:
        return ITEMS, 0.75

    client = replace(BARE, command=fewer, score=whole)
    with served(0.0) as server, pytest.raises(RuntimeError, match=f"{ITEMS - 1} requests"):
        peers._ask(client, Path(sys.executable), quiz, server, ITEMS)


def test_a_peer_that_is_not_installed_is_shown_as_such(monkeypatch, tmp_path, capsys):
    def ask(client: Client, python: Path, quiz: Path, server: Served, items: int) -> tuple[Cost, Seen]:
        return Cost(2.0, 1.0, 100.0), Seen(items, 1.0, 4)

    monkeypatch.setattr("benches._clients._PEERS", tmp_path)
    monkeypatch.setenv("GUMPTION_BENCHES", str(tmp_path))
    monkeypatch.setattr(peers, "_ask", ask)
    monkeypatch.setattr(sys, "argv", ["benches", "peers", f"--items={ITEMS}", "--repeats=1"])
    peers.main()
    told = capsys.readouterr().out
    for client in CLIENTS:
        assert told.count(f"| {client.name} | not installed |") == (2 if client.kit else 0)
    rows = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [dict(row["row"])["whole process"] for row in rows[: len(CLIENTS)]] == [
        one.name for one in CLIENTS
    ]


def test_children_count_into_the_cost_of_a_command():
    grow = "x = bytearray(60_000_000); import time; time.sleep(1)"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {grow!r}], check=True)"
    alone = cost_of(sys.executable, "-c", "import time; time.sleep(0.3)")
    both = cost_of(sys.executable, "-c", start)
    assert both.peak_mb > alone.peak_mb + 60
    assert both.seconds > 1
