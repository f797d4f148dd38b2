"""`gumption curate`: from a pool of benchmarks to a compact, balanced, certified suite."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gumption.curation._inputs import Floats, Ints
    from gumption.curation.agent import Roles
    from gumption.curation.by_model import Budget
    from gumption.curation.dimensions import Assignment, Example
    from gumption.curation.duplicates import Duplicates
    from gumption.curation.embedding import Embedded
    from gumption.curation.induction import Encode
    from gumption.curation.response_matrix import ResponseMatrix
    from gumption.running import Run
    from gumption.suites import Suite

__all__ = ["curate"]

_DEFAULT_K = 500
_SHOWN = 5


def curate(
    pool: Annotated[str, typer.Argument(help="A pool's folder, a benchmark's name, or a question file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The suite's folder.")],
    k: Annotated[int | None, typer.Option(min=1, help="Items of each dimension; 500 unless told.")] = None,
    items: Annotated[int | None, typer.Option(min=1, help="Instead of --k: items in all.")] = None,
    hours: Annotated[
        float | None, typer.Option(help="Instead of --k: hours of requests, as measured in the runs given.")
    ] = None,
    gap: Annotated[
        float | None, typer.Option(help="Instead of --k: the gap to be told apart, as in 0.03.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(help="How items are chosen: auto, random, centroid, facility, kcenter, stratified, ..."),
    ] = "auto",
    balance: Annotated[
        list[str] | None,
        typer.Option(
            help="Share a dimension out over: benchmark, category, kind, difficulty. May be repeated."
        ),
    ] = None,
    results: Annotated[
        list[Path] | None,
        typer.Option("--results", help="Past results on the pool: a matrix (.npz), or run folders."),
    ] = None,
    proposer: Annotated[
        str | None, typer.Option(help="Model that proposes dimensions; offline unless named.")
    ] = None,
    reviewer: Annotated[
        str | None, typer.Option(help="Model that reviews them; the proposer unless named.")
    ] = None,
    voter: Annotated[
        list[str] | None,
        typer.Option(help="Model that labels items; may be repeated, five votes are shared out."),
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Server of the openai/NAME models.")] = None,
    tokens: Annotated[int | None, typer.Option(help="Most tokens that the roles may use.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Most rounds of the induction.")] = 8,
    fewest: Annotated[int, typer.Option(min=1, help="Fewest dimensions.")] = 5,
    most: Annotated[int, typer.Option(min=1, help="Most dimensions.")] = 9,
    other: Annotated[
        bool, typer.Option("--with-other", help="Keep items that fall under no dimension.")
    ] = False,
    repeats: Annotated[bool, typer.Option("--keep-duplicates", help="Keep near-duplicates.")] = False,
    copy: Annotated[
        list[str] | None,
        typer.Option(help="Copy this benchmark's text though its licence would have it referred to."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", "--from", help="Folder with the benchmark's data.")
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="File of vectors that are kept between calls.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests under way at once.")] = 16,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 0,
    force: Annotated[bool, typer.Option(help="Replace the suite that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
) -> None:
    """Find the dimensions of a pool, sort its items into them, choose a compact suite, and certify it.

    Without any model it works offline: embeddings, words and a seed taxonomy stand in for the roles. A call
    that was cut short is taken up where it ended.

    Example:  gumption curate my-pool --k 500 -o my-suite
    """
    import msgspec
    import numpy as np
    from rich.console import Console

    from gumption import __version__
    from gumption.benchmarks import open_suite
    from gumption.curation import agent, induction_log
    from gumption.curation.by_model import Budget
    from gumption.curation.dimensions import example_of
    from gumption.curation.duplicates import duplicates
    from gumption.reporting.certificate import print_certificate, write_certificate_page
    from gumption.suites import SELECTION, selection_bytes, write_folder

    _check(out, force, k, items, hours, gap)
    say = partial(print, file=sys.stderr if as_json else sys.stdout)
    suite = open_suite(pool, data)
    examples = [example_of(item) for item in suite.items]
    for row in suite.rejected[:_SHOWN]:
        say(f"Left out: {row}")
    embedded, encode = _embedded(suite, cache)
    repeated = duplicates(suite.items, embedded, seed=seed)
    benchmarks = {one.benchmark for one in examples}
    say(f"{len(examples):,} items of {len(benchmarks)} benchmarks, {_repeats(repeated)}.")
    budget = Budget(most_tokens=tokens)
    roles = _roles(proposer, reviewer, voter or [], base_url, budget, examples, encode, seed)
    work = out.with_name(f"{out.name}.induction")
    with bar("Inducing and labelling") as progress:
        found, assignment = agent.labelled(
            examples,
            roles,
            encode,
            work,
            rounds=rounds,
            wanted=(fewest, most),
            seed=seed,
            concurrency=concurrency,
            progress=progress,
        )
    say(f"{len(assignment.dimensions.all)} dimensions: {found.stopped_because}.")
    for event in budget.log[:_SHOWN]:
        say(f"Amiss: {event}")
    matrix, runs = _results(results or [])
    scores = matrix.over([item.id for item in suite.items]) if matrix else None
    stands = np.arange(len(examples)) if repeats else repeated.stands
    size = k or _DEFAULT_K
    if items or hours or gap:
        total = _total(items, hours, gap, len(examples), scores, runs)
        size = agent.per_dimension(total, assignment, stands, other)
    choice = agent.choose(
        examples,
        assignment,
        size,
        method=method,
        vectors=embedded.fused,
        responses=scores,
        balance=balance if balance is not None else ("benchmark",),
        stands=stands,
        with_other=other,
        seed=seed,
    )
    made_by = {
        "roles": found.roles,
        "encoder": embedded.encoder,
        "image_encoder": embedded.image_encoder,
        "seed": seed,
        "gumption": __version__,
    }
    made = agent.curated(suite, choice, assignment, out.name, made_by, copy or ())
    with bar("Certifying") as progress:
        dossier = agent.certified(
            suite,
            made,
            choice,
            assignment,
            embedded,
            responses=scores,
            models=matrix.models if matrix else (),
            runs=runs,
            seed=seed,
            progress=progress,
        )
    page = write_certificate_page(dossier, work / "certificate.html")
    attachments = {
        "certificate.json": msgspec.json.format(msgspec.json.encode(dossier), indent=1),
        "certificate.html": page.read_bytes(),
        SELECTION: selection_bytes(agent.selection_of(choice, assignment, suite)),
        **induction_log.files(found, map(str, budget.log)),
    }
    write_folder(made, out, overwrite=force, attachments=attachments)
    if as_json:
        sys.stdout.write(msgspec.json.encode(dossier).decode() + "\n")
        return
    _print_dimensions(assignment, choice.rows, examples)
    print_certificate(dossier, Console(soft_wrap=False))
    print(f"\nWritten: {out}, {len(made.items):,} of {len(examples):,} items.")
    print(
        f"Open {out / 'certificate.html'} in a browser. How it came to its dimensions: {out / 'induction.md'}"
    )
    print(f"Ask a model:  gumption run {out} --model openai/NAME --base-url URL")


def _check(out: Path, force: bool, *sizes: float | None) -> None:
    from gumption.records import GumptionError

    if sum(one is not None for one in sizes) > 1:
        raise GumptionError("more than one size is given", remedy="give one of --k, --items, --hours, --gap")
    if (out / "suite.json").exists() and not force:
        raise GumptionError(
            "there is a suite already", where=str(out), remedy="name another folder, or --force"
        )


def _embedded(suite: Suite, cache: Path | None) -> tuple[Embedded, Encode]:
    from gumption.curation.embedding import CachedTexts, embed
    from gumption.models.encoder import Encoder

    root = Path(os.environ.get("GUMPTION_CACHE") or Path.home() / ".cache" / "gumption")
    cache = cache or root / "vectors.sqlite"
    cache.parent.mkdir(parents=True, exist_ok=True)
    encoder = Encoder()
    with bar("Looking at pictures") as progress:
        embedded = embed(suite.items, suite.media, encoder=encoder, cache=cache, progress=progress)
    return embedded, CachedTexts(encoder, cache).encode


def _roles(
    proposer: str | None,
    reviewer: str | None,
    voters: Sequence[str],
    base_url: str | None,
    budget: Budget,
    examples: Sequence[Example],
    encode: Encode,
    seed: int,
) -> Roles:
    """By the models that are named; the offline ones for roles without any."""
    from gumption.curation import by_model, offline
    from gumption.curation.agent import PROBE, Roles
    from gumption.curation.induction import diverse
    from gumption.models import open_judge

    opened = {
        name: open_judge(name, base_url=base_url)
        for name in dict.fromkeys((proposer, reviewer, *voters))
        if name
    }
    reviewing = reviewer or proposer
    return Roles(
        proposer=by_model.ModelProposer(proposer, budget=budget)
        if proposer
        else offline.OfflineProposer(encode, seed=seed),
        reviewer=by_model.ModelReviewer(reviewing, budget=budget) if reviewing else offline.OfflineReviewer(),
        assigner=by_model.ModelAssigner(by_model.five_voters(voters), budget=budget)
        if voters
        else offline.OfflineAssigner(diverse(examples, PROBE, seed), encode),
        ask_of=by_model.answering(
            proposer=opened[proposer] if proposer else None,
            reviewer=opened[reviewing] if reviewing else None,
            voters=[opened[name] for name in voters],
        ),
    )


def _results(sources: list[Path]) -> tuple[ResponseMatrix | None, list[Run]]:
    """Past results, and the runs they come from, if they do."""
    from gumption.curation.response_matrix import matrix_of_runs, read_matrix
    from gumption.records import GumptionError
    from gumption.running import Run

    if not sources:
        return None, []
    if sources[0].suffix != ".npz":
        return matrix_of_runs(sources), [Run.open(folder) for folder in sources]
    if len(sources) > 1:
        raise GumptionError("several matrices", where=str(sources[1]), remedy="give one, or run folders")
    return read_matrix(sources[0]), []


def _total(
    items: int | None,
    hours: float | None,
    gap: float | None,
    pool: int,
    scores: Floats | None,
    runs: list[Run],
) -> int:
    """Items in all."""
    from gumption.curation.cost import item_hours
    from gumption.curation.quotas import size_for_budget, size_for_gap, size_for_gap_known
    from gumption.records import GumptionError

    if items:
        return items
    if gap:
        return size_for_gap(gap, pool) if scores is None else size_for_gap_known(gap, scores)
    spent = [cost for run in runs for cost in item_hours(run.replies()).values()]
    if not spent or hours is None:
        raise GumptionError(
            "no run says how long an item takes", where="--hours", remedy="give run folders with --results"
        )
    return size_for_budget(hours, spent)


def _repeats(found: Duplicates) -> str:
    count = len(found.stands) - len(found.kept)
    unknown = f" ({found.unknown:,} with unknown media were compared with none)" if found.unknown else ""
    return f"{count:,} near-duplicates{unknown}"


def _print_dimensions(assignment: Assignment, rows: Ints, examples: Sequence[Example]) -> None:
    """Each dimension, what it holds, and an item of it."""
    import numpy as np

    names = (*assignment.dimensions.names, "Other")
    kept = np.bincount(assignment.label[rows], minlength=len(names))
    for number, name in enumerate(names):
        inside = np.flatnonzero(assignment.label == number)
        sources = len({examples[row].benchmark for row in inside.tolist()})
        print(f"\n{name}: {kept[number]:,} of {len(inside):,} items, {sources} benchmarks")
        if number < len(assignment.dimensions.all):
            print(f"  {assignment.dimensions.all[number].definition}")
    print()
