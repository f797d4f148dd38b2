"""`gumption score`: read and score recorded replies again, without asking anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gumption.cli._console import bar, finish, show

__all__ = ["score"]


def score(
    runs: Annotated[list[Path], typer.Argument(help="Run folders.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a run.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Also write every slice of every run as CSV.")] = None,
) -> None:
    """Read and score the recorded replies of runs again. Nothing is asked, no reply is changed.

    Example:  gumption score runs/tabletop/baseline-oracle-0.8
    """
    from gumption.reporting import scorecard_csv
    from gumption.running import score_run

    done, cards = [], []
    for folder in runs:
        with bar(folder.name) as progress:
            done.append(score_run(folder, progress=progress))
        cards.append(show(done[-1], as_json=as_json))
    if csv:
        csv.write_text(scorecard_csv(cards), encoding="utf-8")
    finish(cards, done)
