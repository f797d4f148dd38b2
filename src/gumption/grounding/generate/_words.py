"""Names of things, and lists in English."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["COLOUR_NAMES", "listed"]

COLOUR_NAMES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "grey", "black")
"""Colours that a person tells apart in every picture."""


def listed(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b, and c"."""
    if len(parts) < 3:
        return " and ".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"
