"""Near-duplicates: items that ask the same of the same media, and have the same right answer.

Template questions over different pictures have equal texts and are not duplicates; nor is anything known of
items whose media are not. So items are compared only with items of the same media, a copy of a picture in
another encoding or size being the same; and of the same kind, options and answer, without which two questions
are two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.curation._clusters import cells
from gumption.curation._copies import DIFFERENCE, copies
from gumption.curation._inputs import Ints, Vectors, labels_of, vectors_of
from gumption.curation._wording import told_apart, words_of
from gumption.curation.embedding import TEXT_ALONE, Embedded
from gumption.curation.select import rows_of
from gumption.records import Answer, GumptionError, Item, Text

__all__ = [
    "SIMILARITY",
    "Duplicates",
    "Threshold",
    "duplicates",
    "measured_threshold",
    "near_duplicates",
    "similarities",
]

SIMILARITY = 0.985
"""Cosine of texts from which on they are one, where nothing in their words tells them apart. Measured on the
question pool with the default encoder (benches/embedding.py): of the pairs of questions on one picture that
have different answers, and so are surely two, none reaches it."""

UNKNOWN = ""
LARGE = 2**15
"""Items of the same media above which only items of one k-means cell are compared (SemDeDup, arXiv
2303.09540)."""
CELL = 2**12
BLOCK = 512
TILE = 2**14
"""Kept items that a block is compared with at once: 32 MiB."""


class Threshold(Struct, frozen=True):
    """A cosine similarity from which on two items are called duplicates, and how well it told known pairs."""

    similarity: float
    found: float
    """Share of the known duplicates at or above it."""
    false: float
    """Share of the known different pairs at or above it."""
    same: int
    different: int


class Duplicates(Struct, frozen=True, dict=True):
    """Which items stand for others."""

    stands: Ints
    """int[n]: for each item the row of the one that stands for it, its own where it is kept."""
    similarity: float
    difference: float
    unknown: int
    """Items that were compared with none: their media are not known, or they have neither text nor media."""

    @cached_property
    def kept(self) -> Ints:
        """Rows of the items that are kept, ascending."""
        return np.unique(self.stands)

    @property
    def weights(self) -> Ints:
        """Of each kept item the number of items it stands for, itself included."""
        return np.bincount(self.stands, minlength=len(self.stands))[self.kept].astype(np.int64)


def duplicates(
    items: Sequence[Item],
    embedded: Embedded,
    *,
    similarity: float = SIMILARITY,
    difference: float = DIFFERENCE,
    seed: int = 0,
) -> Duplicates:
    """Finds the items that repeat an earlier one.

    Two items are one if they show the same media in the same order, have the same kind, options (in any
    order) and right answer, and ask in the same words; or in words whose cosine is at least `similarity` and
    in which neither order, nor a number, nor an opposite (left, right) differs. Pictures are the same if they
    have the same bytes, or no cell's mean colour differs by more than `difference` of 255 (`copies`). The
    first stands for the others.

    Raises GumptionError for items that are not the embedded ones, and a similarity outside (0, 1].
    """
    if tuple(item.id for item in items) != embedded.ids:
        raise GumptionError(
            "the vectors are those of other items", where="duplicates", remedy="embed these items"
        )
    names = list(embedded.cells)
    first = copies([embedded.cells[name] for name in names], difference)
    same = {name: names[row] for name, row in zip(names, first.tolist(), strict=True)}
    words = [words_of("\n".join(p.text for p in item.parts if isinstance(p, Text))) for item in items]
    labels = [
        _label(item.answer, [same.get(name, name) for name in shown], said, embedded.text[row].any())
        for row, (item, shown, said) in enumerate(zip(items, embedded.shows, words, strict=True))
    ]
    # Equal words need no vector.
    known: dict[tuple[str, tuple[str, ...]], int] = {}
    said_first = np.array(
        [
            known.setdefault((label, said), row) if label else row
            for row, (label, said) in enumerate(zip(labels, words, strict=True))
        ]
    )
    rows = np.unique(said_first)
    among = near_duplicates(
        embedded.text[rows],
        [labels[row] for row in rows],
        similarity,
        seed=seed,
        unlike=lambda one, other: told_apart(words[rows[one]], words[rows[other]]),
    )
    stands = rows[among][np.searchsorted(rows, said_first)]
    return Duplicates(stands, similarity, difference, sum(not label for label in labels))


def _label(answer: Answer, shown: Sequence[str], words: Sequence[str], has_vector: bool) -> str:
    """What two items must share to be one; UNKNOWN where an item is like no other."""
    if not shown or (not words and not has_vector and shown[0] == TEXT_ALONE):
        return UNKNOWN
    options = answer.choices or {}
    gold = options.get(answer.gold) or answer.gold if isinstance(answer.gold, str) else answer.gold
    told = (list(shown), answer.kind, sorted(options.values()), gold)
    return msgspec.json.encode(told, order="sorted").decode()


def near_duplicates(
    embeddings: npt.ArrayLike,
    media: npt.ArrayLike,
    threshold: float,
    *,
    seed: int = 0,
    unlike: Callable[[int, int], bool] | None = None,
) -> Ints:
    """For each of n items the row of the item that stands for it: its own where it is kept.

    `embeddings`: n x d, finite. `media`: n strings, what the item shows (a hash, a path); "" is unknown, and
    such an item is never a duplicate; items of text alone share any other label. In the order of the rows an
    item is kept unless its cosine with one kept before is at least `threshold`; it then belongs to the most
    similar of them that `unlike`, given two rows, does not tell it from. Deterministic; the seed matters only
    above 32,768 items of the same media. Memory grows with n, never with its square.

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
        # A copy, made once and in place: a million vectors take 1.5 GB.
        unit = vectors[rows]
        unit /= np.sqrt(np.maximum(np.einsum("ij,ij->i", unit, unit), 1e-24))[:, None]
        parts = [np.arange(len(rows))] if len(rows) <= LARGE else rows_of(cells(unit, len(rows) // CELL, rng))
        for part in parts:
            mine = rows[part]
            stands[mine] = mine[_first_of(unit[part], threshold, mine, unlike)]
    return stands


def _first_of(unit: Vectors, threshold: float, rows: Ints, unlike: Callable[[int, int], bool] | None) -> Ints:
    """For each vector the place of the kept one it belongs to."""
    # float32 sums differ in the last digits: equal vectors are equal at a threshold of 1.
    least = threshold - 1e-6
    stands, kept = np.arange(len(unit)), np.empty(0, dtype=np.int64)
    for start in range(0, len(unit), BLOCK):
        block = unit[start : start + BLOCK]
        near = _near(block, unit, kept, least)
        inside = block @ block.T
        new = np.zeros(len(block), dtype=bool)
        for place in range(len(block)):
            before = np.flatnonzero(new[:place] & (inside[place, :place] >= least))
            close = near.get(place, [])
            close += [(-float(inside[place, other]), start + int(other)) for other in before]
            for _, other in sorted(close):
                if unlike is None or not unlike(int(rows[start + place]), int(rows[other])):
                    stands[start + place] = other
                    break
            else:
                new[place] = True
        kept = np.concatenate([kept, start + np.flatnonzero(new)])
    return stands


def _near(block: Vectors, unit: Vectors, kept: Ints, least: float) -> dict[int, list[tuple[float, int]]]:
    """For each vector of a block the kept ones that are close: (-cosine, place)."""
    near: dict[int, list[tuple[float, int]]] = {}
    for start in range(0, len(kept), TILE):
        others = kept[start : start + TILE]
        close = block @ unit[others].T
        for place, other in zip(*np.nonzero(close >= least), strict=True):
            near.setdefault(int(place), []).append((-float(close[place, other]), int(others[other])))
    return near


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
