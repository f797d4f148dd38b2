"""What a run's answers cost: tokens and seconds per item, where the replies say it."""

from __future__ import annotations

from typing import Any

from gumption.records import Reply

__all__ = ["Costs"]

_Trial = tuple[str, int]
"""An item and an epoch: one whole episode of calls."""
MEASURES = ("input", "output", "reasoning", "seconds")


class Costs:
    """Adds up the replies of one run.

    An item counts for a measure if every reply of its episode says it, so that calls that fail or do not
    tell make no item look cheap.
    """

    def __init__(self) -> None:
        self._sums: dict[_Trial, list[float | None]] = {}

    def add(self, reply: Reply) -> None:
        trial = (reply.item_id, reply.epoch)
        sums = self._sums.setdefault(trial, [0.0] * len(MEASURES))
        self._sums[trial] = [
            None if total is None or more is None else total + more
            for total, more in zip(sums, _told(reply), strict=True)
        ]

    def row(self) -> dict[str, Any]:
        """`items` asked, and by measure the mean per item, None if unknown, and how many items it is over."""
        row: dict[str, Any] = {"items": len(self._sums)}
        for place, name in enumerate(MEASURES):
            known = [total for sums in self._sums.values() if (total := sums[place]) is not None]
            row[name] = {"mean": round(sum(known) / len(known), 3) if known else None, "n": len(known)}
        return row


def _told(reply: Reply) -> tuple[float | None, ...]:
    usage = reply.usage
    tokens = (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens) if usage else (None,) * 3
    return *tokens, reply.latency_s
