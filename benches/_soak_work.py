"""The process that a soak watches: it asks, scores, ranks and reports, round after round, as a library does.

Reads one line of JSON a round from standard input, {folder, base_url, questions}, and answers with one:
what the scores come to.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # as the command line has it

from gumption.models.openai import OpenAI
from gumption.ranking import rank_runs, scorecard
from gumption.reporting import RecordedRun, write_site
from gumption.running import Run, run, score_run
from gumption.suites import read_jsonl

MOST_RUNS = 12
"""Of the same folder, until every question has its answer."""


def main() -> None:
    """One round a line until the input ends."""
    for line in sys.stdin:
        print(json.dumps(round_of(**json.loads(line))), flush=True)


def round_of(folder: str, base_url: str, questions: str) -> dict[str, object]:
    """Ask a server that fails, take the run up until nothing is missing, score anew, rank, report."""
    place, suite, runs = Path(folder), read_jsonl(questions), 0
    folders = [place / name for name in ("soaked", "other")]
    for out in folders:
        model = OpenAI(out.name, base_url=base_url, timeout_s=1.0, first_pause_s=0.01)
        for _ in range(MOST_RUNS):
            run(suite, model, out, address=questions)
            runs += 1
            if scorecard(out).total.coverage == 1:
                break
    first = fingerprint(folders[0])
    score_run(folders[0])
    ranking = rank_runs(folders)
    index = write_site([RecordedRun(Run.open(one)) for one in folders], place / "report")
    return {
        "runs": runs,
        "scores": first,
        "scored_again": fingerprint(folders[0]),
        "ranked": len(ranking.models),
        "pages": index.is_file(),
    }


def fingerprint(run: Path) -> str:
    """A hash of what every item was worth and why."""
    return hashlib.sha256(json.dumps(Run.open(run).scores().to_pylist()).encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
