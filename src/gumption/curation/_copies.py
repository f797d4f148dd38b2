"""Copies of pictures in another encoding or size, by the mean colours of their cells.

Another encoding changes all cells a little; a thing that moved changes a few of them much. So the largest
difference tells a copy from a picture that only looks alike, which no single measure of likeness does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from gumption.curation._inputs import Ints, Vectors
from gumption.curation._picture_features import CELLS, Cells

__all__ = ["DIFFERENCE", "copies"]

DIFFERENCE = 28.0
"""Of 255, in any cell and channel. Measured (benches/embedding.py): at most 25 for copies of photographs,
at least 41 between different ones and between drawn scenes in which something moved; most drawn scenes scaled
to 160 x 120 are missed."""
COARSE = 8
MEAN = 3.0
"""Root mean square of the differences of 8 x 8 cells that a copy stays under; measured 2.0."""
BLOCK = 512
TILE = 2**13
PAIRS = 2**12
"""Pairs whose cells are compared at once: 50 MiB."""


def copies(pictures: Sequence[Cells], difference: float = DIFFERENCE) -> Ints:
    """For each picture's cells the row of the first that it is a copy of, directly or by way of others.

    Only pictures of about the same brightness are compared; memory grows with their number, not its square.
    """
    if not pictures:
        return np.empty(0, dtype=np.int64)
    # Equal ones need no comparison, of which many would need a square of them.
    seen: dict[bytes, int] = {}
    same = np.array([seen.setdefault(one.tobytes(), row) for row, one in enumerate(pictures)])
    rows = np.unique(same)
    links = _links(np.stack([pictures[row] for row in rows]), difference)
    shape = (len(rows), len(rows))
    graph = coo_matrix((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=shape)
    part = connected_components(graph, directed=False)[1]
    first = np.full(part.max() + 1, len(rows))
    np.minimum.at(first, part, np.arange(len(rows)))
    found: Ints = rows[first[part]][np.searchsorted(rows, same)]
    return found


def _links(cells: Cells, difference: float) -> Ints:
    """int[m, 2]: pairs of copies, for each picture one of a tile at most."""
    side = CELLS // COARSE
    coarse = cells.reshape(len(cells), COARSE, side, COARSE, side, 3).mean(axis=(2, 4), dtype=np.float32)
    points = coarse.reshape(len(cells), -1)
    light = points.mean(axis=1)
    order = np.argsort(light, kind="stable")
    points, light = points[order], light[order]
    norms = (points * points).sum(axis=1)
    found = [np.empty((0, 2), dtype=np.int64)]
    for start in range(0, len(points), BLOCK):
        end = min(start + BLOCK, len(points))
        # No mean differs by more than the root mean square does.
        lowest = int(np.searchsorted(light, light[start] - MEAN))
        for tile in range(lowest, end, TILE):
            stop = min(tile + TILE, end)
            squares = (
                norms[start:end, None] + norms[tile:stop] - 2 * (points[start:end] @ points[tile:stop].T)
            )
            mine, other = np.nonzero(squares <= MEAN**2 * points.shape[1])
            mine, other = mine + start, other + tile
            earlier = other < mine
            found.append(_checked(cells, order[mine[earlier]], order[other[earlier]], difference))
    return np.concatenate(found)


def _checked(cells: Cells, mine: Ints, other: Ints, difference: float) -> Ints:
    found: list[Vectors | Ints] = []
    for start in range(0, len(mine), PAIRS):
        one, two = mine[start : start + PAIRS], other[start : start + PAIRS]
        apart = np.abs(cells[one].astype(np.int16) - cells[two]).reshape(len(one), -1).max(axis=1)
        good = np.flatnonzero(apart <= difference)
        some = good[np.unique(one[good], return_index=True)[1]]
        found.append(np.stack([one[some], two[some]], axis=1))
    return np.concatenate(found).astype(np.int64) if found else np.empty((0, 2), dtype=np.int64)
