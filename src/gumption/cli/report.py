"""`gumption report`: a folder of pages that shows the evidence behind every number."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gumption.cli._console import bar
from gumption.cli._folders import readable

__all__ = ["report"]


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            parser=readable, metavar="RUNS", help="Run folders or their addresses, best of one suite."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the pages.")] = Path("report"),
    title: Annotated[str, typer.Option(help="Heading of the first page.")] = "Gumption report",
    people: Annotated[
        Path | None,
        typer.Option(help="Ratings that gumption rate export wrote: does the ranking agree with them?"),
    ] = None,
) -> None:
    """Write pages that open in any browser from the file system: who leads and how sure that is, why one
    model is ahead of another, what went wrong, what it cost, and every item with its replies.

    Example:  gumption report runs/blink/* -o report

    Beside ratings by people:  gumption report runs/blink/* --people people.json -o report
    """
    from gumption.ranking.people_file import read_people
    from gumption.reporting import RecordedRun, write_site
    from gumption.running import Run

    views = [RecordedRun(Run.open(folder)) for folder in runs]
    rated = read_people(people) if people else None
    with bar("Writing pages") as progress:
        index = write_site(views, out, title=title, people=rated, progress=progress)
    for problem in dict.fromkeys(view.media_problem for view in views if view.media_problem):
        print(f"Pictures are left out: {problem}")
    print(f"Open {index} in a browser.")
