"""On what, when and of which commit something was measured."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path

from benches._processes import ROOT

__all__ = ["commit", "in_words"]


def commit() -> str:
    """Of the repository, with a + where files differ from it; "unknown" where there is no git."""
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty=+"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told.stdout.strip()


def in_words() -> str:
    """The day, the commit and the machine, and how busy it was, as one sentence."""
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return (
        f"Measured on {day} at commit {commit()} by `python -m benches table --write`: "
        f"{os.cpu_count()} cores ({_processor()}), {_gigabytes()} GiB, Python {platform.python_version()}; "
        f"{os.getloadavg()[1]:.1f} processes wanted to run on average."
    )


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _gigabytes() -> int:
    return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30)
