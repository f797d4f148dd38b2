"""`inspect eval` on our tasks and `inspect view` on our export, as a user starts them. Needs [inspect]."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote

import av
import numpy as np
import pytest

pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")

from gumption.exchange import export, read_logs, rescore
from gumption.models import open_models
from gumption.running import run
from gumption.suites import read_jsonl
from inspect_mock import environment, quiz_file

pytestmark = pytest.mark.inspect
SECONDS = 60


@contextmanager
def viewing(logs: Path, site: Path) -> Iterator[str]:
    """The address of a viewer's server on these logs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "inspect_ai", "view", "start", "--log-dir", str(logs)]
    with subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)],
        env=environment(site),
        cwd=logs,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            wait(f"http://127.0.0.1:{port}/", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def wait(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except URLError:
            time.sleep(0.2)
    pytest.fail("inspect view did not start")


def fetched(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=SECONDS) as answer:
        return json.loads(answer.read())


def test_inspect_view_lists_and_opens_our_export(tmp_path: Path) -> None:
    suite = read_jsonl(quiz_file(tmp_path))
    address = str(tmp_path / "quiz.jsonl")
    done = run(suite, open_models("baseline/oracle")[0], tmp_path / "run", address=address)
    logs = tmp_path / "logs"
    export(done.folder, logs / "oracle.eval")
    with viewing(logs, tmp_path / "site") as url:
        (listed,) = fetched(f"{url}/api/log-files")["files"]
        assert listed["name"].endswith("oracle.eval")
        log = fetched(f"{url}/api/logs/{quote(listed['name'], safe='')}")
    assert (log["status"], log["eval"]["task"], log["eval"]["model"]) == (
        "success",
        "gumption/quiz",
        done.info.model,
    )
    assert {sample["id"]: sample["scores"]["gumption"]["value"] for sample in log["samples"]} == {
        "q1": 1.0,
        "q2": 1.0,
        "q3": 1.0,
        "q4": 1.0,
    }
    shown = log["samples"][0]["messages"][0]["content"]
    assert any("Which is red?" in part.get("text", "") for part in shown)
    assert any("A, B" in part.get("text", "") for part in shown)  # the words that the prompt added


def write_clip(path: Path) -> None:
    """Ten grey frames."""
    path.parent.mkdir(parents=True)
    with av.open(str(path), "w") as clip:
        stream = clip.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        for number in range(10):
            pixels = np.full((32, 32, 3), 20 * number, np.uint8)
            clip.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        clip.mux(stream.encode())


def test_inspect_eval_on_a_benchmark_with_clips(tmp_path: Path) -> None:
    data = tmp_path / "VSI-Bench"
    write_clip(data / "scannet" / "scene.mp4")
    rows = [
        ("object_counting", "How many chairs?", "4", None),
        ("route_planning", "Which way?", "A", ["A. left", "B. right"]),
    ]
    keys = ("id", "dataset", "scene_name", "question_type", "question", "ground_truth", "options")
    lines = [
        json.dumps(dict(zip(keys, (number, "scannet", "scene", *row), strict=True)))
        for number, row in enumerate(rows)
    ]
    (data / "test.jsonl").write_text("\n".join(lines))
    command = [sys.executable, "-m", "inspect_ai", "eval", "gumption/vsi_bench", "-T", f"data={data}"]
    done = subprocess.run(
        [*command, "-T", "options=frames=4", "--model", "mockllm/model", "--display", "plain"],
        env=environment(tmp_path / "site"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (log,), left_out = read_logs(tmp_path / "site" / "logs")
    assert (log.dataset, len(log.rows), left_out) == ("vsi_bench", 2, [])
    (found,) = rescore([log], tmp_path / "out")
    # Our own items are in the log and are taken as they are. The mock says neither a number nor a letter.
    assert (found.benchmark, found.rejected) == ("vsi-bench", ())
    assert (found.sides[0].both, found.sides[0].official) == (2, 0.0)
