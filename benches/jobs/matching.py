"""Action pair match of made plans with the rule judge."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

from benches.jobs._job import Job, Work
from benches.matching import reference
from gumption.planning import RuleJudge, match

_VERBS = ("Navigate", "Find", "Pick", "Place", "Open", "Close", "Cut", "Wash", "Toggle on", "Slice")
_THINGS = ("Knife", "Bread", "Bread Slice", "Counter", "Fridge", "Sink", "Cup", "Plate", "Table", "Apple")


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    lot = Random(0)
    plans = [
        [[lot.choice(_VERBS), lot.choice(_THINGS)] for _ in range(lot.randrange(4, 13))]
        for _ in range(size + 1)
    ]

    def ours() -> None:
        for one, other in pairwise(plans):
            match(one, other, RuleJudge())

    def plain() -> None:
        for one, other in pairwise(plans):
            reference(one, other)

    return ours, plain


JOB = Job(
    "matching plans, rule judge",
    "pairs of plans",
    (500, 5_000),
    "equal words, SciPy's assignment, longest common subsequence",
    _prepared,
)
