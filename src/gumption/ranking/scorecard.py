"""A run's scorecard: what it scored, how sure that is, and how much of the run it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from gumption.ranking._columns import Columns, Labels, strata_of
from gumption.ranking._design import Floats, Ints
from gumption.ranking._parts import failures, nested_table, part_values, sub_scores
from gumption.ranking._runs import read_nested, read_run
from gumption.ranking._stopped import of_the_whole, stopping_note
from gumption.ranking.intervals import interval, unit_scores
from gumption.records import Aggregate, Interval, Scorecard, Scored, Slice

__all__ = ["scorecard"]

ENOUGH_COVERAGE = 0.95
ENOUGH_CLUSTERS = 20
_CAME = ("ok", "refused", "truncated")
"""Statuses of a reply that came. Without a value it is one that people rate."""


def scorecard(
    scores: pa.Table | Sequence[Scored] | str | Path,
    official: Aggregate | None = None,
    *,
    model: str = "",
    protocol: dict[str, Any] | None = None,
    further: Sequence[Aggregate] = (),
) -> Scorecard:
    """The scorecard of one run.

    `scores`: a table with the columns of `Scored`, rows of `Scored`, or a run folder, whose `run.json` then
    says `official`, `model` and `protocol` where they are not given here. One row per planned (item, epoch).

    Means are over scored rows. Rows are resampled by `cluster` within their benchmark, by item where it is
    "". micro: all rows alike. macro: the mean over categories (over benchmarks if no row has a category),
    micro if there is but one. Rows without a category stay out of macro, and a note says so. official:
    `official`, else micro. further: other aggregates. An aggregate that gives no weight to any row (a run of
    part of a benchmark) has no mean, and a note says so. adjusted: SITE's chance-adjusted accuracy,
    (sum x - sum c) / (n - sum c). Of a run that was stopped early, the interval of `official` is one for the
    whole suite that holds however the run ended; all other intervals are as for a run of that size.

    Raises GumptionError for a file or column that is missing or of the wrong type, a value outside [0, 1],
    a repeated (item, epoch), and a stratum that `official.weights` leaves unsaid.
    """
    where, head = "scores", None
    if isinstance(scores, str | Path):
        run = read_run(scores)
        columns, where, head = run.columns, str(scores), run.head
        nested = read_nested(scores)
        official = official or run.head.file.official
        further = further or run.head.file.further
        model = model or run.head.file.model
        protocol = run.head.file.protocol if protocol is None else protocol
    else:
        columns = Columns.of(scores, where)
        nested = scores if isinstance(scores, pa.Table) else nested_table(scores)

    total = _slice(columns, np.arange(len(columns.value)), "micro")
    macro_rule = _macro_rule(columns)
    macro = _aggregate(columns, macro_rule) if macro_rule.by else total.score
    official_score = (
        _aggregate(_of_part(columns, nested, official), official)
        if official
        else _named(total.score, "micro (no official aggregate given)")
    )
    scored = ~np.isnan(columns.value)
    rows = np.flatnonzero(scored)
    micro = total.score
    notes = _notes(columns, total, [rule for rule in (macro_rule, official) if rule and rule.by], further)
    stopped = head.file.stopped_early if head else None
    if head and stopped:
        official_score = of_the_whole(head, official_score)
        micro = micro if official else official_score
        notes = (stopping_note(head.file), *notes)
    return Scorecard(
        benchmark=", ".join(sorted(columns.benchmark.names)),
        model=model,
        total=total,
        official=official_score,
        micro=micro,
        macro=macro,
        categories=_slices(columns, columns.category),
        dimensions=_slices(columns, columns.dimension),
        statuses=_counts(columns.status, np.ones_like(scored)),
        outcomes=_counts(columns.outcome, scored),
        further=tuple(_aggregate(_of_part(columns, nested, rule), rule) for rule in further),
        parts=sub_scores(nested, rows, columns.cluster),
        failures=failures(nested, rows),
        protocol=protocol or {},
        notes=notes,
        stopped=stopped,
    )


def _slices(columns: Columns, labels: Labels) -> tuple[Slice, ...]:
    return tuple(_slice(columns, rows, name) for name, rows in labels.groups())


def _slice(columns: Columns, rows: Ints, name: str) -> Slice:
    """The line of some rows."""
    planned, scored = len(rows), rows[~np.isnan(columns.value[rows])]
    n, values = len(scored), columns.value[scored]
    mean = interval(values, clusters=columns.cluster[scored], name=name)
    # Where nothing was scored, guessing is still expected to score this much on what was planned.
    chances = columns.chance[scored if n else rows]
    chance = float(chances.mean()) if len(chances) else 0.0
    right = float(values.sum())

    def outcome(name: str) -> Any:
        return columns.outcome.codes[scored] == columns.outcome.code(name)

    def status(name: str) -> Any:
        return columns.status.codes[scored] == columns.status.code(name)

    came = np.isin(columns.status.codes[rows], [columns.status.code(name) for name in _CAME])
    for_people = int((came & np.isnan(columns.value[rows])).sum())

    return Slice(
        name=name,
        score=mean,
        n=n,
        planned=planned,
        coverage=(n + for_people) / planned if planned else 0.0,
        bounds=(right / planned, (right + planned - n) / planned) if planned else (0.0, 1.0),
        unread=_share(outcome("unanswered")),
        ambiguous=_share(outcome("ambiguous")),
        refused=_share(outcome("refused") | status("refused")),
        truncated=_share(status("truncated")),
        chance=chance,
        adjusted=_adjusted(mean, chance),
    )


def _adjusted(score: Interval, chance: float) -> Interval:
    """The share of what guessing leaves to win; below 0 is worse than guessing."""
    name = f"{score.name}, chance-adjusted"
    if score.mean is None or score.low is None or score.high is None or chance >= 1.0:
        return Interval(None, None, None, name=name)
    mean, low, high = ((end - chance) / (1.0 - chance) for end in (score.mean, score.low, score.high))
    return Interval(mean, low, high, score.method, name)


def _macro_rule(columns: Columns) -> Aggregate:
    """Over categories, else over benchmarks, else (one stratum) no strata at all."""
    if any(columns.category.names):
        strata = sum(1 for name in columns.category.names if name)
        return Aggregate("macro over category", "category" if strata > 1 else "")
    if len(columns.benchmark.names) > 1:
        return Aggregate("macro over benchmark", "benchmark")
    return Aggregate("micro")


def _of_part(columns: Columns, nested: pa.Table, rule: Aggregate) -> Columns:
    """The columns with the part that a rule averages in place of the value."""
    if not rule.part:
        return columns
    return replace(columns, value=unit_scores(part_values(nested, rule.part), f"part {rule.part}"))


def _aggregate(columns: Columns, rule: Aggregate) -> Interval:
    inside, strata, weights = strata_of(columns, rule)
    if _is_weightless(columns, rule):
        return Interval(None, None, None, name=rule.name)
    return interval(
        columns.value[inside],
        clusters=columns.cluster[inside],
        strata=strata[inside],
        weights=weights,
        name=rule.name,
    )


def _is_weightless(columns: Columns, rule: Aggregate) -> bool:
    """Whether all strata that the rows are of have weight 0."""
    inside, strata, weights = strata_of(columns, rule)
    return bool(inside.any()) and not any(weights[code] for code in np.unique(strata[inside]))


def _notes(
    columns: Columns, total: Slice, rules: Sequence[Aggregate], further: Sequence[Aggregate]
) -> tuple[str, ...]:
    """What a reader must know before using the numbers. rules: those that leave rows out need a note."""
    notes = []
    if total.for_people:
        notes.append(f"{total.for_people} replies are for people to rate: gumption rate new makes a study.")
        if total.for_people == total.planned:
            return tuple(notes)
    if not total.n:
        notes.append(f"Nothing was scored: none of the {total.planned} planned rows has a value.")
    elif total.coverage < ENOUGH_COVERAGE:
        low, high = total.bounds
        notes.append(
            f"Coverage is {total.coverage:.1%}: {total.planned - total.n} of {total.planned} planned rows "
            f"have no score. With them the mean is between {low:.3f} (all wrong) and {high:.3f} (all right)."
        )
    scored = ~np.isnan(columns.value)
    clusters = len(np.unique(columns.cluster[scored]))
    if 0 < clusters < ENOUGH_CLUSTERS:
        notes.append(f"The scored rows form only {clusters} independent clusters: intervals are rough.")
    for rule in (*rules, *further):
        if _is_weightless(columns, rule):
            weighed = ", ".join(name for name, weight in (rule.weights or {}).items() if weight)
            notes.append(f"{rule.name} has no mean: no row is of {rule.by} {weighed}.")
    for rule in rules:
        if _is_weightless(columns, rule):
            continue
        inside, strata, _ = strata_of(columns, rule)
        names = columns.by(rule.by).names
        present = {names[code] for code in np.unique(strata[inside & scored])}
        wanted = (
            filter(None, names) if rule.weights is None else (n for n, w in rule.weights.items() if w > 0)
        )
        lost = sorted(set(wanted) - present)
        if lost and total.n:
            notes.append(f"{rule.name} leaves out {rule.by} {', '.join(lost)}: nothing was scored there.")
        if not inside.all():
            notes.append(f"{rule.name} leaves out {int((~inside).sum())} rows that have no {rule.by}.")
    return tuple(dict.fromkeys(notes))


def _named(score: Interval, name: str) -> Interval:
    return Interval(score.mean, score.low, score.high, score.method, name)


def _counts(labels: Labels, rows: Any) -> dict[str, int]:
    counts = np.bincount(labels.codes[rows], minlength=len(labels.names))
    return {name: int(n) for name, n in sorted(zip(labels.names, counts, strict=True)) if n}


def _share(flags: Floats) -> float:
    return float(flags.mean()) if len(flags) else 0.0
