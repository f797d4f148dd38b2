"""Asking the same models the whole pool and its suite, and what each side took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gumption.cli._console import bar
from gumption.cli._demo_record import Record
from gumption.cli._serving import report_to, stop_servers

if TYPE_CHECKING:
    from gumption.curation.cost import RunCost
    from gumption.models import Model
    from gumption.reporting.loop import AskedCost
    from gumption.running import Run
    from gumption.suites import Suite

__all__ = ["Asked", "ask_both"]


@dataclass
class Asked:
    """The runs of every model, in the order of the models."""

    pool: list[Run] = field(default_factory=list)
    suite: list[Run] = field(default_factory=list)
    new: int = 0
    """Requests of this start."""
    costs: list[AskedCost] = field(default_factory=list)


def ask_both(
    pool: tuple[Suite, str],
    suite: tuple[Suite, str],
    models: Sequence[Model],
    folder: Path,
    record: Record,
    *,
    concurrency: int = 16,
) -> Asked:
    """Ask every model all items of both, each with the address that it can be opened from again, into
    `folder`/pool and `folder`/suite.

    What was asked before is not asked again. Raises GumptionError where a model gave no reply that can be
    scored: nothing can be compared then.
    """
    from gumption.curation.cost import Amount
    from gumption.records import GumptionError
    from gumption.reporting.loop import AskedCost

    asked = Asked()
    for model in models:
        made, requests, seconds, costs = [], [], [], []
        for name, (questions, address) in (("pool", pool), ("suite", suite)):
            run, new = _asked(questions, address, model, folder / name, record, concurrency)
            if not any(value is not None for value in run.scores().column("value").to_pylist()):
                said = next(iter(run.problems), "no reply can be read")
                raise GumptionError(
                    f"nothing could be scored: {said}",
                    where=model.name,
                    remedy="see that its server answers (gumption doctor), and start again",
                )
            asked.new += new
            made.append(run)
            requests.append(_lines(run.folder))
            seconds.append(record.seconds(_step(run.folder)))
            costs.append(_cost(run))
        stop_servers(model)
        asked.pool.append(made[0])
        asked.suite.append(made[1])
        tokens = [
            None if one is None or other is None else Amount(one.pool, other.pool)
            for one, other in (
                (costs[0].input_tokens, costs[1].input_tokens),
                (costs[0].output_tokens, costs[1].output_tokens),
            )
        ]
        asked.costs.append(AskedCost(model.name, Amount(*requests), tokens[0], tokens[1], Amount(*seconds)))
    return asked


def _asked(
    suite: Suite, address: str, model: Model, folder: Path, record: Record, concurrency: int
) -> tuple[Run, int]:
    from gumption.cli.run import slug
    from gumption.running import run

    target = folder / slug(model.name)
    report_to(target, model)
    before = _lines(target)
    with bar(f"{model.name}, {folder.name}") as progress, record.timed(_step(target)) as timer:
        done = run(suite, model, target, address=address, concurrency=concurrency, progress=progress)
        new = _lines(target) - before
        timer.counts = bool(new)
    return done, new


def _step(target: Path) -> str:
    return f"{target.parent.parent.name}/{target.parent.name}/{target.name}"


def _lines(folder: Path) -> int:
    """Replies on record, one a line: each was a request."""
    from gumption.running import Run

    return sum(1 for _ in Run.open(folder).replies()) if (folder / "run.json").exists() else 0


def _cost(run: Run) -> RunCost:
    from gumption.curation.cost import run_cost

    ids = [item.id for item in run.items()]
    return run_cost(run.info.model, run.replies(), ids, range(len(ids)))
