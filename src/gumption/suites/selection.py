"""Why each item of a compact suite is in it: `selection.jsonl`, an attachment with one line an item."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gumption.records import GumptionError
from gumption.suites.attachments import read_attachment
from gumption.suites.suite import Suite

__all__ = ["SELECTION", "Chosen", "read_selection", "selection_bytes", "sources_of"]

SELECTION = "selection.jsonl"


class Chosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an item is from, and what speaks for it."""

    id: str
    pool: str
    """Checksum of the pool; name and version of each pool are in the suite's provenance."""
    source: str
    """The suite that brought the item into the pool, else its benchmark: see `sources_of`."""
    dimension: str
    votes: dict[str, int] = {}
    """Voters by the dimension they named; empty where nobody voted."""
    margin: float | None = None
    """(votes of the first - votes of the second) / votes, in [0, 1]."""
    adjudicated: bool = False
    """Whether a tie was broken."""
    selector: str = ""
    weight: float = 1.0
    """In the estimate of the pool's score."""


def selection_bytes(chosen: Iterable[Chosen]) -> bytes:
    """The lines, to be attached under the name `SELECTION`."""
    return b"".join(msgspec.json.encode(one) + b"\n" for one in chosen)


def read_selection(path: Path | str) -> list[Chosen]:
    """The lines of a suite's folder. Raises GumptionError as `read_attachment`, and for a damaged line."""
    decoder = msgspec.json.Decoder(Chosen)
    chosen: list[Chosen] = []
    for number, line in enumerate(read_attachment(path, SELECTION).splitlines(), 1):
        try:
            chosen.append(decoder.decode(line))
        except (msgspec.MsgspecError, RecursionError) as error:
            where = f"{Path(path) / SELECTION}, line {number}"
            raise GumptionError(
                f"unreadable: {error}", where=where, remedy="choose the suite again"
            ) from error
    return chosen


def sources_of(pool: Suite) -> tuple[str, ...]:
    """For each item of a pool, the name of the suite that brought it in.

    `add_to_pool` appends, and provenance says how many items each suite added. A pool of any other making
    gives each item's benchmark.
    """
    sources = pool.provenance.get("sources")
    match sources:
        case [*_] if all(isinstance(one, dict) for one in sources):
            counts = [(one.get("name"), one.get("added")) for one in sources]
        case _:
            counts = []
    names = [
        name
        for name, added in counts
        if isinstance(name, str) and isinstance(added, int) and 0 <= added <= len(pool.items)
        for _ in range(added)
    ]
    return tuple(names) if len(names) == len(pool.items) else tuple(item.benchmark for item in pool.items)
