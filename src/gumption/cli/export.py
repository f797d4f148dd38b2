"""`gumption export`: a run for another tool to open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gumption.cli._folders import readable

__all__ = ["export"]


def export(
    run: Annotated[Path, typer.Argument(parser=readable, metavar="RUN", help="Run folder, or its address.")],
    file: Annotated[Path, typer.Argument(help="File to write: .eval, or .json.")],
    to: Annotated[Literal["inspect"], typer.Option(help="The tool that is to open it.")] = "inspect",
    pictures: Annotated[bool, typer.Option(help="Put the pictures into the file.")] = True,
) -> None:
    """Write a run as a log that `inspect view` opens.

    Example:  gumption export runs/tabletop/baseline-oracle-0.8 logs/oracle.eval --to inspect
    """
    from gumption.exchange import export as write

    samples = write(run, file, pictures=pictures)
    print(f"{samples} samples in {file}. To look at them: {to} view --log-dir {file.parent}")
