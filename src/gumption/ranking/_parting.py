"""Labels that cut the items of a matrix into parts: benchmarks, dimensions, categories."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gumption.ranking._design import Ints
from gumption.records import GumptionError

__all__ = ["part_codes"]


def part_codes(labels: npt.ArrayLike, items: int) -> tuple[tuple[str, ...], Ints]:
    """The parts' names, sorted, and the number of each item's part.

    Raises GumptionError for labels that are not one string or integer per item.
    """
    given = np.asarray(labels)
    if given.shape != (items,) or given.dtype.kind not in "UTiu":
        raise GumptionError(
            f"labels of shape {given.shape} and type {given.dtype} for {items} items",
            where="parts",
            remedy="give one string or integer per item, in their order",
        )
    names, codes = np.unique(given, return_inverse=True)
    return tuple(map(str, names.tolist())), codes.astype(np.int64)
