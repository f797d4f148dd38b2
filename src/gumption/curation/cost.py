"""What a suite saves of its pool: items, words, pictures; and tokens, frames and hours where runs measured
them.

The kept items are often dearer than the others (A2Eval, arXiv 2602.01640, keeps 15 % of the items and 22 %
of the time), so a count of items alone flatters a suite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.curation._inputs import Ints
from gumption.ranking.fidelity import item_rows
from gumption.records import Image, Item, Reply, Text, Video
from gumption.running import Run

__all__ = ["Amount", "Cost", "RunCost", "cost", "item_hours", "run_cost"]


class Amount(Struct, frozen=True):
    """The same quantity for the pool and for its suite."""

    pool: float
    suite: float

    @property
    def kept(self) -> float | None:
        """suite / pool; None where the pool has none of it."""
        return self.suite / self.pool if self.pool else None


class RunCost(Struct, frozen=True):
    """What one model's recorded replies used on the items that it was asked."""

    model: str
    measured: Amount
    """Items with a reply in the run; the amounts below are sums over them. Where the pool's are fewer than
    all, the run says nothing of the others."""
    input_tokens: Amount | None
    """None where the server did not count them."""
    output_tokens: Amount | None
    """Reasoning tokens among them."""
    frames: Amount
    """Pictures and clips that were sent."""
    request_hours: Amount | None
    """Sum of the times that requests took, in hours. Times the server's GPUs this is the GPU-hours at most:
    a server works on several requests at once."""


class Cost(Struct, frozen=True):
    """What asking the suite takes beside asking the pool."""

    items: Amount
    characters: Amount
    """Of the questions and options."""
    pictures: Amount
    clips: Amount
    runs: tuple[RunCost, ...]
    """Measured; empty where no run is known."""

    @property
    def basis(self) -> str:
        """What the figures rest on, in a sentence."""
        if self.runs:
            runs = "one run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
            return f"Tokens, frames and hours were measured in {runs}."
        return "No run was given: items, text and media are counted, tokens and hours are not known."


def cost(items: Sequence[Item], chosen: npt.ArrayLike, runs: Iterable[Run] = ()) -> Cost:
    """The pool's items, those chosen of them (row numbers), and runs over them by any models.

    Raises GumptionError for `chosen` that does not fit and for a run that cannot be read.
    """
    kept = item_rows(chosen, len(items))
    characters = [_characters(item) for item in items]
    pictures = [sum(isinstance(part, Image) for part in item.parts) for item in items]
    clips = [sum(isinstance(part, Video) for part in item.parts) for item in items]
    return Cost(
        items=Amount(len(items), len(kept)),
        characters=_amount(characters, kept),
        pictures=_amount(pictures, kept),
        clips=_amount(clips, kept),
        runs=tuple(
            run_cost(run.info.model, run.replies(), [item.id for item in items], kept) for run in runs
        ),
    )


def run_cost(model: str, replies: Iterable[Reply], ids: Sequence[str], chosen: npt.ArrayLike) -> RunCost:
    """Sums over a model's replies: all epochs and calls of an item count; other items do not.

    Tokens are None where no reply counted them; a single reply without them counts as nothing.
    """
    place = {id: number for number, id in enumerate(ids)}
    kept = item_rows(chosen, len(ids))
    asked = np.zeros(len(ids))
    frames = np.zeros(len(ids))
    tokens_in, tokens_out, seconds = (np.full(len(ids), np.nan) for _ in range(3))
    for reply in replies:
        at = place.get(reply.item_id)
        if at is None:
            continue
        asked[at] = 1
        frames[at] += len(reply.media_sha256)
        _add(seconds, at, reply.latency_s)
        if reply.usage is not None:
            _add(tokens_in, at, reply.usage.input_tokens)
            _add(tokens_out, at, reply.usage.output_tokens)
    hours = _known(seconds, kept)
    return RunCost(
        model=model,
        measured=_amount(asked, kept),
        input_tokens=_known(tokens_in, kept),
        output_tokens=_known(tokens_out, kept),
        frames=_amount(frames, kept),
        request_hours=hours and Amount(hours.pool / 3600, hours.suite / 3600),
    )


def item_hours(replies: Iterable[Reply]) -> Mapping[str, float]:
    """Hours of requests by item id, for a size by budget (see `quotas.size_for_budget`); items whose
    replies have no time are not in it."""
    hours: dict[str, float] = {}
    for reply in replies:
        if reply.latency_s is not None:
            hours[reply.item_id] = hours.get(reply.item_id, 0.0) + reply.latency_s / 3600
    return hours


def _characters(item: Item) -> int:
    said = sum(len(part.text) for part in item.parts if isinstance(part, Text))
    return said + sum(len(text) for text in (item.answer.choices or {}).values())


def _add(sums: npt.NDArray[np.float64], at: int, value: float | None) -> None:
    if value is not None:
        sums[at] = np.nan_to_num(sums[at]) + value


def _amount(values: npt.ArrayLike, kept: Ints) -> Amount:
    array = np.asarray(values, dtype=np.float64)
    return Amount(float(array.sum()), float(array[kept].sum()))


def _known(values: npt.NDArray[np.float64], kept: Ints) -> Amount | None:
    return None if np.isnan(values).all() else _amount(np.nan_to_num(values), kept)
