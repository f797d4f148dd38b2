"""What of a room can be seen now: as a scene, for pictures and for resolution, and in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.facts import ENCLOSING
from gumption.planning.worlds.scenes import Point, Scene, SceneObject
from gumption.planning.worlds.world import Thing

__all__ = ["described", "labels", "present", "relabelled", "seen"]

_ID = re.compile(r"[A-Za-z]+\|[-+0-9.|A-Za-z_]*[0-9A-Za-z]")
_UNTOLD = frozenset({"Floor", "Window", "Painting", "Poster", "Mirror", "StoveKnob"})
"""Fixtures that nothing can be done with, and knobs: a burner is switched by its name."""


def labels(objects: Iterable[SceneObject]) -> dict[str, str]:
    """A short name for each objectId: its type, with a number where there are several, by order of ids.

    A plan that says "Cabinet 2" is resolved to the one that is called so here.
    """
    kinds: dict[str, list[str]] = {}
    for one in sorted(objects, key=lambda one: one.object_id):
        kinds.setdefault(one.object_type, []).append(one.object_id)
    return {
        name: f"{kind} {number}" if len(ids) > 1 else kind
        for kind, ids in kinds.items()
        for number, name in enumerate(ids, 1)
    }


def relabelled(text: str, names: Mapping[str, str]) -> str:
    """The text with short names in place of objectIds."""
    return _ID.sub(lambda found: names.get(found[0], found[0].split("|")[0]), text)


def present(world: Household) -> Scene:
    """The room as it is now. What was moved is where its receptacle is; where on that, nobody knows."""
    things = world.objects()
    return Scene(world.name, tuple([_now(world, thing) for thing in things.values() if not thing.sliced]))


def seen(world: Household) -> Scene:
    """The room as it is now, without what is in closed containers."""
    things = world.objects()
    kept = (one for one in present(world).objects if not world.shut_in(things[one.object_id]))
    return Scene(world.name, tuple(kept))


def _now(world: Household, thing: Thing) -> SceneObject:
    about = world.about[thing.id]
    start = world.beginning().get(thing.id)
    position, box = about.position, about.axis_aligned_bounding_box
    if thing.parents and (start is None or thing.parents != start.parents):
        other = world.about[thing.parents[0]]
        around = other.axis_aligned_bounding_box
        middle = around.center if around else other.position
        position = Point(middle.x, middle.y + (around.size.y / 2 if around else 0.0), middle.z)
        box = replace(box, center=position) if box else None
    return replace(
        about,
        position=position,
        axis_aligned_bounding_box=box,
        parent_receptacles=thing.parents if about.pickupable else about.parent_receptacles,
        is_open=thing.open,
        is_toggled=thing.on,
        is_dirty=thing.dirty,
        is_broken=thing.broken,
        is_cooked=thing.cooked,
        is_filled_with_liquid=thing.liquid != "",
        fill_liquid=thing.liquid or None,
        temperature=thing.temperature,
    )


def described(world: Household, *, contents: bool = True) -> str:
    """The room in words, a line for each piece of furniture.

    contents: whether the lines say what is in or on each thing, as far as it is in sight; without, they only
    name what there is, so that a plan can call it by its name.
    """
    names = labels(present(world).objects)
    things = world.objects()
    carried: dict[str, list[Thing]] = {}
    for thing in things.values():
        if thing.parents and not thing.sliced and world.about[thing.id].pickupable:
            carried.setdefault(thing.parents[0], []).append(thing)
    lines = []
    for one in sorted(world.scene.objects, key=lambda one: names.get(one.object_id, "")):
        thing = things[one.object_id]
        if one.pickupable or (one.object_type in _UNTOLD and not (contents and one.object_id in carried)):
            continue
        words = _state(world, thing)
        if contents and not (thing.type in ENCLOSING and one.openable and not thing.open):
            held = [_with_contents(world, names, inner, carried) for inner in carried.get(one.object_id, ())]
            words += [f"holds {', '.join(sorted(held))}"] if held else []
        lines.append(f"{names[one.object_id]}{': ' if words else ''}{'; '.join(words)}")
    loose = [
        names[thing.id]
        for thing in things.values()
        if not thing.parents
        and not thing.sliced
        and thing.id != world.held
        and world.about[thing.id].pickupable
    ]
    if contents and loose:
        lines.append(f"lying about: {', '.join(sorted(loose))}")
    return "\n".join(lines)


def _with_contents(
    world: Household, names: Mapping[str, str], thing: Thing, carried: Mapping[str, list[Thing]]
) -> str:
    state = _state(world, thing)
    shut = thing.type in ENCLOSING and world.about[thing.id].openable and not thing.open
    inner = [] if shut else [_with_contents(world, names, one, carried) for one in carried.get(thing.id, ())]
    words = [*state, *([f"holds {' and '.join(sorted(inner))}"] if inner else [])]
    return f"{names[thing.id]} ({', '.join(words)})" if words else names[thing.id]


def _state(world: Household, thing: Thing) -> list[str]:
    about = world.about[thing.id]
    words = []
    if about.openable:
        words.append("open" if thing.open else "closed")
    if about.toggleable:
        words.append("on" if thing.on else "off")
    words += [
        word
        for word, holds in (
            ("dirty", thing.dirty),
            ("washed", thing.cleaned),
            ("hot", thing.temperature == "Hot"),
            ("cold", thing.temperature == "Cold"),
            ("cooked", thing.cooked),
            ("broken", thing.broken),
            (f"full of {thing.liquid}", thing.liquid != ""),
        )
        if holds
    ]
    return words
