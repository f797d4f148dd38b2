"""`gumption demo --full`: the whole loop of A2Eval (arXiv 2602.01640), ending in one page.

A pool of several benchmarks, its dimensions, a compact suite with its certificate; several models asked both;
pipelines written and proven beside the built-in scorers; the ranking, and what the suite keeps and saves.
Each room does its own part; here the parts are put in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gumption.cli._console import bar, finish
from gumption.cli._demo_asking import Asked, ask_both
from gumption.cli._demo_models import offline_models
from gumption.cli._demo_page import REPORT, REPORT_ON_POOL, loop_of, written
from gumption.cli._demo_pipelines import synthesized
from gumption.cli._demo_pool import Gathered
from gumption.cli._demo_record import Record, Settings
from gumption.cli._demo_recorded import recorded_sides
from gumption.records import GumptionError

if TYPE_CHECKING:
    from gumption.reporting.loop import Loop
    from gumption.running import Run

__all__ = ["demo_full"]


def demo_full(
    out: Path,
    settings: Settings,
    *,
    models: Sequence[str] = (),
    base_url: str | None = None,
    data: Path | None = None,
    concurrency: int = 16,
) -> None:
    """Do all of it in the folder `out` and name its page. What is there already is taken up.

    models: asked beside the made ones, named as for `gumption run`. data: the folder of public data, for what
    real models said; without it that part is left out. Raises GumptionError where a step cannot be done.
    """
    from gumption.models import open_models
    from gumption.ranking import scorecard
    from gumption.reporting.loop import write_loop_page

    record = Record.taken(out / "loop.json", settings)
    named = [one for name in models for one in open_models(name, base_url=base_url)]
    gathered = Gathered(out, settings, record)
    pool, suite = gathered.labelled, gathered.suite
    benchmarks = {item.benchmark for item in pool.items}
    dimensions = sorted({item.dimension for item in suite.items})
    print(f"Pool: {len(pool.items):,} questions of {len(benchmarks)} benchmarks in {out / 'pool'}.")
    print(
        f"Suite: {len(suite.items):,} of them in {len(dimensions)} dimensions, chosen before anybody was "
        f"asked, in {out / 'suite'}."
    )
    everybody = [*offline_models(dimensions, settings.seed), *named]
    _refuse_twice([one.name for one in everybody])
    asked = ask_both(
        (pool, str(out / "pool-labelled")),
        (suite, str(out / "suite")),
        everybody,
        out / "runs",
        record,
        concurrency=concurrency,
    )
    print(f"Asked {len(asked.pool)} models both: {asked.new:,} requests in this start.")
    certificate = gathered.certificate(asked.pool, anew=bool(asked.new))
    pipelines = synthesized(pool, asked.pool, out, record)
    print(f"Pipelines: {written(*pipelines)}.")
    recorded = recorded_sides(data, out, settings.seed, record)
    _write_reports(asked, out, record)
    loop = loop_of(
        pool, suite, asked, certificate, pipelines, recorded, record, _command(settings, models, data)
    )
    _print(loop)
    print(f"\nOpen {write_loop_page(loop, out)} in a browser.")
    runs = [*asked.pool, *asked.suite]
    finish([scorecard(run.folder) for run in runs], runs)


def _refuse_twice(names: Sequence[str]) -> None:
    """A run folder is found again by its model's name."""
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice:
        raise GumptionError(
            f"two models are called {twice}", where="demo --full", remedy="leave out the one you named"
        )


def _write_reports(asked: Asked, out: Path, record: Record) -> None:
    """Pages behind every number of the runs, unless they are there and nothing is new."""
    from gumption.reporting import RecordedRun, write_site

    sides: tuple[tuple[str, list[Run], str], ...] = (
        (REPORT, asked.suite, "the compact suite"),
        (REPORT_ON_POOL, asked.pool, "the whole pool"),
    )
    for name, runs, what in sides:
        if asked.new or not (out / name / "index.html").exists():
            with record.timed(f"reports/{name}"), bar(f"Writing {name}") as progress:
                write_site(
                    [RecordedRun(run) for run in runs],
                    out / name,
                    title=f"{len(runs)} models on {what}",
                    progress=progress,
                )


def _command(settings: Settings, models: Sequence[str], data: Path | None) -> str:
    """Without addresses and folders, which are nobody else's."""
    named = "".join(f" --model {name} --base-url URL" for name in models)
    return (
        f"gumption demo --full --scenes {settings.scenes} --seed {settings.seed}{named}"
        f"{' --data DIR' if data else ''}"
    )


def _print(loop: Loop) -> None:
    from rich.console import Console

    from gumption.reporting.loop import print_comparison

    console = Console(soft_wrap=False)
    print()
    print_comparison(loop.comparison, loop.costs, console)
    for side in loop.recorded:
        print(f"\n{side.title}")
        print_comparison(side.comparison, (), console)
