"""ALFRED: trajectories in its layout, written by the tests in a room of the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from oracle_runs import card_of
from viplan_play import play

from gumption.benchmarks import get, open_suite
from gumption.models import open_models
from gumption.records import GumptionError, Item, Score, Text
from gumption.running import run, score_run


def trajectory(task_type: str, steps: list[list[str]], **changes: Any) -> dict[str, Any]:
    """A traj_data.json with the keys that ALFRED's have, those that are not read among them."""
    params = {"mrecep_target": "", "object_sliced": False, "toggle_target": ""}
    params |= changes.pop("pddl_params", {})
    return {
        "images": [{"high_idx": 0, "image_name": "000000000.png", "low_idx": 0}],
        "pddl_params": params,
        "plan": {
            "high_pddl": [
                {
                    "discrete_action": {"action": action, "args": args},
                    "high_idx": place,
                    "planner_action": {"action": action},
                }
                for place, (action, *args) in enumerate([*steps, ["NoOp"]])
            ],
            "low_actions": [{"api_action": {"action": "MoveAhead"}, "high_idx": 0}],
        },
        "scene": {"floor_plan": "kitchen", "scene_num": 9, "object_poses": [], "init_action": {}},
        "task_id": f"trial_{task_type}",
        "task_type": task_type,
        "turk_annotations": {
            "anns": [
                {"task_desc": f"{words} {task_type}. ", "high_descs": ["Walk."], "votes": [1, 1, 1]}
                for words in ("Do the", "Please do the")
            ]
        },
        **changes,
    }


PUT = trajectory(
    "pick_and_place_simple",
    [
        ["GotoLocation", "diningtable"],
        ["PickupObject", "apple"],
        ["GotoLocation", "garbagecan"],
        ["PutObject", "apple", "garbagecan"],
    ],
    pddl_params={"object_target": "Apple", "parent_target": "GarbageCan"},
)
TREATED = {
    "pick_clean_then_place_in_recep": ("CleanObject", "sinkbasin"),
    "pick_heat_then_place_in_recep": ("HeatObject", "microwave"),
    "pick_cool_then_place_in_recep": ("CoolObject", "fridge"),
}


def treated(task_type: str) -> dict[str, Any]:
    action, place = TREATED[task_type]
    return trajectory(
        task_type,
        [
            ["GotoLocation", "countertop"],
            ["PickupObject", "potato"],
            ["GotoLocation", place],
            [action, "potato"],
            ["GotoLocation", "diningtable"],
            ["PutObject", "potato", "diningtable"],
        ],
        pddl_params={"object_target": "Potato", "parent_target": "DiningTable"},
    )


MOVABLE = trajectory(
    "pick_and_place_with_movable_recep",
    [
        ["GotoLocation", "drawer"],
        ["PickupObject", "spatula"],
        ["PutObject", "spatula", "bowl"],
        ["PickupObject", "bowl"],
        ["GotoLocation", "countertop"],
        ["PutObject", "bowl", "countertop"],
    ],
    pddl_params={"object_target": "Spatula", "mrecep_target": "Bowl", "parent_target": "CounterTop"},
)
SLICED = trajectory(
    "pick_and_place_simple",
    [
        ["GotoLocation", "countertop"],
        ["PickupObject", "knife"],
        ["SliceObject", "tomato"],
        ["PutObject", "knife", "countertop"],
        ["PickupObject", "tomatosliced"],
        ["GotoLocation", "fridge"],
        ["PutObject", "tomatosliced", "fridge"],
    ],
    pddl_params={"object_target": "Tomato", "parent_target": "Fridge", "object_sliced": True},
)
LIGHT = trajectory(
    "look_at_obj_in_light",
    [["GotoLocation", "desk"], ["PickupObject", "pen"], ["ToggleObject", "desklamp"]],
    scene={"floor_plan": "bedroom"},
    pddl_params={"object_target": "Pen", "toggle_target": "DeskLamp"},
)
TWO = trajectory(
    "pick_two_obj_and_place",
    [
        ["GotoLocation", "sofa"],
        ["PickupObject", "pillow"],
        ["PutObject", "pillow", "armchair"],
        ["PickupObject", "pillow"],
        ["PutObject", "pillow", "armchair"],
    ],
    scene={"floor_plan": "living_room"},
    pddl_params={"object_target": "Pillow", "parent_target": "ArmChair"},
)


def written(folder: Path, *trajectories: dict[str, Any]) -> str:
    for number, one in enumerate(trajectories):
        path = folder / f"t{number}" / "traj_data.json"
        path.parent.mkdir()
        path.write_text(json.dumps(one))
    return f"alfred:folder={folder},shown=text"


def first(folder: Path, told: dict[str, Any]) -> Item:
    return open_suite(written(folder, told)).items[0]


def answered(item: Item, *actions: list[str]) -> Score:
    return play(item, lambda _: f"<actions>{[*actions]}</actions>")[0]


@pytest.mark.parametrize(
    "told", [PUT, *map(treated, TREATED), MOVABLE, SLICED], ids=["put", *TREATED, "movable", "sliced"]
)
def test_gold_plans_reach_their_goals(tmp_path: Path, told: dict[str, Any]) -> None:
    item = first(tmp_path, told)
    assert item.meta["gold_fails"] == ""
    score = answered(item, *item.meta["plan"])
    assert score.value == 1.0 == score.parts["success"] == score.parts["progress"]


def test_every_annotation_is_an_item(tmp_path: Path) -> None:
    one, other = open_suite(written(tmp_path, PUT)).items
    assert (one.id, other.id) == ("trial_pick_and_place_simple/0", "trial_pick_and_place_simple/1")
    assert one.meta["instruction"] == "Do the pick_and_place_simple."
    assert one.cluster == other.cluster == "kitchen" and one.category == "pick_and_place_simple"
    assert "Task: Please do the" in "".join(part.text for part in other.parts if isinstance(part, Text))


def test_low_level_doings_are_put_into_the_gold_plan(tmp_path: Path) -> None:
    plan = [" ".join(step) for step in first(tmp_path, treated("pick_heat_then_place_in_recep")).meta["plan"]]
    start = plan.index("Open Microwave")
    assert plan[start : start + 8] == [
        "Open Microwave",
        "Place potato Microwave",
        "Close Microwave",
        "Turn on Microwave",
        "Turn off Microwave",
        "Open Microwave",
        "Pick potato",
        "Close Microwave",
    ]


def test_conditions_are_counted_as_alfred_counts_them(tmp_path: Path) -> None:
    """Clean and place: placed, clean, and both of the same object; a dirty potato on the table has one."""
    item = first(tmp_path, treated("pick_clean_then_place_in_recep"))
    score = answered(item, ["Pick", "Potato"], ["Place", "Potato", "DiningTable"])
    assert score.value == 0.0 and score.parts["conditions"] == 3 and score.parts["satisfied"] == 1
    assert score.parts["executes"] == 1.0


def test_the_final_state_counts_whatever_failed_on_the_way(tmp_path: Path) -> None:
    item = first(tmp_path, PUT)
    score = answered(item, ["Open", "Apple"], ["Pick", "Apple"], ["Place", "Apple", "GarbageCan"])
    assert score.value == 1.0 and score.parts["executes"] == 0.0 == score.parts["success"]
    assert score.errors[0].step == 0


def test_both_objects_have_to_be_there(tmp_path: Path) -> None:
    """Armchairs take pillows; one of two is one of two conditions."""
    item = first(tmp_path, TWO)
    assert answered(item, *item.meta["plan"][1:3]).parts["progress"] == 0.5
    pick = [["Pick", "Pillow 1"], ["Place", "Pillow 1", "ArmChair"]]
    both = [*pick, ["Pick", "Pillow 2"], ["Place", "Pillow 2", "ArmChair"]]
    assert answered(item, *both).value == 1.0


def test_a_lamp_that_is_on_has_not_to_be_turned_on(tmp_path: Path) -> None:
    item = first(tmp_path, LIGHT)
    score = answered(item, ["Pick", "Pen"])
    assert score.value == 1.0, "it is held, and the lamp of the room is on from the start"


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({**PUT, "pddl_params": {"object_target": "Apple", "parent_target": "Safe"}}, "kitchen has no Safe"),
        ({**PUT, "task_type": "dance"}, "no task type 'dance'"),
        ({**PUT, "pddl_params": {"object_target": "Apple"}}, "needs parent_target"),
        ({"task_id": "x"}, "not a trajectory"),
    ],
)
def test_what_cannot_be_asked_is_left_out_with_its_reason(
    tmp_path: Path, told: dict[str, Any], problem: str
) -> None:
    suite = open_suite(written(tmp_path, PUT, told))
    assert len(suite.items) == 2 and len(suite.rejected) == 1
    assert problem in suite.rejected[0].problem


def test_a_gold_plan_that_fails_in_this_room_is_marked(tmp_path: Path) -> None:
    elsewhere = {**PUT, "plan": {"high_pddl": PUT["plan"]["high_pddl"][2:]}}
    item = first(tmp_path, elsewhere)
    assert "not in the hand" in item.meta["gold_fails"]
    assert answered(item, ["Pick", "Apple"], ["Place", "Apple", "Bin"]).value == 1.0


def test_no_trajectories(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match=r"no traj_data\.json") as error:
        open_suite(f"alfred:folder={tmp_path}")
    assert "folder=" in error.value.remedy
    with pytest.raises(GumptionError, match=r"no traj_data\.json"):
        get("alfred").load(tmp_path)


def test_oracles(tmp_path: Path) -> None:
    """What is not picked up is put nowhere: without its first step no plan reaches its goal."""
    told = (PUT, treated("pick_cool_then_place_in_recep"), SLICED | {"task_id": "s"})
    suite = open_suite(written(tmp_path, *told))
    right, wrong = (card_of(suite, tmp_path / f"run{level}", level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.further[0].mean) == (1.0, 1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_a_run_and_its_scores_again(tmp_path: Path) -> None:
    suite = open_suite(
        written(tmp_path, PUT, treated("pick_cool_then_place_in_recep"), SLICED | {"task_id": "s"})
    )
    (model,) = open_models("baseline/oracle")
    out = tmp_path / "run"
    run(suite, model, out)
    scores = (out / "scores.parquet").read_bytes()
    score_run(out)
    assert (out / "scores.parquet").read_bytes() == scores


@pytest.mark.data
def test_rooms_of_ithor(public_data: Path, tmp_path: Path) -> None:
    """FloorPlan9 of the metadata: "clean the tomato and put it in the fridge"."""
    told = trajectory(
        "pick_clean_then_place_in_recep",
        [["PickupObject", "tomato"], ["CleanObject", "tomato"], ["PutObject", "tomato", "fridge"]],
        scene={"floor_plan": "FloorPlan9"},
        pddl_params={"object_target": "Tomato", "parent_target": "Fridge"},
    )
    item = open_suite(written(tmp_path, told), public_data).items[0]
    assert item.meta["gold_fails"] == ""
    assert answered(item, *item.meta["plan"]).value == 1.0
