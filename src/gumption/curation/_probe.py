"""A diverse sample of items: as even as may be over benchmarks, and over the categories of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gumption.curation._inputs import Ints
from gumption.curation.dimensions import Example
from gumption.curation.quotas import even

__all__ = ["diverse"]


def diverse(examples: Sequence[Example], size: int, seed: int) -> tuple[Example, ...]:
    """`size` of the examples, all where there are no more, by benchmark and category. Of equal texts in one
    category a second is taken only where the others do not suffice."""
    cells: dict[str, dict[str, list[int]]] = {}
    for place, example in enumerate(examples):
        cells.setdefault(example.benchmark, {}).setdefault(example.category, []).append(place)
    rng = np.random.default_rng(seed)
    chosen: list[int] = []
    benchmarks = sorted(cells)
    places = even([sum(map(len, cells[name].values())) for name in benchmarks], size)
    for name, quota in zip(benchmarks, places, strict=True):
        if not quota:
            continue
        categories = sorted(cells[name])
        # Cells of equal size share a remainder by chance, not by the alphabet.
        rng.shuffle(categories)
        for category, some in zip(
            categories, even([len(cells[name][one]) for one in categories], int(quota)), strict=True
        ):
            chosen += _different(examples, rng.permutation(cells[name][category]), int(some))
    return tuple(examples[place] for place in sorted(chosen))


def _different(examples: Sequence[Example], order: Ints, most: int) -> list[int]:
    first: dict[str, int] = {}
    again = [place for place in order.tolist() if first.setdefault(examples[place].text, place) != place]
    return [*first.values(), *again][:most]
