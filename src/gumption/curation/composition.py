"""What a suite is made of beside its pool: balance, redundancy, coverage, and a map to look at.

Nothing here needs a model's answers. Labels and vectors are plain arrays, one entry an item of the pool;
`chosen` are the numbers of the items that the suite keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy.linalg import eigh

from gumption.curation._clusters import nearest
from gumption.curation._inputs import Floats, Ints, Vectors, labels_of, vectors_of
from gumption.curation.dimensions import OTHER
from gumption.curation.select import rows_of
from gumption.ranking.fidelity import item_rows
from gumption.records import GumptionError

__all__ = [
    "Count",
    "Coverage",
    "DimensionMap",
    "Distribution",
    "coverage",
    "distribution",
    "entropy",
    "gini",
    "maps",
    "unit",
]

SAMPLE = 2**13
"""Items of a larger pool that coverage looks at, drawn at random."""
AXES = 2**9
"""Items of a larger dimension on which its axes are found."""
RANDOM = 4
"""Random suites beside the coverage of one."""
SHOWN = (400, 200)
"""Points of a map at most: left out, kept."""


class Count(Struct, frozen=True):
    """Items under one name."""

    name: str
    pool: int
    suite: int


class Distribution(Struct, frozen=True):
    """How the items spread over the values of one label, before and after."""

    by: str
    """dimension | benchmark | answer kind | group."""
    counts: tuple[Count, ...]
    pool_entropy: float
    """In [0, 1], 1 is even: Shannon's, over the logarithm of the number of names. Other stays out of this
    and of Gini's coefficient."""
    suite_entropy: float
    pool_gini: float
    """In [0, 1), 0 is even."""
    suite_gini: float


class Coverage(Struct, frozen=True):
    """How far the items of the pool are from the nearest item kept, as 1 - cosine, in [0, 2]."""

    items: int
    """Items of the pool that were looked at: all, or a random sample of them."""
    of: int
    mean: float
    far: float
    """95 % of the items are nearer."""
    random_mean: float
    """The same for random suites of the same size, over `draws` of them."""
    random_mean_range: tuple[float, float]
    random_far: float
    draws: int


class DimensionMap(Struct, frozen=True):
    """The items of one dimension on their first two principal axes; at most a few hundred are drawn."""

    name: str
    pool: int
    suite: int
    explained: float
    """Share of the variance that the two axes show, in [0, 1]."""
    left_out: tuple[tuple[float, float], ...]
    kept: tuple[tuple[float, float], ...]


def entropy(counts: npt.ArrayLike) -> float:
    """Shannon's entropy over its largest value: 1 is even, 0 all in one. 1 where there is one cell only, or
    no item."""
    sizes = np.asarray(counts, dtype=np.float64)
    if len(sizes) < 2 or not sizes.sum():
        return 1.0
    share = sizes[sizes > 0] / sizes.sum()
    return float(-(share * np.log(share)).sum() / np.log(len(sizes))) + 0.0


def gini(counts: npt.ArrayLike) -> float:
    """Gini's coefficient: mean absolute difference of two cells over twice their mean; 0 is even."""
    sizes = np.sort(np.asarray(counts, dtype=np.float64))
    n = len(sizes)
    if not n or not sizes.sum():
        return 0.0
    return float(((2 * np.arange(1, n + 1) - n - 1) @ sizes) / (n * sizes.sum()))


def distribution(
    by: str, labels: npt.ArrayLike, chosen: npt.ArrayLike, names: Sequence[str] | None = None
) -> Distribution:
    """The counts of each label in the pool and among `chosen`.

    `labels`: n strings, or n numbers into `names`, whose order is then kept; strings are ordered by their
    count. Names that no item bears are shown with 0. Raises GumptionError for numbers without a name and for
    `chosen` that does not fit.
    """
    array = np.asarray(labels)
    kept = item_rows(chosen, len(array))
    if names is None:
        of_each = Counter(array.astype(str).tolist())
        names = [name for name, _ in sorted(of_each.items(), key=lambda pair: (-pair[1], pair[0]))]
        place = {name: number for number, name in enumerate(names)}
        array = np.array([place[name] for name in array.astype(str).tolist()], dtype=np.int64)
    elif len(array) and not 0 <= array.min() <= array.max() < len(names):
        raise GumptionError(
            f"labels from {array.min()} to {array.max()} for {len(names)} names",
            where=by,
            remedy="give a name for every label",
        )
    pool, suite = (np.bincount(part, minlength=len(names)) for part in (array, array[kept]))
    counted = np.array([name != OTHER for name in names], dtype=bool)
    return Distribution(
        by=by,
        counts=tuple(map(Count, names, pool.tolist(), suite.tolist())),
        pool_entropy=entropy(pool[counted]),
        suite_entropy=entropy(suite[counted]),
        pool_gini=gini(pool[counted]),
        suite_gini=gini(suite[counted]),
    )


def coverage(embeddings: npt.ArrayLike, chosen: npt.ArrayLike, seed: int = 0) -> Coverage:
    """How near every item of the pool has an item of the suite, beside random suites of the same size.

    `embeddings`: n x d, finite. Above 8,192 items a random sample of them is looked at, the kept ones as
    likely as others; memory and time then grow with the suite alone.
    """
    points = unit(vectors_of(embeddings))
    n = len(points)
    kept = item_rows(chosen, n)
    rng = np.random.default_rng(seed)
    seen = points if n <= SAMPLE else points[np.sort(rng.choice(n, SAMPLE, replace=False))]
    own = _apart(seen, points[kept])
    draws = [_apart(seen, points[rng.choice(n, len(kept), replace=False)]) for _ in range(RANDOM)]
    means = [float(drawn.mean()) for drawn in draws]
    return Coverage(
        items=len(seen),
        of=n,
        mean=float(own.mean()),
        far=float(np.quantile(own, 0.95)),
        random_mean=float(np.mean(means)),
        random_mean_range=(min(means), max(means)),
        random_far=float(np.mean([np.quantile(drawn, 0.95) for drawn in draws])),
        draws=RANDOM,
    )


def maps(
    embeddings: npt.ArrayLike,
    chosen: npt.ArrayLike,
    labels: npt.ArrayLike | None = None,
    names: Sequence[str] = ("All items",),
    seed: int = 0,
) -> tuple[DimensionMap, ...]:
    """A map of each label's items: principal components of their vectors of unit length.

    `labels`: n numbers into `names`; None puts all items on one map. The signs of the axes are fixed, so the
    same items always give the same map. Raises GumptionError for arrays that do not fit.
    """
    points = unit(vectors_of(embeddings))
    n = len(points)
    label = np.zeros(n, dtype=np.int64) if labels is None else np.asarray(labels, dtype=np.int64)
    labels_of(label, n, "labels")
    flag = np.zeros(n, dtype=bool)
    flag[item_rows(chosen, n)] = True
    rng = np.random.default_rng(seed)
    drawn = []
    for rows in rows_of(label):
        places, explained = _plane(points[rows], rng)
        kept = flag[rows]
        out, inside = (
            _some(places[which], most, rng) for which, most in zip((~kept, kept), SHOWN, strict=True)
        )
        drawn.append(DimensionMap(names[label[rows[0]]], len(rows), int(kept.sum()), explained, out, inside))
    return tuple(drawn)


def unit(points: Vectors) -> Vectors:
    """The vectors at length 1; a vector of zeros stays one."""
    size = np.linalg.norm(points, axis=1, keepdims=True)
    scaled: Vectors = points / np.maximum(size, np.float32(1e-12))
    return scaled


def _apart(points: Vectors, kept: Vectors) -> Floats:
    """1 - cosine of each vector of unit length to the nearest kept one."""
    return nearest(points, kept)[1].astype(np.float64) / 2


def _plane(points: Vectors, rng: np.random.Generator) -> tuple[Vectors, float]:
    """The first two principal coordinates, and the share of the variance they show."""
    sample = points if len(points) <= AXES else points[rng.choice(len(points), AXES, replace=False)]
    centre = sample.mean(axis=0)
    centred = (sample - centre).astype(np.float64)
    wide = centred.shape[0] < centred.shape[1]
    # Of the smaller side's products, the two largest: both sides' have the same values.
    square = centred @ centred.T if wide else centred.T @ centred
    last = len(square) - 1
    values, axes = eigh(square, subset_by_index=(max(last - 1, 0), last))
    values, axes = np.maximum(values[::-1], 0.0), axes[:, ::-1]
    if wide:
        axes = centred.T @ axes / np.maximum(np.sqrt(values), 1e-12)
    # An axis and its opposite are the same axis: the largest entry points up.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    places = np.zeros((len(points), 2), dtype=np.float32)
    places[:, : axes.shape[1]] = (points - centre) @ axes.astype(np.float32)
    total = float((centred**2).sum())
    # Equal items differ in their last digits only: that is no variance to show.
    spread = total > 1e-9 * len(sample)
    return (places, float(min(values.sum() / total, 1.0))) if spread else (np.zeros_like(places), 1.0)


def _some(places: Vectors, most: int, rng: np.random.Generator) -> tuple[tuple[float, float], ...]:
    rows: Ints = np.arange(len(places))
    if len(rows) > most:
        rows = np.sort(rng.choice(rows, most, replace=False))
    return tuple((round(float(x), 3), round(float(y), 3)) for x, y in places[rows])
