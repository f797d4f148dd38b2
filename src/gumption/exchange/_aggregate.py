"""One number of item scores, as a benchmark's authors make it: see `records.Aggregate`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from gumption.records import Aggregate

__all__ = ["aggregated"]


def aggregated(rule: Aggregate, scores: Iterable[tuple[str, float | None]]) -> float | None:
    """The weighted mean of stratum means; None where nothing was scored.

    scores: stratum and score of every item; a score of None counts nowhere, and an item without a stratum
    only where the rule gives "" a weight.
    """
    strata: dict[str, list[float]] = defaultdict(list)
    for name, score in scores:
        stratum = name if rule.by else ""
        if score is not None and (stratum or not rule.by or "" in (rule.weights or {})):
            strata[stratum].append(score)
    weight = {name: 1.0 if rule.weights is None or not rule.by else rule.weights[name] for name in strata}
    total = sum(weight.values())
    means = {name: sum(values) / len(values) for name, values in strata.items()}
    return sum(weight[name] * mean for name, mean in means.items()) / total if total else None
