"""The pages of two runs."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benches.jobs._job import Job, Work
from benches.jobs.recording import recorded
from gumption.reporting import RecordedRun, write_site
from gumption.running import Run, run


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:
    suite, model = recorded(size)
    folders = [folder / "one", folder / "other"]
    for own in folders:
        run(suite, model, own)

    def ours() -> None:
        write_site([RecordedRun(Run.open(own)) for own in folders], folder / "pages")

    def lines() -> None:
        with (folder / "lines").open("wb") as file:
            for own in folders:
                record = Run.open(own)
                for row in (*record.items(), *record.replies(), *record.scores().to_pylist()):
                    file.write(msgspec.json.encode(row) + b"\n")

    return ours, lines


JOB = Job("building the report of two runs", "items", (500, 5_000), "the same rows as JSON lines", _prepared)
