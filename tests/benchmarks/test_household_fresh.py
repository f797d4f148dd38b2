"""Fresh household tasks, asked for one plan and in the closed loop."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pyarrow
import pytest
from oracle_runs import card_of
from pyarrow import parquet
from viplan_play import call, play

from gumption.benchmarks import open_suite
from gumption.benchmarks.household_fresh import draw_suite
from gumption.benchmarks.plansim import Asked
from gumption.benchmarks.plansim.loop import Budget
from gumption.models import open_models
from gumption.models.drawn import Drawn
from gumption.planning.generate import Difficulty
from gumption.records import GumptionError, Image, Item, Text
from gumption.running import run, score_run
from gumption.suites import Suite


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUMPTION_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@cache
def plans() -> Suite:
    return draw_suite(tasks=24, seed=5, asked=Asked(shown="text"))


@cache
def loops(turns: int = 5, shown: str = "text") -> Suite:
    asked = Asked(shown="picture" if shown == "picture" else "text")
    hidden = Difficulty(steps=1, distractors=5, hidden=1)
    return draw_suite(tasks=8, seed=5, difficulty=hidden, asked=asked, budget=Budget(turns=turns))


def read_table(folder: Path) -> pyarrow.Table:
    return parquet.read_table(folder / "scores.parquet")


def words(question: Item) -> str:
    return "\n".join(part.text for part in question.parts if isinstance(part, Text))


def tagged(actions: list[list[str]]) -> str:
    return f"<actions>{actions}</actions>"


def parts_of(item: Item) -> tuple[list[list[str]], str, str]:
    """The gold plan of a loop's task, the thing that is hidden, and its container."""
    plan: list[list[str]] = item.meta["plan"]
    opened = next(step[1] for step in plan if step[0] == "Open")
    return plan, next(step[1] for step in plan if step[0] == "Pick"), opened


def test_a_seed_is_a_suite() -> None:
    again = draw_suite(tasks=24, seed=5, asked=Asked(shown="text"))
    assert again.checksum == plans().checksum
    assert draw_suite(tasks=24, seed=6, asked=Asked(shown="text")).checksum != plans().checksum
    assert Counter(item.category for item in plans().items) == {
        "1 part": 8,
        "2 parts": 8,
        "3 parts": 4,
        "4 parts": 4,
    }
    assert len({item.cluster for item in plans().items}) == 24
    assert not any(re.search(r"FloorPlan", words(item)) for item in plans().items)


def test_options_set_the_difficulty_and_are_the_protocol() -> None:
    suite = open_suite("household-fresh:tasks=3,seed=9,steps=2,closed=1,form=prose,shown=text")
    assert {item.meta["difficulty"]["closed"] for item in suite.items} == {1}
    assert {item.meta["protocol"] for item in suite.items} == {"form=prose,shown=text"}
    assert {item.dimension for item in suite.items} == {"prose"}
    loop = open_suite("household-fresh-loop:tasks=2,turns=2,shown=text")
    assert {item.meta["budget"]["turns"] for item in loop.items} == {2}


@pytest.mark.parametrize("options", ["turns=3", "steps=two", "steps=9", "tasks=0", "shown=sound"])
def test_options_that_do_not_fit(options: str) -> None:
    with pytest.raises(GumptionError) as error:
        open_suite(f"household-fresh:{options}")
    assert error.value.remedy


def test_gold_plans_are_worth_one_and_half_of_them_nothing() -> None:
    for item in plans().items:
        plan = item.meta["plan"]
        assert play(item, lambda _, plan=plan: tagged(plan))[0].value == 1.0
        if len(plan) > 1:
            score = play(item, lambda _, plan=plan: tagged(plan[: len(plan) // 2]))[0]
            assert score.value == 0.0 and score.parts["goal_reached"] == 0.0


# ── the closed loop ──────────────────────────────────────────────────────────────────────────────────


def test_what_is_hidden_is_told_nowhere_until_it_is_found() -> None:
    for item in loops().items:
        plan, thing, container = parts_of(item)
        rest = plan[plan.index(["Pick", thing]) :]
        replies = [tagged([["Navigate", thing]]), tagged([["Open", container]]), tagged(rest)]
        score, asked = play(item, lambda q, replies=replies: replies[int(q.id.rsplit("/", 1)[1])])
        before, after, found = (words(question) for (question,) in asked)
        told = re.compile(rf"{container}: .*holds .*\b{thing}\b")
        assert not told.search(before) and not told.search(after) and told.search(found)
        assert f"1. Navigate {thing}: failed, {thing} is not in sight" in after
        assert container not in after.partition("What was done so far:")[2]
        assert f"2. Open {container}: done" in found
        assert score.value == 1.0 and score.parts["turns"] == 3 and score.parts["failed"] == 1
        assert score.reading is not None
        assert list(score.reading.value) == ["turn 1", "turn 2", "turn 3"]


def test_a_plan_goes_up_to_its_first_step_that_fails() -> None:
    item = loops().items[0]
    plan, thing, container = parts_of(item)
    first = tagged([["Open", container], ["Pick", "Banana"], ["Pick", thing]])
    _, asked = play(item, lambda q: first if q.id.endswith("/0") else tagged(plan))
    told = words(asked[1][0]).partition("What was done so far:")[2]
    assert f"1. Open {container}: done" in told and "2. Pick Banana: failed" in told
    assert f"Pick {thing}:" not in told and "In the hand: nothing" in told


def test_the_hand_is_told() -> None:
    item = loops().items[0]
    _, thing, container = parts_of(item)
    taken = tagged([["Open", container], ["Pick", thing]])
    _, asked = play(item, lambda q: taken if q.id.endswith("/0") else "nothing")
    assert f"In the hand: {thing}" in words(asked[1][0])


def test_budgets_end_it_and_are_counts() -> None:
    item = loops(turns=3).items[0]
    _, thing, _ = parts_of(item)
    score, asked = play(item, lambda _: tagged([["Pick", thing]]))
    assert [call(item, question) for (question,) in asked] == ["turn/0", "turn/1", "turn/2"]
    assert score.value == 0.0 and score.parts["failed"] == 3
    assert score.errors[-1].kind.value == "budget_exceeded" and "3 turns" in score.errors[-1].detail
    # Sixty steps at most, whatever a plan has.
    long = loops(turns=2).items[0]
    score, _ = play(long, lambda _: tagged([["Find", "LightSwitch"]] * 50))
    assert score.parts["steps"] == 60


def test_ten_failed_steps_end_it() -> None:
    suite = draw_suite(tasks=1, asked=Asked(shown="text"), budget=Budget(turns=40))
    score, asked = play(suite.items[0], lambda _: tagged([["Pick", "Banana"]]))
    assert len(asked) == 10 == score.parts["failed"]


@pytest.mark.parametrize(
    ("reply", "outcome", "turns"),
    [
        ("no idea", "unanswered", 5),
        ("<actions>[]</actions>", "answered", 1),
        ("<response>Error: I cannot.</response><plans></plans><actions></actions>", "refused", 1),
    ],
)
def test_how_it_ends_without_a_plan(reply: str, outcome: str, turns: int) -> None:
    score, asked = play(loops().items[0], lambda _: reply)
    assert len(asked) == turns and score.value == 0.0
    assert score.reading is not None and score.reading.outcome == outcome


def test_the_room_is_drawn_anew_and_the_same_way_each_time() -> None:
    item = loops(shown="picture").items[0]
    _, _, container = parts_of(item)

    def pictures() -> list[Image]:
        _, asked = play(item, lambda _: tagged([["Open", container]]))
        return [part for (one,) in asked for part in one.parts if isinstance(part, Image)]

    once = pictures()
    assert not isinstance(once[0], Drawn) and all(isinstance(one, Drawn) for one in once[1:])
    assert once[0].sha256 != once[1].sha256 == once[2].sha256
    assert [one.sha256 for one in pictures()] == [one.sha256 for one in once]


def test_questions_of_a_loop_belong_to_their_items_cluster() -> None:
    """Else a baseline that learns from other clusters would learn from the item itself."""
    item = loops().items[0]
    _, asked = play(item, lambda _: "nothing")
    assert {question.cluster for (question,) in asked} == {item.cluster}


def test_the_oracle_finds_its_way_back() -> None:
    """With its hand full of something else it has to put that down first."""
    item = loops().items[0]
    other = next(
        one["objectType"]
        for one in item.meta["scene"]["objects"]
        if one.get("pickupable") and one["parentReceptacles"][0].startswith(("CounterTop", "DiningTable"))
    )

    def reply(question: Item) -> str:
        first = question.id.endswith("/0")
        return tagged([["Pick", other]]) if first else json.dumps(question.answer.gold)

    score, asked = play(item, reply)
    assert f"In the hand: {other}" in words(asked[1][0])
    gold = asked[1][0].answer.gold["actions"]
    assert gold[0][:2] == ["Place", "it"] and score.value == 1.0


@pytest.mark.parametrize("suite", [plans, loops])
def test_oracles(tmp_path: Path, suite) -> None:
    """No goal holds without the first step of its plan, however often it is left out."""
    right, wrong = (card_of(suite(), tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


@pytest.mark.parametrize("suite", [plans, loops])
@pytest.mark.parametrize(
    ("name", "accuracy"), [("oracle", 1.0), ("oracle", 0.5), ("random", None), ("blind", None)]
)
def test_baselines_run_and_resume(tmp_path: Path, suite, name: str, accuracy: float | None) -> None:
    (model,) = open_models(f"baseline/{name}", accuracy=accuracy)
    out = tmp_path / "run"
    run(suite(), model, out)
    scores = (out / "scores.parquet").read_bytes()
    (part,) = (out / "parts").glob("*.jsonl")
    lines = part.read_text().splitlines(keepends=True)
    part.write_text("".join(lines[: len(lines) // 2]))
    run(suite(), model, out)
    assert (out / "scores.parquet").read_bytes() == scores
    score_run(out)
    assert (out / "scores.parquet").read_bytes() == scores


def test_a_recorded_loop_replays_to_the_same_scores(tmp_path: Path) -> None:
    (model,) = open_models("baseline/oracle", accuracy=0.5)
    run(loops(), model, tmp_path / "run")
    (part,) = (tmp_path / "run" / "parts").glob("*.jsonl")
    rows = [json.loads(line) for line in part.read_text().splitlines()]
    told = [{"id": row["item_id"], "call": row["call"], "reply": row["text"]} for row in rows]
    assert {row["call"] for row in told} > {"turn/0", "turn/1"}
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, told)))
    (replay,) = open_models(f"replay/{tmp_path / 'log.jsonl'}")
    run(loops(), replay, tmp_path / "again")
    once, again = (
        {row["item_id"]: (row["value"], row["errors"]) for row in read_table(tmp_path / name).to_pylist()}
        for name in ("run", "again")
    )
    assert once == again


def test_a_very_long_plan_is_read_and_bounded() -> None:
    item = plans().items[0]
    score = play(item, lambda _: tagged([["Find", "LightSwitch"]] * 2000))[0]
    assert score.parts["steps"] == 2000 and score.parts["executed"] == 100
    assert score.errors[0].kind.value == "budget_exceeded"
