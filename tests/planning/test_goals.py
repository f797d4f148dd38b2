"""Goals hold when they should: ALFRED's task types, order, sameness, and goals derived from gold plans."""

from __future__ import annotations

import msgspec
import pytest

from gumption.planning._alfred_goals import ALFRED_TASKS, alfred_goal
from gumption.planning._derive import derive
from gumption.planning.goals import Goal, GoalWatch, Proposition, Slot, check, say
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import load_scene
from gumption.planning.worlds.world import Action
from gumption.records import GumptionError


def find(world, words):
    kind, _, number = words.partition(" ")
    found = sorted(name for name, thing in world.objects().items() if thing.type == kind)
    return found[int(number or 1) - 1]


def steps(world, *lines):
    """ "place Tomato > SinkBasin", resolved one at a time."""
    for line in lines:
        verb, _, rest = line.partition(" ")
        yield Action(verb, *(find(world, words) for words in rest.split(" > ")))


def done(world, *lines):
    for action in steps(world, *lines):
        outcome = world.step(action)
        assert outcome.ok, (action, outcome.faults)


@pytest.fixture
def kitchen():
    return Household(load_scene("kitchen"))


# ── ALFRED ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("task", "sliced", "conditions"),
    # ts of env/tasks.py: one for every condition, and one or two more where slices are asked for.
    [
        ("pick_and_place_simple", False, 1),
        ("pick_and_place_simple", True, 2),
        ("pick_two_obj_and_place", False, 2),
        ("pick_two_obj_and_place", True, 4),
        ("look_at_obj_in_light", False, 2),
        ("look_at_obj_in_light", True, 3),
        ("pick_heat_then_place_in_recep", False, 3),
        ("pick_heat_then_place_in_recep", True, 4),
        ("pick_cool_then_place_in_recep", False, 3),
        ("pick_cool_then_place_in_recep", True, 4),
        ("pick_clean_then_place_in_recep", False, 3),
        ("pick_clean_then_place_in_recep", True, 4),
        ("pick_and_place_with_movable_recep", False, 3),
        ("pick_and_place_with_movable_recep", True, 4),
    ],
)
def test_alfred_counts_so_many_conditions(kitchen, task, sliced, conditions):
    goal = alfred_goal(
        task,
        object_target="Tomato",
        parent_target="Fridge",
        mrecep_target="Bowl",
        toggle_target="Microwave",
        object_sliced=sliced,
    )
    assert check(goal, kitchen).conditions == conditions


def test_alfred_has_seven_task_types():
    assert len(ALFRED_TASKS) == 7
    with pytest.raises(GumptionError, match="no task type"):
        alfred_goal("pick_and_dance", object_target="Mug", parent_target="Desk")
    with pytest.raises(GumptionError, match="parent_target"):
        alfred_goal("pick_and_place_simple", object_target="Mug")


def test_heated_and_in_place_have_to_be_of_the_same_object(kitchen):
    goal = alfred_goal("pick_heat_then_place_in_recep", object_target="Apple", parent_target="DiningTable")
    assert check(goal, kitchen).satisfied == 1, "the apple is on the table, and nothing is heated"
    done(
        kitchen,
        "pick Apple",
        "open Microwave",
        "place Apple > Microwave",
        "close Microwave",
        "turn_on Microwave",
    )
    assert check(goal, kitchen).satisfied == 1, "heated, and not on the table"
    done(kitchen, "turn_off Microwave", "open Microwave", "pick Apple", "place Apple > DiningTable")
    assert check(goal, kitchen).met


def test_two_halves_by_two_objects_are_two_of_three():
    room = Household(load_scene("living_room"))
    goal = Goal(
        (Proposition("in", ("RemoteControl",), ("Sofa",)), Proposition("held", ("RemoteControl",))),
        ((Slot(0), Slot(1)),),
    )
    done(room, "pick RemoteControl 1", "place RemoteControl 1 > Sofa", "pick RemoteControl 2")
    result = check(goal, room)
    assert (result.satisfied, result.conditions, result.met) == (2, 3, False)
    assert "same" in result.unmet[0]


def test_a_sliced_task_can_be_done(kitchen):
    """askforalfred/alfred#11: `'Sliced' in ids` tested a list, and sliced tasks never succeeded."""
    goal = alfred_goal(
        "pick_and_place_simple", object_target="Tomato", parent_target="DiningTable", object_sliced=True
    )
    assert check(goal, kitchen).satisfied == 0
    done(kitchen, "pick Knife", "cut Tomato")
    assert check(goal, kitchen).satisfied == 1
    done(kitchen, "place Knife > CounterTop", "pick TomatoSliced 3", "place TomatoSliced 3 > DiningTable")
    assert check(goal, kitchen).met


def test_a_potato_is_no_pot(kitchen):
    """The word "Pot" is in the objectId of a potato; types are compared, not words."""
    goal = alfred_goal("pick_and_place_simple", object_target="Pot", parent_target="DiningTable")
    done(kitchen, "pick Potato", "place Potato > DiningTable")
    assert check(goal, kitchen).satisfied == 0


def test_two_things_have_to_be_in_the_same_receptacle():
    room = Household(load_scene("living_room"))
    goal = alfred_goal("pick_two_obj_and_place", object_target="RemoteControl", parent_target="Drawer")
    done(room, "open Drawer 1", "open Drawer 2", "pick RemoteControl 1", "place RemoteControl 1 > Drawer 1")
    done(room, "pick RemoteControl 2", "place RemoteControl 2 > Drawer 2")
    assert check(goal, room).satisfied == 1
    done(room, "pick RemoteControl 2", "place RemoteControl 2 > Drawer 1")
    assert check(goal, room).met


def test_a_goal_that_the_room_cannot_meet_is_not_met(kitchen):
    """askforalfred/alfred#101: a goal needs a receptacle that the scene lacks."""
    goal = alfred_goal("pick_and_place_simple", object_target="Mug", parent_target="Desk")
    assert not check(goal, kitchen).met


# ── the language ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("predicate", "kind", "before", "lines", "after"),
    [
        ("open", "Fridge", False, ["open Fridge"], True),
        ("closed", "Fridge", True, ["open Fridge"], False),
        ("on", "Faucet", False, ["turn_on Faucet"], True),
        ("off", "LightSwitch", False, ["turn_off LightSwitch"], True),
        ("dirty", "Mug", True, ["pick Mug", "place Mug > SinkBasin", "turn_on Faucet"], False),
        ("clean", "Mug", False, ["pick Mug", "place Mug > SinkBasin", "turn_on Faucet"], True),
        ("filled", "Mug", False, ["pick Mug", "place Mug > SinkBasin", "turn_on Faucet"], True),
        ("empty", "Mug", True, ["pick Mug", "place Mug > SinkBasin", "turn_on Faucet"], False),
        ("cooled", "Egg", False, ["open Fridge", "close Fridge"], True),
        ("cooked", "Potato", False, ["pick Potato", "place Potato > Pan", "turn_on StoveBurner"], True),
        ("sliced", "Apple", False, ["pick Knife", "cut Apple"], True),
        ("exists", "Apple", True, ["pick Knife", "cut Apple"], False),
        ("broken", "Bowl", False, ["break Bowl"], True),
        ("held", "Bowl", False, ["pick Bowl"], True),
    ],
)
def test_every_predicate_comes_and_goes(kitchen, predicate, kind, before, lines, after):
    goal = Goal((Proposition(predicate, (kind,)),))
    assert check(goal, kitchen).met is before
    done(kitchen, *lines)
    assert check(goal, kitchen).met is after


def test_in_is_at_any_depth_and_a_basin_is_in_its_sink(kitchen):
    goal = Goal(
        (Proposition("in", ("Apple",), ("DiningTable",)), Proposition("in", ("DishSponge",), ("Sink",)))
    )
    done(kitchen, "pick Apple", "place Apple > Bowl")
    assert check(goal, kitchen).met
    done(kitchen, "pick Bowl")
    assert check(goal, kitchen).holding == (0, 1)


def test_number_counts_different_objects(kitchen):
    goal = Goal((Proposition("open", ("Drawer", "Cabinet"), number=3),))
    for number, lines in enumerate(
        (["open Drawer 1"], ["open Cabinet 2"], ["open Drawer 3"], ["open Drawer 2"]), 1
    ):
        done(kitchen, *lines)
        assert check(goal, kitchen).holding == (min(number, 3),)
    assert check(goal, kitchen).met


def washing(*order):
    return Goal(
        (Proposition("clean", ("Tomato",)), Proposition("in", ("Tomato",), ("Fridge",), after=order)),
        ((Slot(0), Slot(1)),),
    )


def watched(world, goal, *lines):
    watch = GoalWatch(goal, world)
    for action in steps(world, *lines):
        assert world.step(action).ok
        watch.look()
    return watch.check()


WASH = ("place Tomato > SinkBasin", "turn_on Faucet", "turn_off Faucet", "pick Tomato")


def test_after_asks_for_the_order(kitchen):
    right = watched(kitchen, washing(0), "pick Tomato", *WASH, "open Fridge", "place Tomato > Fridge")
    assert right.met


def test_what_held_from_the_start_did_not_come_after(kitchen):
    done(kitchen, "pick Tomato", "open Fridge", "place Tomato > Fridge")
    goal = Goal((Proposition("on", ("Faucet",)), Proposition("in", ("Tomato",), ("Fridge",), after=(0,))))
    late = watched(kitchen, goal, "turn_on Faucet")
    assert (late.met, late.satisfied) == (False, 1)
    assert "order" in late.unmet[0]
    done(kitchen, "turn_off Faucet")
    again = watched(kitchen, goal, "turn_on Faucet", "pick Tomato", "place Tomato > Fridge")
    assert again.met


def test_the_order_is_that_of_the_same_object_where_the_goal_links_them():
    room = Household(load_scene("living_room"))
    remote = ("RemoteControl",)
    propositions = (
        Proposition("in", remote, ("Box",)),
        Proposition("in", remote, ("Sofa",), after=(0,)),
    )
    lines = (
        "pick RemoteControl 1",
        "place RemoteControl 1 > Box",
        "pick RemoteControl 2",
        "place RemoteControl 2 > Sofa",
    )
    assert watched(room, Goal(propositions), *lines).holding == (1, 1)
    room.reset()
    linked = Goal(propositions, ((Slot(0), Slot(1)),))
    assert watched(room, linked, *lines).holding == (1, 0), "another one went into the box before"


def test_a_goal_of_nothing_is_never_met(kitchen):
    result = check(Goal(()), kitchen)
    assert (result.met, result.progress) == (False, 0.0)


@pytest.mark.parametrize(
    "goal",
    [
        Goal((Proposition("happy", ("Mug",)),)),
        Goal((Proposition("in", ("Mug",)),)),
        Goal((Proposition("open", ("Mug",), ("Fridge",)),)),
        Goal((Proposition("open", ()),)),
        Goal((Proposition("open", ("Mug",), number=0),)),
        Goal((Proposition("open", ("Mug",), after=(0,)),)),
        Goal((Proposition("open", ("Mug",), after=(1,)),)),
        Goal((Proposition("open", ("Mug",)),), ((Slot(3),),)),
    ],
)
def test_a_goal_that_is_not_well_formed_is_refused(kitchen, goal):
    with pytest.raises(GumptionError):
        check(goal, kitchen)


def test_a_goal_is_json():
    goal = alfred_goal("pick_clean_then_place_in_recep", object_target="Mug", parent_target="Cabinet")
    assert msgspec.json.decode(msgspec.json.encode(goal), type=Goal) == goal
    assert say(goal.propositions[0]) == "Mug or MugSliced in Cabinet"


# ── derived goals ────────────────────────────────────────────────────────────────────────────────────


def derived(world, *lines, **options):
    return derive(world, steps(world, *lines), **options)


def test_a_derived_goal_says_what_was_brought_about_and_in_which_order(kitchen):
    goal = derived(
        kitchen,
        "find Tomato",
        "pick Tomato",
        "place Tomato > SinkBasin",
        "turn_on Faucet",
        "wash Tomato",
        "turn_off Faucet",
        "pick Tomato",
        "open Fridge",
        "place Tomato > Fridge",
        "close Fridge",
    )
    assert goal == Goal(
        (
            Proposition("clean", ("Tomato",)),
            Proposition("cooled", ("Tomato",)),
            Proposition("in", ("Tomato",), ("Fridge",), after=(0,)),
        ),
        ((Slot(0), Slot(1), Slot(2)),),
    )


def test_a_knife_is_a_means(kitchen):
    goal = derived(kitchen, "pick Knife", "cut Bread", "place Knife > SinkBasin")
    assert goal == Goal((Proposition("exists", ("BreadSliced",)),))


def test_what_is_put_into_what_is_put_somewhere(kitchen):
    goal = derived(
        kitchen, "pick Apple", "place Apple > Bowl", "pick Bowl", "open Microwave", "place Bowl > Microwave"
    )
    assert goal == Goal(
        (
            Proposition("in", ("Apple",), ("Bowl",)),
            Proposition("in", ("Bowl",), ("Microwave",)),
            Proposition("open", ("Microwave",)),
        ),
        ((Slot(1), Slot(0, "target")), (Slot(2), Slot(1, "target"))),
    )


def test_holding_is_a_goal_only_where_there_is_no_other(kitchen):
    assert derived(kitchen, "pick Apple") == Goal((Proposition("held", ("Apple",)),))
    both = derived(kitchen, "turn_on Microwave", "pick Apple")
    assert both == Goal((Proposition("on", ("Microwave",)),))


def test_an_object_of_the_type_that_is_as_wanted_from_the_start_does_not_count():
    room = Household(load_scene("living_room"))
    one, other = (find(room, f"RemoteControl {number}") for number in (1, 2))
    assert room.objects()[one].parents == (find(room, "DiningTable"),)
    to_sofa = derived(room, "pick RemoteControl 2", "place RemoteControl 2 > Sofa")
    assert to_sofa.propositions[0].objects == ("RemoteControl",)
    to_table = derived(room, "pick RemoteControl 2", "place RemoteControl 2 > DiningTable")
    assert to_table.propositions[0].objects == (other,), "the first one lies there already"
    assert not check(to_table, room).met, "and the world is reset"
    by_id = derived(room, "pick RemoteControl 2", "place RemoteControl 2 > Sofa", by="id")
    assert by_id.propositions[0].objects == (other,)
    assert by_id.propositions[0].targets == (find(room, "Sofa"),)


def test_an_empty_plan_has_an_empty_goal(kitchen):
    assert derive(kitchen, []) == Goal(())
    assert derived(kitchen, "find Apple", "navigate Fridge") == Goal(())
