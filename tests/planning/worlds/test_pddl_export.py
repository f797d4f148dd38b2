"""The exported problem has a plan, and the plan does in the household what the goal asks for."""

from __future__ import annotations

import pytest

from gumption.grounding import read_domain, read_problem, validate
from gumption.grounding.planners import solve
from gumption.planning._alfred_goals import alfred_goal
from gumption.planning.execution import execute
from gumption.planning.goals import Goal, Proposition
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.pddl import from_pddl, to_pddl
from gumption.planning.worlds.scenes import load_scene
from gumption.records import GumptionError


def solved(world, goal, **options):
    """The plan, after it was validated as PDDL."""
    domain_text, problem_text = to_pddl(world, goal, **options)
    domain = read_domain(domain_text)
    reading = read_problem(problem_text, domain, repair=False)
    assert reading.errors == ()
    result = solve(domain, reading.problem, timeout_s=60)
    assert result.status == "solved", result.status
    assert validate(domain, reading.problem, result.plan).valid
    return result.plan


def reaches(world, goal, **options):
    actions = from_pddl(world, solved(world, goal, **options))
    execution = execute(world, actions, goal)
    assert execution.success, execution.errors
    return actions


@pytest.mark.data
def test_clean_the_tomato_and_put_it_in_the_fridge_of_floorplan9(public_data):
    world = Household(load_scene("FloorPlan9", public_data / "ithor" / "ai2thor-object-metadata.json.gz"))
    goal = alfred_goal("pick_clean_then_place_in_recep", object_target="Tomato", parent_target="Fridge")
    actions = reaches(world, goal)
    # The tomato lies in the basin: water on, wash, pick, open, place.
    assert {action.verb for action in actions} >= {"turn_on", "wash", "pick", "open", "place"}
    tomato = next(thing for thing in world.objects().values() if thing.type == "Tomato")
    assert tomato.cleaned
    assert world.objects()[tomato.parents[0]].type == "Fridge"


@pytest.mark.parametrize(
    ("task", "targets"),
    [
        ("pick_and_place_simple", {"object_target": "Fork", "parent_target": "DiningTable"}),
        (
            "pick_and_place_simple",
            {"object_target": "Bread", "parent_target": "DiningTable", "object_sliced": True},
        ),
        ("pick_heat_then_place_in_recep", {"object_target": "Potato", "parent_target": "DiningTable"}),
        ("pick_cool_then_place_in_recep", {"object_target": "Mug", "parent_target": "CoffeeMachine"}),
        ("pick_clean_then_place_in_recep", {"object_target": "Plate", "parent_target": "Cabinet"}),
        (
            "pick_and_place_with_movable_recep",
            {"object_target": "Apple", "mrecep_target": "Bowl", "parent_target": "Fridge"},
        ),
    ],
)
def test_alfreds_tasks_in_our_own_kitchen(kitchen, task, targets):
    reaches(kitchen, alfred_goal(task, **targets))


def test_two_of_a_kind_and_a_lamp():
    room = Household(load_scene("living_room"))
    goal = alfred_goal("pick_two_obj_and_place", object_target="RemoteControl", parent_target="Sofa")
    reaches(room, goal)
    room.reset()
    lit = alfred_goal("look_at_obj_in_light", object_target="Book", toggle_target="DeskLamp")
    reaches(room, lit)


def test_the_whole_room_has_the_same_plan_lengths(kitchen):
    goal = alfred_goal("pick_and_place_simple", object_target="Fork", parent_target="DiningTable")
    assert len(solved(kitchen, goal)) == len(solved(kitchen, goal, whole_room=True)) == 3


def test_a_plan_from_a_later_state(kitchen, done):
    """With a full hand and a closed fridge, as a planner is called in the middle of an episode."""
    done(kitchen, "pick Cup", "open Microwave")
    reaches(kitchen, alfred_goal("pick_and_place_simple", object_target="Egg", parent_target="DiningTable"))


@pytest.mark.parametrize(
    "goal",
    [
        Goal((Proposition("cooked", ("Potato",)), Proposition("off", ("StoveBurner",)))),
        Goal((Proposition("filled", ("Cup",)), Proposition("off", ("Faucet",)))),
        Goal((Proposition("open", ("Drawer",), number=2), Proposition("closed", ("Fridge",)))),
        Goal((Proposition("sliced", ("Tomato", "Apple")), Proposition("exists", ("AppleSliced",), number=2))),
        Goal((Proposition("held", ("Spoon",)),)),
    ],
)
def test_other_goals(kitchen, goal):
    reaches(kitchen, goal)


def test_what_no_action_brings_about_is_refused(kitchen):
    with pytest.raises(GumptionError, match="broken"):
        to_pddl(kitchen, Goal((Proposition("broken", ("Cup",)),)))
    with pytest.raises(GumptionError, match="no object"):
        to_pddl(kitchen, Goal((Proposition("held", ("Unicorn",)),)))
