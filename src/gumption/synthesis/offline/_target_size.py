"""What the coordinates of a target run to: the size that points on another scale are brought to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gumption.synthesis._profile import Column
from gumption.synthesis.recipes._cells import listed, text_of
from gumption.synthesis.spec import Gold

__all__ = ["size_of"]

_SIZE = re.compile(r"size|canvas|resolution|shape|dims?|dimensions?")


def size_of(
    gold: Gold,
    scale: tuple[float, float] | None,
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column],
    told: Mapping[str, str],
) -> dict[str, Any]:
    """What the target's coordinates run to, where points are written on another scale."""
    if scale is None or gold.form == "mask":
        return {}
    highest = max(_highest(row.get(gold.column)) for row in rows) if gold.column[0] != "@" else 2.0
    note = told.get(gold.column, "").lower()
    if (
        re.search(
            r"\bsame (?:scale|unit|convention|coordinates|range)|\bnormali[sz]ed\b|\b0 ?(?:to|-|\u2013) ?1",
            note,
        )
        and not re.search(r"\bpixels?\b|\bpx\b", note)
    ) or highest <= 1:
        side = 1.0 if highest <= 1 else scale[0]
        return {"size": (side, side)}
    sides = _sides([one.name for one in columns if one.holds in ("integer", "number")])
    if sides:
        return {"size": sides}
    for one in columns:
        first = listed(rows[0].get(one.name))
        if _SIZE.search(one.name.lower()) and isinstance(first, list) and len(first) == 2:
            return {"size": one.name}
    return {"size": "picture"}


def _sides(names: Sequence[str]) -> tuple[str, str] | None:
    """The columns with the picture's width and height, which are named alike."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        match = re.fullmatch(r"(.*?)_?(w|h|width|height)", name.lower())
        if match:
            found.setdefault(match[1], {})[match[2][0]] = name
    return next(((one["w"], one["h"]) for one in found.values() if len(one) == 2), None)


def _highest(cell: Any) -> float:
    """The largest number that is written in a cell."""
    return max((float(one) for one in re.findall(r"\d+(?:\.\d+)?", text_of(cell))), default=0.0)
