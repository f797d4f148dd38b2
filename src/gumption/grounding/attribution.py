"""Sharing a failure out between stages: minimal sufficient subsets, and the Shapley value (Shapley 1953)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import factorial
from typing import TypeVar

__all__ = ["minimal", "shapley", "subsets"]

Player = TypeVar("Player", bound=str)


def subsets(players: Sequence[Player]) -> tuple[frozenset[Player], ...]:
    """All subsets, the smaller ones first."""
    return tuple(
        frozenset(chosen) for size in range(len(players) + 1) for chosen in combinations(players, size)
    )


def minimal(given: Iterable[frozenset[Player]]) -> tuple[frozenset[Player], ...]:
    """Those that contain no other one, in the order given."""
    known = list(dict.fromkeys(given))
    return tuple(one for one in known if not any(other < one for other in known))


def shapley(worth: Mapping[frozenset[Player], float], players: Sequence[Player]) -> dict[Player, float]:
    """The Shapley value of each player: its mean gain over all orders in which the players can come in.

    worth: of every subset of the players. The values sum to worth(all) - worth(none).
    """
    count = len(players)
    values = {}
    for player in players:
        value = 0.0
        for subset in subsets([other for other in players if other != player]):
            size = len(subset)
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            value += weight * (worth[subset | {player}] - worth[subset])
        values[player] = value
    return values
