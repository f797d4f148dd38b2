"""Rank intervals by resampling items."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benches.jobs._job import Job, Work
from gumption.ranking import rank

_MODELS, _RESAMPLES = 20, 200


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    rng = np.random.default_rng(0)
    matrix = (rng.random((_MODELS, size)) < np.linspace(0.3, 0.8, _MODELS)[:, None]).astype(float)

    def plain() -> None:
        for _ in range(_RESAMPLES):
            drawn = rng.integers(0, size, size)
            for row in matrix:
                np.nanmean(row[drawn])

    return lambda: rank(matrix, resamples=_RESAMPLES), plain


JOB = Job(
    f"rank intervals of {_MODELS} models, {_RESAMPLES} resamples",
    "items",
    (10_000, 100_000),
    "plain loop over resamples",
    _prepared,
)
