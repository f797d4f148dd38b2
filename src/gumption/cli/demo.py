"""`gumption demo`: the main job on scenes that the package draws itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar

if TYPE_CHECKING:
    from gumption.suites import Suite

__all__ = ["demo"]

_FULL_SCENES = 120
_SCENES = 160
"""Drawn for the pool, five questions each: twice what is asked."""
_ASKED = 400
ORACLES = (0.65, 0.8, 0.95)
"""How often the oracles are right: far enough apart to be told apart by 400 questions."""
_WHO = (
    "Who is better is known beforehand: random guesses, blind reads the questions and sees no picture, eyes "
    "is a plain vision program, and oracle-0.8 is told the answer and gives it 80 times in 100."
)


def demo(
    out: Annotated[
        Path | None, typer.Option(help="Folder of all that is made; demo, or demo-full, unless named.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="Folder for the pages; report unless named. With --full they lie in --out."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed draws other scenes.")] = 0,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="The whole loop: several benchmarks, dimensions, a certified suite, written pipelines, "
            "eleven models asked both pool and suite, and what the suite keeps and saves.",
        ),
    ] = False,
    scenes: Annotated[
        int | None, typer.Option(min=1, help="Of --full: scenes to draw, five questions each; else 120.")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="Of --full: a model to ask as well, as for gumption run. May be repeated."),
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Of --full: the server of openai/NAME.")] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="Of --full: the folder of public data, for recorded results of real models; else "
            "GUMPTION_PUBLIC_DATA.",
        ),
    ] = None,
    concurrency: Annotated[
        int, typer.Option(min=1, max=4096, help="Of --full: requests under way at once.")
    ] = 16,
) -> None:
    """Draw scenes, curate a compact suite of 400 questions about them, ask six models, rank them, and write
    pages to look through.

    Who is better is known beforehand, so the ranking can be checked. Needs no key, no network and no GPU.

    Example:  gumption demo --seed 7

    The whole loop:  gumption demo --full

    With a model of yours:  gumption demo --full --model openai/NAME --base-url http://localhost:8000/v1

    Started again, it takes up what is there.
    """
    if full:
        from gumption.cli._demo_full import demo_full
        from gumption.cli._demo_record import Settings

        named = os.environ.get("GUMPTION_PUBLIC_DATA")
        demo_full(
            out or Path("demo-full"),
            Settings(scenes or _FULL_SCENES, seed),
            models=model or (),
            base_url=base_url,
            data=data or (Path(named) if named else None),
            concurrency=concurrency,
        )
        return
    _check_full(scenes=scenes, model=model, base_url=base_url, data=data)
    _small(out or Path("demo"), report or Path("report"), seed)


def _check_full(**given: object) -> None:
    from gumption.records import GumptionError

    for name, value in given.items():
        if value is not None:
            raise GumptionError(
                f"--{name.replace('_', '-')} is for --full", remedy="leave it out, or add --full"
            )


def _small(out: Path, report: Path, seed: int) -> None:
    from rich.console import Console

    from gumption.benchmarks.tabletop import draw_suite
    from gumption.models import open_models
    from gumption.ranking import rank_runs, scorecard
    from gumption.reporting import RecordedRun, print_ranking, rank_rows, write_site
    from gumption.running import run
    from gumption.suites import write_folder

    folder = out / f"seed-{seed}"
    pool = draw_suite(folder / "pictures", scenes=_SCENES, seed=seed)
    place = write_folder(pool, folder / "pool", overwrite=True)
    print(f"Drew {_SCENES} tabletop scenes and wrote {len(pool.items):,} questions about them: {place}")
    suite = _curated(pool, folder, seed)
    models = [open_models(f"baseline/{name}", seed=seed)[0] for name in ("random", "blind", "eyes")]
    models += [open_models("baseline/oracle", accuracy=one, seed=seed)[0] for one in ORACLES]
    runs = []
    for model in models:
        with bar(model.name) as progress:
            target = folder / "runs" / f"{suite.checksum[:8]}-{model.name.replace('/', '-')}"
            runs.append(run(suite, model, target, address=str(folder / "suite"), progress=progress))
    ranking = rank_runs([one.folder for one in runs])
    print(f"Asked {len(runs)} models. {_WHO}\n")
    print_ranking(rank_rows(ranking, [scorecard(one.folder) for one in runs]), Console(soft_wrap=False))
    with bar("Writing pages") as progress:
        index = write_site(
            [RecordedRun(one) for one in runs],
            report,
            title=f"Who reads a tabletop best? Six test models, {len(suite.items)} questions",
            about=_WHO,
            progress=progress,
        )
    print(
        f"\nOpen {index} in a browser: every number leads to the questions, pictures and answers behind it."
    )


def _curated(pool: Suite, folder: Path, seed: int) -> Suite:
    """The compact suite, written; without the encoder a plain part of the pool, said so."""
    from tempfile import TemporaryDirectory

    from gumption.cli._curating import cache_file, write_suite
    from gumption.curation.agent import curate
    from gumption.models.encoder import Encoder
    from gumption.records import GumptionError
    from gumption.suites import write_folder

    encoder = Encoder()
    try:
        encoder.encode(["Is it installed?"])
    except GumptionError as error:
        suite = pool.first(_ASKED)
        write_folder(suite, folder / "suite", overwrite=True)
        print(f"The Data Agent is left out ({error.problem}; {error.remedy}): the first {_ASKED} are asked.")
        return suite
    with TemporaryDirectory() as replies:
        made = curate(
            pool,
            "tabletop-compact",
            encoder,
            Path(replies) / "none",
            cache=cache_file(None),
            total=_ASKED,
            balance=("category",),
            seed=seed,
            stage=bar,
        )
    write_suite(made, folder / "suite", overwrite=True)
    print(
        f"Curated {len(made.suite.items)} of them in {len(made.assignment.dimensions.all)} dimensions, "
        f"offline: {folder / 'suite'}\nIts certificate: {folder / 'suite' / 'certificate.html'}"
    )
    return made.suite
