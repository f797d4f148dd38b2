"""`gumption demo`: the main job on a small set that the package draws itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gumption.cli._console import bar

__all__ = ["demo"]

_ACCURACIES = (0.5, 0.75, 0.95)


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the pictures and the runs.")] = Path("demo"),
    report: Annotated[Path, typer.Option(help="Folder for the pages.")] = Path("report"),
    seed: Annotated[int, typer.Option(help="Another seed draws other scenes.")] = 0,
) -> None:
    """Draw scenes, ask models of known ability, rank them, and write pages to look through.

    Needs no key, no network and no GPU. Example:  gumption demo --seed 7
    """
    from rich.console import Console

    from gumption.benchmarks.tabletop import draw_suite
    from gumption.cli.rank import rank_rows
    from gumption.models import open_models
    from gumption.ranking import rank_runs, scorecard
    from gumption.reporting import RecordedRun, print_ranking, write_site
    from gumption.running import run
    from gumption.suites import write_folder

    folder = out / f"seed-{seed}"
    suite = draw_suite(folder / "pictures", seed=seed)
    pool = write_folder(suite, folder / "pool", overwrite=True)
    print(f"Drew {len(suite.media)} scenes and {len(suite.items)} questions: {pool}")
    models = open_models("baseline/random", seed=seed)
    for accuracy in _ACCURACIES:
        models += open_models("baseline/oracle", accuracy=accuracy, seed=seed)
    runs = []
    for model in models:
        with bar(model.name) as progress:
            target = folder / "runs" / model.name.replace("/", "-")
            runs.append(run(suite, model, target, address=str(pool), progress=progress))
    ranking = rank_runs([one.folder for one in runs])
    print(f"Asked {len(runs)} models whose true ability is known; the ranking should find it again.\n")
    print_ranking(rank_rows(ranking, [scorecard(one.folder) for one in runs]), Console(soft_wrap=False))
    with bar("Writing pages") as progress:
        index = write_site(
            [RecordedRun(one) for one in runs], report, title="Tabletop demo", progress=progress
        )
    print(f"\nOpen {index} in a browser.")
