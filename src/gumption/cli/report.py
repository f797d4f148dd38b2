"""`gumption report`: a folder of pages that shows the evidence behind every number."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gumption.cli._console import bar

__all__ = ["report"]


def report(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, best of one suite.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the pages.")] = Path("report"),
    title: Annotated[str, typer.Option(help="Heading of the first page.")] = "Gumption report",
) -> None:
    """Write pages that open in any browser from the file system: ranking, categories, every item.

    Example:  gumption report runs/blink/* -o report
    """
    from gumption.reporting import RecordedRun, write_site
    from gumption.running import Run

    views = [RecordedRun(Run.open(folder)) for folder in runs]
    with bar("Writing pages") as progress:
        index = write_site(views, out, title=title, progress=progress)
    for problem in dict.fromkeys(view.media_problem for view in views if view.media_problem):
        print(f"Pictures are left out: {problem}")
    print(f"Open {index} in a browser.")
