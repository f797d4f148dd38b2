"""The actions of a household: what each needs, when it is redundant, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gumption.planning.worlds.household import _effects as do
from gumption.planning.worlds.household import needs
from gumption.planning.worlds.household._cast import Cast
from gumption.planning.worlds.household.facts import KNIVES
from gumption.planning.worlds.household.needs import Need
from gumption.planning.worlds.world import Thing

if TYPE_CHECKING:
    from gumption.planning.worlds.household.household import Household

__all__ = ["RULES", "Rule", "cast"]


class Rule:
    """An action: what it needs, in the order it is tested, those about the kind of thing first."""

    def __init__(
        self,
        needs: tuple[Need, ...],
        effect: Callable[[Cast], None],
        already: Callable[[Cast], bool] | None = None,
    ) -> None:
        self.needs = needs
        self.tests = tuple(need.holds for need in needs)
        self.effect = effect
        self.already = already
        """Whether what the step wants already holds, so that it is redundant."""


_HANDS = (needs.WHOLE, needs.IN_SIGHT, needs.NEAR)
"""What every touch needs."""

RULES: dict[str, Rule] = {
    "find": Rule((), do.nothing),
    "navigate": Rule((), do.navigate),
    "pick": Rule(
        (needs.PICKUPABLE, needs.UNBROKEN, *_HANDS, needs.HAND_EMPTY),
        do.pick,
        lambda step: step.world.held == step.thing.id,
    ),
    "place": Rule(
        (
            needs.RECEPTACLE,
            needs.GOES_THERE,
            needs.WHOLE,
            needs.HOLDING,
            needs.NOT_IN_ITSELF,
            needs.TARGET_UNBROKEN,
            needs.TARGET_IN_SIGHT,
            needs.NEAR_TARGET,
            needs.TARGET_OPEN,
            needs.ROOM,
        ),
        do.place,
        lambda step: step.world.held != step.thing.id and step.target.id in step.thing.parents,
    ),
    "drop": Rule((needs.PICKUPABLE, needs.WHOLE, needs.HOLDING), do.drop),
    "throw": Rule((needs.PICKUPABLE, needs.WHOLE, needs.HOLDING), do.throw),
    "open": Rule(
        (needs.OPENABLE, needs.UNBROKEN, *_HANDS, needs.OFF_TO_OPEN),
        do.open_up,
        lambda step: step.thing.open,
    ),
    "close": Rule(
        (needs.OPENABLE, needs.UNBROKEN, *_HANDS),
        do.close,
        lambda step: not step.thing.open,
    ),
    "turn_on": Rule(
        (needs.TOGGLEABLE, needs.UNBROKEN, *_HANDS, needs.CLOSED_TO_GO_ON),
        do.turn_on,
        lambda step: step.thing.on,
    ),
    "turn_off": Rule(
        (needs.TOGGLEABLE, needs.UNBROKEN, *_HANDS),
        do.turn_off,
        lambda step: not step.thing.on,
    ),
    "wash": Rule(
        (needs.UNBROKEN, *_HANDS, needs.IN_BASIN, needs.WATER_ON),
        do.wash,
        lambda step: step.thing.washed and not step.thing.dirty,
    ),
    "cut": Rule(
        (needs.SLICEABLE, needs.UNBROKEN, needs.IN_SIGHT, needs.NEAR, needs.NOT_HELD, needs.KNIFE),
        do.cut,
        lambda step: step.thing.sliced,
    ),
    "break": Rule((needs.BREAKABLE, *_HANDS, needs.NOT_HELD), do.smash, lambda step: step.thing.broken),
    "fill": Rule(
        (needs.FILLABLE, needs.UNBROKEN, *_HANDS, needs.IN_BASIN, needs.WATER_ON),
        do.fill,
        lambda step: step.thing.poured and step.thing.liquid != "",
    ),
    "fill_from": Rule(
        (needs.FILLABLE, needs.UNBROKEN, *_HANDS, needs.SOURCE_HELD, needs.SOURCE_FILLED),
        do.fill,
        lambda step: step.thing.poured and step.thing.liquid != "",
    ),
    "empty": Rule((needs.FILLABLE, *_HANDS, needs.FILLED), do.empty),
}


def cast(world: Household, verb: str, thing: Thing, target: Thing | None) -> tuple[str, Cast]:
    """Settle the action and the parts, by the types of the objects and not by their order."""
    match verb:
        case "turn_on" | "turn_off" | "toggle":
            if not world.about[thing.id].toggleable:
                thing = world.objects().get(world.links.controller.get(thing.id, ""), thing)
            if verb == "toggle":
                verb = "turn_off" if thing.on else "turn_on"
        case "cut" if target is not None and thing.type in KNIVES:
            thing, target = target, thing
        case "pour":
            return _pouring(world, thing, target)
    return verb, Cast(world, thing, thing if target is None else target)


def _pouring(world: Household, thing: Thing, target: Thing | None) -> tuple[str, Cast]:
    """(water, container), (container, water), (container), (full one, container), or out into a basin."""
    if target is None or target.type == "Faucet":
        return "fill", Cast(world, thing, thing)
    if thing.type == "Faucet" or thing.id in world.links.faucets:
        return "fill", Cast(world, target, target)
    if world.about[target.id].can_fill_with_liquid:
        return "fill_from", Cast(world, target, thing)
    return "empty", Cast(world, thing, thing)
