"""What belongs together in a room: faucets and basins, knobs and burners, and where one stands for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from gumption.planning.worlds.household.facts import BASINS
from gumption.planning.worlds.scenes import Point, SceneObject

__all__ = ["Links", "link"]


class Links(Struct, frozen=True):
    """All by objectId."""

    sink: dict[str, str]
    """Of a basin, the sink or bathtub that it is part of."""
    water: dict[str, str]
    """Of a faucet, the basin that it runs into, or the sink that has no basin."""
    faucets: dict[str, tuple[str, ...]]
    """Of a basin and of its sink, the faucets that run into it."""
    burners: dict[str, tuple[str, ...]]
    """Of a knob, the burners that it switches."""
    controller: dict[str, str]
    """What switches a thing that has no switch of its own: the knob of a burner, the faucet of a basin."""
    station: dict[str, str]
    """Where one stands for a thing that is part of another; other furniture stands for itself."""


def link(objects: Iterable[SceneObject]) -> Links:
    """Find out what belongs together. `Faucet.controlledObjects` is empty in AI2-THOR's metadata, so a faucet
    runs into the basin nearest to it, as ALFRED takes it."""
    by_id = {one.object_id: one for one in objects}
    sink = _sinks(by_id)
    outlets = sorted(
        one.object_id
        for one in by_id.values()
        if one.object_type in BASINS
        or (one.object_type in BASINS.values() and one.object_id not in sink.values())
    )
    water = {
        one.object_id: min(outlets, key=lambda outlet: _distance(one, by_id[outlet]))
        for one in by_id.values()
        if one.object_type == "Faucet" and outlets
    }
    faucets: dict[str, tuple[str, ...]] = {}
    for faucet, basin in sorted(water.items()):
        for outlet in (basin, sink.get(basin, "")):
            if outlet:
                faucets[outlet] = (*faucets.get(outlet, ()), faucet)
    burners = {
        one.object_id: tuple(name for name in one.controlled_objects or () if name in by_id)
        for one in by_id.values()
        if one.controlled_objects
    }
    controller = {burner: knob for knob, switched in sorted(burners.items()) for burner in switched}
    controller |= {outlet: found[0] for outlet, found in faucets.items()}
    return Links(sink, water, faucets, burners, controller, _stations(sink, water, burners))


def _sinks(by_id: Mapping[str, SceneObject]) -> dict[str, str]:
    """A basin's id is its sink's with one more segment."""
    found = {}
    for one in by_id.values():
        whole = one.object_id.rpartition("|")[0]
        if one.object_type in BASINS and whole in by_id:
            found[one.object_id] = whole
    return found


def _stations(
    sink: Mapping[str, str], water: Mapping[str, str], burners: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    found = dict(sink)
    found |= {faucet: sink.get(basin, basin) for faucet, basin in water.items()}
    stove = min(burners, default="")
    for knob, switched in burners.items():
        found |= dict.fromkeys((knob, *switched), stove)
    return found


def _distance(one: SceneObject, other: SceneObject) -> float:
    here, there = _middle(one), _middle(other)
    return (here.x - there.x) ** 2 + (here.y - there.y) ** 2 + (here.z - there.z) ** 2


def _middle(one: SceneObject) -> Point:
    box = one.axis_aligned_bounding_box
    return box.center if box else one.position
