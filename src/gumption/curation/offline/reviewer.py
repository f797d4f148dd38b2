"""The offline Reviewer: rules over what was counted."""

from __future__ import annotations

from collections.abc import Sequence

from gumption.curation.balance import pairs_of
from gumption.curation.dimensions import OTHER, Dimensions
from gumption.curation.roles import Balance, Change, Past, Review
from gumption.running.talks import Talk

__all__ = ["OfflineReviewer"]

REDUNDANT = 0.7
"""Overlap from which on two dimensions are one."""
CONFUSED, ALIKE = 0.3, 0.55
"""Share of split votes on a pair, and its overlap, that make it one as well."""
UNCOVERED = 0.15
"""Share of Other above which dimensions are missing."""
TINY = 0.02
"""Share of the probe below which a dimension is too small to stand alone."""
HUGE = 0.6
"""Share above which it says too little, where the probe has VARIED benchmarks or more; a pool of one or two
may well ask one thing."""
VARIED = 3
SOURCES = 2
"""Benchmarks that a dimension must draw on in the probe, where it has as many; else it is one of theirs by
another name. In the whole pool it then draws on more."""
KIN = 0.5
"""Overlap from which on a dimension that cannot stand alone is merged with its nearest; else it is dropped,
and its items go where they fit best."""
FEWEST = 50
"""Items below which a probe is too small to speak of shares."""


class OfflineReviewer:
    """Accepts a set in which no two dimensions overlap, little is left over, and none is tiny, huge or the
    property of one benchmark."""

    name = "offline"

    def review(
        self,
        dimensions: Dimensions,
        balance: Balance,
        past: Sequence[Past],  # noqa: ARG002
    ) -> Talk[Review | None]:
        """A judgement by rules; asks nothing."""
        yield from ()
        names = dimensions.names
        same = _redundant(names, balance)
        small = _small(names, balance)
        large = _large(names, balance)
        missing = [Change("add", (), f"{balance.other:.0%} of the probe fit no dimension")]
        if balance.other <= UNCOVERED or not any(balance.counts[name] for name in names):
            missing = []
        changes = _once([*small, *same, *large, *missing])
        highest = next(iter(balance.overlap.items()), None)
        return Review(
            accepted=not changes,
            redundancy=f"Nearest are {highest[0]} at {highest[1]:.2f}." if highest else "",
            coverage=f"{balance.other:.1%} of the probe are Other.",
            balance=f"Evenness {balance.entropy:.2f}; {_range(names, balance)}.",
            changes=changes,
        )


def _redundant(names: Sequence[str], balance: Balance) -> list[Change]:
    found, pairs = [], pairs_of(names)
    for pair, overlap in balance.overlap.items():
        confused = balance.confusion.get(pair, 0.0)
        if overlap >= REDUNDANT or (confused >= CONFUSED and overlap >= ALIKE):
            reason = f"overlap {overlap:.2f}, {confused:.0%} of the split votes"
            found.append(Change("merge", _larger_first(pairs[pair], balance), reason))
    return found


def _small(names: Sequence[str], balance: Balance) -> list[Change]:
    total = sum(balance.counts.values())
    benchmarks = {source for inside in balance.sources.values() for source in inside}
    found, pairs = [], pairs_of(names)
    for name in names:
        count, sources = balance.counts[name], len(balance.sources[name])
        if count and total < FEWEST:
            continue
        if not count:
            found.append(Change("drop", (name,), "no item of the probe falls under it"))
            continue
        if count >= TINY * total and sources >= min(SOURCES, len(benchmarks)):
            continue
        reason = f"{name} has {count} of {total} items, of {sources} benchmarks"
        nearest = next((pair for pair in balance.overlap if name in pairs[pair]), None)
        if nearest is not None and balance.overlap[nearest] >= KIN:
            found.append(Change("merge", _larger_first(pairs[nearest], balance), reason))
        elif len(names) > 1:
            found.append(Change("drop", (name,), reason))
    return found


def _large(names: Sequence[str], balance: Balance) -> list[Change]:
    total = sum(balance.counts.values())
    if len({source for inside in balance.sources.values() for source in inside}) < VARIED:
        return []
    return [
        Change("split", (name,), f"{balance.counts[name]} of {total} items fall under it")
        for name in names
        if total >= FEWEST and balance.counts[name] > HUGE * total
    ]


def _once(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Those about different dimensions: two changes to one at a time would cross."""
    touched: set[str] = set()
    kept = []
    for change in changes:
        if not touched & set(change.dimensions):
            touched |= set(change.dimensions)
            kept.append(change)
    return tuple(kept)


def _larger_first(pair: tuple[str, str], balance: Balance) -> tuple[str, ...]:
    one, other = pair
    return (one, other) if balance.counts[one] >= balance.counts[other] else (other, one)


def _range(names: Sequence[str], balance: Balance) -> str:
    counts = {name: balance.counts[name] for name in names if name != OTHER}
    least, most = min(counts, key=lambda one: counts[one]), max(counts, key=lambda one: counts[one])
    return f"from {counts[least]} items ({least}) to {counts[most]} ({most})"
