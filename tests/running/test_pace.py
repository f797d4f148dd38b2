"""Fewer requests at once while a server cannot keep up, and more again when it can."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

from gumption.models import ReadMedia
from gumption.records import Answer, Item, Key, Reply
from gumption.running._asking import Asker
from gumption.running._writing import Writer
from gumption.running.pace import Pace

GOOD = Reply("q", text="A")
LATE = Reply("q", text="A", params={"attempts": 2})


def test_a_reply_that_took_two_attempts_halves_the_pace_once() -> None:
    async def turns() -> Pace:
        pace = Pace(16)
        async with pace.turn() as first, pace.turn() as second:
            first.told(LATE)
            # It was sent before the cut: what it tells is known already.
            second.told(LATE)
        assert pace.limit == 8
        async with pace.turn() as third:
            third.told(Reply("q", status="infra_error", params={"attempts": 6}))
        return pace

    assert asyncio.run(turns()).limit == 4


def test_good_replies_bring_it_back_and_never_beyond() -> None:
    async def turns() -> list[float]:
        pace, limits = Pace(4), []
        for reply in (LATE, LATE, LATE, *[GOOD] * 40):
            async with pace.turn() as turn:
                turn.told(reply)
            limits.append(pace.limit)
        return limits

    limits = asyncio.run(turns())
    assert limits[:4] == [2.0, 1.0, 1.0, 2.0] and limits[-1] == 4.0
    assert all(after <= before + 1 for before, after in pairwise(limits))


def test_a_failure_that_is_no_fault_of_the_load_slows_nothing() -> None:
    async def turns() -> float:
        pace = Pace(8)
        async with pace.turn() as turn:
            turn.told(Reply("q", status="infra_error", error="HTTP 400", params={"attempts": 1}))
        async with pace.turn() as turn:
            turn.told(None)
        return pace.limit

    assert asyncio.run(turns()) == 8


def test_turns_wait_for_room_and_a_cancelled_one_gives_up_its_place() -> None:
    async def turns() -> list[int]:
        pace, under_way, most = Pace(2), 0, []

        async def one() -> None:
            nonlocal under_way
            async with pace.turn():
                under_way += 1
                most.append(under_way)
                await asyncio.sleep(0)
                under_way -= 1

        tasks = [asyncio.ensure_future(one()) for _ in range(9)]
        await asyncio.sleep(0)
        tasks[5].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with pace.turn(), pace.turn():
            return most

    most = asyncio.run(turns())
    assert len(most) == 8 and max(most) == 2


class Busy:
    """A server that takes three requests at once; what is more comes late."""

    name, prompt = "busy", ""
    decode: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        self.under_way = 0
        self.seen: list[int] = []

    def identity(self) -> dict[str, Any]:
        return {}

    def prepare(self, items: Sequence[Item]) -> None:
        """Nothing is learnt."""

    async def close(self) -> None:
        """Nothing is held open."""

    def request_sha256(self, question: Item) -> str:
        return ""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        self.under_way += 1
        self.seen.append(self.under_way)
        late = self.under_way > 3
        await asyncio.sleep(0.001)
        self.under_way -= 1
        return Reply(*key, text="A", params={"attempts": 2} if late else {})


def test_a_run_settles_near_what_the_server_takes(tmp_path: Path) -> None:
    model = Busy()
    item = Item("q", "quiz", (), Answer("text"))

    async def ask_all() -> None:
        with Writer(tmp_path / "0000.jsonl") as writer:
            asker = Asker({}, model=model, writer=writer, media=lambda _: b"", concurrency=64)
            await asyncio.gather(*(asker(item, (f"q{number}", 0, "")) for number in range(600)))

    asyncio.run(ask_all())
    assert max(model.seen[:64]) == 64
    late = sorted(model.seen[300:])
    assert late[len(late) // 2] <= 4 and max(late) <= 8
