"""Runs that were made before, as scores on the items that are asked now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from gumption.records import GumptionError, Item, StopRule
from gumption.running.store import Run, RunInfo

__all__ = ["Earlier", "information", "read_earlier"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Earlier:
    """A run to be set beside."""

    name: str
    values: Floats
    """Of each item: the mean over its scored epochs, NaN where there is none."""
    draws: int
    """Draws that it was asked: all, or those up to where it was stopped in the same order."""


def read_earlier(folder: Path, info: RunInfo, items: Sequence[Item], rule: StopRule) -> Earlier:
    """Raises GumptionError where it is no scored run, of another protocol, or stopped in another order."""
    run = Run.open(folder)
    protocol = msgspec.structs.replace(info.protocol, model=run.info.protocol.model)
    if run.info.protocol != protocol or run.info.official != info.official:
        told = run.difference(protocol) or "another official aggregate"
        raise GumptionError(
            f"the earlier run followed another protocol ({told})",
            where=str(folder),
            remedy="name a run of the same suite, prompt and decoding, or run that model again",
        )
    stop, stopped = run.info.stop, run.info.stopped_early
    if stop and stopped and (stop.seed, stop.order) != (rule.seed, rule.order):
        raise GumptionError(
            f"the earlier run was stopped early in {stop.order} order of seed {stop.seed}",
            where=str(folder),
            remedy=f"give --seed {stop.seed} --order {stop.order}, or finish it by running it without "
            "--stop-when",
        )
    part = info.official.part if info.official else ""
    sums = dict.fromkeys((item.id for item in items), (0.0, 0))
    for row in run.scores().select(["item_id", "value", "parts"]).to_pylist():
        value = dict(row["parts"]).get(part) if part else row["value"]
        if value is not None and row["item_id"] in sums:
            total, count = sums[row["item_id"]]
            sums[row["item_id"]] = total + value, count + 1
    values = np.array([total / count if count else np.nan for total, count in sums.values()])
    return Earlier(run.info.model, values, stopped.draws if stopped else len(items))


def information(earlier: Sequence[Earlier]) -> Floats:
    """Of each item: the variance over the earlier runs. Raises GumptionError for fewer than two of them."""
    if len(earlier) < 2:
        raise GumptionError(
            "nothing tells which items inform",
            where="--order information",
            remedy="name two or more earlier runs with --against, or ask in random order",
        )
    table = np.stack([run.values for run in earlier])
    known = ~np.isnan(table)
    counts = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, table, 0.0).sum(axis=0) / counts
    spread: Floats = np.where(known, (table - means) ** 2, 0.0).sum(axis=0) / counts
    return spread
