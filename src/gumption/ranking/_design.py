"""Clustered, stratified scores as sums per (cluster, stratum) pair, and the resampling of whole clusters.

All statistics of this room rest on these sums: they are small however many rows there are, and one draw of
clusters serves every stratum and every model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy import sparse

from gumption.records import GumptionError

__all__ = ["Design", "Floats", "Ints", "Spread", "Weights", "lay_out"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Weights: TypeAlias = Mapping[str, float] | Mapping[int, float]
"""Relative weights of strata by their labels."""

MOST_CLUSTERS = 5_000
"""More clusters than this are pooled at random for the bootstrap: the noise of a spread estimated from
5,000 pools (1 %) is below the noise of 2,000 resamples (1.6 %), and time and memory stay bounded."""
CELLS = 2**21
"""Cells of one block of the resamples x clusters count matrix: 16 MiB."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How uncertain one weighted mean of stratum means is."""

    mean: float
    variance: float
    """Of the mean, from linearised cluster residuals."""
    dof: float
    """Degrees of freedom of `variance`; clusters - 1 for one stratum of equal clusters."""
    items: float
    """Number of independent items that would give the same precision if all items varied alike."""
    clusters: int
    bernoulli: bool
    """One stratum of unclustered 0/1 values: the textbook binomial."""


@dataclass(frozen=True, slots=True)
class Design:
    """Sums and counts of P (cluster, stratum) pairs for M models, sorted by stratum, then cluster."""

    cluster: Ints
    """P cluster numbers, 0 to `clusters` - 1."""
    stratum: Ints
    """P stratum numbers, ascending, each of `weights` at least once."""
    clusters: int
    weights: Floats
    """One positive weight per stratum."""
    sums: Floats
    """P x M."""
    counts: Floats
    """P x M, or P x 1 where no model misses a value."""

    def means(self) -> Floats:
        """M weighted means of stratum means; NaN for a model without a value."""
        starts = self._starts()
        return _weighted(
            self.weights, np.add.reduceat(self.sums, starts), np.add.reduceat(self.counts, starts)
        )

    def spread(self, model: int = 0) -> Spread:
        """Bias-reduced linearisation (CR2) with Satterthwaite's degrees of freedom (Bell and McCaffrey 2002).

        The only cluster of a stratum has no residual within it, so it is set against the overall mean.
        """
        counts = self.counts[:, model if self.counts.shape[1] > 1 else 0]
        present = counts > 0
        n, total = counts[present], self.sums[present, model]
        stratum = np.unique(self.stratum[present], return_inverse=True)[1]
        cluster = np.unique(self.cluster[present], return_inverse=True)[1]
        weight = self.weights[np.unique(self.stratum[present])]
        weight = weight / weight.sum()
        clusters = int(cluster.max()) + 1

        size = np.bincount(stratum, n)
        centre = np.bincount(stratum, total) / size
        mean = float(weight @ centre)
        leverage = n / size[stratum]
        lone = leverage >= 1.0
        pull = weight[stratum] / size[stratum] / np.sqrt(np.where(lone, 1.0, 1.0 - leverage))
        residual = np.bincount(cluster, pull * (total - n * np.where(lone, mean, centre[stratum])))

        # The covariance of the residuals if items were independent: diag(own) - shared @ shared.T
        own = np.bincount(cluster, pull**2 * n)
        share = np.where(lone, 0.0, pull * n / np.sqrt(size[stratum]))
        shared = sparse.csr_matrix((share, (cluster, stratum)), shape=(clusters, len(weight)))
        trace = own.sum() - (share**2).sum()
        squares = (own**2).sum() - 2 * (own[cluster] * share**2).sum() + ((shared.T @ shared).data ** 2).sum()
        binary = bool((n == 1).all()) and bool(((total == 0) | (total == 1)).all())
        return Spread(
            mean=mean,
            variance=float(residual @ residual),
            dof=float(trace**2 / squares) if squares > 0 else 1.0,
            items=float(1.0 / (weight**2 / size).sum()),
            clusters=clusters,
            bernoulli=binary and len(weight) == 1 and clusters == len(n),
        )

    def draws(self, resamples: int, seed: int) -> Floats:
        """Resamples x M means, each from as many clusters as there are, drawn with replacement.

        One draw serves all strata and models. A stratum that a draw misses drops out and the others'
        weights are scaled up; a draw that misses all of a model's values stands at its mean.
        """
        rng = np.random.default_rng(seed)
        if self.clusters > MOST_CLUSTERS:
            return self._pooled(rng)._draw(resamples, rng)
        return self._draw(resamples, rng)

    def _draw(self, resamples: int, rng: np.random.Generator) -> Floats:
        drawn = np.empty((resamples, self.sums.shape[1]))
        bounds = [*self._starts(), len(self.stratum)]
        rows = max(1, CELLS // self.clusters)
        for first in range(0, resamples, rows):
            times = _multinomial(rng, min(rows, resamples - first), self.clusters)
            sums, counts = [], []
            for low, high in pairwise(bounds):
                taken = times[:, self.cluster[low:high]]
                sums.append(taken @ self.sums[low:high])
                counts.append(taken @ self.counts[low:high])
            drawn[first : first + len(times)] = _weighted(self.weights, np.stack(sums), np.stack(counts))
        return np.where(np.isnan(drawn), self.means(), drawn)

    def _pooled(self, rng: np.random.Generator) -> Design:
        pool = rng.permutation(self.clusters) % MOST_CLUSTERS
        return _tabulate(pool[self.cluster], self.stratum, self.weights, self.sums, self.counts)

    def _starts(self) -> Ints:
        return np.flatnonzero(np.diff(self.stratum, prepend=-1))


def lay_out(
    values: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    weights: Weights | None = None,
) -> Design:
    """The design of an M x n matrix, NaN where a value is missing; items that no model has are left out.

    Labels are strings or integers. Strata of weight 0 are left out. Raises GumptionError for lengths that
    differ, a missing label, weights without strata, and a weight that is missing, negative or not finite.
    """
    if weights is not None and strata is None:
        raise GumptionError("weights without strata", where="weights", remedy="give each item its stratum")
    matrix = np.asarray(values, dtype=np.float64)
    n = matrix.shape[1]
    cluster = np.arange(n) if clusters is None else _codes(clusters, n, "clusters")[0]
    stratum, names = (np.zeros(n, np.int64), [0]) if strata is None else _codes(strata, n, "strata")
    weight = _weights(names, weights)

    missing = np.isnan(matrix)
    keep = ~missing.all(axis=0) & (weight[stratum] > 0)
    if not keep.all():
        matrix, missing, cluster, stratum = matrix[:, keep], missing[:, keep], cluster[keep], stratum[keep]
    if missing.any():
        counts, matrix = (~missing).T.astype(np.float64), np.where(missing, 0.0, matrix)
    else:
        counts = np.ones((matrix.shape[1], 1))
    return _tabulate(cluster, stratum, weight, matrix.T, counts)


def _tabulate(cluster: Ints, stratum: Ints, weights: Floats, sums: Floats, counts: Floats) -> Design:
    """Adds up the rows of each (cluster, stratum) pair; numbers clusters and strata without gaps."""
    present, stratum = np.unique(stratum, return_inverse=True)
    names, cluster = np.unique(cluster, return_inverse=True)
    key = stratum * len(names) + cluster
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    return Design(
        cluster=key[starts] % len(names),
        stratum=key[starts] // len(names),
        clusters=len(names),
        weights=weights[present],
        sums=np.add.reduceat(sums[order], starts),
        counts=np.add.reduceat(counts[order], starts),
    )


def _weighted(weights: Floats, sums: Floats, counts: Floats) -> Floats:
    """The mean over the first axis (strata) of sums / counts; strata without a count drop out."""
    weight = weights.reshape(-1, *[1] * (sums.ndim - 1))
    seen = np.broadcast_to(counts > 0, sums.shape)
    ratio = np.divide(sums, counts, out=np.zeros_like(sums), where=seen)
    with np.errstate(invalid="ignore"):
        mean: Floats = (weight * ratio).sum(axis=0) / (weight * seen).sum(axis=0)
    return mean


def _multinomial(rng: np.random.Generator, rows: int, clusters: int) -> Floats:
    """How often each cluster is drawn, rows x clusters; each row is one draw with replacement."""
    cells = rng.integers(0, clusters, size=(rows, clusters))
    cells += np.arange(rows)[:, None] * clusters
    return np.bincount(cells.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(np.float64)


def _codes(labels: npt.ArrayLike, n: int, what: str) -> tuple[Ints, list[Any]]:
    try:
        array = pa.array(labels)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise GumptionError(
            f"{what} are not all strings or all integers ({error})",
            where=what,
            remedy="give one string or integer per item",
        ) from error
    if len(array) != n:
        raise GumptionError(
            f"{len(array)} labels for {n} items", where=what, remedy="give one label per item, in their order"
        )
    if array.null_count:
        row = array.is_null().index(True).as_py()
        raise GumptionError("a label is missing", where=f"{what}, item {row}", remedy="label every item")
    encoded = array.dictionary_encode()
    return encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist()


def _weights(names: list[Any], weights: Mapping[Any, float] | None) -> Floats:
    if weights is None:
        return np.ones(len(names))
    unknown = [str(name) for name in names if name not in weights]
    if unknown:
        raise GumptionError(
            f"no weight for {', '.join(sorted(unknown)[:10])}",
            where="weights",
            remedy="give every stratum a weight; 0 leaves one out",
        )
    weight = np.array([weights[name] for name in names], dtype=np.float64)
    if not np.isfinite(weight).all() or (weight < 0).any() or (len(weight) and not weight.any()):
        raise GumptionError(
            f"weights are not usable: {dict(zip(names, weight.tolist(), strict=True))}",
            where="weights",
            remedy="give finite weights of 0 or more, at least one above 0",
        )
    return weight
