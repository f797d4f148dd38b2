"""What steps do, and what comes about by it: water, heat and cold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gumption.planning.worlds.household._cast import Cast
from gumption.planning.worlds.household.facts import SLICES, pieces
from gumption.planning.worlds.world import Thing

if TYPE_CHECKING:
    from gumption.planning.worlds.household.household import Household

__all__ = ["pieces"]


def nothing(step: Cast) -> None:
    """To look for a thing binds a word and changes no state."""


def navigate(step: Cast) -> None:
    step.world.put(step.world.agent, "at", step.world.station(step.thing))


def pick(step: Cast) -> None:
    world, thing, _ = step
    if world.held:
        # Only when forced: the hand puts down what it holds where it takes the new thing from.
        away = world.held in world.containers(thing) or world.shut_in(thing)
        world.put(world.objects()[world.held], "parents", world.floor if away else thing.parents)
    world.put(thing, "parents", ())
    world.put(world.agent, "held", thing.id)


def place(step: Cast) -> None:
    world, thing, target = step
    world.put(thing, "parents", (target.id,))
    if world.held == thing.id:
        world.put(world.agent, "held", "")
    things = world.objects()
    if any(things[faucet].on for faucet in world.links.faucets.get(target.id, ())):
        _run_over(world, thing)
    elif target.on and target.type == "StoveBurner":
        for one in (thing, *world.contents(thing.id)):
            _heat(world, one)


def drop(step: Cast) -> None:
    world, thing, _ = step
    if world.held == thing.id:
        world.put(world.agent, "held", "")
    world.put(thing, "parents", world.floor)


def throw(step: Cast) -> None:
    drop(step)
    if step.world.about[step.thing.id].breakable:
        smash(step)


def open_up(step: Cast) -> None:
    step.world.put(step.thing, "open", True)


def close(step: Cast) -> None:
    world, thing, _ = step
    world.put(thing, "open", False)
    if thing.type == "Fridge":
        for one in world.contents(thing.id):
            world.put(one, "cooled", True)
            world.put(one, "temperature", "Cold")


def turn_on(step: Cast) -> None:
    world, thing, _ = step
    world.put(thing, "on", True)
    match thing.type:
        case "Faucet":
            for one in world.contents(_outlet(world, thing)):
                if world.about[one.id].pickupable:
                    _run_over(world, one)
                    world.put(one, "cleaned", True)
        case "Microwave":
            for one in world.contents(thing.id):
                _heat(world, one)
                world.put(one, "heated", True)
        case "StoveKnob":
            for burner in world.links.burners.get(thing.id, ()):
                world.put(world.objects()[burner], "on", True)
                for one in world.contents(burner):
                    _heat(world, one)
        case "Toaster":
            for one in world.contents(thing.id):
                _heat(world, one)
        case "CoffeeMachine":
            for one in world.contents(thing.id):
                if world.about[one.id].can_fill_with_liquid and not one.liquid:
                    world.put(one, "liquid", "coffee")
                    world.put(one, "temperature", "Hot")


def turn_off(step: Cast) -> None:
    world, thing, _ = step
    world.put(thing, "on", False)
    for burner in world.links.burners.get(thing.id, ()):
        world.put(world.objects()[burner], "on", False)


def wash(step: Cast) -> None:
    world, thing, _ = step
    world.put(thing, "dirty", False)
    world.put(thing, "cleaned", True)
    world.put(thing, "washed", True)


def cut(step: Cast) -> None:
    """The whole is no longer in any place; its slices lie where it lay and are as cooked, clean and cold."""
    world, whole, _ = step
    if world.held == whole.id:
        world.put(world.agent, "held", "")
    for piece in pieces(world.about[whole.id]):
        slice_ = Thing(
            piece.object_id,
            piece.object_type,
            parents=whole.parents or world.floor,
            cooked=whole.cooked,
            temperature=whole.temperature,
            cleaned=whole.cleaned,
            heated=whole.heated,
            cooled=whole.cooled,
            washed=whole.washed,
        )
        world.add(slice_)
    world.put(whole, "parents", ())
    world.put(whole, "sliced", True)


def smash(step: Cast) -> None:
    """What was in a broken thing lies where that was; a broken egg is a cracked one."""
    world, thing, _ = step
    if thing.type in SLICES:
        cut(step)
        return
    for one in world.objects().values():
        if thing.id in one.parents:
            world.put(one, "parents", thing.parents or world.floor)
    world.put(thing, "broken", True)
    world.put(thing, "on", False)
    world.put(thing, "liquid", "")


def fill(step: Cast) -> None:
    """From the tap where the object itself stands for the target, else out of the target."""
    world, thing, source = step
    world.put(thing, "liquid", (thing if source is thing else source).liquid or "water")
    if source is not thing:
        world.put(source, "liquid", "")
    world.put(thing, "poured", True)


def empty(step: Cast) -> None:
    step.world.put(step.thing, "liquid", "")
    step.world.put(step.thing, "poured", False)


def _outlet(world: Household, faucet: Thing) -> str:
    """The sink where there is one: it holds what is in its basin too."""
    basin = world.links.water.get(faucet.id, "")
    return world.links.sink.get(basin, basin)


def _run_over(world: Household, thing: Thing) -> None:
    about = world.about[thing.id]
    if about.dirtyable:
        world.put(thing, "dirty", False)
    if about.can_fill_with_liquid and not thing.liquid:
        world.put(thing, "liquid", "water")
    if thing.type == "Candle":
        world.put(thing, "on", False)


def _heat(world: Household, thing: Thing) -> None:
    world.put(thing, "temperature", "Hot")
    if world.about[thing.id].cookable:
        world.put(thing, "cooked", True)
