"""Levenshtein's distance of two texts, by bits: a row of the table is two whole numbers (Hyyrö 2003)."""

from __future__ import annotations

from gumption.records import GumptionError

__all__ = ["edit_distance", "likeness"]

_LONGEST = 50_000
"""Characters on which two texts may differ."""


def edit_distance(one: str, other: str) -> int:
    """The fewest characters to insert, delete or replace. Raises GumptionError for texts too long."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    first, second = one[start : len(one) - end], other[start : len(other) - end]
    if not first or not second:
        return len(first) + len(second)
    if max(len(first), len(second)) > _LONGEST:
        raise GumptionError(
            f"two texts differ in more than {_LONGEST:,} characters",
            where="fidelity",
            remedy="compare shorter ones",
        )
    return _between(first, second)


def likeness(one: str, other: str) -> float:
    """1 - distance / length of the longer, 1 for two empty
    texts."""
    longest = max(len(one), len(other))
    return 1.0 - edit_distance(one, other) / longest if longest else 1.0


def _between(first: str, second: str) -> int:
    places: dict[str, int] = {}
    for at, sign in enumerate(first):
        places[sign] = places.get(sign, 0) | (1 << at)
    full, top = (1 << len(first)) - 1, 1 << (len(first) - 1)
    more, less, distance = full, 0, len(first)
    for sign in second:
        match = places.get(sign, 0)
        diagonal = (((match & more) + more) ^ more) | match | less
        up = less | (~(diagonal | more) & full)
        down = more & diagonal
        distance += bool(up & top) - bool(down & top)
        up = ((up << 1) | 1) & full
        more = (((down << 1) & full) | (~(diagonal | up) & full)) & full
        less = up & diagonal
    return distance
