"""EmbodiedBrain's groups: the mean over the official scores of several benchmarks.

arXiv 2510.20578 sorts its public benchmarks into general, spatial and planning ability and prints the mean of
the four spatial ones. Each benchmark counts once, with its official number, whatever its size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from gumption.records import GumptionError, Interval, Scorecard

__all__ = ["GROUPS", "group_mean", "group_means"]

GROUPS = {
    "general": ("mm-ifeval", "mmstar", "mmmu", "ai2d", "ocrbench"),
    "spatial": ("blink", "cv-bench", "embspatial", "erqa"),
    "planning": ("egoplan", "egoplan2", "egothink"),
}
"""Group to its benchmarks. BLINK is its sub-task Spatial_Relation alone (`blink:task=Spatial_Relation`); the
planning group's two others, of EmbodiedBrain's own, are no public benchmarks."""


def group_mean(name: str, cards: Iterable[Scorecard]) -> Interval:
    """The mean of a group's official scores, in [0, 1], of one model's scorecards (others are passed over).

    The benchmarks are taken as independent: what the mean may be off by is the root of the summed squares of
    what each is off by, over their number. Raises GumptionError for an unknown group, for a benchmark that is
    missing, unscored or there twice, and for cards of several models.
    """
    if name not in GROUPS:
        raise GumptionError(f"no group is called {name!r}", remedy=f"one of: {', '.join(GROUPS)}")
    wanted = GROUPS[name]
    members = [card for card in cards if card.benchmark in wanted]
    models = {card.model for card in members}
    if len(models) > 1:
        problem = f"scorecards of {len(models)} models: {', '.join(sorted(models))}"
        raise GumptionError(problem, where=f"group {name}", remedy="give those of one")
    found = [_official(name, one, members) for one in wanted]
    means, lows, highs = zip(*found, strict=True)
    mean = math.fsum(means) / len(found)
    down, up = (
        math.hypot(*(end - at for end, at in zip(ends, means, strict=True))) for ends in (lows, highs)
    )
    return Interval(
        mean,
        max(0.0, mean - down / len(found)),
        min(1.0, mean + up / len(found)),
        "independent benchmarks",
        f"EmbodiedBrain's {name} mean over {', '.join(wanted)}",
    )


def group_means(cards: Iterable[Scorecard]) -> tuple[Interval, ...]:
    """The mean of every group whose benchmarks are all among the cards of one model."""
    held = tuple(cards)
    there = {card.benchmark for card in held}
    return tuple(group_mean(name, held) for name, wanted in GROUPS.items() if there.issuperset(wanted))


def _official(group: str, benchmark: str, cards: list[Scorecard]) -> tuple[float, float, float]:
    own = [card.official for card in cards if card.benchmark == benchmark]
    scored = [
        (one.mean, one.low, one.high)
        for one in own
        if one.mean is not None and one.low is not None and one.high is not None
    ]
    if len(own) != 1 or not scored:
        state = "is missing" if not own else "is there more than once" if len(own) > 1 else "has no score"
        remedy = f"give one scored card of each of {', '.join(GROUPS[group])}"
        raise GumptionError(f"{benchmark} {state}", where=f"group {group}", remedy=remedy)
    return scored[0]
