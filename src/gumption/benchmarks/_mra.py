"""Mean relative accuracy: how many of ten error limits, from half of the gold to a twentieth, are kept.

Yang et al., "Thinking in Space", 2024 (VSI-Bench): the share of the thresholds t in {.50, .55, ..., .95} for
which |p - g| / g <= 1 - t. The authors compute it in floating point, where some limits lie a hair below their
decimal: 8 against 10 keeps six limits there and seven by arithmetic. Both are here.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

__all__ = ["mra_exact", "mra_official"]

_LIMITS = 1 - np.linspace(0.5, 0.95, 10)
_EXACT_LIMITS = tuple(Fraction(50 - 5 * step, 100) for step in range(10))


def mra_official(prediction: float, gold: float) -> float:
    """As the authors' code computes it, in double precision; in [0, 1].

    NaN and infinity score 0. Their code divides by the gold and ends on a gold of 0; here 0 is then the one
    right answer.
    """
    if gold == 0:
        return float(prediction == 0)
    if not math.isfinite(prediction):
        return 0.0
    return float(np.mean(abs(prediction - gold) / gold <= _LIMITS))


def mra_exact(prediction: float, gold: float) -> float:
    """The same by rational arithmetic on the numbers as they are written, with |g| for g."""
    if not math.isfinite(prediction):
        return 0.0
    right, given = Fraction(repr(float(gold))), Fraction(repr(float(prediction)))
    if right == 0:
        return float(given == 0)
    error = abs(given - right) / abs(right)
    return sum(error <= limit for limit in _EXACT_LIMITS) / len(_EXACT_LIMITS)
