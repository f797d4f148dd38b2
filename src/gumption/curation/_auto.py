"""The choice of a selector by cross-validation among the source models alone.

Half of them, and two thirds of them, choose; the others are ordered by the suite and by the pool. What
helps is known of other models only, so a selector is taken over the plain default only where it is ahead
by more than the noise of that comparison.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from gumption.curation._inputs import Floats
from gumption.curation._responses import RESPONSE_SELECTORS
from gumption.ranking.fidelity import tau_b

__all__ = ["CANDIDATES", "DEFAULT", "Trial", "best_method"]

DEFAULT = "stratified"
CANDIDATES = ("mixed", "correlation")
SHARES = (0.5, 0.7)
"""Of the source models, that choose. The more choose, the more like the real suite; the fewer are left to
judge it."""
ROUNDS = 16
"""Splits of the source models for each share."""
RANDOM = 20
"""Random subsets that each split sets a candidate against."""
AHEAD = 1.0
"""Standard errors over the splits (which share models, so they say too little) by which a candidate must be
ahead."""
FEWEST = 6
"""Source models below which nothing is compared."""


class Trial(Struct, frozen=True):
    """A candidate on source models that had no part in its choice."""

    lift: float
    """Mean tau-b above that of random subsets of the same size."""
    error: float
    """Standard error over the splits."""


def best_method(responses: Floats, k: int, rng: np.random.Generator) -> tuple[str, dict[str, Trial]]:
    """The selector that orders left-out source models best, `stratified` where none is clearly ahead of
    random subsets, and what was measured. `responses`: source models x items without gaps, k below items."""
    models, items = responses.shape
    if models < FEWEST:
        return DEFAULT, {}
    lifts: dict[str, list[float]] = {name: [] for name in CANDIDATES}
    for share in SHARES:
        choosing = min(max(round(share * models), 2), models - 2)
        for _ in range(ROUNDS):
            order = rng.permutation(models)
            source, judged = responses[order[:choosing]], responses[order[choosing:]]
            full = judged.mean(axis=1)
            drawn = np.stack(
                [judged[:, rng.choice(items, k, replace=False)].mean(axis=1) for _ in range(RANDOM)]
            )
            base = float(np.nan_to_num(tau_b(drawn, full)).mean())
            for name, found in lifts.items():
                chosen = RESPONSE_SELECTORS[name](source, k, rng)
                found.append(float(np.nan_to_num(tau_b(judged[:, chosen].mean(axis=1), full))) - base)
    trials = {
        name: Trial(float(np.mean(found)), float(np.std(found, ddof=1) / np.sqrt(len(found))))
        for name, found in lifts.items()
    }
    best = max(trials, key=lambda name: trials[name].lift - AHEAD * trials[name].error)
    return (best if trials[best].lift > AHEAD * trials[best].error else DEFAULT), trials
