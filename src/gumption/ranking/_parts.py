"""Named parts of scores and kinds of mistakes, out of the nested columns of a table of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from gumption.ranking._design import Floats, Ints
from gumption.ranking.intervals import interval
from gumption.records import Interval, Scored, SubScore

__all__ = ["NESTED", "failures", "nested_table", "part_values", "sub_scores"]

NESTED = ("errors", "parts")
"""The columns of `records.Scored` that are read here; a table may lack them."""


def nested_table(rows: Sequence[Scored]) -> pa.Table:
    """The nested columns of rows."""
    parts = pa.array([list(row.parts.items()) for row in rows], pa.map_(pa.string(), pa.float64()))
    return pa.table({"errors": pa.array([row.errors for row in rows], pa.list_(pa.string())), "parts": parts})


def sub_scores(table: pa.Table, scored: Ints, cluster: Ints) -> tuple[SubScore, ...]:
    """The mean of every named part over the scored rows that have it, in the order they are first met.

    scored: the rows with a value. cluster: a number per row. Parts outside [0, 1] get no interval.
    """
    found = _flat(table)
    if found is None:
        return ()
    rows, codes, names, values = found
    inside = np.isin(rows, scored) & ~np.isnan(values)
    return tuple(
        _mean(name, rows[chosen], values[chosen], cluster)
        for number, name in enumerate(names)
        if (chosen := inside & (codes == number)).any()
    )


def part_values(table: pa.Table, name: str) -> Floats:
    """One part of every row, NaN where a row lacks it."""
    found = _flat(table)
    every = np.full(table.num_rows, np.nan)
    if found is not None and name in found[2]:
        rows, codes, names, values = found
        chosen = codes == names.index(name)
        every[rows[chosen]] = values[chosen]
    return every


def _flat(table: pa.Table) -> tuple[Ints, Ints, list[str], Floats] | None:
    """Every part of every row: the row's number, a code, the names that codes stand for, and the value."""
    if "parts" not in table.column_names or not table.num_rows:
        return None
    column = pa.concat_arrays(table.column("parts").chunks)
    if not len(column.keys):
        return None
    rows = np.repeat(np.arange(table.num_rows), np.diff(column.offsets.to_numpy()))
    names = column.keys.dictionary_encode()
    values = column.items.to_numpy(zero_copy_only=False)
    return rows, names.indices.to_numpy(), names.dictionary.to_pylist(), values


def _mean(name: str, rows: Ints, values: Floats, cluster: Ints) -> SubScore:
    if values.min() < 0 or values.max() > 1:
        return SubScore(name, Interval(float(values.mean()), None, None, name=name), len(values))
    return SubScore(name, interval(values, clusters=cluster[rows], name=name), len(values))


def failures(table: pa.Table, scored: Ints) -> dict[str, int]:
    """How many of the scored rows have each kind of mistake as their first, the most frequent first."""
    if "errors" not in table.column_names:
        return {}
    lists = table.column("errors").take(pa.array(scored)).to_pylist()
    return dict(Counter(kinds[0] for kinds in lists if kinds).most_common())
