"""Where a verb does its work: the options that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["On", "Workers"]

On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="local|ray",
        help="local: in this process. ray: on the cluster of RAY_ADDRESS, else on this machine's CPUs.",
    ),
]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Of --on ray: shards at once; else one a CPU.")
]
