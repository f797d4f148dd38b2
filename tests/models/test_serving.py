"""Weights by name: servers are started, share the questions, and leave nothing behind."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from served import ask, opened

from asking import KEY, item
from gumption.models import is_served, open_models
from gumption.records import GumptionError
from stand_ins import TOKEN, gone, starts

pytestmark = pytest.mark.usefixtures("serving_programs")


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_the_engine_is_given_its_own_command_line(tmp_path: Path, engine: str) -> None:
    model = opened(tmp_path, "slow 0.6", engine=engine, args="--max-model-len 2048")
    replies = ask(model, 3)
    assert [(reply.status, reply.text, reply.model) for reply in replies] == [("ok", "A", model.name)] * 3
    (start,) = starts(tmp_path)
    weights = str(tmp_path / "weights")
    first = ["serve", weights] if engine == "vllm" else ["--model-path", weights]
    rest = [
        "--host",
        "127.0.0.1",
        "--port",
        str(start["port"]),
        "--max-model-len",
        "2048",
        "--act",
        "slow",
        "0.6",
    ]
    assert start["argv"] == [*first, *rest]
    assert model.identity() == {
        "kind": engine, "name": weights, "version": "9.8.7",
        "arguments": ["--max-model-len", "2048", "--act", "slow", "0.6"],
    }  # fmt: skip
    assert replies[0].params["backend"] == "stand-in"


def test_keys_reach_neither_the_server_nor_its_log(tmp_path: Path) -> None:
    ask(opened(tmp_path), 2)
    (start,) = starts(tmp_path)
    assert start["keys"] == [] and not any(KEY in sent for sent in start["asked"])
    log = (tmp_path / "server" / "0.log").read_text()
    assert "the key is ***" in log and TOKEN not in log and KEY not in log


def test_nothing_starts_before_the_first_question(tmp_path: Path) -> None:
    model = opened(tmp_path)
    model.request_sha256(item("Which side?"))
    asyncio.run(model.close())
    assert starts(tmp_path) == [] and not (tmp_path / "server").exists()


def test_gpus_are_shared_out_and_questions_go_to_the_least_busy(tmp_path: Path) -> None:
    model = opened(tmp_path, replicas=2, gpus="0,1,2,3")
    assert all(reply.status == "ok" for reply in ask(model, 40))
    found = starts(tmp_path)
    assert sorted(start["gpus"] for start in found) == ["0,1", "2,3"]
    assert [len(start["asked"]) for start in found] == [20, 20]
    assert all(start["argv"][-2:] == ["--tensor-parallel-size", "2"] for start in found)
    assert len({start["port"] for start in found}) == 2
    assert sorted(path.name for path in (tmp_path / "server").iterdir()) == ["0.log", "1.log"]
    assert "--port" not in model.identity()["arguments"]


def test_closing_lets_the_servers_run_for_the_next_questions(tmp_path: Path) -> None:
    model = opened(tmp_path)
    ask(model, 4, stop=False)
    (start,) = starts(tmp_path)
    os.kill(start["pid"], 0)
    ask(model, 4, stop=False)
    assert [len(start["asked"]) for start in starts(tmp_path)] == [8]
    model.stop()
    assert gone(start["pid"], within_s=0)
    ask(model, 1)
    assert len(starts(tmp_path)) == 2, "asked again after that, it starts anew"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"server_args": "--api-key sk-1"}, "may not be given"),
        ({"server_args": "--hf_token=x"}, "may not be given"),
        ({"server_args": "--api x"}, "may not be given"),
        ({"server_args": "--port 80"}, "set by gumption"),
        ({"server_args": "--served-model-name=x"}, "set by gumption"),
        ({"server_args": "--x 'open"}, "cannot be read"),
        ({"gpus": "0,1,2", "replicas": 2}, "cannot be shared evenly"),
        ({"gpus": "0", "replicas": 2}, "cannot be shared evenly"),
        ({"gpus": "0,0"}, "twice"),
        ({"gpus": "0;rm"}, "not a list"),
        ({"base_url": "http://127.0.0.1:9/v1", "replicas": 2}, "--replicas is for"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(GumptionError, match=said) as caught:
        open_models("vllm/m", **options)
    assert caught.value.remedy and "sk-1" not in str(caught.value)


def test_how_to_spread_over_gpus_is_the_users_where_said(tmp_path: Path) -> None:
    model = opened(tmp_path, args="--tensor-parallel-size 1", gpus="0,1")
    assert model.identity()["arguments"] == ["--tensor-parallel-size", "1"]


def test_with_an_address_nothing_is_started(tmp_path: Path) -> None:
    (model,) = open_models("vllm/m", base_url="http://127.0.0.1:9/v1")
    assert model.identity() == {"kind": "openai", "name": "m"} and not is_served(model)


def test_an_engine_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(GumptionError, match="vllm was not found") as caught:
        open_models("vllm/m")
    assert "pip install vllm" in caught.value.remedy and "--base-url" in caught.value.remedy
