"""What is counted and measured of a set of dimensions on items that were labelled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gumption.curation._inputs import Floats, Ints, Vectors
from gumption.curation.dimensions import OTHER, Assignment, Dimension, Example
from gumption.curation.roles import Balance

__all__ = ["balance_of", "definition_of", "evenness", "excerpt", "pairs_of", "quality"]

SHOWN = 5
"""Texts of a dimension that are shown."""
LONGEST = 200
"""Characters of a shown text."""
REDUNDANT = 0.5
"""Overlap from which on quality falls."""


def definition_of(dimension: Dimension) -> str:
    """The sentence that stands for a dimension where it is embedded."""
    return f"{dimension.name}: {dimension.definition}"


def excerpt(text: str) -> str:
    """What is shown of an item's text: its beginning, on one line."""
    return " ".join(text.split())[:LONGEST]


def pairs_of(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The key under which a pair of names stands in `overlap` and `confusion`, to the two."""
    return {f"{one} | {other}": (one, other) for one, other in combinations(names, 2)}


def balance_of(
    assignment: Assignment, examples: Sequence[Example], items: Vectors, definitions: Vectors
) -> Balance:
    """Counts, overlap and confusion of labelled items.

    examples, items: those of the assignment, in its order, and their vectors, n x d of length 1 each;
    definitions: a vector for each dimension. Overlap is the mean of two cosines: of the definitions, and of
    the mean items after the mean of all items is taken away; a dimension without items has the first alone.
    """
    names = (*assignment.dimensions.names, OTHER)
    counts = assignment.counts
    sources: dict[str, dict[str, int]] = {name: {} for name in names}
    texts: dict[str, list[str]] = {name: [] for name in names}
    for example, label in zip(examples, assignment.label, strict=True):
        inside = sources[names[label]]
        inside[example.benchmark] = inside.get(example.benchmark, 0) + 1
        shown = texts[names[label]]
        # One of each benchmark first: their order in the probe is by benchmark.
        if len(shown) < SHOWN and inside[example.benchmark] <= 1 + SHOWN // 3 and example.text.strip():
            shown.append(excerpt(example.text))
    total = max(int(counts.sum()), 1)
    return Balance(
        counts={name: int(count) for name, count in zip(names, counts, strict=True)},
        sources={name: dict(sorted(inside.items())) for name, inside in sources.items()},
        other=float(counts[-1] / total),
        entropy=evenness(counts[:-1]),
        overlap=_overlap(assignment, items, definitions),
        confusion=_confusion(assignment),
        examples={name: tuple(shown) for name, shown in texts.items()},
    )


def quality(balance: Balance) -> float:
    """By which sets are compared, in [0, 1]: (1 - share of Other) x evenness x (1 - redundancy), where
    redundancy is how far the highest overlap lies above .5, doubled."""
    highest = max(balance.overlap.values(), default=0.0)
    redundancy = min(max((highest - REDUNDANT) / (1 - REDUNDANT), 0.0), 1.0)
    return (1 - balance.other) * balance.entropy * (1 - redundancy)


def evenness(counts: Ints) -> float:
    """Shannon's entropy of counts over the logarithm of how many there are: 1 is even, 0 all in one."""
    total = int(counts.sum())
    if len(counts) < 2 or not total:
        return 0.0
    shares = counts[counts > 0] / total
    return float(-(shares * np.log(shares)).sum() / np.log(len(counts)))


def _overlap(assignment: Assignment, items: Vectors, definitions: Vectors) -> dict[str, float]:
    names, counts = assignment.dimensions.names, assignment.counts
    said = _unit(definitions.astype(np.float64))
    points = items.astype(np.float64)
    middle = points.mean(axis=0) if len(points) else np.zeros(said.shape[1])
    means = np.zeros((len(names), said.shape[1]))
    for number in range(len(names)):
        if counts[number]:
            means[number] = points[assignment.label == number].mean(axis=0) - middle
    centres = _unit(means)
    found: dict[str, float] = {}
    numbers = combinations(range(len(names)), 2)
    for pair, (one, other) in zip(pairs_of(names), numbers, strict=True):
        cosine = float(said[one] @ said[other])
        if counts[one] and counts[other]:
            cosine = (cosine + float(centres[one] @ centres[other])) / 2
        found[pair] = round(cosine, 4)
    return _highest_first(found)


def _confusion(assignment: Assignment) -> dict[str, float]:
    names = (*assignment.dimensions.names, OTHER)
    votes = np.sort(assignment.votes[assignment.full], axis=1)
    votes = votes[(votes >= 0).all(axis=1)]
    split = votes[votes[:, 0] != votes[:, -1]] if votes.size else votes
    pairs: dict[str, float] = {}
    for low, high in split[:, [0, -1]][_two_kinds(split)] if len(split) else ():
        pair = f"{names[low]} | {names[high]}"
        pairs[pair] = pairs.get(pair, 0) + 1
    return _highest_first({pair: round(count / len(split), 4) for pair, count in pairs.items()})


def _two_kinds(votes: Ints) -> Ints:
    """Rows, sorted each, that hold two labels."""
    return np.flatnonzero((np.diff(votes, axis=1) != 0).sum(axis=1) == 1)


def _highest_first(found: dict[str, float]) -> dict[str, float]:
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _unit(points: Floats) -> Floats:
    unit: Floats = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    return unit
