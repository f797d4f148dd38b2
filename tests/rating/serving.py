"""A study served by the real server in a process of its own, as `gumption rate serve` runs it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def served(folder: Path, port: int, url: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """Until the block ends, or the test kills it. The address answers when this gives the process."""
    command = [sys.executable, "-m", "gumption", "rate", "serve", str(folder), "--port", str(port)]
    command += ["--db", url] if url else []
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port, process)
            yield process
        finally:
            process.kill()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the server ended"
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")
