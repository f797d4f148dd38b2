"""`gumption run`: ask a model every question of a suite, and score the replies."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar, finish, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from gumption.benchmarks import Asking
    from gumption.models import Model
    from gumption.running import Run

__all__ = ["run", "slug"]


def run(
    suite: Annotated[
        str | None,
        typer.Argument(
            help="A benchmark's name, a suite folder, or a .tsv or .jsonl file. With --pipeline, which of "
            "its items; all where it is left out."
        ),
    ] = None,
    *,
    model: Annotated[
        str,
        typer.Option(
            help="openai/NAME, replay/FILE.jsonl[.gz][#MODEL] (#* for all its models), baseline/random or "
            "baseline/oracle."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Run folder. Otherwise runs/SUITE/MODEL in the working folder.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", "--from", help="Folder that holds the benchmark's data: a local mirror."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N items.")] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How often each item is asked; else as often as the benchmark's authors do: omnispatial 5 "
            "times, all others once.",
        ),
    ] = None,
    prompt: Annotated[
        str | None, typer.Option(help="gumption-v1 (the usual one), direct, or cot: reasoning first.")
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(
            help="JSON file, or its address, with the authors' own prompts for benchmark and kind, or with "
            "where those stand in YAML, JSON, Python or text files of theirs."
        ),
    ] = None,
    circular: Annotated[
        bool, typer.Option("--circular", help="Ask a choice in every rotation; right only if all are.")
    ] = False,
    base_url: Annotated[
        str | None, typer.Option(help="Of openai/NAME: any server of that interface. Key in OPENAI_API_KEY.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="Decoding of qwen3-vl-instruct, qwen3-vl-thinking, qwen2.5-vl or internvl-3.5."),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Of one reply; a longer one is cut and counts as truncated.")
    ] = None,
    image_setting: Annotated[
        list[str] | None,
        typer.Option(help="min_pixels=N, max_pixels=N and the like: how the server is to prepare pictures."),
    ] = None,
    video: Annotated[
        str | None, typer.Option(help="url: send clips whole, as video_url, to a server that takes them.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="Model that marks free answers, named like --model; same server.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=4096, help="Requests under way at once.")] = 16,
    timeout: Annotated[float, typer.Option(min=0.001, help="Seconds that one request may take.")] = 300.0,
    cache: Annotated[
        Path | None, typer.Option(help="File of replies shared over runs: what was asked is not asked again.")
    ] = None,
    accuracy: Annotated[float | None, typer.Option(help="Of baseline/oracle, from 0 to 1.")] = None,
    seed: Annotated[int, typer.Option(help="Of the baselines.")] = 0,
    infra_text: Annotated[
        str | None, typer.Option(help="Recorded replies that match this pattern are failed requests.")
    ] = None,
    pipeline: Annotated[
        Path | None,
        typer.Option(help="Ask and score by the pipeline in this folder, as gumption synthesize writes it."),
    ] = None,
    unsandboxed: Annotated[
        bool,
        typer.Option(
            "--unsandboxed", help="Of --pipeline: run its code with nothing around it. run.json will say so."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a model.")] = False,
) -> None:
    """Ask a model every question of a suite, keep the replies, and score them.

    Example:  gumption run tabletop --model openai/qwen3-vl --base-url http://localhost:8000/v1

    Without a server:  gumption run tabletop --model baseline/oracle --accuracy 0.8

    A benchmark of your own:  gumption run --pipeline pipeline --model openai/qwen3-vl --base-url URL

    Ends with code 0 when everything planned was scored, 1 when something was not, 2 on bad usage. Started
    again on the same folder, it asks only what is missing.
    """
    from gumption.models import open_judge, open_models

    models = open_models(
        model,
        accuracy=accuracy,
        seed=seed,
        infra_text=infra_text,
        base_url=base_url,
        preset=preset,
        max_tokens=max_tokens,
        image_settings=_settings(image_setting or []),
        video=video,
        timeout_s=timeout,
    )
    marker = open_judge(judge, base_url=base_url, timeout_s=timeout) if judge else None
    if pipeline is not None:
        _check_own_words(prompt, prompts, judge, circular)
        name, ask = _by_pipeline(pipeline, suite, data, limit, epochs, unsandboxed)
    else:
        _check_named(suite, unsandboxed)
        asking = _asking(prompt, prompts, circular)
        name, ask = _by_suite(suite or "", data, limit, epochs, asking, marker)
    folder = out or Path("runs") / slug(name)
    runs, cards = [], []
    for one in models:
        target = out if out and len(models) == 1 else folder / slug(one.name)
        with bar(one.name) as progress:
            done = ask(one, target, concurrency=concurrency, cache=cache, progress=progress)
        runs.append(done)
        cards.append(show(done, as_json=as_json))
    finish(cards, runs)


def _by_suite(
    address: str,
    data: Path | None,
    limit: int | None,
    epochs: int | None,
    asking: Asking,
    judge: Model | None,
) -> tuple[str, Callable[..., Run]]:
    """The suite's name, and how a model is asked."""
    from gumption.benchmarks import open_suite, repeats_of
    from gumption.running import run as ask_all

    suite = open_suite(address, data)
    if limit is not None:
        suite = suite.first(limit)
    often = epochs or repeats_of(suite.items)
    if epochs is None and often > 1:
        typer.echo(f"Each question is asked {often} times, as its authors do (see --epochs).", err=True)
    return suite.name, partial(
        ask_all, suite, judge=judge, address=address, data=data, asking=asking, epochs=often
    )


def _by_pipeline(
    folder: Path,
    address: str | None,
    data: Path | None,
    limit: int | None,
    epochs: int | None,
    unsandboxed: bool,
) -> tuple[str, Callable[..., Run]]:
    """The same by a written pipeline."""
    from gumption.benchmarks import open_suite
    from gumption.synthesis.execute import run_pipeline, suite_of
    from gumption.synthesis.pipeline import read_pipeline

    pipeline = read_pipeline(folder)
    within = open_suite(address) if address else None
    suite = suite_of(pipeline, within=within, data=data, unsandboxed=unsandboxed)
    if limit is not None:
        suite = suite.first(limit)
    return suite.name, partial(run_pipeline, pipeline, suite, epochs=epochs or 1, unsandboxed=unsandboxed)


def _check_named(suite: str | None, unsandboxed: bool) -> None:
    from gumption.records import GumptionError

    if suite is None:
        raise GumptionError("nothing to ask", remedy="name a suite, or a pipeline with --pipeline")
    if unsandboxed:
        raise GumptionError("--unsandboxed is for --pipeline", remedy="leave it out")


def _check_own_words(prompt: str | None, prompts: Path | None, judge: str | None, circular: bool) -> None:
    from gumption.records import GumptionError

    if prompt or prompts or judge or circular:
        raise GumptionError(
            "a pipeline asks and scores by itself",
            where="--pipeline",
            remedy="leave out --prompt, --prompts, --judge and --circular",
        )


def _asking(prompt: str | None, prompts: Path | None, circular: bool) -> Asking:
    """How the run asks, by its options."""
    from msgspec.structs import replace

    from gumption.benchmarks import Asking, read_prompts

    if prompt and prompts:
        raise typer.BadParameter("give a prompt's name or a file, not both", param_hint="--prompts")
    asking = read_prompts(prompts) if prompts else Asking(prompt=prompt) if prompt else Asking()
    return replace(asking, circular=circular)


def _settings(pairs: list[str]) -> dict[str, int]:
    """The numbers of `NAME=NUMBER` settings."""
    settings = {}
    for pair in pairs:
        name, _, number = pair.partition("=")
        if not name.isidentifier() or not number.isdecimal():
            raise typer.BadParameter(f"{pair!r} is not like max_pixels=1003520", param_hint="--image-setting")
        settings[name] = int(number)
    return settings


def slug(name: str) -> str:
    """The name as a folder's name."""
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name)
    return kept.strip(".-") or "unnamed"
