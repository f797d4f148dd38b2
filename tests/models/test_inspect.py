"""Models of Inspect's providers under our engine. Needs the extra [inspect]."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")

import inspect_ai.model

from gumption.models import Model, open_models
from gumption.ranking import scorecard
from gumption.records import GumptionError
from gumption.running import run
from gumption.suites import Suite, read_jsonl
from inspect_mock import answer, mock, quiz_file

Bridge: TypeAlias = Callable[..., Model]

pytestmark = [
    pytest.mark.inspect,
    # What Inspect's own code warns of is not ours to mend.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]


@pytest.fixture
def quiz(tmp_path: Path) -> Suite:
    return read_jsonl(quiz_file(tmp_path))


@pytest.fixture
def bridged(monkeypatch: pytest.MonkeyPatch) -> Bridge:
    """`inspect/mockllm/model` with replies of the test's own."""

    def open_with(answer: Any, stop: str = "stop") -> Model:
        made = mock(answer, stop)
        monkeypatch.setattr(inspect_ai.model, "get_model", lambda *_, **__: made)
        return open_models("inspect/mockllm/model")[0]

    return open_with


def test_a_provider_of_inspect_as_a_model(bridged: Bridge, quiz: Suite, tmp_path: Path) -> None:
    done = run(quiz, bridged(answer), tmp_path / "run")
    assert [row["value"] for row in done.scores().to_pylist()] == [1.0, 0.0, 1.0, 0.0]
    reply = next(iter(done.replies()))
    assert (reply.model, reply.status, reply.finish_reason) == ("inspect/mockllm/model", "ok", "stop")
    assert reply.usage is not None and reply.usage.output_tokens == 3
    assert len(reply.request_sha256) == 64


@pytest.mark.parametrize(("stop", "status"), [("max_tokens", "truncated"), ("content_filter", "refused")])
def test_why_a_model_stopped(bridged: Bridge, quiz: Suite, tmp_path: Path, stop: str, status: str) -> None:
    done = run(quiz, bridged(answer, stop), tmp_path / "run")
    assert {reply.status for reply in done.replies()} == {status}


def test_an_error_of_a_provider_is_a_failed_request(bridged: Bridge, quiz: Suite, tmp_path: Path) -> None:
    def broken(prompt: str) -> str:
        raise ConnectionError("gone")

    done = run(quiz, bridged(broken), tmp_path / "run")
    assert {reply.status for reply in done.replies()} == {"infra_error"}
    assert scorecard(done.folder).total.coverage == 0


def test_unknown_providers_and_options(tmp_path: Path) -> None:
    for name in ("inspect/nosuch/model", "inspect/mockllm", "inspect/"):
        with pytest.raises(GumptionError) as caught:
            open_models(name)
        assert caught.value.remedy
    with pytest.raises(GumptionError, match="--preset is for openai"):
        open_models("inspect/mockllm/model", preset="qwen3-vl-instruct")
