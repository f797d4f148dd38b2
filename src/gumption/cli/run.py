"""`gumption run`: ask a model every question of a suite, and score the replies."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gumption.cli._adaptive import print_stops, run_adaptively, stop_rule
from gumption.cli._console import bar, finish, show
from gumption.cli._executors import On, Workers
from gumption.cli._folders import placed, readable, tell_left
from gumption.cli._opening import asking_of, by_pipeline, by_suite, settings
from gumption.cli._serving import refuse_judge, report_to, stop_servers
from gumption.cli._spreading import refuse_to_spread, spread_over
from gumption.cli._start import spare_pandas

if TYPE_CHECKING:
    from gumption.records import StopRule
    from gumption.suites import Suite

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
        list[str],
        typer.Option(
            help="openai/NAME, vllm/NAME or sglang/NAME (started here), replay/FILE.jsonl[.gz][#MODEL] "
            "(#* for all its models), baseline/random or baseline/oracle. Several: --model A --model B."
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            help="Run folder, or its address such as s3://BUCKET/FOLDER, which is copied to every few "
            "seconds. Otherwise runs/SUITE/MODEL in the working folder."
        ),
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
    server_args: Annotated[
        str | None,
        typer.Option(
            help="Of vllm/NAME and sglang/NAME: more arguments of the server, in one pair of quotes."
        ),
    ] = None,
    replicas: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Of these: how many servers share the questions; else 1."),
    ] = None,
    gpus: Annotated[
        str | None,
        typer.Option(help="Of these: the GPUs, such as 0,1,2,3, shared out evenly to the replicas."),
    ] = None,
    start_limit: Annotated[
        float | None, typer.Option(min=1, help="Of these: seconds until a server answers; else 1800.")
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
    seed: Annotated[int, typer.Option(help="Of the baselines, and of the order with --stop-when.")] = 0,
    stop_when: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="End before the last item: settled (which model is better is known), tokens=N, cost=X or "
            "time=30m, over all models named here. May be given several times.",
        ),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            parser=readable,
            metavar="RUN",
            help="Of --stop-when: an earlier run to settle the difference with.",
        ),
    ] = None,
    confidence: Annotated[
        float, typer.Option(help="Of settled: the chance that all verdicts on the whole suite are right.")
    ] = 0.95,
    margin: Annotated[
        float, typer.Option(help="Of settled: models no further apart than this, as 0.02, count as equal.")
    ] = 0.0,
    order: Annotated[
        str, typer.Option(help="Of --stop-when: random, or information (exploratory: no error rate).")
    ] = "random",
    prices: Annotated[
        str | None, typer.Option(help="Of cost: of a million tokens in and out, as in 0.5,1.5.")
    ] = None,
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
    on: On = "local",
    workers: Workers = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a model.")] = False,
) -> None:
    """Ask a model every question of a suite, keep the replies, and score them.

    Example:  gumption run tabletop --model openai/qwen3-vl --base-url http://localhost:8000/v1

    Without a server:  gumption run tabletop --model baseline/oracle --accuracy 0.8

    A benchmark of your own:  gumption run --pipeline pipeline --model openai/qwen3-vl --base-url URL

    Only until it is known which is better:  gumption run suite --model A --model B --stop-when settled

    By several processes or machines:  gumption run suite --model openai/m --base-url URL --on ray

    Ends with code 0 when everything planned was scored, 1 when something was not, 2 on bad usage. Started
    again on the same folder, it asks only what is missing.
    """
    from gumption.executors import open_executor

    spare_pandas()
    from gumption.models import open_judge, open_models
    from gumption.running import opened_model
    from gumption.running import run as ask_all

    options: dict[str, Any] = {
        "accuracy": accuracy,
        "seed": seed,
        "infra_text": infra_text,
        "base_url": base_url,
        "preset": preset,
        "max_tokens": max_tokens,
        "image_settings": settings(image_setting or []),
        "video": video,
        "timeout_s": timeout,
        "server_args": server_args,
        "replicas": replicas,
        "gpus": gpus,
        "start_limit_s": start_limit,
    }
    named = [
        (partial(opened_model, name, place, options), one)
        for name in model
        for place, one in enumerate(open_models(name, **options))
    ]
    models = [one for _, one in named]
    refuse_judge(judge, base_url)
    refuse_to_spread(on, models, stop_when)
    open_marker = partial(open_judge, judge, base_url=base_url, timeout_s=timeout) if judge else None
    marker = open_marker() if open_marker else None
    rule = (
        stop_rule(stop_when, confidence=confidence, margin=margin, order=order, prices=prices, seed=seed)
        if stop_when
        else None
    )
    _check_stopping(rule, pipeline, against)
    opened: Suite
    if pipeline is not None:
        _check_own_words(prompt, prompts, judge, circular)
        opened, ask = by_pipeline(pipeline, suite, data, limit, epochs, unsandboxed)
        how: dict[str, Any] = {}
    else:
        _check_named(suite, unsandboxed)
        opened, how = by_suite(suite or "", data, limit, epochs)
        how |= {"asking": asking_of(prompt, prompts, circular), "judge": marker}
        ask = partial(ask_all, opened, **how)
    how |= {"concurrency": concurrency, "cache": cache}
    folder = (out or f"runs/{slug(opened.name)}").rstrip("/")
    targets = [out if out and len(models) == 1 else f"{folder}/{slug(one.name)}" for one in models]
    runs, cards = [], []
    with ExitStack() as stack:
        places = [stack.enter_context(placed(target)) for target in targets]
        executor = stack.enter_context(open_executor(on, workers=workers))
        for one, place in zip(models, places, strict=True):
            report_to(place.folder, one)
        if rule:
            folders = [place.folder for place in places]
            runs = run_adaptively(opened, models, folders, rule, against or [], **how)
            for one in models:
                stop_servers(one)
            for done, place in zip(runs, places, strict=True):
                cards.append(show(done, as_json=as_json, at=str(place)))
            if not as_json:
                print_stops(runs)
        else:
            how = {"concurrency": concurrency, "cache": cache}
            for (opening, one), place in zip(named, places, strict=True):
                spread = spread_over(executor, opening, open_marker, place.address)
                with bar(one.name) as progress:
                    runs.append(ask(one, place.folder, spread=spread, progress=progress, **how))
                stop_servers(one)
                cards.append(show(runs[-1], as_json=as_json, at=str(place)))
    tell_left(places)
    finish(cards, runs)


def _check_stopping(rule: StopRule | None, pipeline: Path | None, against: list[Path] | None) -> None:
    from gumption.records import GumptionError

    if rule and pipeline:
        raise GumptionError("--stop-when is not for --pipeline", remedy="leave one of them out")
    if against and not rule:
        raise GumptionError(
            "--against is for --stop-when",
            remedy="leave it out; gumption rank sets finished runs side by side",
        )


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


def slug(name: str) -> str:
    """The name as a folder's name."""
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name)
    return kept.strip(".-") or "unnamed"
