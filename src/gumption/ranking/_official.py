"""Run folders as a models x items matrix under the official aggregate of their suite."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gumption.ranking._columns import strata_of
from gumption.ranking._design import Floats, Ints
from gumption.ranking._runs import Head, align, differences, read_head, read_run, refuse_differences
from gumption.records import Aggregate, GumptionError

__all__ = ["OfficialMatrix", "read_official"]


@dataclass(frozen=True, slots=True)
class OfficialMatrix:
    """Runs over the union of the items that their official aggregate counts."""

    models: list[str]
    """Distinct: a name that several runs share has its folder beside it."""
    values: Floats
    """Runs x items: the mean of an item's scored epochs, NaN where a run has none."""
    chance: Floats
    """Of each item: the expected score of guessing."""
    clusters: Ints
    strata: Ints
    weights: dict[int, float]
    aggregate: Aggregate
    differences: tuple[str, ...]
    """What the runs' protocols differ in."""
    heads: tuple[Head, ...]
    """Of the runs, in their order."""


def read_official(paths: Iterable[str | Path], force: bool) -> OfficialMatrix:
    """Joins runs by benchmark and item_id, by the first run's official aggregate (micro if none).

    Raises GumptionError for no run, for files that cannot be read, and for runs whose protocols or official
    aggregates differ in more than the model, unless `force`.
    """
    folders = [Path(path) for path in paths]
    heads = [read_head(folder) for folder in folders]
    if not heads:
        raise GumptionError("no run is named", where="rank", remedy="name at least one run folder")
    found = tuple(line for head in heads[1:] for line in differences(heads[0], head))
    if not force:
        refuse_differences(found, ", ".join(map(str, folders)))
    official = heads[0].file.official or Aggregate("micro")
    aligned = align(read_run(folder, official.part) for folder in folders)
    inside, strata, weights = strata_of(aligned.items, official)
    names = [head.name for head in heads]
    return OfficialMatrix(
        models=[
            name if names.count(name) == 1 else f"{name} ({head.folder})"
            for name, head in zip(names, heads, strict=True)
        ],
        values=aligned.values[:, inside],
        chance=aligned.items.chance[inside],
        clusters=aligned.items.cluster[inside],
        strata=strata[inside],
        weights=weights,
        aggregate=official,
        differences=found,
        heads=tuple(heads),
    )
