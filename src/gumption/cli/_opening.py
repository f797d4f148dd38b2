"""What `gumption run` asks, by its options: a suite or a written pipeline, and in which words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from gumption.cli._folders import readable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gumption.benchmarks import Asking
    from gumption.running import Run
    from gumption.suites import Suite

__all__ = ["asking_of", "by_pipeline", "by_suite", "settings"]


def by_suite(
    address: str, data: Path | None, limit: int | None, epochs: int | None
) -> tuple[Suite, dict[str, Any]]:
    """The suite, and where it came from and how often it is asked."""
    from gumption.benchmarks import open_suite, repeats_of

    suite = open_suite(str(readable(address)), data)
    if limit is not None:
        suite = suite.first(limit)
    often = epochs or repeats_of(suite.items)
    if epochs is None and often > 1:
        typer.echo(f"Each question is asked {often} times, as its authors do (see --epochs).", err=True)
    return suite, {"address": address, "data": data, "epochs": often}


def by_pipeline(
    folder: Path,
    address: str | None,
    data: Path | None,
    limit: int | None,
    epochs: int | None,
    unsandboxed: bool,
) -> tuple[Suite, Callable[..., Run]]:
    """The suite of a written pipeline, and how a model is asked by it."""
    from gumption.benchmarks import open_suite
    from gumption.synthesis.execute import run_pipeline, suite_of
    from gumption.synthesis.pipeline import read_pipeline

    pipeline = read_pipeline(folder)
    within = open_suite(address) if address else None
    suite = suite_of(pipeline, within=within, data=data, unsandboxed=unsandboxed)
    if limit is not None:
        suite = suite.first(limit)
    return suite, partial(run_pipeline, pipeline, suite, epochs=epochs or 1, unsandboxed=unsandboxed)


def asking_of(prompt: str | None, prompts: Path | None, circular: bool) -> Asking:
    """How the run asks, by its options."""
    from msgspec.structs import replace

    from gumption.benchmarks import Asking, read_prompts

    if prompt and prompts:
        raise typer.BadParameter("give a prompt's name or a file, not both", param_hint="--prompts")
    asking = read_prompts(prompts) if prompts else Asking(prompt=prompt) if prompt else Asking()
    return replace(asking, circular=circular)


def settings(pairs: list[str]) -> dict[str, int]:
    """The numbers of `NAME=NUMBER` settings."""
    settings = {}
    for pair in pairs:
        name, _, number = pair.partition("=")
        if not name.isidentifier() or not number.isdecimal():
            raise typer.BadParameter(f"{pair!r} is not like max_pixels=1003520", param_hint="--image-setting")
        settings[name] = int(number)
    return settings
