"""What is true of kinds of objects: what goes where, what has to be open, what is cut into what.

The tables are facts of AI2-THOR's `SimObjType.cs` (allenai/ai2thor). How many pieces a thing is cut into is
our own number. That slices of bread and potato and a cracked egg can be cooked is from AI2-THOR's
documentation of object types.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import msgspec

from gumption.planning.worlds.scenes import SceneObject

__all__ = ["BASINS", "COOKABLE_SLICES", "ENCLOSING", "KNIVES", "PIECES", "PLACEMENT", "SLICES", "pieces"]


class _Facts(msgspec.Struct, frozen=True):
    must_be_open: frozenset[str]
    slices: dict[str, str]
    pieces: dict[str, int]
    cookable_slices: frozenset[str]
    knives: frozenset[str]
    placement: dict[str, str]


_FACTS = msgspec.json.decode(files(__package__).joinpath("facts.json").read_bytes(), type=_Facts)

ENCLOSING = _FACTS.must_be_open | {"Safe"}
"""Receptacles that shut their contents in. AI2-THOR lists all but the safe as those that have to be open
for something to be put in; a closed safe would hide its contents all the same."""
SLICES: Mapping[str, str] = _FACTS.slices
"""What a thing is cut into."""
PIECES: Mapping[str, int] = _FACTS.pieces
"""Into how many."""
COOKABLE_SLICES = _FACTS.cookable_slices
KNIVES = _FACTS.knives
"""What cuts: as ALFRED has it."""
PLACEMENT: Mapping[str, frozenset[str]] = {
    kind: frozenset(places.split()) for kind, places in _FACTS.placement.items()
}
"""Carried type to the types of receptacles it goes into. A type without a row goes nowhere."""
BASINS = {"SinkBasin": "Sink", "BathtubBasin": "Bathtub"}
"""The basin that holds things, and what it is part of."""


def pieces(whole: SceneObject) -> tuple[SceneObject, ...]:
    """What a thing is cut into. The ids are the whole's with one more segment, type and number."""
    kind = SLICES.get(whole.object_type, "")
    return tuple(
        SceneObject(
            f"{whole.object_id}|{kind}_{number}",
            kind,
            position=whole.position,
            pickupable=True,
            cookable=kind in COOKABLE_SLICES,
        )
        for number in range(PIECES.get(kind, 0))
    )
