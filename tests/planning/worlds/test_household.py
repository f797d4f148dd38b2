"""The rules of the household: AI2-THOR's preconditions and what users of existing tools complained of."""

from __future__ import annotations

import pytest

from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene, SceneObject
from gumption.planning.worlds.world import Action
from gumption.records import ErrorKind

# ── the hand ─────────────────────────────────────────────────────────────────────────────────────────


def test_one_object_in_the_hand(kitchen, done, codes):
    done(kitchen, "pick Tomato")
    assert codes(kitchen, "pick", "Apple") == ["hand_full"]
    assert kitchen.held.startswith("Tomato|")


def test_a_place_without_the_object_in_the_hand(kitchen, codes):
    assert codes(kitchen, "place", "Tomato", "DiningTable") == ["not_held"]


def test_only_what_can_be_carried_is_picked_up(kitchen, codes):
    assert codes(kitchen, "pick", "Fridge") == ["not_pickupable"]


def test_what_is_held_is_nowhere_until_it_is_put_down(kitchen, done, see):
    done(kitchen, "pick Tomato")
    assert see(kitchen, "Tomato").parents == ()
    done(kitchen, "place Tomato > DiningTable")
    assert see(kitchen, "Tomato").parents == (see(kitchen, "DiningTable").id,)
    assert kitchen.held == ""


# ── closed containers ────────────────────────────────────────────────────────────────────────────────


def test_nothing_goes_into_a_closed_fridge(kitchen, done, codes):
    done(kitchen, "pick Tomato")
    assert codes(kitchen, "place", "Tomato", "Fridge") == ["closed"]
    done(kitchen, "open Fridge", "place Tomato > Fridge")


@pytest.mark.parametrize("container", ["Drawer 3", "Cabinet 1", "Microwave", "Fridge"])
def test_what_is_shut_in_cannot_be_reached(kitchen, done, codes, container):
    thing = {"Drawer 3": "Fork", "Cabinet 1": "Bowl", "Microwave": "Bowl", "Fridge": "Bowl"}[container]
    if thing == "Fork":
        done(kitchen, f"open {container}", "open Drawer 1", "open Drawer 2", "pick Fork")
    else:
        done(kitchen, f"open {container}", "pick Bowl")
    done(kitchen, f"place {thing} > {container}", f"close {container}")
    assert codes(kitchen, "pick", thing) == ["inside_closed"]
    done(kitchen, f"open {container}", f"pick {thing}")


def test_what_is_in_a_bowl_in_a_closed_fridge_is_shut_in_too(kitchen, done, codes):
    done(kitchen, "pick Apple", "place Apple > Bowl", "pick Bowl", "open Fridge", "place Bowl > Fridge")
    done(kitchen, "pick Apple", "place Apple > Bowl", "close Fridge")
    assert codes(kitchen, "pick", "Apple") == ["inside_closed"]


def test_walking_to_what_is_in_a_closed_fridge_succeeds_at_the_fridge(a_kitchen, done, codes):
    """askforalfred/alfred#59: the go-to sub-goal failed if the target was in a closed fridge."""
    kitchen = a_kitchen(require_navigate=True)
    done(kitchen, "navigate Egg", "open Fridge", "pick Egg")


def test_containers_open_by_themselves_where_that_is_asked_for(a_kitchen, done, see):
    kitchen = a_kitchen(auto_open=True)
    done(kitchen, "pick Egg", "place Egg > Microwave")
    assert see(kitchen, "Fridge").open
    assert see(kitchen, "Microwave").open


# ── sinks ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("room", "whole"), [("kitchen", "Sink"), ("bathroom", "Bathtub")])
def test_things_go_into_the_basin_and_not_into_the_sink(room, whole, request, do, done):
    """allenai/ai2thor#367: putting into `Sink` fails even forced; `SinkBasin` is the receptacle."""
    world = request.getfixturevalue(room)
    thing = {"kitchen": "Tomato", "bathroom": "SoapBar"}[room]
    done(world, f"pick {thing}")
    fault = do(world, "place", thing, whole).faults[0]
    assert (fault.code, fault.kind, fault.static) == ("not_receptacle", ErrorKind.AFFORDANCE, True)
    assert f"{whole}Basin" in fault.detail
    forced = world.step(
        Action("place", world.held, next(n for n in world.about if n.startswith(whole))), force=True
    )
    assert not forced.ok
    done(world, f"place {thing} > {whole}Basin")


def test_running_water_cleans_what_is_in_the_basin(kitchen, done, see):
    done(kitchen, "pick Mug", "place Mug > SinkBasin")
    assert see(kitchen, "Mug").dirty
    done(kitchen, "turn_on Faucet")
    mug, sponge, tomato = (see(kitchen, kind) for kind in ("Mug", "DishSponge", "Tomato"))
    assert (mug.dirty, mug.cleaned, mug.liquid) == (False, True, "water")
    assert sponge.cleaned, "everything in the basin, whether or not it can be dirty"
    assert not tomato.cleaned


def test_water_runs_into_the_nearest_basin_only(bathroom, done, see):
    done(bathroom, "turn_on Faucet 2")
    basins = {bathroom.links.water[name] for name in bathroom.links.water}
    assert basins == {see(bathroom, "SinkBasin").id, see(bathroom, "BathtubBasin").id}
    assert see(bathroom, "DishSponge").cleaned
    assert not see(bathroom, "Cloth").cleaned


def test_washing_needs_the_basin_and_the_water(kitchen, done, codes, see):
    assert codes(kitchen, "wash", "Tomato") == ["not_in_basin", "water_off"]
    done(kitchen, "pick Tomato", "place Tomato > SinkBasin")
    assert codes(kitchen, "wash", "Tomato") == ["water_off"]
    done(kitchen, "turn_on Faucet", "wash Tomato")
    assert see(kitchen, "Tomato").cleaned


def test_washing_what_cannot_be_dirty_is_no_redundant_step_but_washing_it_twice_is(kitchen, done, codes):
    done(kitchen, "pick Tomato", "place Tomato > SinkBasin", "turn_on Faucet")
    assert codes(kitchen, "wash", "Tomato") == []
    assert codes(kitchen, "wash", "Tomato") == ["already"]


def test_what_is_put_under_running_water_is_filled(kitchen, done, see):
    done(kitchen, "turn_on Faucet", "pick Bowl", "place Bowl > SinkBasin")
    assert see(kitchen, "Bowl").liquid == "water"
    assert not see(kitchen, "Bowl").cleaned, "the event is the tap going on, or a step that says wash"


# ── nested receptacles, slices, capacity ─────────────────────────────────────────────────────────────


def test_a_receptacle_carries_its_contents(kitchen, done, see):
    """alfworld/alfworld#57, #87: movable receptacles were not supported."""
    done(kitchen, "pick Apple", "place Apple > Bowl", "pick Bowl", "open Fridge", "place Bowl > Fridge")
    apple, bowl, fridge = (see(kitchen, kind) for kind in ("Apple", "Bowl", "Fridge"))
    assert apple.parents == (bowl.id,)
    assert kitchen.containers(apple) == {bowl.id, fridge.id}
    done(kitchen, "close Fridge")
    assert apple.cooled
    assert apple.temperature == "Cold"


def test_the_object_is_the_first_argument_and_the_receptacle_the_second(kitchen, done, codes, see):
    """allenai/ai2thor#1253: with the receptacle passed as the object it stayed in the hand."""
    done(kitchen, "pick Tomato")
    assert codes(kitchen, "place", "DiningTable", "Tomato")[0] == "not_receptacle"
    assert kitchen.held == see(kitchen, "Tomato").id


def test_nothing_goes_into_itself(a_kitchen, done, codes, see):
    kitchen = a_kitchen(placement="off")
    done(kitchen, "pick Cup", "place Cup > Bowl", "pick Bowl")
    assert codes(kitchen, "place", "Bowl", "Cup") == ["inside_itself"]
    assert codes(kitchen, "place", "Bowl", "Bowl") == ["inside_itself"]
    forced = kitchen.step(Action("place", see(kitchen, "Bowl").id, see(kitchen, "Cup").id), force=True)
    assert not forced.ok


def test_slices_lie_where_the_whole_lay(kitchen, done, codes, see):
    done(kitchen, "pick Knife", "cut Tomato")
    tomato = see(kitchen, "Tomato")
    slices = [thing for thing in kitchen.objects().values() if thing.type == "TomatoSliced"]
    assert len(slices) > 1
    assert [one.id for one in slices] == [f"{tomato.id}|TomatoSliced_{n}" for n in range(len(slices))]
    assert {one.parents for one in slices} == {(see(kitchen, "CounterTop 1").id,)}
    assert tomato.sliced
    assert tomato.parents == ()
    done(kitchen, "place Knife > CounterTop 1")
    assert codes(kitchen, "pick", "Tomato") == ["cut_up"]
    assert codes(kitchen, "cut", "Tomato") == ["already"]


def test_cutting_needs_a_knife_in_the_hand(kitchen, a_kitchen, done, codes):
    assert codes(kitchen, "cut", "Bread") == ["no_knife"]
    done(kitchen, "pick ButterKnife", "cut Bread")
    done(a_kitchen(strict_knife=False), "cut Bread")


def test_the_knife_may_be_named_first_or_second(kitchen, done, see):
    done(kitchen, "pick Knife", "cut Knife > Tomato", "cut Apple > Knife")
    assert see(kitchen, "Tomato").sliced
    assert see(kitchen, "Apple").sliced


def test_an_egg_becomes_a_cracked_egg(kitchen, done, see):
    done(kitchen, "open Fridge", "pick Knife", "cut Egg")
    assert see(kitchen, "EggCracked").id == f"{see(kitchen, 'Egg').id}|EggCracked_0"


def test_slices_are_as_cooked_as_the_whole(kitchen, done, see):
    done(kitchen, "pick Potato", "open Microwave", "place Potato > Microwave", "close Microwave")
    done(kitchen, "turn_on Microwave", "turn_off Microwave", "open Microwave", "pick Potato")
    done(kitchen, "place Potato > DiningTable", "pick Knife", "cut Potato")
    assert see(kitchen, "PotatoSliced").cooked
    assert see(kitchen, "PotatoSliced").heated


def test_a_second_slice_into_a_bowl_is_refused_with_a_code_of_its_own(a_kitchen, do, done):
    """allenai/ai2thor#1176, alexa/teach#32: capacity is reported apart."""
    kitchen = a_kitchen(capacity={"Bowl": 1})
    done(kitchen, "pick Knife", "cut Tomato", "place Knife > DiningTable")
    done(kitchen, "pick TomatoSliced 1", "place TomatoSliced 1 > Bowl", "pick TomatoSliced 2")
    fault = do(kitchen, "place", "TomatoSliced 2", "Bowl").faults[0]
    assert (fault.code, fault.kind) == ("no_room", ErrorKind.AFFORDANCE)


def test_whether_something_fits_can_be_asked_beforehand(kitchen, done, see):
    """allenai/ai2thor#896, #722: one could not know before PutObject."""
    tomato, fridge, pan = (see(kitchen, kind).id for kind in ("Tomato", "Fridge", "Pan"))
    assert not kitchen.can_place(tomato, fridge), "closed"
    assert not kitchen.can_place(tomato, pan), "AI2-THOR's table has no tomato in a pan"
    done(kitchen, "open Fridge")
    before = kitchen.state()
    assert kitchen.can_place(tomato, fridge)
    assert kitchen.state() == before, "asking changes nothing"


@pytest.mark.parametrize(("thing", "place"), [("Lettuce", "Fridge"), ("Bread", "Fridge")])
def test_large_things_go_into_an_open_fridge(kitchen, done, thing, place):
    """allenai/ai2thor#1210: the physics found no valid position; that is no error of a plan."""
    done(kitchen, f"open {place}", f"pick {thing}", f"place {thing} > {place}")


def test_placement_may_fail_warn_or_be_off(a_kitchen, done, do):
    for option, fatal in (("fail", [True]), ("warn", [False]), ("off", [])):
        kitchen = a_kitchen(placement=option)
        done(kitchen, "pick Cup")
        outcome = do(kitchen, "place", "Cup", "CoffeeMachine")
        assert [fault.fatal for fault in outcome.faults] == fatal
        assert outcome.ok == (option != "fail")


# ── switches and heat ────────────────────────────────────────────────────────────────────────────────


def test_a_burner_is_switched_by_its_knob(kitchen, done, see):
    done(kitchen, "turn_on StoveBurner 1")
    burner = see(kitchen, "StoveBurner 1").id
    on = {thing.id for thing in kitchen.objects().values() if thing.on and thing.type.startswith("Stove")}
    knob = next(name for name, burners in kitchen.links.burners.items() if burner in burners)
    assert on == {burner, knob}
    done(kitchen, "turn_off StoveBurner 1")
    assert not see(kitchen, "StoveBurner 1").on


def test_a_burner_without_a_knob_has_no_switch(codes):
    world = Household(Scene("s", (SceneObject("StoveBurner|1", "StoveBurner", receptacle=True),)))
    assert codes(world, "turn_on", "StoveBurner") == ["not_toggleable"]


def test_a_microwave_goes_on_closed_and_opens_off(kitchen, done, codes):
    done(kitchen, "open Microwave")
    assert codes(kitchen, "turn_on", "Microwave") == ["is_open"]
    done(kitchen, "close Microwave", "turn_on Microwave")
    assert codes(kitchen, "open", "Microwave") == ["is_on"]
    done(kitchen, "turn_off Microwave", "open Microwave")


def test_a_microwave_heats_and_cooks_when_it_goes_on(kitchen, done, see):
    done(kitchen, "pick Potato", "open Microwave", "place Potato > Microwave", "close Microwave")
    assert not see(kitchen, "Potato").heated
    done(kitchen, "turn_on Microwave")
    potato = see(kitchen, "Potato")
    assert (potato.heated, potato.cooked, potato.temperature) == (True, True, "Hot")


def test_a_fridge_cools_when_it_is_closed(kitchen, done, see):
    done(kitchen, "pick Tomato", "open Fridge", "place Tomato > Fridge")
    assert not see(kitchen, "Tomato").cooled
    done(kitchen, "close Fridge")
    assert see(kitchen, "Tomato").cooled


def test_a_lit_burner_cooks_what_is_in_the_pan(kitchen, done, see):
    done(kitchen, "pick Potato", "place Potato > Pan", "turn_on StoveBurner 1")
    assert see(kitchen, "Potato").cooked
    assert not see(kitchen, "Potato").heated, "ALFRED's heated set is the microwave's"


def test_coffee_runs_into_the_mug(kitchen, done, see):
    done(kitchen, "turn_on CoffeeMachine")
    assert see(kitchen, "Mug").liquid == "coffee"


def test_a_switch_that_is_in_the_wanted_position_is_a_redundant_step(kitchen, a_kitchen, do):
    outcome = do(kitchen, "turn_on", "LightSwitch")
    assert (outcome.ok, outcome.changed) == (True, False)
    assert outcome.faults[0].kind is ErrorKind.REDUNDANT_STEP
    assert not do(a_kitchen(redundant_fails=True), "turn_on", "LightSwitch").ok


def test_a_turn_that_does_not_say_which_way_is_reported(kitchen, do, see):
    outcome = do(kitchen, "toggle", "Faucet")
    assert (outcome.ok, outcome.changed, outcome.faults[0].kind) == (True, True, ErrorKind.AMBIGUOUS)
    assert see(kitchen, "Faucet").on
    do(kitchen, "toggle", "Faucet")
    assert not see(kitchen, "Faucet").on


# ── liquids and breaking ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("order", [("Faucet", "Cup"), ("Cup", "Faucet"), ("Cup", "")])
def test_a_cup_is_filled_from_the_tap(kitchen, done, codes, see, order):
    assert codes(kitchen, "pour", *order) == ["not_in_basin", "water_off"]
    done(kitchen, "pick Cup", "place Cup > SinkBasin", "turn_on Faucet")
    assert codes(kitchen, "pour", *order) == []
    assert see(kitchen, "Cup").liquid == "water"


def test_a_bottle_is_poured_into_a_cup(kitchen, done, codes, see):
    assert codes(kitchen, "pour", "WineBottle", "Cup") == ["not_held"]
    done(kitchen, "open Cabinet 3", "open Cabinet 1", "open Cabinet 2", "open Cabinet 4", "pick WineBottle")
    done(kitchen, "pour WineBottle > Cup")
    assert see(kitchen, "Cup").liquid == "liquid"
    assert see(kitchen, "WineBottle").liquid == ""
    assert codes(kitchen, "pour", "WineBottle", "Bowl") == ["empty"]


def test_a_full_thing_is_poured_out_into_the_sink(kitchen, done, see):
    done(kitchen, "pick Cup", "place Cup > SinkBasin", "turn_on Faucet", "turn_off Faucet", "pick Cup")
    done(kitchen, "pour Cup > SinkBasin")
    assert see(kitchen, "Cup").liquid == ""


def test_what_was_in_a_broken_bowl_lies_where_that_was(kitchen, done, codes, see):
    done(kitchen, "pick Apple", "place Apple > Bowl", "break Bowl")
    assert see(kitchen, "Apple").parents == (see(kitchen, "DiningTable").id,)
    assert codes(kitchen, "pick", "Bowl") == ["broken"]
    assert codes(kitchen, "break", "Apple") == ["not_breakable"]


def test_a_thrown_cup_breaks_on_the_floor_and_a_dropped_one_does_not(kitchen, done, see):
    done(kitchen, "pick Cup", "drop Cup")
    assert not see(kitchen, "Cup").broken
    done(kitchen, "pick Cup", "throw Cup")
    assert see(kitchen, "Cup").broken
    assert see(kitchen, "Cup").parents == (see(kitchen, "Floor").id,)


def test_a_forced_step_puts_nothing_into_itself(kitchen, done, see):
    """Found by the property test: a forced throw of the floor, a forced pick out of a bowl in the hand."""
    floor = see(kitchen, "Floor").id
    assert not kitchen.step(Action("throw", floor), force=True).ok
    done(kitchen, "pick Apple", "place Apple > Bowl", "pick Bowl")
    kitchen.step(Action("pick", see(kitchen, "Apple").id), force=True)
    assert see(kitchen, "Bowl").parents == (floor,)
    assert kitchen.held == see(kitchen, "Apple").id


# ── what models write ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("verb", ["done", "terminate", "wave", "", "fill_from", "__class__"])
def test_an_unknown_verb_is_a_fault_and_no_exception(kitchen, verb):
    fault = kitchen.step(Action(verb, "Tomato")).faults[0]
    assert (fault.code, fault.kind) == ("unknown_action", ErrorKind.UNKNOWN_ACTION)


def test_an_object_that_the_room_has_not_got(kitchen, see):
    outcome = kitchen.step(Action("pick", "Unicorn|1"))
    assert outcome.faults[0].kind is ErrorKind.ABSENT_IN_SCENE
    outcome = kitchen.step(Action("place", see(kitchen, "Tomato").id, "Nowhere"))
    assert outcome.faults[0].kind is ErrorKind.ABSENT_IN_SCENE


@pytest.mark.parametrize("action", [Action("pick"), Action("place", "x")])
def test_a_step_that_lacks_an_object(kitchen, action):
    assert kitchen.step(action).faults[0].kind is ErrorKind.WRONG_ARITY


def test_a_precondition_that_held_before_is_wrong_order_and_one_that_never_did_a_missing_step(
    kitchen, do, done
):
    done(kitchen, "pick Tomato")
    assert do(kitchen, "place", "Tomato", "Fridge").faults[0].kind is ErrorKind.MISSING_STEP
    done(kitchen, "open Fridge", "close Fridge")
    assert do(kitchen, "place", "Tomato", "Fridge").faults[0].kind is ErrorKind.WRONG_ORDER
    assert do(kitchen, "pick", "Apple").faults[0].kind is ErrorKind.WRONG_ORDER, "the hand was empty"


def test_looking_back_for_earlier_states_leaves_the_state_as_it_is(kitchen, do, done):
    done(kitchen, "pick Knife", "cut Tomato", "place Knife > SinkBasin", "turn_on Faucet")
    before = kitchen.state()
    for thing in ("TomatoSliced 1", "Egg", "Pot"):
        do(kitchen, "place", thing, "Fridge")
        do(kitchen, "pick", thing)
        if kitchen.held:
            done(kitchen, f"place {thing} > CounterTop 1")
    assert kitchen.state() == before


def test_all_that_is_wrong_is_told(kitchen, done, codes):
    done(kitchen, "pick Apple")
    assert codes(kitchen, "place", "Tomato", "Microwave") == ["does_not_go", "not_held", "closed"]


# ── reach ────────────────────────────────────────────────────────────────────────────────────────────


def test_within_reach_is_what_the_agent_went_to_or_what_that_is_on(a_kitchen, done, codes):
    kitchen = a_kitchen(require_navigate=True)
    assert codes(kitchen, "pick", "Tomato") == ["not_at"]
    done(kitchen, "navigate Tomato", "pick Tomato")
    assert codes(kitchen, "place", "Tomato", "SinkBasin") == ["not_at"]
    done(kitchen, "navigate Sink", "place Tomato > SinkBasin", "turn_on Faucet", "wash Tomato")
    assert codes(kitchen, "pick", "Apple") == ["not_at"]
    done(kitchen, "navigate StoveBurner 2", "turn_on StoveKnob 1")


def test_what_is_held_is_within_reach_everywhere(a_kitchen, done):
    kitchen = a_kitchen(require_navigate=True)
    done(kitchen, "navigate Cup", "pick Cup", "navigate Cup", "navigate Fridge", "drop Cup")


def test_looking_and_walking_change_nothing(kitchen, do):
    assert do(kitchen, "find", "Egg") == ((), False)
    assert do(kitchen, "navigate", "Egg") == ((), False)
    assert kitchen.step(Action("find", "Egg|0")).faults[0].kind is ErrorKind.ABSENT_IN_SCENE
