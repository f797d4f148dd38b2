"""The tests' chat server in a process of its own, which says on request what it saw.

`python -m benches._server LATENCY` prints its address, and after each line of its input what it saw since the
line before.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benches._processes import ROOT

__all__ = ["REPLY", "Seen", "Served", "served"]

REPLY = "ANSWER: A"
"""To every question: the line that most kits ask a model to end with."""


@dataclass(frozen=True)
class Seen:
    """What came to the server."""

    requests: int
    megabytes: float
    """Of request bodies."""
    peak: int
    """Requests under way at once, at most."""


class Served:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.base_url = self._line()

    def seen(self) -> Seen:
        """Since it was last asked."""
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return Seen(**json.loads(self._line()))

    def _line(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


@contextmanager
def served(latency_s: float) -> Iterator[Served]:
    """A server that takes this long for a reply. It ends with the block."""
    command = [sys.executable, "-m", "benches._server", str(latency_s)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Served(process)
        assert process.stdin
        process.stdin.close()


def _serve(latency_s: float) -> None:
    sys.path.append(str(ROOT / "tests"))
    from servers import Server, always, answer

    with Server(always(answer(REPLY).after(latency_s)), keep=False) as server:
        print(server.base_url, flush=True)
        requests = received = 0
        for _ in sys.stdin:
            print(
                json.dumps(
                    {
                        "requests": server.total - requests,
                        "megabytes": (server.received - received) / 1e6,
                        "peak": server.peak,
                    }
                ),
                flush=True,
            )
            requests, received, server.peak = server.total, server.received, 0


if __name__ == "__main__":
    _serve(float(sys.argv[1]))
