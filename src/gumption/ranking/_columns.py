"""Rows of `scores.parquet` as checked numpy columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gumption.ranking._design import Floats, Ints
from gumption.ranking.intervals import unit_scores
from gumption.records import Aggregate, GumptionError, Scored

__all__ = ["NEEDED", "Columns", "Labels", "conform", "strata_of"]

TEXT = ("item_id", "benchmark", "category", "dimension", "cluster", "status", "outcome")
NEEDED = {
    **dict.fromkeys(TEXT, pa.large_string()),
    "epoch": pa.int64(),
    "value": pa.float64(),
    "chance": pa.float64(),
}
"""The columns of `records.Scored` that statistics use."""
REMEDY = "give the columns of gumption.records.Scored, as `gumption score` writes them"


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of strings: a code per row, and the strings that the codes stand for."""

    codes: Ints
    names: tuple[str, ...]

    def code(self, name: str) -> int:
        """The code of a name, -1 if no row has it."""
        return self.names.index(name) if name in self.names else -1

    def of(self, rows: Ints) -> list[str]:
        """The names of some rows."""
        return [self.names[code] for code in self.codes[rows]]

    def groups(self) -> list[tuple[str, Ints]]:
        """Each name but "" with its rows, sorted by name."""
        order = np.argsort(self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.names)))
        rows = zip(self.names, np.split(order, ends[:-1]), strict=True) if self.names else ()
        return sorted(((name, where) for name, where in rows if name and len(where)), key=lambda g: g[0])


@dataclass(frozen=True, slots=True)
class Columns:
    """One row per planned (item, epoch)."""

    item: Ints
    """A number per (benchmark, item_id)."""
    cluster: Ints
    """A number per (benchmark, cluster), or per item where the cluster is ""."""
    item_id: Labels
    benchmark: Labels
    category: Labels
    dimension: Labels
    status: Labels
    outcome: Labels
    value: Floats
    """NaN where there is no score."""
    chance: Floats

    @classmethod
    def of(cls, scores: pa.Table | Sequence[Scored], where: str) -> Columns:
        """Raises GumptionError for a missing column, a wrong type, a value outside [0, 1], a repeated row."""
        table = conform(scores if isinstance(scores, pa.Table) else _table(scores), where)
        text = {name: _labels(table, name) for name in TEXT}
        epoch, chance = (table.column(name).to_numpy() for name in ("epoch", "chance"))
        for name in ("epoch", "chance"):
            _refuse(table.column(name).is_null().to_numpy(), f"no {name}", where, "give every row one")
        item_id, benchmark, cluster = text["item_id"], text["benchmark"], text.pop("cluster")
        _refuse(item_id.codes == item_id.code(""), "item_id is empty", where, "name every item")

        item = _number(benchmark.codes, item_id.codes)
        _refuse_repeats(item, epoch, item_id, where)
        own = cluster.codes == cluster.code("")
        scene = _number(benchmark.codes, cluster.codes)
        return cls(
            item=item,
            cluster=_number(own.astype(np.int64), np.where(own, item, scene)),
            value=unit_scores(table.column("value").to_numpy(), f"{where}, column value"),
            chance=unit_scores(chance, f"{where}, column chance"),
            **text,
        )

    def by(self, column: str) -> Labels:
        """The column that an aggregate names; "" is one stratum of all rows."""
        if not column:
            return Labels(np.zeros(len(self.value), np.int64), ("all",))
        labels: Labels = getattr(self, column)
        return labels


def strata_of(columns: Columns, official: Aggregate) -> tuple[npt.NDArray[np.bool_], Ints, dict[int, float]]:
    """Which rows enter the aggregate, the stratum of every row, and the weight by stratum number.

    Rows without a name in the aggregate's column stay out, unless the weights name "". Raises GumptionError
    for a stratum that the weights leave unsaid.
    """
    labels, weights = columns.by(official.by), official.weights
    named = labels.codes != labels.code("")
    if weights is None or not official.by:
        return named, labels.codes, dict.fromkeys(range(len(labels.names)), 1.0)
    unsaid = sorted(name for name in labels.names if name and name not in weights)
    if unsaid:
        raise GumptionError(
            f"no weight for {official.by} {', '.join(unsaid[:10])}",
            where=f"aggregate {official.name}",
            remedy="give every stratum a weight; 0 leaves one out",
        )
    inside = named | ("" in weights)
    return inside, labels.codes, {code: weights.get(name, 0.0) for code, name in enumerate(labels.names)}


def conform(table: pa.Table, where: str) -> pa.Table:
    """The needed columns in one layout, missing strings as "". Raises GumptionError naming the column."""
    absent = [name for name in NEEDED if name not in table.column_names]
    if absent:
        raise GumptionError(f"no column {', '.join(absent)}", where=where, remedy=REMEDY)
    columns = {}
    for name, kind in NEEDED.items():
        try:
            columns[name] = table.column(name).cast(kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise GumptionError(
                f"column {name} does not hold {kind} ({error})", where=where, remedy=REMEDY
            ) from error
        if name in TEXT:
            columns[name] = columns[name].fill_null("")
    return pa.table(columns)


def _table(rows: Sequence[Scored]) -> pa.Table:
    return pa.table(
        {name: pa.array([getattr(row, name) for row in rows], kind) for name, kind in NEEDED.items()}
    )


def _labels(table: pa.Table, name: str) -> Labels:
    encoded = table.column(name).combine_chunks().dictionary_encode()
    return Labels(encoded.indices.to_numpy().astype(np.int64), tuple(encoded.dictionary.to_pylist()))


def _number(major: Ints, minor: Ints) -> Ints:
    """One number per distinct pair of codes, without gaps."""
    key = major * (int(minor.max(initial=0)) + 1) + minor
    numbers: Ints = np.unique(key, return_inverse=True)[1]
    return numbers


def _refuse(bad: npt.NDArray[np.bool_], problem: str, where: str, remedy: str) -> None:
    if bad.any():
        raise GumptionError(problem, where=f"{where}, row {int(bad.argmax())}", remedy=remedy)


def _refuse_repeats(item: Ints, epoch: Ints, item_id: Labels, where: str) -> None:
    order = np.lexsort((epoch, item))
    repeated = (np.diff(item[order]) == 0) & (np.diff(epoch[order]) == 0)
    if repeated.any():
        row = int(order[1:][repeated].min())
        raise GumptionError(
            f"item {item_id.names[item_id.codes[row]]!r}, epoch {int(epoch[row])} stands there twice",
            where=f"{where}, row {row}",
            remedy="keep one row per (item, epoch)",
        )
