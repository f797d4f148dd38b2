"""A chat server on this machine that does what a test wants: answer, wait, fail, hang, lie.

OpenAI's interface over HTTP/1.1 with keep-alive: POST .../chat/completions and GET .../models. In a test it
runs in a thread and can be asked what it saw; `python tests/servers.py` runs one in a process of its own,
prints its address, and serves until its standard input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

ANSWER = "A"
SERVED = "served-model"
"""The model's name as the server tells it, which is not the one it is asked for."""
FINGERPRINT = "fp_test"


@dataclass(frozen=True)
class Asked:
    """One question as it came."""

    number: int
    """Of all questions, from 1."""
    turn: int
    """Of the questions in the same words, from 1."""
    at: float
    """Seconds of the monotonic clock."""
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def parts(self) -> list[str | tuple[str, bytes]]:
        """In the order sent: texts, and pictures as media type and bytes."""
        return [_part(part) for message in self.body["messages"] for part in message["content"]]

    @property
    def text(self) -> str:
        return words(self.body)


@dataclass(frozen=True)
class Act:
    """What the server does with one question."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    latency_s: float = 0.0
    end: Literal["whole", "cut", "hang", "drip"] = "whole"
    """cut: the connection closes in the middle of the body. hang: nothing is sent, ever. drip: a byte every
    hundredth of a second."""

    def after(self, seconds: float) -> Act:
        return replace(self, latency_s=seconds)


Behave = Callable[[Asked], Act]


def answer(text: str | None = ANSWER, *, reason: str = "stop", **message: Any) -> Act:
    """A completion. `message`: more fields of the message, such as refusal or reasoning_content."""
    return completion(
        {
            "index": 0,
            "finish_reason": reason,
            "message": {"role": "assistant", "content": text, **message},
        }
    )


def completion(*choices: Any, **fields: Any) -> Act:
    """A completion of these choices, well formed or not. `fields` replace those of the whole."""
    usage = {
        "prompt_tokens": 11,
        "completion_tokens": 7,
        "total_tokens": 18,
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    whole = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": SERVED,
        "system_fingerprint": FINGERPRINT,
        "choices": list(choices),
        "usage": usage,
    }
    return Act(json.dumps({**whole, **fields}).encode())


def failure(status: int, message: str = "out of order", *, code: str | None = None, **headers: str) -> Act:
    """An error in OpenAI's form. A header's name is written with _ for -."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Act(json.dumps(body).encode(), status, names)


def always(act: Act) -> Behave:
    return lambda asked: act


_well = always(answer())


def in_turn(*acts: Act) -> Behave:
    """The first time that words are asked the first act, and so on; the last one for all later times."""
    return lambda asked: acts[min(asked.turn, len(acts)) - 1]


def words(body: Mapping[str, Any]) -> str:
    """The texts of a request, joined."""
    contents = [message["content"] for message in body["messages"]]
    return "\n".join(part["text"] for content in contents for part in content if part["type"] == "text")


class Server:
    """Serves from a thread while the block of `with` runs."""

    def __init__(self, behave: Behave = _well, *, keep: bool = True) -> None:
        self.behave = behave
        self.owner = ""
        """Who the list of models says serves them."""
        self.asked: list[Asked] = []
        """Every question, where `keep`."""
        self.counts: Counter[str] = Counter()
        """How often each words were asked."""
        self.received = 0
        """Bytes of bodies."""
        self.in_flight = 0
        self.peak = 0
        self.connections = 0
        self._keep = keep
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def total(self) -> int:
        """Questions asked."""
        return self.counts.total()

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._started.set()
        await self._stop.wait()
        server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                first, *lines = head.rstrip().split("\r\n")
                headers = {
                    name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
                }
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                method, path, _ = first.split(" ")
                if method == "POST" and path.endswith("/chat/completions"):
                    self.in_flight += 1
                    self.peak = max(self.peak, self.in_flight)
                    try:
                        await _do(self._act(headers, body), reader, writer)
                    finally:
                        self.in_flight -= 1
                elif method == "GET" and path.endswith("/models"):
                    models = {
                        "object": "list",
                        "data": [{"id": SERVED, "object": "model", "owned_by": self.owner}],
                    }
                    await _do(Act(json.dumps(models).encode()), reader, writer)
                else:
                    await _do(failure(404, f"nothing at {path}"), reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client has gone, or the test is over
        finally:
            writer.close()

    def _act(self, headers: Mapping[str, str], body: bytes) -> Act:
        self.received += len(body)
        request = json.loads(body)
        text = words(request)
        self.counts[text] += 1
        asked = Asked(self.total if self._keep else 0, self.counts[text], time.monotonic(), headers, request)
        if self._keep:
            self.asked.append(asked)
        return self.behave(asked)


async def _do(act: Act, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if act.end == "hang":
        await reader.read()  # ends when the client gives up
        raise ConnectionResetError
    await asyncio.sleep(act.latency_s)
    headers = {"content-type": "application/json", "content-length": str(len(act.body)), **act.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {act.status} X\r\n{lines}\r\n".encode("latin-1")
    if act.end == "drip":
        for place in range(len(act.body)):
            writer.write(act.body[place : place + 1] if place else head + act.body[:1])
            await writer.drain()
            await asyncio.sleep(0.01)
        return
    writer.write(head + (act.body if act.end == "whole" else act.body[: len(act.body) // 2]))
    await writer.drain()
    if act.end == "cut":
        raise ConnectionResetError


def _part(part: Mapping[str, Any]) -> str | tuple[str, bytes]:
    if part["type"] == "text":
        return str(part["text"])
    found = re.fullmatch(r"data:([a-z/]+);base64,(.*)", part["image_url"]["url"], re.DOTALL)
    assert found, "a picture is not sent as a data URL"
    return found[1], base64.b64decode(found[2], validate=True)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--latency", type=float, default=0.05)
    act = answer().after(options.parse_args().latency)
    with Server(always(act), keep=False) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
