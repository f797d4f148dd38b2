"""`gumption doctor`: find before hour five what would stop a run in hour five."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._serving import found, open_told

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["doctor"]

_LEAST_FREE = 1 << 30
"""Bytes on the disk of the run folder below which a warning is due."""


def doctor(
    model: Annotated[
        str | None, typer.Option(help="The model that is to be asked, as for gumption run.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Its server.")] = None,
    judge: Annotated[str | None, typer.Option(help="The judge, as for gumption run.")] = None,
    suite: Annotated[str | None, typer.Option(help="The suite that is to be run.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder that holds the benchmark's data.")] = None,
    out: Annotated[Path, typer.Option(help="Where the run folder will be.")] = Path("runs"),
) -> None:
    """Check disk, sandbox, engines, suite, model and judge with one item from end to end, before a long run.

    Example:  gumption doctor --suite tabletop --model openai/qwen3-vl --base-url http://localhost:8000/v1

    Ends with code 0 when all is well, 1 when something is not.
    """
    from gumption.records import GumptionError

    checks: list[tuple[str, Callable[[], str]]] = [("disk", lambda: _disk(out))]
    if suite:
        checks.append((f"suite {suite}", lambda: _suite(suite, data)))
    for role, name in (("model", model), ("judge", judge)):
        if name:
            checks.append((f"{role} {name}", lambda name=name: _model(name, base_url, suite, data)))  # type: ignore[misc]
    well = True
    _sandbox()
    found()
    for label, check in checks:
        try:
            print(f"ok    {label}: {check()}")
        except GumptionError as error:
            well = False
            print(f"FAIL  {label}: {error}" + (f". To mend it: {error.remedy}" if error.remedy else ""))
    if not model:
        print("      No model was named: --model openai/NAME --base-url URL checks key and server too.")
    if not well:
        raise typer.Exit(1)


def _disk(out: Path) -> str:
    import shutil
    import tempfile

    from gumption.records import GumptionError

    there = next(folder for folder in (out.absolute(), *out.absolute().parents) if folder.exists())
    try:
        with tempfile.NamedTemporaryFile(dir=there) as probe:
            probe.write(b"gumption")
    except OSError as error:
        raise GumptionError(
            f"cannot be written: {error.strerror}", where=str(there), remedy="name another folder with --out"
        ) from error
    free = shutil.disk_usage(there).free
    if free < _LEAST_FREE:
        raise GumptionError(
            f"{free / 1e9:.1f} GB free", where=str(there), remedy="make room for 1 GB or more"
        )
    return f"{free / 1e9:,.0f} GB free at {there}"


def _sandbox() -> None:
    """Which sandbox is in force and why. None at all is no fault unless written code is to be run."""
    from gumption.synthesis.sandbox import tried

    *passed_over, last = tried()
    for one in passed_over:
        print(f"      sandbox: not {one.mechanism}, for {one.problem}")
    if last.problem:
        print(f"      sandbox: not {last.mechanism} either, for {last.problem}; written code will not be run")
        print("      To have one: pip install 'gumption[sandbox]'")
    else:
        print(f"ok    sandbox: {last.mechanism}, tried here and now, denies all that it must")


def _suite(address: str, data: Path | None) -> str:
    from gumption.benchmarks import open_suite

    suite = open_suite(address, data)
    for sha256 in list(suite.media)[:20]:
        suite.media.read(sha256)
    rejected = f", {len(suite.rejected)} rows cannot be asked" if suite.rejected else ""
    return f"{len(suite.items)} items, {len(suite.media)} pictures{rejected}"


def _model(name: str, base_url: str | None, address: str | None, data: Path | None) -> str:
    """Ask one real item, or a plain question, and say what came back."""
    import asyncio

    from gumption.benchmarks import open_suite, prompted
    from gumption.records import Answer, GumptionError, Item, Reply, Text
    from gumption.suites import Media

    model = open_told(name, base_url, timeout_s=60.0)
    question, media = Item("doctor", "doctor", (Text("What is 2 + 3?"),), Answer("number", gold=5)), Media()
    if address:
        suite = open_suite(address, data)
        question, media = suite.items[0], suite.media

    async def ask() -> Reply | None:
        try:
            return await model.ask(prompted(question), (question.id, 0, ""), media.read)
        finally:
            await model.close()

    reply = asyncio.run(ask())
    if reply is None:
        raise GumptionError(f"no recorded reply to {question.id}", remedy="check the ids of the reply file")
    if reply.status == "infra_error":
        raise GumptionError(
            reply.error, remedy="check the address, the key in OPENAI_API_KEY and the model's name"
        )
    took = f" in {reply.latency_s:.1f} s" if reply.latency_s is not None else ""
    return f"{reply.status}{took}: {reply.text.strip()[:60]!r}"
