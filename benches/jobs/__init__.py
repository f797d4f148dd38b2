"""One piece of work of each room, beside another program or a plain loop that does the same, at two sizes."""

from __future__ import annotations

from importlib import import_module

from benches.jobs._job import Job, Work

__all__ = ["JOBS", "Job", "Work", "job_of"]

JOBS = (
    "engine",
    "recording",
    "reading",
    "matching",
    "pddl_reading",
    "validation",
    "search_fast_downward",
    "search_pyperplan",
    "steps",
    "selection",
    "certificates",
    "bootstrap",
    "sandbox",
    "report",
)


def job_of(name: str) -> Job:
    """The job of the module with this name."""
    job: Job = import_module(f"benches.jobs.{name}").JOB
    return job
