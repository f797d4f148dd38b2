"""`gumption demo`: the main job on scenes that the package draws itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar

if TYPE_CHECKING:
    from gumption.suites import Suite

__all__ = ["demo"]

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
    out: Annotated[Path, typer.Option(help="Folder for the pictures and the runs.")] = Path("demo"),
    report: Annotated[Path, typer.Option(help="Folder for the pages.")] = Path("report"),
    seed: Annotated[int, typer.Option(help="Another seed draws other scenes.")] = 0,
) -> None:
    """Draw scenes, curate a compact suite of 400 questions about them, ask six models, rank them, and write
    pages to look through.

    Who is better is known beforehand, so the ranking can be checked. Needs no key, no network and no GPU.

    Example:  gumption demo --seed 7
    """
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
