"""Reading a PDDL domain and problem."""

from __future__ import annotations

from pathlib import Path

from benches.jobs import _blocks
from benches.jobs._job import Job, Work
from gumption.grounding import read_domain, read_problem


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    text = _blocks.problem(size // 2)

    def theirs() -> None:
        from benches import _unified_planning

        _unified_planning.read(_blocks.DOMAIN, text)

    return lambda: read_problem(text, read_domain(_blocks.DOMAIN)), theirs


JOB = Job("reading PDDL", "facts", (100, 1_000), "unified-planning's reader", _prepared)
