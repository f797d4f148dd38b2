"""Sentence BLEU on words split at blanks, without smoothing: RoboVQA's score.

Papineni et al., 2002; the mean over BLEU-1 to BLEU-4 with weights that fit short references is the rule of
`XiaomiMiMo/MiMo-Embodied` (lmms_eval/tasks/robovqa). A precision of zero makes its BLEU zero.
"""

from __future__ import annotations

import math
from collections import Counter

__all__ = ["mean_bleu"]

_ORDERS = 4
_THREE = 0.33
"""Three equal weights are .33 each in the published code, so they do not sum to 1."""


def mean_bleu(prediction: str, reference: str) -> float:
    """Mean of BLEU-1 to BLEU-4 in [0, 1]. BLEU-k uses min(k, r) equal weights for a reference of r words.

    Words are what stands between single blanks, as they are written: case is the caller's affair.
    """
    said, right = prediction.split(" "), reference.split(" ")
    logs = [_log_precision(said, right, order) for order in range(1, _ORDERS + 1)]
    penalty = 1.0 if len(said) > len(right) else math.exp(1 - len(right) / len(said))
    scores = []
    for order in range(1, _ORDERS + 1):
        used = min(order, len(right))
        weight = _THREE if used == 3 else 1 / used
        scores.append(penalty * math.exp(math.fsum(weight * log for log in logs[:used])))
    return sum(scores) / _ORDERS


def _log_precision(said: list[str], right: list[str], order: int) -> float:
    """Log of the share of n-grams said that the reference has, each counted as often as it stands there."""
    grams, wanted = _grams(said, order), _grams(right, order)
    found = sum(min(count, wanted[gram]) for gram, count in grams.items())
    return math.log(found / grams.total()) if found else -math.inf


def _grams(words: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))
