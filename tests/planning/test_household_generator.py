"""Generated tasks: what they promise, checked on the room itself and not with the generator's own means."""

from __future__ import annotations

import re

import pytest

from gumption.planning.generate import Difficulty, Generated, generate
from gumption.planning.goals import Proposition
from gumption.planning.plansim import carry_out, instructions, resolve_steps
from gumption.planning.view import labels
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.facts import PLACEMENT
from gumption.planning.worlds.scenes import SceneObject, own_rooms
from gumption.planning.worlds.world import Action, Thing
from gumption.records import GumptionError, Mistake

LEVELS = [
    Difficulty(steps=1, distractors=3),
    Difficulty(steps=1, distractors=5, closed=1),
    Difficulty(steps=2, distractors=8, hidden=1),
    Difficulty(steps=3, distractors=20, closed=1, hidden=1),
    Difficulty(steps=4, distractors=10),
]
TASKS = [generate(f"test-{seed}", LEVELS[seed % len(LEVELS)]) for seed in range(40)]
FLAGS = {"clean": "cleaned", "heated": "heated", "cooled": "cooled", "filled": "liquid", "on": "on"}
VERBS = {"Turn on": "turn_on", "Turn off": "turn_off"}


def stepped(task: Generated) -> Household:
    """The room after the plan, its steps taken one by one."""
    world = Household(task.scene)
    for step in instructions(resolve_steps(task.plan, task.scene)):
        assert not isinstance(step, Mistake)
        verb, *ids = step
        assert world.step(Action(VERBS.get(verb, verb.lower()), *ids)).ok, step
    return world


def holds(one: Proposition, world: Household) -> bool:
    things = world.objects()

    def inside(thing: Thing) -> set[str]:
        return {name for parent in thing.parents for name in (parent, *inside(things[parent]))}

    found = [thing for thing in things.values() if thing.type in one.objects and not thing.sliced]
    if one.predicate == "in":
        return any(things[name].type in one.targets for thing in found for name in inside(thing))
    if one.predicate == "off":
        return any(not thing.on for thing in found)
    return any(getattr(thing, FLAGS[one.predicate]) for thing in found)


@pytest.mark.parametrize("task", TASKS, ids=[task.seed for task in TASKS])
def test_the_plan_brings_about_what_did_not_hold(task: Generated) -> None:
    before, after = Household(task.scene), stepped(task)
    assert task.goal.propositions
    for one in task.goal.propositions:
        assert not holds(one, before), one
        assert holds(one, after), one
    done = carry_out(Household(task.scene), task.scene, task.plan, task.goal)
    assert done.execution.success and not done.errors


@pytest.mark.parametrize("task", TASKS, ids=[task.seed for task in TASKS])
def test_the_difficulty_is_what_was_asked_for(task: Generated) -> None:
    world, names = Household(task.scene), labels(task.scene.objects)
    assert len(task.skills) == task.difficulty.steps
    handled = {names[one.object_id] for one in task.scene.objects} & {w for step in task.plan for w in step}
    carried = [one for one in task.scene.objects if one.pickupable]
    beside = [one for one in carried if names[one.object_id] not in handled]
    assert len(beside) <= task.difficulty.distractors
    shut = [one for one in carried if world.shut_in(world.objects()[one.object_id])]
    assert len(shut) == task.difficulty.closed + task.difficulty.hidden
    told = [one for one in shut if told_of(task, names, one)]
    assert len(told) == task.difficulty.closed
    # Another one of the type in the open would do as well.
    assert all(sum(other.object_type == one.object_type for other in carried) == 1 for one in shut)


def told_of(task: Generated, names: dict[str, str], one: SceneObject) -> bool:
    thing = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", one.object_type)
    where = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", names[one.parents[0]])
    return bool(re.search(rf"the {thing} from (the )?{where}\b", task.instruction, re.IGNORECASE))


def test_everything_lies_where_the_table_of_placements_has_it() -> None:
    for task in TASKS:
        kinds = {one.object_id: one.object_type for one in task.scene.objects}
        fixed = {"ScrubBrush"}  # nothing is written of where it goes, so it stays
        for one in task.scene.objects:
            if one.pickupable and one.object_type not in fixed:
                assert {kinds[name] for name in one.parents} <= PLACEMENT[one.object_type]


def test_the_same_seed_is_the_same_task_and_another_is_another() -> None:
    again = [generate(f"test-{seed}", LEVELS[seed % len(LEVELS)]) for seed in range(10)]
    assert again == TASKS[:10]
    others = {generate(seed, LEVELS[4]).instruction for seed in range(20)}
    assert len(others) > 15
    assert {task.scene.name for task in TASKS} == set(own_rooms())


def test_a_microwave_is_closed_before_it_goes_on_and_off_before_it_opens() -> None:
    plan = [" ".join(step) for step in generate("hot", skill="heat", room="kitchen").plan]
    on, off = plan.index("Turn on Microwave"), plan.index("Turn off Microwave")
    opened = [place for place, step in enumerate(plan) if step == "Open Microwave"]
    assert plan[on - 1] == "Close Microwave" and on < off < opened[-1]


@pytest.mark.parametrize(
    "difficulty",
    [Difficulty(steps=0), Difficulty(steps=7), Difficulty(distractors=-1), Difficulty(steps=1, hidden=2)],
)
def test_a_difficulty_out_of_range_says_so(difficulty: Difficulty) -> None:
    with pytest.raises(GumptionError, match="no task has the difficulty"):
        generate(0, difficulty)


def test_what_a_room_cannot_have_is_said() -> None:
    with pytest.raises(GumptionError, match="no task of this kind"):
        generate(0, skill="heat", room="bathroom")
