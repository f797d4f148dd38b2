"""Running a validated pipeline: its own code says what is asked and what a reply is worth, the engine asks.

Only the sandbox ever runs the code: once to load and build the items, then for each shard of 1,000 replies.
Rows of the scores are those of any other run, so scorecards, comparisons and reports work alike.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gumption.atomic import written
from gumption.benchmarks import Asking, names
from gumption.models import Model
from gumption.records import Aggregate, Answer, GumptionError, Image, Item, Reply, Scored, Text
from gumption.running import Progress, Run, Spread, run, settled, write_scores
from gumption.suites import Rejected, Suite, write_folder
from gumption.suites.pictures import Pictures
from gumption.synthesis.calls import Calls, Fault, mechanism_of, said_of, view
from gumption.synthesis.contract import Part, Request, Row, Verdict
from gumption.synthesis.pipeline import CODE, MANIFEST, Pipeline, read_pipeline

__all__ = ["Built", "built", "is_pipeline_run", "run_pipeline", "score_pipeline_run", "suite_of"]

COPY = "pipeline"
"""The pipeline's files in a run folder, so that the run explains itself."""
SUITE = "suite"
"""What it built, as a suite like any other."""
ROW, CHANCE = "row", "chance"
"""Keys of an item's `meta`: what `score` sees of it, and what guessing is worth."""


class Built(Struct, frozen=True):
    """What a pipeline makes of its benchmark, by item id."""

    rows: dict[str, Row]
    requests: dict[str, Request]
    root: Path
    """The benchmark's folder, in which the pictures are."""


def built(pipeline: Pipeline, *, data: Path | None = None, unsandboxed: bool = False) -> Built:
    """Runs the pipeline's `load` and `build`. Raises GumptionError where the data are not those that were
    checked, and where the code fails."""
    root = pipeline.root(data)
    with view(root, pipeline.manifest.data.withheld) as shown:
        calls = Calls(pipeline.code, shown, mechanism_of(unsandboxed))
        rows = calls.load()
        requests = calls.build(rows)
    ids = [str(row["id"]) for row in rows]
    return Built(dict(zip(ids, rows, strict=True)), dict(zip(ids, requests, strict=True)), root)


def suite_of(
    pipeline: Pipeline,
    *,
    within: Suite | None = None,
    data: Path | None = None,
    unsandboxed: bool = False,
) -> Suite:
    """The benchmark's items as the pipeline loads and builds them.

    within: only those that this suite holds, with its categories and dimensions; what else it holds is told
    as rejected. data: the benchmark's folder, where it is not where it was. Raises GumptionError where the
    data are not those that were checked, where the code fails, and for pictures that cannot be shown.
    """
    made = built(pipeline, data=data, unsandboxed=unsandboxed)
    pictures = Pictures(made.root)
    name = benchmark_of(pipeline)
    items = tuple([_item(row, made.requests[id], name, pipeline, pictures) for id, row in made.rows.items()])
    macro = pipeline.spec.scoring.aggregate == "macro"
    official = Aggregate("macro over category", "category") if macro else Aggregate("micro")
    suite = Suite(
        pipeline.spec.name, pipeline.manifest.version, items, media=pictures.media, official=official
    )
    return suite if within is None else _within(suite, within)


def benchmark_of(pipeline: Pipeline) -> str:
    """What the items' benchmark is called: never as one that Gumption scores by rules of its own."""
    name = pipeline.spec.name
    return f"{name} (pipeline)" if name in names() else name


def run_pipeline(
    pipeline: Pipeline,
    suite: Suite,
    model: Model,
    out: Path,
    *,
    epochs: int = 1,
    concurrency: int = 16,
    cache: Path | None = None,
    unsandboxed: bool = False,
    spread: Spread | None = None,
    progress: Progress | None = None,
) -> Run:
    """Ask `model` the items that the pipeline built (`suite_of`), keep the replies in the folder `out`, and
    score them by its code, in this process.

    A folder that holds part of the same run is taken up. Raises GumptionError as `run` does, and where there
    is no sandbox and `unsandboxed` is not given.
    """
    # The request is whole: nothing is to be put below it.
    as_built = Asking(
        templates={"*": {"*": "{question}"}},
        sha256=pipeline.manifest.version,
        source=f"the pipeline of {pipeline.spec.name}",
    )
    record = run(
        suite,
        model,
        out,
        asking=as_built,
        epochs=epochs,
        concurrency=concurrency,
        cache=cache,
        spread=spread,
        progress=progress,
    )
    # Beside the run, so that its pictures are found again.
    write_folder(suite, out / SUITE, overwrite=True)
    record.write_info(replace(record.info, suite_address=SUITE))
    _copy(pipeline, out / COPY)
    _score(record, unsandboxed)
    return record


def is_pipeline_run(folder: Path) -> bool:
    """Whether a run folder was made by a pipeline."""
    return (folder / COPY / MANIFEST).is_file()


def score_pipeline_run(folder: Path, *, unsandboxed: bool = False) -> Run:
    """Score the recorded replies of such a run again, by the pipeline that it holds, asking nothing."""
    record = Run.open(folder)
    _score(record, unsandboxed)
    return record


def _item(row: dict[str, Any], request: Request, name: str, pipeline: Pipeline, pictures: Pictures) -> Item:
    try:
        parts = tuple([_shown(part, pictures) for part in request.parts])
    except GumptionError as error:
        raise GumptionError(error.problem, where=f"item {row['id']}", remedy=error.remedy) from error
    return Item(
        str(row["id"]),
        name,
        parts,
        Answer("text"),
        cluster=request.cluster,
        category=request.category,
        meta={
            ROW: row,
            CHANCE: 1 / request.options if request.options else 0.0,
            "pipeline": pipeline.manifest.version,
        },
    )


def _shown(part: Part, pictures: Pictures) -> Text | Image:
    if part.text:
        return Text(part.text)
    return pictures.from_file(part.image) if part.image else pictures.from_base64(part.image_base64)


def _within(built: Suite, suite: Suite) -> Suite:
    known = {item.id: item for item in built.items}
    kept = [
        replace(known[item.id], category=item.category or known[item.id].category, dimension=item.dimension)
        for item in suite.items
        if item.id in known
    ]
    if not kept:
        raise GumptionError(
            "none of its items is one of the pipeline's",
            where=suite.name,
            remedy=f"give a suite of items of {built.name}, or leave it out",
        )
    missing = tuple(
        Rejected(
            suite.name, number, item.id, "the pipeline has no such item", "give a suite of its own items"
        )
        for number, item in enumerate(suite.items, 1)
        if item.id not in known
    )
    return Suite(
        suite.name, suite.version, tuple(kept), media=built.media, official=built.official, rejected=missing
    )


def _copy(pipeline: Pipeline, target: Path) -> None:
    if target.resolve() == pipeline.folder.resolve():
        return
    with written(target):
        target.mkdir(exist_ok=True)
        for name in (*pipeline.manifest.files, MANIFEST):
            shutil.copyfile(pipeline.folder / name, target / name)


def _score(record: Run, unsandboxed: bool) -> None:
    pipeline = read_pipeline(record.folder / COPY)
    items, replies = record.items(), settled(record.replies())
    planned = [(item, epoch) for epoch in range(record.info.protocol.epochs) for item in items]
    found = [replies.get((item.id, epoch, "")) for item, epoch in planned]
    read = [
        place
        for place, reply in enumerate(found)
        if reply is not None and reply.status in ("ok", "truncated")
    ]
    mechanism = mechanism_of(unsandboxed)
    verdicts = dict(zip(read, _verdicts(pipeline, planned, found, read, mechanism), strict=True))
    kind = pipeline.spec.scoring.kind
    rows = [
        _row(item, epoch, kind, reply, verdicts.get(place))
        for place, ((item, epoch), reply) in enumerate(zip(planned, found, strict=True))
    ]
    write_scores(record.folder / "scores.parquet", rows)
    faults = Counter(said_of(one) for one in verdicts.values() if isinstance(one, Fault))
    record.problems = {**record.problems, **faults}
    by = f"pipeline {pipeline.manifest.version}"
    protocol = replace(record.info.protocol, reading=by, scoring=by)
    told = {
        "version": pipeline.manifest.version,
        "sandbox": mechanism,
        "checked_in": pipeline.manifest.sandbox,
        "code_sha256": pipeline.manifest.files[CODE],
    }
    record.write_info(replace(record.info, protocol=protocol, pipeline=told))


def _verdicts(
    pipeline: Pipeline,
    planned: Sequence[tuple[Item, int]],
    found: Sequence[Reply | None],
    read: Sequence[int],
    mechanism: str,
) -> list[Verdict | Fault]:
    # To score nothing but row and reply are seen, so the folder that the code may read is its own.
    calls = Calls(pipeline.code, pipeline.folder, mechanism)
    pairs = []
    for place in read:
        reply = found[place]
        pairs.append((planned[place][0].meta[ROW], reply.text if reply is not None else ""))
    return calls.score(pairs)


def _row(item: Item, epoch: int, kind: str, reply: Reply | None, verdict: Verdict | Fault | None) -> Scored:
    row = Scored(
        item_id=item.id,
        epoch=epoch,
        benchmark=item.benchmark,
        category=item.category,
        dimension=item.dimension,
        cluster=item.cluster,
        kind=kind,
        value=None,
        status="diverged" if reply is None else reply.status,
        outcome="",
        chance=item.meta[CHANCE],
    )
    if row.status == "refused":
        return replace(row, value=0.0, outcome="refused", rule="status")
    if verdict is None:
        return row
    if isinstance(verdict, Fault):
        return replace(row, status="unscored", details=(said_of(verdict),))
    return replace(
        row,
        value=verdict.score,
        status=row.status if verdict.score is not None else "unscored",
        outcome=verdict.outcome,
        rule=verdict.rule,
        answer="" if verdict.value is None else msgspec.json.encode(verdict.value).decode(),
    )
