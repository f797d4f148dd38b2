"""`gumption curate`: from a pool of benchmarks to a compact, balanced, certified suite."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar
from gumption.cli._curating import cache_file, past_results, write_suite
from gumption.cli._executors import On, Workers
from gumption.cli._folders import readable
from gumption.cli._roles import replies_of, roles_by

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gumption.curation.agent import Curation
    from gumption.running import Run

__all__ = ["curate"]

_DEFAULT_K = 500
_SHOWN = 5
_EXCERPT = 160
"""Characters of an item that is shown for its dimension."""


def curate(
    pool: Annotated[str, typer.Argument(help="A pool's folder, a benchmark's name, or a question file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The suite's folder.")],
    k: Annotated[int | None, typer.Option(min=1, help="Items of each dimension; 500 unless told.")] = None,
    items: Annotated[int | None, typer.Option(min=1, help="Instead of --k: items in all.")] = None,
    hours: Annotated[
        float | None,
        typer.Option(help="Instead of --k: hours of requests, as measured in the runs given by --results."),
    ] = None,
    gap: Annotated[
        float | None,
        typer.Option(help="Instead of --k: the gap between two models to be told apart, as in 0.03."),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help="How items are chosen: random, centroid (the paper's), facility, kcenter, stratified; with "
            "--results also item-total, correlation, mixed, anchor, disagreement. auto: random unless past "
            "results show something better."
        ),
    ] = "auto",
    balance: Annotated[
        list[str] | None,
        typer.Option(
            help="What the places of a dimension are shared out over: benchmark (unless told), category, "
            "kind, difficulty, or none. May be repeated."
        ),
    ] = None,
    results: Annotated[
        list[Path] | None,
        typer.Option(
            "--results",
            parser=readable,
            metavar="RUN",
            help="Past results on the pool, for the certificate: a matrix (.npz), or a run folder or its "
            "address; may be repeated.",
        ),
    ] = None,
    proposer: Annotated[
        str | None,
        typer.Option(help="Model that proposes dimensions, as in openai/NAME; offline unless named."),
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
        Path | None,
        typer.Option(
            "--data", "--from", help="Folder with the data of a benchmark, or of what a pool refers to."
        ),
    ] = None,
    encoder: Annotated[
        str, typer.Option(help="Of texts: minilm, fastembed/NAME, or an ONNX file.")
    ] = "minilm",
    image_encoder: Annotated[
        str | None,
        typer.Option(help="Of pictures, beside how they look: fastembed/NAME, or an ONNX file."),
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="File of vectors kept between calls.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests under way at once.")] = 16,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 0,
    on: On = "local",
    workers: Workers = None,
    force: Annotated[bool, typer.Option(help="Replace the suite that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
) -> None:
    """Find the dimensions of a pool, sort its items into them, choose a compact suite, and certify it.

    Without any model it works offline: embeddings, words and a seed taxonomy stand in for the roles. With
    models, the same call after a crash asks only what is not yet recorded.

    Example:  gumption curate my-pool --k 500 -o my-suite

    With models:  gumption curate my-pool -o my-suite --proposer openai/A --voter openai/B --base-url URL

    With --on ray its workers embed, and ask for the votes of openai/NAME voters unless --tokens is given; the
    suite is the same.

    Ends with code 0 when the suite is written, 1 when rows of the pool were left out, 2 on bad usage.
    """
    from gumption.benchmarks import open_suite
    from gumption.curation import agent, choice
    from gumption.curation.by_model import Budget
    from gumption.executors import open_executor
    from gumption.models.encoder import encoder_named, picture_encoder_named

    balanced = ("benchmark",) if balance is None else tuple(name for name in balance if name != "none")
    choice.check_rule(method, balanced, bool(results))
    _check(out, force, (fewest, most), k, items, hours, gap)
    texts = encoder_named(encoder)
    pictures = picture_encoder_named(image_encoder) if image_encoder else None
    budget = Budget(most_tokens=tokens)
    roles = roles_by(proposer, reviewer, voter or [], base_url, budget)
    suite = open_suite(pool, data)
    matrix, runs = past_results(results) if results else (None, [])
    scores = matrix.over([item.id for item in suite.items]) if matrix else None
    total = items
    if hours is not None or gap is not None:
        total = _total(hours, gap, len(suite.items), scores, runs)
    with (
        replies_of(out, bool(proposer or reviewer or voter)) as replies,
        open_executor(on, workers=workers) as executor,
    ):
        made = agent.curate(
            suite,
            out.name,
            texts,
            replies,
            image_encoder=pictures,
            roles=roles,
            cache=cache_file(cache),
            k=k or _DEFAULT_K,
            total=total,
            method=method,
            balance=balanced,
            with_other=other,
            keep_duplicates=repeats,
            copy=copy or (),
            rounds=rounds,
            wanted=(fewest, most),
            seed=seed,
            responses=scores,
            models=matrix.models if matrix else (),
            runs=runs,
            concurrency=concurrency,
            executor=executor,
            stage=bar,
        )
    write_suite(made, out, amiss=map(str, budget.log), overwrite=force)
    _show(made, out, data, [str(one) for one in budget.log], as_json=as_json)
    if suite.rejected:
        raise typer.Exit(1)


def _check(out: Path, force: bool, wanted: tuple[int, int], *sizes: float | None) -> None:
    """What would be refused after all the work is refused before it."""
    from gumption.records import GumptionError

    if sum(one is not None for one in sizes) > 1:
        raise GumptionError("more than one size is given", remedy="give one of --k, --items, --hours, --gap")
    if wanted[0] > wanted[1]:
        raise GumptionError(
            f"at least {wanted[0]} dimensions and at most {wanted[1]}",
            where="--fewest, --most",
            remedy="give a --fewest that is no more than --most",
        )
    if (out / "suite.json").exists():
        if not force:
            raise GumptionError(
                "there is a suite already", where=str(out), remedy="name another folder, or --force"
            )
    elif out.exists() and not (out.is_dir() and all(one.name.startswith(".") for one in out.iterdir())):
        raise GumptionError(
            "there is something else than a suite already", where=str(out), remedy="name a new folder"
        )


def _total(
    hours: float | None,
    gap: float | None,
    pool: int,
    scores: npt.NDArray[np.float64] | None,
    runs: Sequence[Run],
) -> int:
    """Items in all, for so many hours of requests or to tell a gap apart."""
    from gumption.curation.cost import item_hours
    from gumption.curation.quotas import size_for_budget, size_for_gap, size_for_gap_known
    from gumption.records import GumptionError

    if gap is not None:
        return size_for_gap(gap, pool) if scores is None else size_for_gap_known(gap, scores)
    spent = [cost for run in runs for cost in item_hours(run.replies()).values()]
    if not spent or hours is None:
        raise GumptionError(
            "no run says how long an item takes", where="--hours", remedy="give run folders with --results"
        )
    return size_for_budget(hours, spent)


def _show(made: Curation, out: Path, data: Path | None, amiss: Sequence[str], *, as_json: bool) -> None:
    """What came of it: for a person, or as one JSON object with the rest on standard error."""
    import msgspec
    from rich.console import Console

    from gumption.reporting.certificate import print_certificate

    say = partial(print, file=sys.stderr if as_json else sys.stdout)
    for label, lines in (("Left out", made.pool.rejected), ("Amiss", amiss)):
        for line in lines[:_SHOWN]:
            say(f"{label}: {line}")
        if len(lines) > _SHOWN:
            say(f"{label}: {len(lines) - _SHOWN:,} more")
    if as_json:
        sys.stdout.write(msgspec.json.encode(made.dossier).decode() + "\n")
        return
    unknown = made.repeated.unknown
    print(
        f"{len(made.examples):,} items of {len({one.benchmark for one in made.examples})} benchmarks, "
        f"{len(made.repeated.stands) - len(made.repeated.kept):,} near-duplicates"
        + (f" ({unknown:,} with unknown media were compared with none)" if unknown else "")
    )
    accepted = "accepted" if made.induction.accepted else "not accepted, the best of those tried"
    count = len(made.assignment.dimensions.all)
    print(f"{count} dimensions, {accepted}: {made.induction.stopped_because}.")
    _print_dimensions(made)
    print_certificate(made.dossier, Console(soft_wrap=False))
    print(f"\nWritten: {out}, {len(made.suite.items):,} of {len(made.examples):,} items.")
    print(f"Open {out / 'certificate.html'} in a browser.")
    print(f"How the dimensions came about: {out / 'induction.md'}")
    needs = f" --data {data}" if data and made.suite.references else ""
    print(f"Ask a model:  gumption run {out}{needs} --model openai/NAME --base-url URL")


def _print_dimensions(made: Curation) -> None:
    """Each dimension, what it holds, and an item of it."""
    import numpy as np

    label, rows = made.assignment.label, made.choice.rows
    for number, name in enumerate((*made.assignment.dimensions.names, "Other")):
        inside = np.flatnonzero(label == number)
        kept = rows[label[rows] == number]
        sources = len({made.examples[row].benchmark for row in inside.tolist()})
        print(f"\n{name}: {len(kept):,} of {len(inside):,} items, {sources} benchmarks")
        if number < len(made.assignment.dimensions.all):
            print(f"  {made.assignment.dimensions.all[number].definition}")
        if len(kept):
            print(f"  Such as: {' '.join(made.examples[kept[len(kept) // 2]].text.split())[:_EXCERPT]}")
    print()
