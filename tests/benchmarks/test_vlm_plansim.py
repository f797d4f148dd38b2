"""VLM-PlanSim's pipeline, and the 99 tasks of our own."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from oracle_runs import card_of
from viplan_play import play

from gumption.benchmarks import episode_of, open_suite
from gumption.benchmarks.plansim.make_ours import written
from gumption.models import open_models
from gumption.planning.worlds.scenes import load_scene
from gumption.records import GumptionError, Image, Item, Reply, Score, Text
from gumption.running import run, score_run
from gumption.suites import Suite


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Drawn rooms are kept in the cache; not in that of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUMPTION_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@cache
def suite(options: str = ":shown=text") -> Suite:
    return open_suite(f"vlm-plansim{options}")


def task(start: str, options: str = ":shown=text") -> Item:
    return next(one for one in suite(options).items if one.meta["instruction"].startswith(start))


def answered(item: Item, reply: str) -> Score:
    return play(item, lambda _: reply)[0]


def tagged(*actions: list[str]) -> str:
    return f"<response>Yes.</response><plans></plans><actions>{[*actions]}</actions>"


REFUSAL = "<response>Error: I see none here.</response><plans></plans><actions></actions>"


# ── the tasks ────────────────────────────────────────────────────────────────────────────────────────


def test_there_are_99_of_which_five_cannot_be_done() -> None:
    items = suite().items
    assert len(items) == 99 == len({item.meta["instruction"] for item in items})
    assert Counter(item.meta["feasible"] for item in items) == {True: 94, False: 5}
    assert all(item.meta["goal"]["propositions"] for item in items if item.meta["feasible"])
    assert not suite().rejected


def test_the_file_is_what_the_recipes_make() -> None:
    assert files("gumption.benchmarks.plansim").joinpath("ours.jsonl").read_bytes() == written()


@pytest.mark.parametrize(
    ("room", "lacks"),
    [
        ("kitchen", {"Television"}),
        ("living_room", {"Microwave", "Mug"}),
        ("bedroom", {"Sink", "SinkBasin", "Faucet"}),
    ],
)
def test_what_infeasible_tasks_need_is_not_in_the_room(room: str, lacks: set[str]) -> None:
    assert not lacks & {one.object_type for one in load_scene(room).objects}


def test_containers_that_an_instruction_names_are_those_of_its_plan() -> None:
    named = re.compile(r"\b(drawer|cabinet) (\d)\b")
    for item in suite().items:
        said = {f"{kind.capitalize()} {number}" for kind, number in named.findall(item.meta["instruction"])}
        planned = {word for step in item.meta["plan"] for word in step[1:]}
        assert said <= planned, item.meta["instruction"]


def test_every_plan_does_its_task_and_every_refusal_is_right() -> None:
    for item in suite().items:
        plan = item.meta["plan"]
        score = answered(item, tagged(*plan) if plan else REFUSAL)
        assert score.value == 1.0 and not score.errors, item.meta["instruction"]
        assert score.parts.get("success", 1.0) == 1.0


# ── the pipeline ─────────────────────────────────────────────────────────────────────────────────────


def test_what_executes_need_not_reach_the_goal() -> None:
    item = task("Put the apple in the fridge.")
    score = answered(item, tagged(["Pick", "Bread"], ["Place", "Bread", "DiningTable"]))
    assert score.value == 1.0 and score.parts["executes"] == 1.0
    assert score.parts["success"] == 0.0 == score.parts["goal_reached"]
    assert [error.detail for error in score.errors] == ["Apple in Fridge"]


def test_a_goal_can_be_reached_by_a_plan_that_does_not_execute() -> None:
    item = task("Turn on the coffee machine.")
    score = answered(item, tagged(["Turn on", "Coffee Machine"], ["Place", "Mug", "Fridge"]))
    assert score.value == 0.0 and score.parts["goal_reached"] == 1.0 and score.parts["success"] == 0.0
    assert score.parts["executed"] == 1.0
    assert score.errors[0].step == 1 and "Place Mug Fridge: Mug is not in the hand" in score.errors[0].detail


@pytest.mark.parametrize("reply", [tagged(), tagged(["Find", "Apple"], ["Navigate", "Fridge"])])
def test_a_plan_that_changes_nothing_does_not_complete(reply: str) -> None:
    score = answered(task("Put the apple in the fridge."), reply)
    assert score.value == 0.0
    assert "no step changes anything" in score.errors[0].detail


def test_a_refusal_of_what_can_be_done_is_wrong_and_of_what_cannot_is_right() -> None:
    feasible, infeasible = task("Put the apple in the fridge."), task("Put the banana in the fridge.")
    wrong = answered(feasible, REFUSAL)
    assert wrong.value == 0.0 and wrong.reading is not None and wrong.reading.outcome == "refused"
    assert wrong.errors[0].detail == "the reply says that it cannot be done"
    right = answered(infeasible, REFUSAL)
    assert right.value == 1.0 == right.parts["refusal_right"] and right.reading is not None
    assert right.reading.outcome == "answered", "a right refusal is an answer"
    planned = answered(infeasible, tagged(["Pick", "Banana"], ["Place", "Banana", "Fridge"]))
    assert planned.value == 0.0 == planned.parts["refusal_right"]
    assert "no banana in the kitchen" in planned.errors[0].detail
    assert answered(infeasible, tagged()).value == 0.0, "nothing is no refusal"


def test_what_a_server_blocks_is_not_the_models_judgement() -> None:
    episode = episode_of(task("Put the banana in the fridge."))(task("Put the banana in the fridge."))
    next(episode)
    with pytest.raises(StopIteration) as stop:
        episode.send((Reply("x", status="refused"),))
    assert stop.value.value.value == 0.0


def test_sentences_are_read_as_well_and_told_apart() -> None:
    item = task("Put the apple in the fridge.", ":form=prose,shown=text")
    reply = """1. Go to the dining table
2. Pick up the apple
3. Open the fridge
4. Put the apple in the fridge
5. Close the fridge"""
    score = answered(item, reply)
    assert score.value == 1.0 == score.parts["success"] == score.parts["from_prose"]
    assert item.dimension == "prose" and "numbered steps" in asked(item) and "<actions>" not in asked(item)
    assert item.meta["protocol"] == "form=prose,shown=text"


def test_both_forms_of_a_task_share_a_cluster() -> None:
    both = suite(":form=both,shown=text").items
    assert len(both) == 198 and Counter(item.dimension for item in both) == {"actions": 99, "prose": 99}
    assert {item.cluster for item in both} == {"kitchen", "living_room", "bedroom", "bathroom"}


# ── what is shown ────────────────────────────────────────────────────────────────────────────────────


def asked(item: Item) -> str:
    return "\n".join(part.text for part in item.parts if isinstance(part, Text))


def test_pictures_text_or_nothing() -> None:
    start = "Put the egg from the fridge in the bowl."
    seen, told, unseen = (task(start, f":shown={how}") for how in ("picture", "text", "nothing"))
    (picture,) = [part for part in seen.parts if isinstance(part, Image)]
    assert suite(":shown=picture").media.read(picture.sha256).startswith(b"\x89PNG")
    assert not any(isinstance(part, Image) for part in (*told.parts, *unseen.parts))
    assert "DiningTable: holds Apple" in asked(told)
    assert "Cabinet 2" in asked(seen) and ": holds" not in asked(seen)
    assert "DiningTable" not in asked(unseen).replace("Dining Table", "")
    # The egg and the lettuce are in the closed fridge.
    assert "Fridge: closed" in asked(told) and "Lettuce" not in asked(told) and "Egg" not in asked(told)


@pytest.mark.data
def test_rooms_of_ithor_have_the_four_renders(public_data: Path, tmp_path: Path) -> None:
    lines = tmp_path / "mine.jsonl"
    plan = [["Pick", "Tomato"], ["Open", "Fridge"], ["Place", "Tomato", "Fridge"]]
    goal = {"propositions": [{"predicate": "in", "objects": ["Tomato"], "targets": ["Fridge"]}]}
    row = {
        "id": "a",
        "scene": "FloorPlan9",
        "instruction": "Put the tomato away.",
        "goal": goal,
        "plan": plan,
    }
    lines.write_text(json.dumps(row))
    mine = open_suite(f"vlm-plansim:tasks={lines}", public_data)
    (item,) = mine.items
    assert len([part for part in item.parts if isinstance(part, Image)]) == 4 and "Front view:" in asked(item)
    assert answered(item, tagged(*plan)).parts["success"] == 1.0


# ── task files ───────────────────────────────────────────────────────────────────────────────────────

GOOD = {
    "id": "good",
    "scene": "kitchen",
    "instruction": "Pick the apple up and put it in the bowl.",
    "plan": [["Pick", "Apple"], ["Place", "Apple", "Bowl"]],
}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"plan": [["Place", "Apple", "Bowl"]]},
            "its own plan fails: Place Apple Bowl: Apple is not in the hand",
        ),
        ({"plan": []}, "a feasible task has a plan"),
        ({"feasible": False}, "an infeasible task has no plan"),
        ({"goals": []}, "not a task"),
        ({"plan": "pick the apple"}, "not a task"),
        ({"goal": {"propositions": [{"predicate": "near", "objects": ["Apple"]}]}}, "no predicate 'near'"),
        (
            {
                "goal": {
                    "propositions": [{"predicate": "in", "objects": ["Apple"], "targets": ["DiningTable"]}]
                }
            },
            "its goal holds from the start",
        ),
        (
            {"goal": {"propositions": [{"predicate": "on", "objects": ["Toaster"]}]}},
            "its own plan fails: Toaster on",
        ),
    ],
)
def test_a_line_that_cannot_serve_is_named_and_the_others_stay(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "id": "bad", **change}) + "\n")
    mine = open_suite(f"vlm-plansim:tasks={path},shown=text")
    assert [item.id for item in mine.items] == ["good"]
    (rejected,) = mine.rejected
    assert rejected.row == 2 and problem in rejected.problem and rejected.remedy


def test_a_room_that_is_not_there_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps({**GOOD, "scene": "cellar"}))
    with pytest.raises(GumptionError, match="no room 'cellar'"):
        open_suite(f"vlm-plansim:tasks={path}")
    with pytest.raises(GumptionError, match="no file"):
        open_suite(f"vlm-plansim:tasks={tmp_path / 'none.jsonl'}")


@pytest.mark.parametrize("options", [":form=verse", ":shown=smell", ":colour=red"])
def test_unknown_options_are_named(options: str) -> None:
    with pytest.raises(GumptionError) as error:
        open_suite(f"vlm-plansim{options}")
    assert error.value.remedy


def test_oracles(tmp_path: Path) -> None:
    """A wrong plan lacks its first step and a wrong refusal is an empty plan. What is left of four plans
    needs nothing of that step: to close the laptop, to close the blinds, to turn off the light, and to pick
    up a sponge that lies in the sink already; so they execute, and the goal of the last holds at the end.
    """
    right, wrong = (card_of(suite(), tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert [one.mean for one in right.further] == [1.0, 1.0, 1.0, 1.0]
    assert wrong.official.mean == wrong.micro.mean == pytest.approx(4 / 99)
    assert [one.mean for one in wrong.further] == pytest.approx([4 / 94, 1 / 94, 1 / 94, 0])


# ── as a run ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "accuracy"), [("oracle", 1.0), ("oracle", 0.5), ("random", None), ("blind", None)]
)
def test_baselines_run_and_are_scored_again_from_the_folder(
    tmp_path: Path, name: str, accuracy: float | None
) -> None:
    (model,) = open_models(f"baseline/{name}", accuracy=accuracy)
    out = tmp_path / "run"
    run(suite(), model, out)
    first = (out / "scores.parquet").read_bytes()
    (part,) = (out / "parts").glob("*.jsonl")
    lines = part.read_text().splitlines(keepends=True)
    part.write_text("".join(lines[:40]))
    run(suite(), model, out)
    assert (out / "scores.parquet").read_bytes() == first, "what was lost is asked again"
    score_run(out)
    assert (out / "scores.parquet").read_bytes() == first
