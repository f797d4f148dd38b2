"""From a model's answers on a suite to its score on the whole pool.

All are linear: base + sum over the suite's items of weight x (answer - centre). Where answers are missing,
the others' weights are scaled up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gumption.curation._inputs import Floats, Ints
from gumption.ranking.intervals import unit_scores
from gumption.records import GumptionError

__all__ = [
    "ESTIMATORS",
    "Estimator",
    "calibrated",
    "left_out",
    "plain",
    "post_stratified",
    "regression",
    "weighted",
]

ESTIMATORS = ("mean", "weighted", "post-stratified", "calibrated", "regression")
FEWEST = 3
"""Source models below which nothing is fitted to their scores."""
SLOPES = (0.1, 2.0)
"""The fitted slope of the full score on the suite's mean is kept within: a few models at chance must not
turn the order round."""
FOLDS, TIMES = 4, 3
"""Parts of the source models, each left out in turn, and how often they are parted anew."""
RIDGES = (0.1, 1.0, 10.0, 100.0, 1000.0)


@dataclass(frozen=True, slots=True)
class Estimator:
    """A linear rule for one suite of k items."""

    name: str
    base: float
    weight: Floats
    """k; sums to 1 for the plain and the weighted mean."""
    centre: Floats
    """k: what models are taken to score on the item, or 0."""

    def __call__(self, answers: npt.ArrayLike, times: Floats | None = None) -> Floats:
        """Full-pool scores in [0, 1] of models x k answers in [0, 1], NaN = missing.

        `times`: draws x k, how often an item counts; the result is then draws x models. NaN for a model
        without any answer. Raises GumptionError for answers that do not fit.
        """
        scores = unit_scores(answers, "answers")
        if scores.ndim != 2 or scores.shape[1] != len(self.weight):
            raise GumptionError(
                f"shape {scores.shape} for a suite of {len(self.weight)} items",
                where="answers",
                remedy="give models x k answers in the order of the suite's items",
            )
        missing = np.isnan(scores)
        counts = np.ones((1, len(self.weight))) if times is None else times
        moved = (counts * self.weight) @ np.where(missing, 0.0, scores - self.centre).T
        size = np.abs(self.weight)
        present = (counts * size) @ (~missing).T.astype(np.float64)
        scale = np.divide(size.sum(), present, out=np.full_like(present, np.nan), where=present > 0)
        estimate: Floats = np.clip(self.base + moved * scale, 0.0, 1.0)
        return estimate if times is not None else estimate[0]


def plain(k: int) -> Estimator:
    """The mean over the suite."""
    return Estimator("mean", 0.0, np.full(k, 1.0 / k), np.zeros(k))


def weighted(represented: npt.ArrayLike) -> Estimator:
    """The mean with each item weighted by the number of the pool's items that it stands for."""
    counts = np.asarray(represented, dtype=np.float64)
    return Estimator("weighted", 0.0, counts / counts.sum(), np.zeros(len(counts)))


def post_stratified(stratum: Ints, chosen: Ints) -> Estimator:
    """The mean over strata, each weighted by its share of the pool; strata without a chosen item drop out.

    `stratum`: a number from 0 for each item of the pool.
    """
    pool = np.bincount(stratum)
    suite = np.bincount(stratum[chosen], minlength=len(pool))
    weight = (pool / np.maximum(suite, 1))[stratum[chosen]]
    return Estimator("post-stratified", 0.0, weight / weight.sum(), np.zeros(len(chosen)))


def left_out(
    responses: Floats, choose: Callable[[Floats], Ints], rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Source models on suites that the other source models chose: their means over the suite and over the
    pool, each model three times. Two models at least."""
    models = len(responses)
    means, full = [], []
    for _ in range(TIMES):
        for part in np.array_split(rng.permutation(models), min(FOLDS, models)):
            judged = responses[part]
            chosen = choose(np.delete(responses, part, axis=0))
            means.append(judged[:, chosen].mean(axis=1))
            full.append(judged.mean(axis=1))
    return np.concatenate(means), np.concatenate(full)


def calibrated(responses: Floats, chosen: Ints, points: tuple[Floats, Floats] | None = None) -> Estimator:
    """The source models' full scores fitted as a line on their means over the suite.

    It keeps the order by the plain mean and takes out that the suite is easier or sharper than the pool.
    The plain mean where there are fewer than three source models or none of them differ.

    `points`: what `left_out` gives, where the source models chose the suite. They do better on it than new
    models will, so that a line through their own scores on it puts new models too low.
    """
    if len(responses) < FEWEST:
        return plain(len(chosen))
    centre = responses[:, chosen].mean(axis=0)
    mean, full = (responses[:, chosen].mean(axis=1), responses.mean(axis=1)) if points is None else points
    spread = float(mean.var())
    if spread < 1e-12:
        return plain(len(chosen))
    slope = float(np.clip(np.cov(mean, full, bias=True)[0, 1] / spread, *SLOPES))
    # Items keep their differences of difficulty, which matter where answers are missing.
    centre = centre + (mean.mean() - centre.mean())
    return Estimator("calibrated", float(full.mean()), np.full(len(chosen), slope / len(chosen)), centre)


def regression(responses: Floats, chosen: Ints) -> Estimator:
    """Ridge regression of what the calibrated mean leaves of the source models' full scores on all answers.

    The ridge is the one of 0.1 to 1000 times the mean variance with the least leave-one-out error, or none
    of them: then it is the calibrated mean.
    """
    start = calibrated(responses, chosen)
    if len(responses) < FEWEST:
        return start
    part, full = responses[:, chosen], responses.mean(axis=1)
    centred = part - part.mean(axis=0)
    line = start.base + (part - start.centre) @ start.weight
    left = (full - line) - (full - line).mean()
    kernel = centred @ centred.T
    size = float(np.trace(kernel)) / len(part)
    if size < 1e-12:
        return start
    best, weight = float((left**2).mean()), np.zeros(len(chosen))
    n = len(part)
    for ridge in RIDGES:
        inverse = np.linalg.inv(kernel + ridge * size * np.eye(n))
        # The hat matrix has 1 / n for the intercept, which the centring stands for.
        fitted = kernel @ inverse
        error = float((((left - fitted @ left) / (1 - 1 / n - np.diag(fitted))) ** 2).mean())
        if error < best:
            best, weight = error, centred.T @ (inverse @ left)
    moved = float((full - line).mean() - weight @ (part.mean(axis=0) - start.centre))
    return Estimator("regression", start.base + moved, start.weight + weight, start.centre)
