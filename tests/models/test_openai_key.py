"""The key is sent to the server and is nowhere else."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from asking import KEY, ask, item
from gumption.models.openai import OpenAI
from gumption.records import GumptionError
from gumption.running import run
from gumption.suites import Suite
from servers import Act, Asked, Server, answer, failure


def echo(asked: Asked) -> Act:
    """Gives the caller's key away in every way there is."""
    said = f"who is {asked.headers['authorization']}?"
    acts = [
        failure(401, said),
        Act(said.encode() * 100, 403),
        failure(500, said),
        Act(json.dumps({"error": said}).encode()),
        failure(429, said, Retry_After="soon"),
        answer(),
    ]
    return acts[int(asked.text.split("?")[0]) % len(acts)]


def test_the_key_is_nowhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    suite = Suite("quiz", "1", tuple(item(f"{n}?", id=f"q{n}") for n in range(12)))
    with Server(echo) as server:
        model = OpenAI("m", base_url=server.base_url, first_pause_s=0.001)
        record = run(suite, model, tmp_path / "run", cache=tmp_path / "cache")
    assert {reply.status for reply in record.replies()} == {"ok", "infra_error"}
    assert any("***" in problem for problem in record.problems)
    assert len(server.asked) > 12 and {KEY in asked.headers["authorization"] for asked in server.asked} == {
        True
    }
    output = capfd.readouterr()
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 4 and not any(KEY.encode() in data for data in written)
    assert KEY not in output.out + output.err + caplog.text + repr(record.problems) + repr(model)


def test_a_key_with_a_line_break_at_its_end_is_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
    reply, server = ask(failure(401, f"not {KEY}"))
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(reply)


@pytest.mark.parametrize("value", ["sk-two\nlines", "sk-schlüssel", "sk two"])
def test_a_key_that_cannot_be_sent_is_refused_unseen(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", value)
    with pytest.raises(GumptionError, match="OPENAI_API_KEY") as caught:
        OpenAI("m", base_url="http://localhost/v1")
    assert value not in str(caught.value) + caught.value.remedy


def test_bad_usage_is_told_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GumptionError, match="address"):
        OpenAI("m", base_url="localhost:8000/v1")
    with pytest.raises(GumptionError, match="preset"):
        OpenAI("m", preset="qwen9")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(GumptionError, match="OPENAI_API_KEY"):
        OpenAI("m")
    _, server = ask(answer())  # a server of one's own wants none
    assert server.total == 1
