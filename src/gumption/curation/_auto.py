"""The choice of a selector by cross-validation among the source models alone.

Half of them, and three quarters of them, choose; the others are ordered by the suite and by the pool. What
helps is known of other models only, so a selector is taken over the plain default only where it is ahead
by more than the noise of that comparison.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from scipy.special import erf

from gumption.curation._inputs import Floats, Ints
from gumption.curation._responses import RESPONSE_SELECTORS

__all__ = ["CANDIDATES", "DEFAULT", "Trial", "best_method", "lift"]

DEFAULT = "stratified"
CANDIDATES = ("mixed", "correlation")
SHARES = (0.5, 0.75)
"""Of the source models, that choose. The more choose, the more like the real suite; the fewer are left to
judge it."""
ROUNDS = 12
"""Splits of the source models for each share."""
SHARED = 0.1
"""Variance between matrices of the mean lift, beyond what the splits explain, as a share of the variance of
one split (as in `certify`). Measured where nothing can help, at 5 to 25 source models: mixed .01 to .07,
correlation .04 to .18."""
AHEAD = 1.3
"""Standard errors by which a candidate must be ahead of random subsets."""
FEWEST = 8
"""Source models below which nothing is compared. With six or seven of them (39 parts of public matrices and
simulated ones) what this rule took gained next to nothing on average, and lost .01 of tau or more in one
matrix of three."""


class Trial(Struct, frozen=True):
    """A candidate on source models that had no part in its choice."""

    lift: float
    """Mean over the splits of what `lift` says."""
    error: float
    """Its standard error, with what all splits share."""


def best_method(responses: Floats, k: int, rng: np.random.Generator) -> tuple[str, dict[str, Trial]]:
    """The selector that orders left-out source models best, `stratified` where none is clearly ahead of
    random subsets, and what was measured. `responses`: source models x items without gaps, k below items."""
    models = len(responses)
    if models < FEWEST:
        return DEFAULT, {}
    lifts: dict[str, list[float]] = {name: [] for name in CANDIDATES}
    for share in SHARES:
        choosing = round(share * models)
        for _ in range(ROUNDS):
            order = rng.permutation(models)
            source, judged = responses[order[:choosing]], responses[order[choosing:]]
            for name, found in lifts.items():
                found.append(lift(judged, RESPONSE_SELECTORS[name](source, k, rng)))
    trials = {
        name: Trial(float(np.mean(found)), float(np.std(found, ddof=1) * np.sqrt(1 / len(found) + SHARED)))
        for name, found in lifts.items()
    }
    best = max(trials, key=lambda name: trials[name].lift - AHEAD * trials[name].error)
    return (best if trials[best].lift > AHEAD * trials[best].error else DEFAULT), trials


def lift(judged: Floats, chosen: Ints) -> float:
    """How much better than random subsets of its size a suite orders models (models x items), -2 to 2.

    A tau whose steps are smoothed: a pair counts by how surely the suite orders it, in place of +1 or -1,
    as its scores have the normal error of a mean of so many items; a random subset is expected to order it
    by its true gap less its own error. With three or four models tau itself has too few steps to compare.
    """
    items, k = judged.shape[1], len(chosen)
    gap, variance = _pairs(judged)
    seen, spread = _pairs(judged[:, chosen])
    # One more item like the pool's: a few items that all agree are not certain.
    own = (k * spread + variance) / (k + 1) / k
    by_chance = variance / k * (2 - k / items)
    kept = np.sign(gap) * erf(seen / np.sqrt(2 * own + 1e-12))
    return float((kept - erf(np.abs(gap) / np.sqrt(2 * by_chance + 1e-12))).mean())


def _pairs(scores: Floats) -> tuple[Floats, Floats]:
    """For each pair of models the mean over items of the difference of their scores, and its variance."""
    upper = np.triu_indices(len(scores), 1)
    mean, product = scores.mean(axis=1), scores @ scores.T / scores.shape[1]
    square = np.diag(product)
    difference = (mean[:, None] - mean)[upper]
    variance = (square[:, None] + square - 2 * product)[upper] - difference**2
    return difference, np.maximum(variance, 0.0)
