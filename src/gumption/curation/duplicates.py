"""Near-duplicates: items whose vectors are all but equal and that show the same media.

Template questions over different pictures have equal texts and are not duplicates; nor is anything known of
items whose media are not. So items are compared only with items of the same media.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.curation._clusters import cells
from gumption.curation._inputs import Ints, Vectors, labels_of, vectors_of
from gumption.curation.select import rows_of
from gumption.records import GumptionError

__all__ = ["Threshold", "measured_threshold", "near_duplicates", "similarities"]

UNKNOWN = ""
LARGE = 2**15
"""Items of the same media above which only items of one k-means cell are compared (SemDeDup, arXiv
2303.09540)."""
CELL = 2**12
BLOCK = 512


class Threshold(Struct, frozen=True):
    """A cosine similarity from which on two items are called duplicates, and how well it told known pairs."""

    similarity: float
    found: float
    """Share of the known duplicates at or above it."""
    false: float
    """Share of the known different pairs at or above it."""
    same: int
    different: int


def near_duplicates(
    embeddings: npt.ArrayLike, media: npt.ArrayLike, threshold: float, *, seed: int = 0
) -> Ints:
    """For each of n items the row of the item that stands for it: its own where it is kept.

    `embeddings`: n x d, finite. `media`: n strings, what the item shows (a hash, a path); "" is unknown, and
    such an item is never a duplicate; items of text alone share any other label. In the order of the rows an
    item is kept unless its cosine with one kept before is at least `threshold`; it then belongs to the most
    similar of them. Deterministic; the seed matters only above 32,768 items of the same media.

    Raises GumptionError for a threshold outside (0, 1] and arrays that do not fit.
    """
    if not 0 < threshold <= 1:
        raise GumptionError(f"threshold {threshold}", where="threshold", remedy="give a cosine in (0, 1]")
    vectors = vectors_of(embeddings)
    names = np.asarray(media, dtype=str)
    label = labels_of(names, len(vectors), "media")
    stands = np.arange(len(vectors))
    rng = np.random.default_rng(seed)
    for rows in rows_of(label):
        if len(rows) == 1 or names[rows[0]] == UNKNOWN:
            continue
        unit = vectors[rows] / np.maximum(np.linalg.norm(vectors[rows], axis=1, keepdims=True), 1e-12)
        parts = [np.arange(len(rows))] if len(rows) <= LARGE else rows_of(cells(unit, len(rows) // CELL, rng))
        for part in parts:
            stands[rows[part]] = rows[part[_first_of(unit[part], threshold)]]
    return stands


def _first_of(unit: Vectors, threshold: float) -> Ints:
    """For each vector the place of the kept one it belongs to."""
    # float32 sums differ in the last digits: equal vectors are equal at a threshold of 1.
    least = threshold - 1e-6
    stands, kept = np.arange(len(unit)), np.empty(0, dtype=np.int64)
    for start in range(0, len(unit), BLOCK):
        block = np.arange(start, min(start + BLOCK, len(unit)))
        if len(kept):
            close = unit[block] @ unit[kept].T
            best = close.argmax(axis=1)
            taken = close[np.arange(len(block)), best] >= least
            stands[block[taken]] = kept[best[taken]]
            block = block[~taken]
        close = unit[block] @ unit[block].T
        new = np.zeros(len(block), dtype=bool)
        for place in range(len(block)):
            before = np.where(new[:place], close[place, :place], -np.inf)
            if place and before.max() >= least:
                stands[block[place]] = block[int(before.argmax())]
            else:
                new[place] = True
        kept = np.concatenate([kept, block[new]])
    return stands


def similarities(embeddings: npt.ArrayLike, pairs: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The cosines of m pairs of rows (m x 2)."""
    vectors, rows = vectors_of(embeddings), np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    one, other = vectors[rows[:, 0]].astype(np.float64), vectors[rows[:, 1]].astype(np.float64)
    size = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    cosines: npt.NDArray[np.float64] = (one * other).sum(axis=1) / np.maximum(size, 1e-12)
    return cosines


def measured_threshold(same: npt.ArrayLike, different: npt.ArrayLike, most_false: float = 0.01) -> Threshold:
    """The lowest similarity that at most `most_false` of the pairs known to be different reach.

    `same`, `different`: cosines of pairs a person (or a source's own record) calls duplicates or not. Raises
    GumptionError where either is empty or even a similarity of 1 is reached by too many different pairs.
    """
    alike, unlike = np.asarray(same, np.float64).ravel(), np.sort(np.asarray(different, np.float64).ravel())
    if not len(alike) or not len(unlike):
        raise GumptionError(
            f"{len(alike)} pairs alike, {len(unlike)} different", where="pairs", remedy="give some of each"
        )
    allowed = int(most_false * len(unlike))
    similarity = float(np.nextafter(unlike[len(unlike) - 1 - allowed], np.inf))
    if similarity > 1 + 1e-6:
        raise GumptionError(
            "pairs known to be different have a similarity of 1",
            where="pairs",
            remedy="these vectors do not tell them apart: use others, or allow more false ones",
        )
    similarity = min(similarity, 1.0)
    return Threshold(
        similarity,
        float((alike >= similarity).mean()),
        float((unlike >= similarity).mean()),
        len(alike),
        len(unlike),
    )
