"""What a suite keeps of the order of models, with its intervals and random rivals."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benches.jobs._job import Job, Work
from gumption.curation.certify import certify

_MODELS, _K, _SPLITS = 20, 100, 20


def _prepared(size: int, folder: Path) -> tuple[Work, Work]:  # noqa: ARG001
    from scipy.stats import kendalltau

    rng = np.random.default_rng(0)
    skill = np.linspace(0.3, 0.8, _MODELS)[:, None]
    scores = (rng.random((_MODELS, size)) < skill).astype(float)

    def plain() -> None:
        for _ in range(_SPLITS):
            half = rng.permutation(_MODELS)[: _MODELS // 2]
            chosen = rng.permutation(size)[:_K]
            kendalltau(scores[half][:, chosen].mean(axis=1), scores[half].mean(axis=1))

    return lambda: certify(scores, "random", _K, splits=_SPLITS), plain


JOB = Job(
    f"a certificate: {_MODELS} models, {_SPLITS} splits, random rivals, intervals",
    "items",
    (1_000, 10_000),
    "one random suite and SciPy's tau a split",
    _prepared,
)
