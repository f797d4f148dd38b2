"""From a suite and a model to scores: what each thing that can happen does to the number."""

from __future__ import annotations

import fcntl
from pathlib import Path

import msgspec
import pytest

from gumption.models import ReadMedia
from gumption.models.replay import Replay
from gumption.ranking import scorecard
from gumption.records import Answer, GumptionError, Item, Key, Reply
from gumption.running import Run, ask_shard, run, score_run
from gumption.suites import Suite

SIDES = {"A": "left", "B": "right", "C": "above", "D": "below"}
ITEMS = tuple(Item(f"q{number}", "quiz", (), Answer("choice", "A", SIDES)) for number in range(8))
SUITE = Suite("quiz", "1", ITEMS)
REPLIES = {
    "q0": Reply("q0", text="A"),
    "q1": Reply("q1", text="B"),
    "q2": Reply("q2", text="A or B"),
    "q3": Reply("q3", text="Hm."),
    "q4": Reply("q4", text="I'm sorry, I can't help with that."),
    "q5": Reply("q5", text="The answer is A because", status="truncated"),
    "q6": Reply("q6", status="infra_error", error="HTTP 500"),
}


def model(replies: dict[str, Reply] = REPLIES) -> Replay:
    return Replay("m", {reply.key: reply for reply in replies.values()}, "r.jsonl")


def test_each_fate_has_its_own_effect(tmp_path: Path) -> None:
    record = run(SUITE, model(), tmp_path / "run")
    rows = {row["item_id"]: row for row in record.scores().to_pylist()}
    assert {key: row["value"] for key, row in rows.items()} == {
        "q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "q4": 0.0, "q5": 1.0, "q6": None, "q7": None,
    }  # fmt: skip
    assert [row["status"] for row in rows.values()] == [*["ok"] * 5, "truncated", "infra_error", "diverged"]
    outcomes = ["answered", "answered", "ambiguous", "unanswered", "refused", "answered", "", ""]
    assert [row["outcome"] for row in rows.values()] == outcomes
    assert {row["chance"] for row in rows.values()} == {0.25}
    total = scorecard(record.folder).total
    # 6 of 8 scored, 2 of them right: the failures lower coverage and nothing else.
    assert (total.score.mean, total.n, total.planned, total.coverage) == (2 / 6, 6, 8, 6 / 8)
    assert total.bounds == (2 / 8, 4 / 8)
    assert (total.unread, total.ambiguous, total.refused, total.truncated) == (1 / 6, 1 / 6, 1 / 6, 1 / 6)


def test_a_refusal_of_the_server_is_a_refusal_and_not_unread(tmp_path: Path) -> None:
    refused = {"q0": Reply("q0", status="refused", error="content filter"), "q1": Reply("q1", text="A")}
    total = scorecard(run(SUITE.first(2), model(refused), tmp_path / "run").folder).total
    assert (total.score.mean, total.refused, total.unread) == (0.5, 0.5, 0.0)


def test_scoring_again_changes_nothing_and_asks_nothing(tmp_path: Path) -> None:
    record = run(SUITE, model(), tmp_path / "run")
    before = record.scores()
    parts = {path: path.read_bytes() for path in (tmp_path / "run" / "parts").iterdir()}
    (tmp_path / "run" / "scores.parquet").unlink()
    assert score_run(tmp_path / "run").scores().equals(before)
    assert {path: path.read_bytes() for path in (tmp_path / "run" / "parts").iterdir()} == parts


class Counting(Replay):
    def __init__(self) -> None:
        super().__init__("m", {reply.key: reply for reply in REPLIES.values()}, "r.jsonl")
        self.asked: list[Key] = []

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply | None:
        self.asked.append(key)
        return await super().ask(question, key, media)


def test_a_run_is_taken_up_where_it_ended(tmp_path: Path) -> None:
    whole = run(SUITE, model(), tmp_path / "whole").scores()
    run(SUITE, model(), tmp_path / "run")
    (part,) = (tmp_path / "run" / "parts").iterdir()
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:3]) + lines[3][:20])  # killed in the middle of a line
    again = Counting()
    assert run(SUITE, again, tmp_path / "run").scores().equals(whole)
    assert [key[0] for key in again.asked] == ["q3", "q4", "q5", "q6", "q7"]


def test_failed_requests_are_asked_again(tmp_path: Path) -> None:
    run(SUITE, model(), tmp_path / "run")
    mended = model({**REPLIES, "q6": Reply("q6", text="A"), "q7": Reply("q7", text="B")})
    record = run(SUITE, mended, tmp_path / "run")
    assert record.scores()["value"].to_pylist()[6:] == [1.0, 0.0]
    assert score_run(tmp_path / "run").scores()["value"].to_pylist()[6:] == [1.0, 0.0]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    record = run(SUITE, model(), tmp_path / "run")
    (part,) = (tmp_path / "run" / "parts").iterdir()
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join([lines[0], b"{nonsense\n", *lines[2:]]))
    with pytest.raises(GumptionError, match="damaged") as caught:
        list(record.replies())
    assert caught.value.where.endswith("line 2")


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    run(SUITE, model(), tmp_path / "run")
    with (tmp_path / "run" / "run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(GumptionError, match="another process"):
            run(SUITE, model(), tmp_path / "run")


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    run(SUITE, model(), tmp_path / "run")
    with pytest.raises(GumptionError, match="another run"):
        run(SUITE.first(3), model(), tmp_path / "run")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("do not lose me")
    with pytest.raises(GumptionError, match="not empty"):
        run(SUITE, model(), tmp_path / "full")
    with pytest.raises(GumptionError, match="not a run"):
        Run.open(tmp_path / "full")


def test_run_json_identifies_the_protocol(tmp_path: Path) -> None:
    run(SUITE, model(), tmp_path / "run")
    info = msgspec.json.decode((tmp_path / "run" / "run.json").read_bytes())
    assert info["protocol"]["suite"] == SUITE.checksum
    assert info["protocol"]["reading"] and info["protocol"]["scoring"]
    assert info["protocol"]["model"] == {"kind": "replay", "name": "m", "file": "r.jsonl"}


def test_shards_write_parts_of_their_own_and_the_run_is_their_sum(tmp_path: Path) -> None:
    whole = run(SUITE, model(), tmp_path / "whole").scores()
    record = run(SUITE, model({}), tmp_path / "run")  # starts the folder; nothing is recorded yet
    for number, rows in enumerate((range(5, 8), range(5))):
        part = record.folder / "parts" / f"worker-{number}.jsonl"
        asked = ask_shard(rows, ITEMS, part, model=model(), media=SUITE.media.read)
        assert [row.item_id for row in asked.rows] == [f"q{row}" for row in rows]
    assert score_run(record.folder).scores().equals(whole)


def test_epochs_are_asked_and_stay_apart(tmp_path: Path) -> None:
    replies = {("q0", epoch, ""): Reply("q0", epoch, text="AB"[epoch]) for epoch in (0, 1)}
    record = run(SUITE.first(1), Replay("m", replies, "r.jsonl"), tmp_path / "run", epochs=2)
    assert record.scores()["value"].to_pylist() == [1.0, 0.0]
    assert scorecard(record.folder).total.score.mean == 0.5


class Unborn(Replay):
    """A model whose server does not start."""

    async def ask(self, *_: object) -> Reply:
        raise GumptionError("the server did not start", remedy="give it less to hold")


def test_a_start_that_failed_leaves_the_folder_free_for_another(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with pytest.raises(GumptionError, match="did not start"):
        run(SUITE, Unborn("m", {}, "r.jsonl"), folder)
    fewer = Suite("quiz", "1", ITEMS[:3])
    record = run(fewer, model(), folder)
    assert [item.id for item in record.items()] == ["q0", "q1", "q2"]
    with pytest.raises(GumptionError, match="another run"):
        run(SUITE, model(), folder)
