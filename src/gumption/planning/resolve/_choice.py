"""Which of several instances is meant: context first, then open before closed, then objectId."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from gumption.planning.resolve._broad import WATERED
from gumption.planning.resolve.affordances import CLOSES, OPENS, PLACES, SWITCHES, TAKES
from gumption.planning.resolve.context import Context
from gumption.planning.resolve.resolution import Query
from gumption.planning.resolve.static import known
from gumption.planning.worlds.household.facts import PLACEMENT
from gumption.planning.worlds.scenes import SceneObject

__all__ = ["CONTEXT_TIES", "apart", "choose"]

_Objects: TypeAlias = Mapping[str, SceneObject]
CONTEXT_TIES = frozenset({"other", "held", "phrase", "opened", "water", "holds", "last used", "adjectives"})
"""What decides by what was said and done before."""


def choose(
    query: Query, pool: Sequence[SceneObject], context: Context, objects: _Objects
) -> tuple[SceneObject | None, str]:
    """The one that is meant and what decided; None where a number is asked for that is not there.

    pool: at least one. objects: all that the room holds, by id.
    """
    left = _own(sorted(pool, key=lambda one: one.object_id))
    if query.parts.number is not None:
        return _numbered(query, _first_type(query, left), context)
    if len(left) == 1:
        return left[0], ""
    rules: tuple[tuple[str, Callable[[], Iterable[SceneObject]]], ...] = (
        ("held", lambda: _held(query, left, context)),
        ("phrase", lambda: _same_phrase(query, left, context)),
        ("other", lambda: [one for one in left if query.parts.other and one.object_id not in context.used]),
        ("place", lambda: _in_place(query, left, context, objects)),
        ("height", lambda: _by_height(query, left)),
        ("opened", lambda: _opened(query, left, context)),
        ("water", lambda: _nearest_water(left, context, objects)),
        ("holds", lambda: _holds_last(query, left, context, objects)),
        ("last used", lambda: _last_used(query, left, context)),
        (
            "adjectives",
            lambda: [x for x in left if not context.contradicts(x.object_id, query.naming.adjectives)],
        ),
        ("takes", lambda: _taking(query, left, context, objects)),
        ("in sight", lambda: [one for one in left if not _shut_in(one, context, objects)]),
        ("type", lambda: _first_type(query, left)),
        ("open", lambda: [one for one in left if one.is_open or one.object_id in context.opened]),
    )
    for rule, narrow in rules:
        fewer = list(narrow())
        if fewer and len(fewer) < len(left):
            left = fewer
            if len(left) == 1:
                return left[0], rule
    return left[0], "object_id"


def _own(pool: list[SceneObject]) -> list[SceneObject]:
    """Without the basins of other things: FloorPlan420 has a SinkBasin in its bathtub."""
    kinds = {one.object_type.removesuffix("Basin") for one in pool}
    return [one for one in pool if one.object_id.split("|")[0] in kinds] or pool


def _numbered(query: Query, pool: list[SceneObject], context: Context) -> tuple[SceneObject | None, str]:
    called = context.called.get(query.parts.key)
    for one in pool:
        if one.object_id == called:
            return one, "phrase"
    place = query.parts.number or 0
    if place == -1:
        return pool[-1], "number"
    return (pool[place - 1], "number") if 0 < place <= len(pool) else (None, "number")


def _held(query: Query, pool: list[SceneObject], context: Context) -> list[SceneObject]:
    asked = (
        query.role == "object"
        and query.verb not in TAKES
        and query.verb not in ("find", "search", "navigate")
    )
    return [one for one in pool if asked and one.object_id == context.held]


def _same_phrase(query: Query, pool: list[SceneObject], context: Context) -> list[SceneObject]:
    """What the phrase was used for, or a part of that: the basin of the sink."""
    called = context.called.get(query.parts.key)
    if called is None:
        return []
    return [one for one in pool if one.object_id == called] or [
        one
        for one in pool
        if one.object_id.startswith(called + "|") or called.startswith(one.object_id + "|")
    ]


def _in_place(
    query: Query, pool: list[SceneObject], context: Context, objects: _Objects
) -> list[SceneObject]:
    """Those in, on or nearest to what the phrase names beside them: "drawer of the desk", "desk drawer"."""
    words = query.parts.beside or query.parts.words[:-1]
    place = next((found for n in range(len(words)) if (found := known(words[n:]))), None)
    if place is None or set(place.types) & set(query.naming.types):
        return []
    around = [one for one in objects.values() if one.object_type in place.types]
    ids = {one.object_id for one in around}
    inside = [one for one in pool if context.parent(one) in ids or ids & set(one.parents)]
    if inside or not around or pool[0].pickupable:
        return inside
    reach = [min(apart(one, other) for other in around) for one in pool]
    return [one for one, far in zip(pool, reach, strict=True) if far <= min(reach)]


def _by_height(query: Query, pool: list[SceneObject]) -> list[SceneObject]:
    if not query.parts.height:
        return []
    best = max(query.parts.height * one.position.y for one in pool)
    return [one for one in pool if query.parts.height * one.position.y == best]


def _opened(query: Query, pool: list[SceneObject], context: Context) -> list[SceneObject]:
    """The last opened one that is still open, to put something in or to close."""
    if query.role != "target" and query.verb not in CLOSES:
        return []
    ids = {one.object_id for one in pool}
    last = next((one for one in reversed(context.opened) if one in ids), None)
    return [one for one in pool if one.object_id == last]


def _nearest_water(pool: list[SceneObject], context: Context, objects: _Objects) -> list[SceneObject]:
    """The faucet of the basin that was last used."""
    if any(one.object_type != "Faucet" for one in pool):
        return []
    used = (objects[one] for one in reversed(context.used) if one in objects)
    basin = next((one for one in used if one.object_type in WATERED), None)
    return [min(pool, key=lambda one: apart(one, basin))] if basin else []


def _holds_last(
    query: Query, pool: list[SceneObject], context: Context, objects: _Objects
) -> list[SceneObject]:
    """The one with the last used thing in or on it: to open, to close or to switch."""
    if query.verb not in OPENS | CLOSES | SWITCHES or not context.used:
        return []
    last = objects.get(next(reversed(context.used)))
    around = set[str]()
    # Not deeper than things can stand in one another; a pan in a box on a shelf is three.
    for _ in range(4):
        parent = context.parent(last) if last else None
        around |= {parent} if parent else set()
        last = objects.get(parent) if parent else None
    return [one for one in pool if one.object_id in around]


def _last_used(query: Query, pool: list[SceneObject], context: Context) -> list[SceneObject]:
    """The one last used, or the knob of that; adjectives that are all other ones mean another."""
    if query.parts.other or query.parts.height or query.parts.beside:
        return []
    for thing in reversed(context.used):
        if context.contradicts(thing, query.naming.adjectives):
            continue
        found = [one for one in pool if one.object_id == thing or thing in (one.controlled_objects or ())]
        if found:
            return found
    return []


def _taking(query: Query, pool: list[SceneObject], context: Context, objects: _Objects) -> list[SceneObject]:
    """Those that what is in the hand may be put in or on."""
    held = objects.get(context.held) if context.held else None
    if query.role != "target" or query.verb not in PLACES or held is None:
        return []
    return [one for one in pool if one.object_type in PLACEMENT.get(held.object_type, ())]


def _shut_in(one: SceneObject, context: Context, objects: _Objects) -> bool:
    """Whether it is in something closed, as far as is known."""
    parent = objects.get(context.parent(one) or "")
    return (
        parent is not None
        and parent.openable
        and not parent.is_open
        and parent.object_id not in context.opened
    )


def _first_type(query: Query, pool: list[SceneObject]) -> list[SceneObject]:
    """The type that the phrase names first; to put something in, the basin."""
    order = list(query.naming.types)
    if query.role == "target" and query.verb in PLACES:
        order.sort(key=lambda kind: not kind.endswith("Basin"))
    ranked = [order.index(one.object_type) if one.object_type in order else len(order) for one in pool]
    return [one for one, rank in zip(pool, ranked, strict=True) if rank == min(ranked)]


def apart(one: SceneObject, other: SceneObject) -> float:
    """The distance of two things, in metres."""
    a, b = one.position, other.position
    return math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))
