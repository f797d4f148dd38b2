"""The command line as its user calls it, in this process: to start Python for each call takes a second.

What needs a process of its own (signals, limits, two at once) starts one itself.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import traceback
from pathlib import Path
from unittest import mock

from gumption.cli import main

__all__ = ["gumption"]


def gumption(
    folder: Path, *arguments: str, text: str = "", **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """`gumption ARGUMENTS` in a folder, with `text` on standard input: exit code, output and errors.

    environment: variables beside those that are set; None takes one away.
    """
    settings = {"NO_COLOR": "1", "COLUMNS": "80", **environment}
    kept = {name: value for name, value in os.environ.items() if settings.get(name, "") is not None}
    kept |= {name: value for name, value in settings.items() if value is not None}
    out, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
        mock.patch.dict(os.environ, kept, clear=True),
        mock.patch.object(sys, "argv", ["gumption", *arguments]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()))),
    ):
        code = _ended()
    return subprocess.CompletedProcess(["gumption", *arguments], code, _written(out), _written(errors))


def _ended() -> int:
    """The exit code that the interpreter would end with."""
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    except Exception:  # as Python itself does with what nobody catches
        traceback.print_exc()
        return 1
    return 0


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
