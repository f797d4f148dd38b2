"""Counting votes: the plurality, ties broken by nearness, and which votes were needed at all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gumption.curation._inputs import Floats, Ints
from gumption.curation.dimensions import ABSENT, Flags

__all__ = ["majority", "without_idle"]


def majority(votes: Ints, nearness: Floats) -> tuple[Ints, Flags]:
    """The label with most of the votes (int[n, voters], the last label being Other) and whether there was a
    tie. Of labels that tie the nearest dimension wins (float[n, dimensions]), and any of them over Other."""
    counts = _counts(votes, nearness.shape[1] + 1)
    tied = counts == counts.max(axis=1, keepdims=True)
    near = np.where(tied[:, :-1], nearness, -np.inf)
    other = np.where(tied[:, -1:], -1e9, -np.inf)
    label = np.concatenate([near, other], axis=1).argmax(axis=1).astype(np.int64)
    return label, tied.sum(axis=1) > 1


def without_idle(votes: Ints, labels: int, full: Flags) -> Ints:
    """The votes with ABSENT where, in the order of the voters, no remaining one can change the plurality or
    make it a tie: the label is the same. Rows of `full` (bool[n]) keep all."""
    voters = votes.shape[1]
    needed = votes.copy()
    for asked in range(1, voters):
        counts = np.sort(_counts(votes[:, :asked], labels), axis=1)
        second = counts[:, -2] if labels > 1 else np.zeros(len(votes), dtype=np.int64)
        needed[(counts[:, -1] > second + voters - asked) & ~full, asked:] = ABSENT
    return needed


def _counts(votes: Ints, labels: int) -> npt.NDArray[np.int64]:
    counts = np.zeros((len(votes), labels), dtype=np.int64)
    rows, columns = np.nonzero(votes >= 0)
    np.add.at(counts, (rows, votes[rows, columns]), 1)
    return counts
