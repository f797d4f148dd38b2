"""Fifty raters at once against `gumption rate serve` on loopback, as fast as they can, until a study is done.

Once on SQLite, once on a PostgreSQL that is started here (with fsync), and on both with the server killed by
SIGKILL in the middle and started again. Afterwards the store is compared with what raters were told.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path

import numpy as np

from benches._raters import Load, counted_wrongly, lost, work
from benches._table import show
from gumption.rating.forms import PLAN_DIMENSIONS
from gumption.rating.store import Store
from gumption.rating.study import Material, Output, Scenario, Study
from gumption.records import Text

# The tests' own server and PostgreSQL.
sys.path.append(str(Path(__file__).parents[1] / "tests" / "rating"))
from postgres import postgres, program
from serving import free_port, served

RATERS = 50
STUDIES = ((8, 13, 4), (20, 20, 5))
"""Scenarios, models, people an output."""


def main() -> None:
    rows, latencies = [], []
    databases = ["SQLite", *(["PostgreSQL"] if program("postgres") else [])]
    for database in databases:
        for scenarios, models, wanted in STUDIES:
            for killed in (False, True) if scenarios == STUDIES[0][0] else (False,):
                with ExitStack() as stack:
                    url = stack.enter_context(postgres() if database == "PostgreSQL" else nullcontext(""))
                    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                    load, missing, wrong = measure(folder, url, scenarios, models, wanted, killed=killed)
                name = f"{database}, {scenarios * models} outputs x {wanted}{', killed' if killed else ''}"
                refused = ", ".join(f"{status}: {count}" for status, count in load.refused.items())
                rows.append(
                    (
                        name,
                        f"{len(load.acknowledged):,}",
                        f"{load.wall_s:.1f} s",
                        f"{load.requests / load.wall_s:.0f}",
                        refused or "none",
                        str(missing),
                        str(wrong),
                    )
                )
                latencies += [
                    (name, kind, *_quantiles(load.seconds[kind])) for kind in ("save", "submit", "page")
                ]
    show(
        f"{RATERS} raters at once",
        ("study", "sent", "time", "requests/s", "refused", "acknowledged and lost", "counted wrongly"),
        rows,
    )
    show("", ("study", "request", "median", "95 %", "99 %", "longest"), latencies)
    if len(databases) == 1:
        print("\nPostgreSQL is not installed here: apt-get install postgresql")


def measure(
    folder: Path, url: str, scenarios: int, models: int, wanted: int, *, killed: bool
) -> tuple[Load, int, int]:
    """The load, how many acknowledged ratings are lost, and how many are counted wrongly."""
    study = Study(
        name="load",
        dimensions=PLAN_DIMENSIONS,
        raters_wanted=wanted,
        attention_share=0.05,
        duplicate_share=0.05,
    )
    with Store.open(folder, url, create=True) as store:
        store.create(study, material(scenarios, models))
        tokens = [one.token for one in store.invite(study.id, [""] * RATERS)]
    load = asyncio.run(_served(folder, url, study, tokens, kill_at=scenarios * models if killed else 0))
    with Store.open(folder, url) as store:
        wrong = counted_wrongly(study, scenarios * models, store.records(study.id, history=True))
        return load, lost(load, store.records(study.id)), wrong


async def _served(folder: Path, url: str, study: Study, tokens: Sequence[str], *, kill_at: int) -> Load:
    """Work under a server; once so many ratings are acknowledged it is killed and started again."""
    port = free_port()
    load = Load()
    with ExitStack() as stack:
        process = stack.enter_context(served(folder, port, url))
        working = asyncio.create_task(work(f"http://127.0.0.1:{port}", tokens, study, load))
        while kill_at and len(load.acknowledged) < kill_at and not working.done():
            await asyncio.sleep(0.005)
        if kill_at:
            process.kill()
            await asyncio.to_thread(process.wait)
            await asyncio.to_thread(stack.enter_context, served(folder, port, url))
        await working
    return load


def material(scenarios: int, models: int) -> Material:
    """Places to tidy, with a plan of each model for each."""
    made = tuple(
        Scenario(f"place-{place}", (Text(f"Tidy room {place}. " * 10),), ("find it", "put it away"))
        for place in range(scenarios)
    )
    steps = tuple(f"Walk to the counter of room {step} and pick up what stands there." for step in range(15))
    said = tuple(
        Output(one.id, f"maker/brain-{model}", "\n".join(steps), steps)
        for one in made
        for model in range(models)
    )
    return Material(made, said)


def _quantiles(seconds: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{1000 * value:,.0f} ms" for value in np.quantile(seconds, (0.5, 0.95, 0.99, 1.0)))


if __name__ == "__main__":
    main()
