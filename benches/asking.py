"""A whole `gumption run` over a server that takes 50 ms, beside a bare loop over the same SDK.

Each run is a process of its own, timed from outside, start and imports included. The bare loop does the least
that such a job can do: read the picture, encode it, ask, append a line.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches._table import show

SIZES = (500, 5_000)
IN_FLIGHT = 32
LATENCY_S = 0.05
PICTURE_BYTES = 52_000
_REPEATS = (3, 1)
"""Of each size."""
_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Cost:
    """Of one process from start to end."""

    seconds: float
    cpu: float
    peak_mb: float


def main() -> None:
    costs: dict[tuple[str, bool, int], Cost] = {}
    with tempfile.TemporaryDirectory() as folder, _server() as base_url:
        for pictures in (True, False):
            for size, repeats in zip(SIZES, _REPEATS, strict=True):
                suite = _suite(Path(folder), size, pictures)
                # In turn, so that what else the machine does meets both.
                runs = [(_bare_loop(suite, base_url), _gumption(suite, base_url)) for _ in range(repeats)]
                for name, ours in zip(("bare loop", "gumption run"), zip(*runs, strict=True), strict=True):
                    costs[name, pictures, size] = _median(ours)
    _show(costs)


def _show(costs: dict[tuple[str, bool, int], Cost]) -> None:
    rows = []
    for (name, pictures, size), cost in costs.items():
        bare = costs["bare loop", pictures, size]
        rows.append(
            (
                f"{name}, {size:,} {'pictures' if pictures else 'texts'}",
                f"{cost.seconds:.2f} s",
                f"{cost.seconds / bare.seconds:.2f}",
                f"{1000 * cost.cpu / size:.2f} ms",
                f"{cost.peak_mb:.0f} MB",
            )
        )
    show(
        f"Asking {IN_FLIGHT} at once, {1000 * LATENCY_S:.0f} ms latency, {PICTURE_BYTES // 1000} KB pictures",
        ("whole process", "time", "x bare loop", "CPU an item, start included", "peak memory"),
        rows,
    )
    print()
    few, many = (costs["gumption run", True, size] for size in SIZES)
    texts = [costs["gumption run", False, size].seconds for size in SIZES]
    ratio = few.seconds / costs["bare loop", True, SIZES[0]].seconds
    further = 1000 * (many.cpu - few.cpu) / (SIZES[1] - SIZES[0])
    show(
        "Asking, against the limits",
        ("what", "measured", "limit"),
        [
            (f"time of {SIZES[0]} pictures, x bare loop", f"{ratio:.2f}", "2"),
            ("CPU of each further picture", f"{further:.2f} ms", "2.5 ms"),
            (f"peak memory of {SIZES[0]} pictures", f"{few.peak_mb:.0f} MB", "150 MB"),
            ("time of ten times the pictures", f"{many.seconds / few.seconds:.1f} x", "12 x"),
            ("time of ten times the texts", f"{texts[1] / texts[0]:.1f} x", "12 x"),
        ],
    )


@contextmanager
def _server() -> Iterator[str]:
    """The address of the tests' server, in a process of its own."""
    command = [sys.executable, str(_ROOT / "tests" / "servers.py"), "--latency", str(LATENCY_S)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin and server.stdout
        yield server.stdout.readline().strip()
        server.stdin.close()


def _suite(folder: Path, size: int, pictures: bool) -> Path:
    """A file of questions that all have the answer A, each with a picture of its own or with none."""
    path = folder / f"{size}-{'pictures' if pictures else 'texts'}" / "quiz.jsonl"
    path.parent.mkdir()
    noise = _noise() if pictures else b""
    with path.open("w") as file:
        for number in range(size):
            row = {
                "id": f"q{number}",
                "question": f"Q{number}: where is the cup?",
                "choices": ["left", "right"],
                "answer": "A",
            }
            if pictures:
                row["image"] = f"{number}.jpg"
                (path.parent / f"{number}.jpg").write_bytes(_commented(noise, number))
            file.write(json.dumps(row) + "\n")
    return path


def _noise() -> bytes:
    """A JPEG of 640 x 480 that is somewhat smaller than PICTURE_BYTES and as hard to read as a photograph."""
    import numpy as np
    from PIL import Image

    coarse = np.random.default_rng(0).integers(0, 256, (120, 160, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(coarse).resize((640, 480)).save(buffer, "JPEG", quality=28)
    return buffer.getvalue()


def _commented(jpeg: bytes, number: int) -> bytes:
    """The same picture as other bytes, PICTURE_BYTES of them: a comment fills it up."""
    comment = f"{number:>{PICTURE_BYTES - len(jpeg) - 4}}".encode()
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def _bare_loop(suite: Path, base_url: str) -> Cost:
    call = f"from benches.asking import bare_loop; bare_loop({str(suite)!r}, {base_url!r})"
    return _cost(sys.executable, "-c", call)


def _gumption(suite: Path, base_url: str) -> Cost:
    out = suite.parent / "run"
    cost = _cost(
        sys.executable, "-m", "gumption", "run", str(suite), "--model", "openai/m", "--base-url", base_url,
        "--concurrency", str(IN_FLIGHT), "--out", str(out),
    )  # fmt: skip
    shutil.rmtree(out)
    return cost


def _cost(*command: str) -> Cost:
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _median(costs: tuple[Cost, ...]) -> Cost:
    return Cost(
        statistics.median(cost.seconds for cost in costs),
        statistics.median(cost.cpu for cost in costs),
        max(cost.peak_mb for cost in costs),
    )


def bare_loop(suite: str, base_url: str) -> None:
    """What a person writes who needs the replies and nothing else."""
    import openai

    path = Path(suite)
    rows = iter([json.loads(line) for line in path.read_text().splitlines()])

    async def go() -> None:
        async with openai.AsyncOpenAI(base_url=base_url, api_key="none") as client:
            with (path.parent / "replies.jsonl").open("w") as file:

                async def work() -> None:
                    for row in rows:
                        content: list[Any] = [{"type": "text", "text": row["question"]}]
                        if "image" in row:
                            data = base64.b64encode((path.parent / row["image"]).read_bytes()).decode()
                            url = {"url": f"data:image/jpeg;base64,{data}"}
                            content.insert(0, {"type": "image_url", "image_url": url})
                        reply = await client.chat.completions.create(
                            model="m",
                            temperature=0,
                            messages=[{"role": "user", "content": content}],
                        )
                        line = {"id": row["id"], "reply": reply.choices[0].message.content}
                        file.write(json.dumps(line) + "\n")
                        file.flush()

                await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))

    asyncio.run(go())
