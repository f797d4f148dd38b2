"""Two models side by side, from two arrays or two run folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy.typing as npt

from gumption.ranking._columns import Columns
from gumption.ranking._design import Floats
from gumption.ranking._runs import align, differences, read_run, refuse_differences
from gumption.ranking.intervals import unit_scores
from gumption.records import GumptionError

__all__ = ["Pairing", "pair_up"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Scores of two models on the same items, NaN where there is none."""

    names: tuple[str, str]
    left: Floats
    right: Floats
    clusters: npt.ArrayLike | None
    items: Columns | None
    """What run folders say of the items."""
    differences: tuple[str, ...]
    """What the two runs' protocols differ in."""


def pair_up(
    a: npt.ArrayLike | str | Path, b: npt.ArrayLike | str | Path, clusters: npt.ArrayLike | None, force: bool
) -> Pairing:
    """Two aligned arrays, or two run folders joined by benchmark and item_id.

    Raises GumptionError for arrays that do not fit, one array and one folder, clusters with folders, and
    run folders whose protocols differ in more than the model, unless `force`.
    """
    if isinstance(a, str | Path) and isinstance(b, str | Path):
        if clusters is not None:
            raise GumptionError(
                "clusters were given", where="compare", remedy="leave them out: a run knows its own"
            )
        first, second = read_run(a), read_run(b)
        found = differences(first.head, second.head)
        if not force:
            refuse_differences(found, f"{a} and {b}")
        aligned = align((first, second))
        left, right = aligned.values
        names = first.head.name, second.head.name
        return Pairing(names, left, right, aligned.items.cluster, aligned.items, found)
    if isinstance(a, str | Path) or isinstance(b, str | Path):
        raise GumptionError(
            "one is a run folder and one is not", where="compare", remedy="give two folders or two arrays"
        )
    left, right = unit_scores(a, "a"), unit_scores(b, "b")
    if left.ndim != 1 or left.shape != right.shape:
        raise GumptionError(
            f"shapes {left.shape} and {right.shape} are not aligned",
            where="compare",
            remedy="give two flat arrays, the same items in the same order, NaN where there is no score",
        )
    return Pairing(("a", "b"), left, right, clusters, None, ())
