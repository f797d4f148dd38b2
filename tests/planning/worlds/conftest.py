"""A kitchen and a bathroom of our own, and short ways to say what is done in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gumption.planning.worlds.household import Household, Options
from gumption.planning.worlds.scenes import load_scene
from gumption.planning.worlds.world import Action, Outcome

Do = Callable[..., Outcome]


def find(world: Household, words: str) -> str:
    """The objectId of "Tomato", or of "Cabinet 2", the second by id; "" for ""."""
    kind, _, number = words.partition(" ")
    found = sorted(name for name, thing in world.objects().items() if thing.type == kind)
    return found[int(number or 1) - 1] if words else ""


@pytest.fixture
def kitchen() -> Household:
    return Household(load_scene("kitchen"))


@pytest.fixture
def bathroom() -> Household:
    return Household(load_scene("bathroom"))


@pytest.fixture
def a_kitchen() -> Callable[..., Household]:
    """A kitchen with options."""
    return lambda **options: Household(load_scene("kitchen"), Options(**options))


@pytest.fixture
def do() -> Do:
    """do(world, "place", "Tomato", "SinkBasin"): one step with objects named by type."""

    def step(world: Household, verb: str, thing: str = "", target: str = "") -> Outcome:
        return world.step(Action(verb, find(world, thing), find(world, target)))

    return step


@pytest.fixture
def done(do: Do) -> Callable[..., None]:
    """done(world, "pick Tomato", "place Tomato > SinkBasin"): steps that have to succeed."""

    def all_of(world: Household, *steps: str) -> None:
        for words in steps:
            verb, _, rest = words.partition(" ")
            thing, _, target = rest.partition(" > ")
            outcome = do(world, verb, thing, target)
            assert outcome.ok, (words, outcome.faults)

    return all_of


@pytest.fixture
def codes(do: Do) -> Callable[..., list[str]]:
    """The codes of what is wrong with a step."""
    return lambda world, *words: [fault.code for fault in do(world, *words).faults]


@pytest.fixture
def see() -> Callable[[Household, str], object]:
    """The object of that type as it is now."""
    return lambda world, words: world.objects()[find(world, words)]
