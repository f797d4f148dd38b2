"""Runs that were stopped early: what they say of the whole suite."""

from __future__ import annotations

import numpy as np

from gumption.ranking._runs import Head, RunFile, epoch_means, read_run
from gumption.ranking.sequential import suite_interval
from gumption.records import Interval
from gumption.suites import read_items
from gumption.suites.drawing import draw

__all__ = ["of_the_whole", "stopping_note"]

ASKED_FOR = {
    "settled": "settled",
    "tokens": "its budget of tokens was used up",
    "cost": "its budget of money was used up",
    "time": "its time was used up",
}


def of_the_whole(head: Head, score: Interval) -> Interval:
    """The official score of a run that was stopped early, with an interval that holds whenever it ended. None
    can be told where the order was not random."""
    stop, stopped, official = head.file.stop, head.file.stopped_early, head.file.official
    if stop is None or stopped is None or stop.order != "random":
        return Interval(score.mean, None, None, "none: the order was not random", score.name)
    items = read_items(head.folder / "items.parquet")
    columns = read_run(head.folder, official.part if official else "").columns
    by_number = epoch_means(columns)
    first = np.unique(columns.item, return_index=True)[1]
    known = dict(zip(columns.item_id.of(first), by_number, strict=True))
    values = np.array([known.get(item.id, np.nan) for item in items])
    found = suite_interval(values, draw(items, official, stop.seed), stopped.draws, score.mean)
    return Interval(found.mean, found.low, found.high, found.method, score.name)


def stopping_note(file: RunFile) -> str:
    """What a reader must know of it."""
    stop, stopped = file.stop, file.stopped_early
    assert stop is not None and stopped is not None
    said = (
        f"Stopped early, {ASKED_FOR[stopped.reason]}: {stopped.asked:,} of {stopped.items:,} items were asked"
    )
    saved = f"{said}, {100 * stopped.saved:.1f} % saved."
    if stop.order != "random":
        return (
            f"{saved} Exploratory: the items were chosen to tell models apart, so the mean is not the "
            "suite's, and nothing here has an error rate."
        )
    words = {
        "better": "better than {}",
        "worse": "worse than {}",
        "equal": f"no further than {stop.margin:g} from {{}}",
        "open": "not told apart from {}",
    }
    verdicts = "; ".join(words[verdict].format(other) for other, verdict in stopped.verdicts.items())
    sure = f" At {100 * stop.confidence:g} %, over the whole suite: {verdicts}." if verdicts else ""
    return (
        f"{saved}{sure} The official interval holds for the whole suite however the run ended; "
        "the others are as for a run of that size."
    )
