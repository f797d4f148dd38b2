"""Written code over many items in one call, under Landlock and seccomp."""

from __future__ import annotations

from pathlib import Path

from benches.jobs._job import Job, Work
from benches.sandbox import CODE, bare
from gumption.synthesis.sandbox.limits import Limits
from gumption.synthesis.sandbox.run import run_by


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    items = ["b"] * size
    return lambda: run_by("landlock", CODE, items, Limits(), ()), lambda: bare(items)


JOB = Job("code in the sandbox, one call", "items", (1_000, 10_000), "bare subprocess", _prepared)
