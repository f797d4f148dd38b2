"""Which solved instances are shown before a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["Candidate", "choose"]


@dataclass(frozen=True)
class Candidate:
    """An instance that may be shown, by the picture that would give an answer away."""

    name: str
    picture: str
    """Where the picture is, for instance its path."""
    sha256: str
    """Of the picture's bytes."""


def choose(target: Candidate, pool: Sequence[Candidate], shots: int, seed: int = 0) -> list[Candidate]:
    """At most `shots` of the pool in an order of their own, drawn by seed and the target's name.

    Neither the target's picture is among them, by its path or, under whatever name, by its bytes, nor the
    target itself, nor one picture twice. The order of the pool does not matter.
    """
    drawn: list[Candidate] = []
    shown = {target.sha256}
    candidates = sorted(pool, key=lambda one: one.name)
    Random(f"{seed}/{target.name}").shuffle(candidates)
    for one in candidates:
        if len(drawn) == shots:
            break
        if one.name != target.name and one.picture != target.picture and one.sha256 not in shown:
            drawn.append(one)
            shown.add(one.sha256)
    return drawn
