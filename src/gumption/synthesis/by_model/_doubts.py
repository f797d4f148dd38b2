"""Doubts as a model writes them."""

from __future__ import annotations

from collections.abc import Sequence

from gumption.running.prompting import cut

__all__ = ["doubts_of"]

_MOST = 12
_CHARACTERS = 300


def doubts_of(said: Sequence[str]) -> tuple[str, ...]:
    """A few, each a line."""
    return tuple(cut(" ".join(one.split()), _CHARACTERS) for one in said[:_MOST] if one.strip())
