"""What the page of `gumption demo --full` says of each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gumption.cli._demo_asking import Asked
from gumption.cli._demo_models import ABLE, BASELINES
from gumption.cli._demo_record import Record

if TYPE_CHECKING:
    from gumption.curation.dossier import Dossier
    from gumption.reporting.loop import Loop, PipelineRow, RecordedSide, Step
    from gumption.suites import Suite

__all__ = ["REPORT", "REPORT_ON_POOL", "loop_of", "written"]

REPORT, REPORT_ON_POOL = "report", "report-on-pool"
_MADE = (
    f"{len(ABLE)} of the models are made: each made/N is told the right answers and gives them in about that "
    "share of the questions, more in some dimensions and less in others, as was drawn by the seed. So who is "
    "better is known beforehand, and the ranking can be checked. baseline/random guesses, baseline/blind "
    "sees no picture, baseline/eyes is a plain vision program for the tabletop."
)


def loop_of(
    pool: Suite,
    suite: Suite,
    asked: Asked,
    certificate: Dossier,
    pipelines: tuple[Sequence[PipelineRow], str],
    recorded: tuple[Sequence[RecordedSide], str],
    record: Record,
    made_by: str,
) -> Loop:
    """The whole loop for the page. pipelines, recorded: what there is, and why there is nothing."""
    from gumption.ranking import rank_runs, scorecard
    from gumption.ranking.suite_against_pool import suite_against_pool_of_runs
    from gumption.reporting import rank_rows
    from gumption.reporting.loop import Loop

    on_pool, on_suite = ([run.folder for run in runs] for runs in (asked.pool, asked.suite))
    named = [run.info.model for run in asked.pool[len(ABLE) + len(BASELINES) :]]
    beside = f" Asked beside them: {', '.join(named)}." if named else " None of them is anybody's product."
    return Loop(
        title=f"From {len(pool.items):,} questions to a ranking of {len(asked.pool)} models",
        models=_MADE + beside,
        steps=_steps(pool, suite, asked, certificate, pipelines, recorded, record),
        certificate=certificate,
        comparison=suite_against_pool_of_runs(on_pool, on_suite, force=True),
        ranking=tuple(rank_rows(rank_runs(on_suite, force=True), [scorecard(one) for one in on_suite])),
        costs=tuple(asked.costs),
        pipelines=tuple(pipelines[0]),
        no_pipelines=pipelines[1],
        recorded=tuple(recorded[0]),
        no_recorded=recorded[1],
        made_by=made_by,
    )


def written(rows: Sequence[PipelineRow], none: str) -> str:
    """How many pipelines there are, and how far they agree with our scorers."""
    if none:
        return f"left out: {none}"
    scores = [one.fidelity.scores for one in rows if one.fidelity and one.fidelity.scores]
    replies = sum(one.pairs for one in scores)
    same = sum((one.agreement or 0.0) * one.pairs for one in scores)
    agree = (
        f"; the same score as the built-in scorer for {100 * same / replies:.2f} % of {replies:,} replies"
        if replies
        else ""
    )
    return f"{sum(one.account.accepted for one in rows)} of {len(rows)} written and proven{agree}"


def _steps(
    pool: Suite,
    suite: Suite,
    asked: Asked,
    certificate: Dossier,
    pipelines: tuple[Sequence[PipelineRow], str],
    recorded: tuple[Sequence[RecordedSide], str],
    record: Record,
) -> tuple[Step, ...]:
    from gumption.reporting.loop import Step

    sources = Counter(item.benchmark for item in pool.items)
    dimensions = Counter(item.dimension for item in pool.items if item.dimension)
    shares = ", ".join(f"{name} {count:,}" for name, count in sources.most_common())
    requests = [
        sum(round(side) for side in sides)
        for sides in zip(*((one.requests.pool, one.requests.suite) for one in asked.costs), strict=True)
    ]
    seconds = [
        sum(side)
        for side in zip(*((one.seconds.pool, one.seconds.suite) for one in asked.costs), strict=True)
    ]
    judged = certificate.fidelity and certificate.fidelity.suite
    found = [
        Step(
            "Pool",
            f"{len(pool.items):,} questions of {len(sources)} benchmarks: {shares}",
            record.seconds("pool"),
        ),
        Step(
            "Dimensions and suite",
            f"{len(dimensions)} dimensions induced ({', '.join(sorted(dimensions))}); "
            f"{len(suite.items):,} items chosen before anybody was asked",
            record.seconds("suite"),
            (
                ("how the dimensions came about", "suite/induction.md"),
                ("dimension by dimension", "#dimensions"),
            ),
        ),
        Step(
            "Models asked the pool",
            f"{len(asked.pool)} models, {requests[0]:,} requests",
            seconds[0],
            (("every reply", f"{REPORT_ON_POOL}/index.html"),),
        ),
        Step(
            "Models asked the suite",
            f"{len(asked.suite)} models, {requests[1]:,} requests",
            seconds[1],
            (("every reply", f"{REPORT}/index.html"),),
        ),
        Step(
            "Ranking",
            "places, intervals and tiers by the suite",
            record.seconds("reports"),
            (("ranking", "#ranking"), ("with all its evidence", f"{REPORT}/index.html")),
        ),
        Step(
            "Certificate",
            ""
            if not judged
            else f"by plain means over items tau-b {judged.tau:.2f} with the pool, random suites of this "
            f"size {judged.random_tau:.2f}: {judged.verdict}",
            record.seconds("certificate"),
            (("certificate", "suite/certificate.html"),),
        ),
        Step("Pipelines", written(*pipelines), record.seconds("pipelines"), (("pipelines", "#pipelines"),)),
        Step(
            "Pool and suite compared",
            "scores, order and cost",
            None,
            (("scores", "#comparison"), ("cost", "#cost")),
        ),
    ]
    if recorded[0]:
        found.append(
            Step(
                "Recorded models",
                f"{len(recorded[0])} sets of models, as they answered elsewhere",
                record.seconds("question-pool", "blink"),
                (("comparisons", "#recorded"),),
            )
        )
    return tuple(found)
