"""The Eval Agent in `gumption demo --full`: pipelines for folders nobody adapted, beside our own scorers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gumption.cli._console import bar
from gumption.cli._demo_folders import write_folders
from gumption.cli._demo_record import Record
from gumption.records import GumptionError

if TYPE_CHECKING:
    from gumption.records import Item
    from gumption.reporting.loop import PipelineRow
    from gumption.running import Run
    from gumption.suites import Suite
    from gumption.synthesis.against import Fidelity
    from gumption.synthesis.agent import Account
    from gumption.synthesis.pipeline import Pipeline
    from gumption.synthesis.recorded import Recorded
    from gumption.synthesis.validation import Validation

__all__ = ["synthesized"]


def synthesized(pool: Suite, runs: Sequence[Run], out: Path, record: Record) -> tuple[list[PipelineRow], str]:
    """A pipeline for each folder that the pool makes, compared with our own scorer on every reply of `runs`
    that is of its items; and why there is none, "" where there are. What was synthesised before is taken as
    it is."""
    from gumption.synthesis.calls import mechanism_of

    try:
        mechanism_of(unsandboxed=False)
    except GumptionError as error:
        return [], f"{error.problem}. {error.remedy}"
    folders = write_folders(pool, out / "benchmarks")
    rows = []
    with bar("Writing and proving pipelines") as progress:
        for done, (name, items) in enumerate(folders.items()):
            progress(done, len(folders))
            rows.append(_row(name, items, list(_replies(runs, items)), out, record))
    return rows, ""


def _row(name: str, items: list[Item], replies: list[Recorded], out: Path, record: Record) -> PipelineRow:
    from gumption.reporting.loop import PipelineRow
    from gumption.synthesis.pipeline import read_pipeline

    target = out / "pipelines" / name
    account = _account(out / "benchmarks" / name, target, record)
    pipeline = read_pipeline(target) if account.accepted else None
    return PipelineRow(
        name=name,
        items=len(items),
        account=account,
        validation=_validation(target) if pipeline else None,
        fidelity=_compared(pipeline, items, replies) if pipeline else None,
        folder=target.relative_to(out).as_posix(),
    )


def _account(folder: Path, target: Path, record: Record) -> Account:
    """By rules, offline, unless it is there already."""
    from gumption.synthesis import agent
    from gumption.synthesis.offline.roles import RuleEvaluator, RuleScorer

    known = agent.read_account(target)
    if known is None:
        with record.timed(f"pipelines/{target.name}"):
            known, _ = agent.write(folder, target, agent.Roles(RuleEvaluator(), RuleScorer()))
    return known


def _validation(folder: Path) -> Validation:
    import msgspec

    from gumption.synthesis.validation import Validation

    return msgspec.json.decode((folder / "validation.json").read_bytes(), type=Validation)


def _compared(pipeline: Pipeline, items: list[Item], replies: list[Recorded]) -> Fidelity:
    """What it asks beside what we ask, and what it makes of the same replies."""
    from gumption.synthesis.against import against
    from gumption.synthesis.execute import built

    return against(pipeline, built(pipeline), recorded=replies, items=items)


def _replies(runs: Sequence[Run], items: list[Item]) -> Iterator[Recorded]:
    from gumption.synthesis.recorded import Recorded

    wanted = {item.id for item in items}
    for run in runs:
        for reply in run.replies():
            if reply.item_id in wanted and reply.status in ("ok", "truncated"):
                yield Recorded(reply.item_id, run.info.model, reply.text)
