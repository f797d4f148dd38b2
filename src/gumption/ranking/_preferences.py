"""Fits of Bradley and Terry's model to wins, many at once."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from gumption.ranking._design import Floats
from gumption.records import GumptionError

__all__ = ["covariance", "fit"]

STEPS = 500
CLOSE = 1e-9
"""A step this small in log-odds ends the search."""


def fit(wins: Floats, prior: float) -> Floats:
    """Strengths in log-odds with mean 0, ... x n, of wins ... x n x n (row beat column).

    They maximise sum of wins[i, j] log P(i beats j) - prior * sum of squared strengths: Newton's method with
    steps of log(1 + r) / r, r the largest change of a pair, which always converges (Bach 2010, doi
    10.1214/09-EJS521, on generalised self-concordant functions). As `choix.opt_pairwise(alpha=prior)`.
    """
    strength = np.zeros(wins.shape[:-1])
    for _ in range(STEPS):
        gradient, hessian = _derivatives(wins, strength, prior)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        reach = np.ptp(step, axis=-1, keepdims=True)
        short = np.divide(np.log1p(reach), reach, out=np.ones_like(reach), where=reach > CLOSE)
        strength = strength - short * step
        if reach.max(initial=0.0) < CLOSE:
            centred: Floats = strength - strength.mean(axis=-1, keepdims=True)
            return centred
    raise GumptionError(
        f"no fit in {STEPS} steps",
        where="bradley_terry",
        remedy="give a larger prior, or weights nearer to 1",
    )


def covariance(wins: Floats, strength: Floats, prior: float) -> Floats:
    """Of the strengths around their mean, n x n: the inverse curvature of the fit."""
    inverse = np.linalg.inv(_derivatives(wins, strength, prior)[1])
    centred = inverse - inverse.mean(axis=0)
    result: Floats = centred - centred.mean(axis=1, keepdims=True)
    return result


def _derivatives(wins: Floats, strength: Floats, prior: float) -> tuple[Floats, Floats]:
    """Of what is minimised."""
    games = wins + np.swapaxes(wins, -1, -2)
    beats = expit(strength[..., :, None] - strength[..., None, :])
    gradient = (games * beats - wins).sum(axis=-1) + 2.0 * prior * strength
    pull = games * beats * (1.0 - beats)
    hessian = -pull
    diagonal = np.arange(wins.shape[-1])
    hessian[..., diagonal, diagonal] += pull.sum(axis=-1) + 2.0 * prior
    return gradient, hessian
