"""Where one run is better than another: their difference in each dimension, category or benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._columns import Labels
from gumption.ranking._design import Ints
from gumption.ranking._pairing import Pairing, pair_up
from gumption.ranking.compare import Comparison, compare_pairing
from gumption.ranking.pairs import holm
from gumption.records import GumptionError

__all__ = ["ComparedSlice", "SliceComparison", "compare_slices"]


class ComparedSlice(Struct, frozen=True):
    """One slice of the items."""

    name: str
    comparison: Comparison
    p_holm: float | None
    """p after Holm's correction for all slices; None without a common item."""
    apart: bool
    """p_holm is below the level."""


class SliceComparison(Struct, frozen=True):
    """Two models, as a whole and by slices."""

    by: str
    total: Comparison
    slices: tuple[ComparedSlice, ...]
    """Sorted by name. Items without a label are in none."""
    level: float
    unlabelled: int
    """Items scored in both that are in no slice."""


def compare_slices(
    a: npt.ArrayLike | str | Path,
    b: npt.ArrayLike | str | Path,
    *,
    by: Literal["dimension", "category", "benchmark"] = "dimension",
    labels: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    force: bool = False,
    level: float = 0.05,
    resamples: int = 2000,
    seed: int = 0,
) -> SliceComparison:
    """`compare` as a whole and slice by slice, with p-values corrected for the number of slices.

    `a`, `b`, `clusters`, `force` as for `compare`. Run folders are cut by the column `by`; two arrays need
    `labels`, a string per item ("" is in no slice), and `by` only names them. A slice may hold few clusters:
    its interval then is by t or by Agresti and Min, and wide.

    Raises GumptionError as `compare` does, and for labels that do not fit.
    """
    pairing = pair_up(a, b, clusters, force)
    if pairing.items is not None:
        if labels is not None:
            raise GumptionError(
                "labels were given", where="compare_slices", remedy="leave them out: a run knows its own"
            )
        groups = pairing.items.by(by).groups()
    else:
        groups = _groups(labels, len(pairing.left))
    found = [(name, compare_pairing(_part(pairing, rows), resamples, seed)) for name, rows in groups]
    corrected = holm([comparison.p for _, comparison in found])
    total = compare_pairing(pairing, resamples, seed)
    return SliceComparison(
        by=by,
        total=total,
        slices=tuple(
            ComparedSlice(name, comparison, p, p is not None and p < level)
            for (name, comparison), p in zip(found, corrected, strict=True)
        ),
        level=level,
        unlabelled=total.n - sum(comparison.n for _, comparison in found),
    )


def _groups(labels: npt.ArrayLike | None, items: int) -> list[tuple[str, Ints]]:
    if labels is None:
        raise GumptionError(
            "two arrays without labels", where="compare_slices", remedy="give labels, one per item"
        )
    given = np.asarray(labels)
    if given.shape != (items,) or given.dtype.kind not in "UT":
        raise GumptionError(
            f"labels of shape {given.shape} and type {given.dtype} for {items} items",
            where="labels",
            remedy="give one string per item, in their order",
        )
    names, codes = np.unique(given, return_inverse=True)
    return Labels(codes.astype(np.int64), tuple(names.tolist())).groups()


def _part(pairing: Pairing, rows: Ints) -> Pairing:
    clusters = None if pairing.clusters is None else np.asarray(pairing.clusters)[rows]
    return Pairing(
        pairing.names, pairing.left[rows], pairing.right[rows], clusters, None, pairing.differences
    )
