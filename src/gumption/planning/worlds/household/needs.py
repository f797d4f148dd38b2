"""What steps need: each a test with a code of its own, from which an error's kind and sentence follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gumption.planning.worlds.household._cast import Cast
from gumption.planning.worlds.household.facts import BASINS, ENCLOSING, KNIVES, PLACEMENT
from gumption.planning.worlds.world import Thing

__all__ = ["LASTING", "Need", "basin_of"]

LASTING = frozenset({"cut_up", "broken", "inside_itself", "no_room"})
"""Needs that no step could have met in time: forcing a step does not pass over them."""


class Need(NamedTuple):
    """A precondition."""

    code: str
    says: str
    """What is wrong where it does not hold; {thing}, {target}, {held} and {inside} are filled in."""
    holds: Callable[[Cast], bool]
    static: bool = False


def _has(flag: str, says: str, *, of_target: bool = False) -> Need:
    def holds(step: Cast) -> bool:
        return bool(getattr(step.world.about[(step.target if of_target else step.thing).id], flag))

    return Need(f"not_{flag}", says, holds, static=True)


PICKUPABLE = _has("pickupable", "{thing} cannot be picked up")
OPENABLE = _has("openable", "{thing} does not open or close")
TOGGLEABLE = _has("toggleable", "{thing} has no switch")
SLICEABLE = _has("sliceable", "{thing} cannot be cut")
BREAKABLE = _has("breakable", "{thing} does not break")
FILLABLE = _has("can_fill_with_liquid", "{thing} cannot be filled")


def _takes_things(step: Cast) -> bool:
    return step.world.about[step.target.id].receptacle


RECEPTACLE = Need("not_receptacle", "nothing goes into {target}{basin}", _takes_things, static=True)


def _goes(step: Cast) -> bool:
    return step.target.type in PLACEMENT.get(step.thing.type, ())


GOES_THERE = Need("does_not_go", "{thing} does not go into {target}", _goes, static=True)
WHOLE = Need("cut_up", "{thing} has been cut up", lambda step: not step.thing.sliced)
UNBROKEN = Need("broken", "{thing} is broken", lambda step: not step.thing.broken)
TARGET_UNBROKEN = Need("broken", "{target} is broken", lambda step: not step.target.broken)


def _in_sight(step: Cast) -> bool:
    return not step.world.options.require_visible or not step.world.shut_in(step.thing)


def _target_in_sight(step: Cast) -> bool:
    return not step.world.options.require_visible or not step.world.shut_in(step.target)


IN_SIGHT = Need("inside_closed", "{thing} is inside {inside}, which is closed", _in_sight)
TARGET_IN_SIGHT = Need("inside_closed", "{target} is inside {inside}, which is closed", _target_in_sight)


def _near(step: Cast) -> bool:
    return not step.world.options.require_navigate or step.world.at(step.thing)


def _near_target(step: Cast) -> bool:
    return not step.world.options.require_navigate or step.world.at(step.target)


NEAR = Need("not_at", "the agent is not at {thing}", _near)
NEAR_TARGET = Need("not_at", "the agent is not at {target}", _near_target)
HAND_EMPTY = Need("hand_full", "the hand holds {held}", lambda step: not step.world.held)
HOLDING = Need("not_held", "{thing} is not in the hand", lambda step: step.world.held == step.thing.id)
SOURCE_HELD = Need("not_held", "{target} is not in the hand", lambda step: step.world.held == step.target.id)
NOT_HELD = Need("in_hand", "{thing} is in the hand", lambda step: step.world.held != step.thing.id)


def _open(step: Cast) -> bool:
    return (
        step.target.open or step.target.type not in ENCLOSING or not step.world.about[step.target.id].openable
    )


TARGET_OPEN = Need("closed", "{target} is closed", _open)
OFF_TO_OPEN = Need(
    "is_on", "{thing} is on", lambda step: not (step.thing.on and step.thing.type == "Microwave")
)
CLOSED_TO_GO_ON = Need(
    "is_open", "{thing} is open", lambda step: not (step.thing.open and step.thing.type == "Microwave")
)


def _room(step: Cast) -> bool:
    most = step.world.options.capacity.get(step.target.type)
    return (
        most is None or sum(step.target.id in other.parents for other in step.world.objects().values()) < most
    )


ROOM = Need("no_room", "{target} is full", _room)


def _outside(step: Cast) -> bool:
    return step.thing is not step.target and step.thing.id not in step.world.containers(step.target)


NOT_IN_ITSELF = Need("inside_itself", "{target} is inside {thing}", _outside)


def _knife(step: Cast) -> bool:
    held = step.world.held
    return not step.world.options.strict_knife or (held != "" and step.world.objects()[held].type in KNIVES)


KNIFE = Need("no_knife", "no knife is in the hand", _knife)


def _in_basin(step: Cast) -> bool:
    return any(name in step.world.links.faucets for name in step.world.containers(step.thing))


def _water(step: Cast) -> bool:
    things = step.world.objects()
    return any(
        things[faucet].on
        for name in step.world.containers(step.thing)
        for faucet in step.world.links.faucets.get(name, ())
    )


IN_BASIN = Need("not_in_basin", "{thing} is not in a basin under a faucet", _in_basin)
WATER_ON = Need("water_off", "no water runs over {thing}", _water)
FILLED = Need("empty", "{thing} is empty", lambda step: step.thing.liquid != "")
SOURCE_FILLED = Need("empty", "{target} is empty", lambda step: step.target.liquid != "")


def basin_of(target: Thing) -> str:
    """Where things go that were to go into a sink: the advice at the end of a sentence."""
    for basin, whole in BASINS.items():
        if target.type == whole:
            return f"; they go into its {basin}"
    return ""
