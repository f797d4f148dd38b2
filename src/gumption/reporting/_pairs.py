"""Two runs item by item, for every pair of a board: how far apart, how sure, where, and how it was missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gumption.ranking import Pair, all_pairs, holm
from gumption.reporting._boards import Board, Floats
from gumption.reporting._evidence import OUTCOMES

__all__ = ["MOST_COMPARED", "SLICED_BY", "pair_rows"]

MOST_COMPARED = 50
"""Runs of a board that are compared pair by pair: 1,225 pairs. Time and pages grow with the square."""
SLICED_BY = ("category", "dimension")
RESAMPLES = 1000
SAME = 1e-12
"""Scores closer than this are a tie, as in `compare`."""

Ints = npt.NDArray[np.int64]


def pair_rows(board: Board, order: Sequence[int]) -> Iterator[dict[str, Any]]:
    """A row for each pair of the board's rows `order`: (0, 1), (0, 2), ..., (1, 2), ... of its places.

    Gaps are a - b over the items that both scored: of the means over items, in all and by category and
    dimension, and of the official aggregate where that is another mean. p-values are Holm's: corrected for
    all pairs of the board, and those of slices for the slices of their pair.
    """
    if len(order) < 2:
        return
    scores, flags, mistakes = board.values[order], board.flags[order], board.mistakes[order]
    clusters = np.array(board.clusters())
    totals = _pairs(scores, clusters)
    official = _official(board, order, clusters)
    parts = {field: [np.array(places) for _, places in board.parts(field)] for field in SLICED_BY}
    sliced = {
        field: [_pairs(scores[:, places], clusters[places]) for places in found]
        for field, found in parts.items()
    }
    for number, (a, b) in enumerate(zip(*np.triu_indices(len(order), 1), strict=True)):
        gap = scores[a] - scores[b]
        slices = {field: [pairs[number] for pairs in found] for field, found in sliced.items()}
        holms = {field: holm([pair.p for pair in found]) for field, found in slices.items()}
        yield {
            "total": _row(totals[number], totals[number].p_holm, scores[a], scores[b]),
            "official": _gap(official[number]) if official else None,
            # How b fared where a scores higher, and the other way round.
            "missed": [_counts(flags[b, gap > SAME], OUTCOMES), _counts(flags[a, gap < -SAME], OUTCOMES)],
            "mistakes": [
                _counts(mistakes[b, gap > SAME], board.kinds),
                _counts(mistakes[a, gap < -SAME], board.kinds),
            ],
            "slices": {
                field: [
                    _row(pair, p, scores[a, places], scores[b, places])
                    for pair, p, places in zip(slices[field], holms[field], parts[field], strict=True)
                ]
                for field in SLICED_BY
            },
        }


def _pairs(scores: Floats, clusters: Ints) -> tuple[Pair, ...]:
    return all_pairs(scores, clusters=clusters, resamples=RESAMPLES).pairs


def _official(board: Board, order: Sequence[int], clusters: Ints) -> tuple[Pair, ...] | None:
    """Pairs by the official aggregate; None where it is the mean over items of the same scores."""
    if not board.aggregate.by and not board.aggregate.part:
        return None
    inside, strata, weights = board.strata()
    if not len(inside):
        return None
    return all_pairs(
        board.official[order][:, inside],
        clusters=clusters[inside],
        strata=strata,
        weights=weights,
        resamples=RESAMPLES,
    ).pairs


def _row(pair: Pair, p: float | None, a: Floats, b: Floats) -> dict[str, Any]:
    """n, both means, the gap with its interval, and on how many items a scores higher, b does, neither."""
    both = ~np.isnan(a + b)
    gap = (a - b)[both]
    wins, losses = int((gap > SAME).sum()), int((gap < -SAME).sum())
    return _gap(pair) | {
        "p": None if p is None else float(f"{p:.3g}"),
        "n": pair.n,
        "means": [round(float(mean), 5) for mean in (a[both].mean(), b[both].mean())] if pair.n else None,
        "counts": [wins, losses, pair.n - wins - losses],
    }


def _gap(pair: Pair) -> dict[str, Any]:
    """The mean difference and the ends of its 95 % interval, None without a common item."""
    gap = pair.difference
    return {"gap": [None if end is None else round(end, 5) for end in (gap.mean, gap.low, gap.high)]}


def _counts(flags: Ints, names: Sequence[str]) -> dict[str, int]:
    """How many items have each flag, those that none has left out."""
    counts = {name: int((flags >> place & 1).sum()) for place, name in enumerate(names)}
    return {name: count for name, count in counts.items() if count}
