"""Validating a plan, all faults listed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from benches.jobs import _blocks
from benches.jobs._job import Job, Work
from gumption.grounding import read_domain, read_problem, validate

_BLOCKS = 20


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    text, plan = _blocks.problem(_BLOCKS), _blocks.plan(size, _BLOCKS)
    domain = read_domain(_blocks.DOMAIN)
    problem = read_problem(text, domain).problem
    assert problem is not None
    assert validate(domain, problem, plan).valid

    @cache
    def read() -> Any:
        from benches import _unified_planning

        return _unified_planning.read(_blocks.DOMAIN, text)

    def theirs() -> None:
        from benches import _unified_planning

        assert _unified_planning.validate(read(), plan)

    return lambda: validate(domain, problem, plan), theirs


JOB = Job("validating a plan", "steps", (100, 1_000), "unified-planning's sequential validator", _prepared)
