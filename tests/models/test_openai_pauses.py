"""A busy server is left alone for as long as it says, by all requests together, and never for ever."""

from __future__ import annotations

import asyncio
import email.utils
import time

import pytest

from asking import ask, ask_all, item
from gumption.models.openai import OpenAI
from gumption.suites import Media
from servers import Act, Asked, Server, always, answer, failure, in_turn

ATTEMPTS = 6
PAUSE_S = 0.5


def busy(seconds: str) -> Act:
    return failure(429, "slow down", Retry_After=seconds)


def test_a_pause_holds_for_requests_that_were_not_sent_yet() -> None:
    """Four askers with ten questions each; the fifth request is told to wait, the others are answered."""

    def behave(asked: Asked) -> Act:
        return busy(str(PAUSE_S)) if asked.number == 5 else answer().after(0.02)

    with Server(behave) as server:
        model = OpenAI("m", base_url=server.base_url, first_pause_s=0.01)

        async def asker(name: int) -> None:
            for number in range(10):
                reply = await model.ask(item(f"{name}.{number}?"), (f"{name}.{number}", 0, ""), Media().read)
                assert reply.status == "ok"

        async def go() -> None:
            await asyncio.gather(*map(asker, range(4)))
            await model.close()

        asyncio.run(go())
    assert server.total == 41
    told = server.asked[4].at
    # What was under way when the server spoke has arrived within a fifth of a second.
    after = [asked.at for asked in server.asked if asked.at > told + 0.2]
    assert len(after) > 20 and min(after) >= told + PAUSE_S


def test_no_stampede_on_a_server_that_tells_everybody_to_wait() -> None:
    """Sixteen questions at once, all of them told to wait; then all are answered, each at its second try."""
    with Server(in_turn(busy(str(PAUSE_S)), answer())) as server:
        replies = ask_all(server, [item(f"{number}?", id=str(number)) for number in range(16)])
    assert {reply.status for reply in replies} == {"ok"} and server.total == 32
    first, second = server.asked[:16], server.asked[16:]
    assert {asked.turn for asked in first} == {1} and {asked.turn for asked in second} == {2}
    times = sorted(asked.at for asked in second)
    assert times[0] >= max(asked.at for asked in first) + PAUSE_S
    # They do not come back in one instant: the pause is spread over a tenth of itself.
    assert times[-1] - times[0] > PAUSE_S / 100


@pytest.mark.parametrize("status", [429, 503])
def test_attempts_are_bounded(status: int) -> None:
    with Server(always(failure(status, "slow down", Retry_After="0.02"))) as server:
        replies = ask_all(server, [item(f"{number}?", id=str(number)) for number in range(8)])
    assert {reply.status for reply in replies} == {"infra_error"}
    assert all(f"HTTP {status}" in reply.error for reply in replies)
    assert set(server.counts.values()) == {ATTEMPTS}


def test_the_pause_may_be_a_date() -> None:
    date = email.utils.formatdate(time.time() + 2, usegmt=True)  # in whole seconds: 1 to 2 s from now
    _, server = ask(in_turn(busy(date), answer()))
    first, second = server.asked
    assert 0.9 <= second.at - first.at < 3


@pytest.mark.parametrize(
    "value", ["soon", "-5", "nan", "Fri, 99 Nope 2026", "Mon, 01 Jan 1990 00:00:00 GMT", ""]
)
def test_a_pause_that_says_nothing_is_no_pause(value: str) -> None:
    reply, server = ask(in_turn(busy(value), answer()))
    assert (reply.status, server.total) == ("ok", 2)
    assert server.asked[1].at - server.asked[0].at < 1


def test_no_server_stops_a_run_for_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gumption.models.openai._LONGEST_HOLD_S", 0.1)
    for seconds in ("86400", "inf", email.utils.formatdate(time.time() + 86400, usegmt=True)):
        reply, server = ask(in_turn(busy(seconds), answer()))
        assert (reply.status, server.total) == ("ok", 2)
        assert 0.1 <= server.asked[1].at - server.asked[0].at < 5
