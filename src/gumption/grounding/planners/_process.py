"""Running a program of others, with everything it starts, within a time."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["OUTPUT", "run"]

OUTPUT = "output.txt"
"""Where in the folder the program's words go, errors among them."""


def run(command: Sequence[str], folder: Path, timeout_s: float | None) -> int | None:
    """Run a command in a folder and in a process group of its own, all of which is killed at the end.

    The exit code, or None where time ran out.
    """
    with (folder / OUTPUT).open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - no shell, and the caller's own command
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError):  # the whole group has ended by itself
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
