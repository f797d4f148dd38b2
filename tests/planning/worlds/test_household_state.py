"""A household is deterministic, can be copied, written down and gone on from, and stays possible."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gumption.planning.worlds.household import Household, Options, decode_state
from gumption.planning.worlds.scenes import Scene, load_scene
from gumption.planning.worlds.world import Action, require
from gumption.records import GumptionError

SCENE = load_scene("kitchen")
KINDS = {
    *("Tomato", "Potato", "Egg", "Bread", "Knife", "Mug", "Bowl", "Plate", "Pan", "Pot", "TomatoSliced"),
    *("Fridge", "Microwave", "SinkBasin", "Faucet", "Drawer", "Cabinet", "StoveBurner", "DiningTable"),
    *("CoffeeMachine", "Sink", "Floor"),
}
WORLD = Household(SCENE)
NAMES = [name for name, about in WORLD.about.items() if about.object_type in KINDS]
ACTIONS = st.builds(
    Action, st.sampled_from(sorted(Household.actions)), st.sampled_from(NAMES), st.sampled_from(["", *NAMES])
)
LIKELY = st.sampled_from(["pick", "place", "open", "turn_on", "cut", "close"]).flatmap(
    lambda verb: st.builds(Action, st.just(verb), st.sampled_from(NAMES), st.sampled_from(["", *NAMES]))
)
PLANS = st.lists(st.tuples(ACTIONS | LIKELY, st.booleans()), max_size=40)


def run(world, plan):
    return [world.step(action, force=force) for action, force in plan]


@given(PLANS)
@settings(max_examples=150)
def test_whatever_is_done_the_room_stays_possible(plan):
    world = Household(SCENE)
    for action, force in plan:
        before = world.state()
        foreseen = world.faults(action)
        outcome = world.step(action, force=force)
        after = world.state()
        if action.verb != "toggle":
            assert outcome.faults == foreseen
        if not outcome.changed:
            assert after.things == before.things
            assert after.agent.held == before.agent.held
        if not force and not outcome.ok:
            assert after == before
        things = world.objects()
        held = world.held
        assert not held or things[held].parents == ()
        for thing in things.values():
            assert thing.id not in world.containers(thing), "nothing is in itself"
            about = world.about[thing.id]
            if about.pickupable:
                assert thing.parents or thing.id == held or thing.sliced, "everything is somewhere"
                assert all(world.about[name].receptacle for name in thing.parents)
            assert not thing.open or about.openable
            assert not thing.sliced or about.sliceable
            microwave_open_and_on = thing.type == "Microwave" and thing.open and thing.on
            assert force or not microwave_open_and_on or any(forced for _, forced in plan)


@given(PLANS)
def test_a_plan_has_the_same_outcomes_again_after_a_reset(plan):
    world = Household(SCENE)
    start = world.state()
    first, end = run(world, plan), world.state()
    world.reset()
    assert world.state() == start
    assert (run(world, plan), world.state()) == (first, end)


@given(PLANS, PLANS)
def test_a_copy_goes_its_own_way_with_the_same_past(one, other):
    world = Household(SCENE)
    run(world, one)
    copy, here = world.copy(), world.state()
    expected = run(copy, other)
    assert world.state() == here
    assert run(world, other) == expected, "error kinds too: they look back to the shared past"
    assert copy.state() == world.state()


@given(PLANS, PLANS)
def test_a_state_survives_json(one, other):
    world = Household(SCENE)
    run(world, one)
    text = msgspec.json.encode(world.state())
    again = Household(SCENE)
    again.restore(decode_state(text))
    assert again.state() == world.state()
    assert [outcome.ok for outcome in run(again, other)] == [outcome.ok for outcome in run(world, other)]
    assert again.state() == world.state()


def test_a_state_of_another_room_is_refused():
    world = Household(SCENE)
    with pytest.raises(GumptionError, match="bathroom"):
        world.restore(Household(load_scene("bathroom")).state())
    for text in ("", "{}", "[1]"):
        with pytest.raises(GumptionError):
            decode_state(text)


def test_the_order_of_the_objects_does_not_matter():
    turned = Household(Scene("kitchen", tuple(reversed(SCENE.objects))))
    assert turned.links == Household(SCENE).links


def test_what_a_world_lacks_is_said():
    world = Household(SCENE, Options())
    require(world, actions=["pick", "pour"], features=["slices"], goals=["in", "heated"])
    with pytest.raises(GumptionError) as error:
        require(world, actions=["pick", "fly"], features=["pictures"], goals=["happy"])
    assert all(word in str(error.value) for word in ("fly", "pictures", "happy"))
    assert "pick" not in str(error.value)
