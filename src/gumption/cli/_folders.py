"""Run folders as verbs take them: paths, or addresses such as s3://BUCKET/FOLDER."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from gumption.running.addresses import Place

__all__ = ["placed", "readable", "tell_left"]


def readable(text: str) -> Path:
    """The folder to read: a path as it is, an address fetched. For `parser=` of arguments and options."""
    if "://" not in text:
        return Path(text)
    from gumption.running.addresses import fetched

    return fetched(text)


def placed(out: str | Path, *, there: bool = False) -> AbstractContextManager[Place]:
    """The folder to write a run to, copied to `out` if that is an address. there: a run must be."""
    from gumption.running.addresses import at_address

    return at_address(out, there=there, tell=lambda line: typer.echo(line, err=True))


def tell_left(places: Iterable[Place]) -> None:
    """Say what is not at its address yet, and exit with 1 if anything is not."""
    left = [place.left for place in places if place.left]
    for one in left:
        typer.echo(f"Not copied: {one}\nTo mend it: {one.remedy}", err=True)
    if left:
        raise typer.Exit(1)
