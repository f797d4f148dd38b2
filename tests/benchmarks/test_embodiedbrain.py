"""EmbodiedBrain's 69 tasks: the data, both scores, and the gold plans that do not execute."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import mean

import pytest
from oracle_runs import card_of
from viplan_play import play

from gumption.benchmarks import open_suite
from gumption.models import open_models
from gumption.planning import read_plan
from gumption.records import GumptionError, Image, Item, Reply, Text
from gumption.running import run, score_run
from gumption.suites import Suite

pytestmark = pytest.mark.data
DOC = Path(__file__).parents[2] / "docs" / "benchmarks" / "embodiedbrain.md"


@cache
def suite(data: Path, options: str = "") -> Suite:
    return open_suite(f"embodiedbrain-planning{options}", data)


@pytest.fixture(scope="module")
def tasks(public_data: Path) -> Suite:
    return suite(public_data)


@cache
def gold_replies(data: Path) -> list[str]:
    """What the release's assistant says, tags and all."""
    rows = json.loads((data / "embodiedbrain" / "simulation_benchmark_set.json").read_text("utf-8"))
    return [row["conversations"][1]["content"] for row in rows]


def answered(item: Item, reply: str):
    return play(item, lambda _: reply)[0]


def written(actions: list[list[str]]) -> str:
    return f"<response>Yes.</response><plans></plans><actions>{actions}</actions>"


def test_the_tasks_are_those_of_the_release(tasks: Suite) -> None:
    assert len(tasks.items) == 69
    rooms = Counter(item.cluster.removeprefix("FloorPlan") for item in tasks.items)
    assert rooms == {
        **{"9": 7, "10": 9, "29": 14, "205": 5, "208": 2, "303": 5, "308": 4, "309": 5},
        **{"404": 7, "424": 6, "425": 5},
    }
    pictures = [part for item in tasks.items for part in item.parts if isinstance(part, Image)]
    assert len(pictures) == 4 * 69 and len({one.sha256 for one in pictures}) == 44
    assert {(one.width, one.height) for one in pictures} == {(800, 600)}
    golds = [action for item in tasks.items for action in item.answer.gold["actions"]]
    assert len(golds) == 789 and Counter(action[0] for action in golds)["Navigate"] == 202
    asked = "\n".join(part.text for part in tasks.items[0].parts if isinstance(part, Text))
    assert "Use the knife from the sink to slice the bread" in asked and "Turn on" in asked
    assert all(tag in asked for tag in ("<response>", "<plans>", "<actions>", "Error:"))


def test_every_gold_plan_matches_itself(tasks: Suite, public_data: Path) -> None:
    scores = [answered(*pair) for pair in zip(tasks.items, gold_replies(public_data), strict=True)]
    assert {score.value for score in scores} == {1.0}
    assert {score.parts["order_f1"] for score in scores} == {1.0}
    assert sum(score.parts["gold"] for score in scores) == 392


def test_the_gold_plans_that_do_not_execute_are_those_of_the_page(tasks: Suite, public_data: Path) -> None:
    """The table of the page was written by hand, one plan at a time."""
    table = DOC.read_text("utf-8").partition("| item |")[2].partition("\n\n")[0]
    listed = {int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    failing, missed = set(), set()
    for item, reply in zip(tasks.items, gold_replies(public_data), strict=True):
        score = answered(item, reply)
        if not score.parts["executes"]:
            failing.add(int(item.id))
        if score.parts["executes"] and not score.parts["success"]:
            missed.add(int(item.id))
    assert failing == listed
    assert not missed, "a plan that executes reaches the goal that is derived from it"


def errors(tasks: Suite, data: Path, number: int) -> list[tuple[str, int | None, str]]:
    score = answered(tasks.items[number], gold_replies(data)[number])
    return [(error.kind.value, error.step, error.detail) for error in score.errors]


def test_known_irregularities_are_found_where_they_are(tasks: Suite, public_data: Path) -> None:
    first = errors(tasks, public_data, 5)[0]
    assert first[:2] == ("missing_step", 10), "the bowl was never picked up"
    assert "Place Bowl Sink" in first[2] and "not in the hand" in first[2]
    (only,) = errors(tasks, public_data, 61)
    assert only[:2] == ("redundant_step", 2) and "Open Box" in only[2], "the box is open from the start"
    assert [(kind, step) for kind, step, _ in errors(tasks, public_data, 10)] == [
        ("ambiguous", 6),
        ("ambiguous", 8),
    ], "Turn Tap does not say which way"
    lamp = [one for one in tasks.items[16].meta["goal"]["propositions"] if "FloorLamp" in one["objects"]]
    assert [one["predicate"] for one in lamp] == ["off"], "the task says on, the gold plan off"
    assert errors(tasks, public_data, 16) == []
    assert any("Cup" in detail for _, _, detail in errors(tasks, public_data, 38))


SCORED = {"find", "search", "navigate"}


def scored(item: Item) -> list[list[str]]:
    return [one for one in item.answer.gold["actions"] if one[0].lower() not in SCORED]


@pytest.mark.parametrize(
    ("change", "quantity", "order"),
    [
        (lambda plan: plan[::-1], 1.0, 0.3254),
        (lambda plan: [plan[1], plan[0], *plan[2:]], 1.0, 0.7607),
        (lambda plan: plan[:-1], 0.8567, 0.8567),
        (lambda plan: plan[: len(plan) // 2], 0.6029, 0.6029),
        (lambda plan: plan[:1], 0.3678, 0.3678),
    ],
    ids=["reversed", "first two swapped", "last dropped", "first half", "first only"],
)
def test_published_checks_of_the_match(public_data: Path, change, quantity: float, order: float) -> None:
    """Macro F1 of changed gold plans with a judge of equal words: measured with another program."""
    exact = suite(public_data, ":judge=exact")
    scores = [answered(item, written(change(scored(item)))) for item in exact.items]
    assert mean(score.value or 0.0 for score in scores) == pytest.approx(quantity, abs=5e-5)
    assert mean(score.parts["order_f1"] for score in scores) == pytest.approx(order, abs=5e-5)


def test_what_is_missing_and_what_fails_is_said(tasks: Suite) -> None:
    item = tasks.items[1]  # wash the tomato, put it in the refrigerator
    plan = written([["Pick", "Banana"], ["Place", "Tomato", "Refrigerator"], ["Open", "Refrigerator"]])
    score = answered(item, plan)
    told = [(error.kind.value, error.step, error.detail) for error in score.errors]
    assert told[0] == (
        "unresolved",
        0,
        "Pick Banana: 'Banana' is not the name of anything in the room",
    )
    assert ("missing_step", None, "in the gold plan and not in this one: wash Tomato") in told
    assert score.parts["unresolved"] == 1 and score.parts["success"] == 0 and score.parts["executed"] == 0
    assert score.reading is not None and score.reading.value[0] == ["Pick", "Banana"]


def test_a_refusal_and_nonsense_are_worth_nothing(tasks: Suite) -> None:
    item = tasks.items[0]
    refusal = answered(item, "<response>Error: no bread.</response><plans></plans><actions></actions>")
    assert refusal.value == 0 and refusal.reading and refusal.reading.outcome == "refused"
    nonsense = answered(item, "<actions>[[1, 2]]</actions>")
    assert nonsense.value == 0 and nonsense.reading and nonsense.reading.outcome == "unanswered"
    assert nonsense.errors[0].kind.value == "unreadable"
    blocked = play_blocked(item)
    assert blocked.value == 0 and blocked.reading.rule == "status"


def play_blocked(item: Item):
    from gumption.benchmarks import episode_of

    episode = episode_of(item)(item)
    next(episode)
    with pytest.raises(StopIteration) as stop:
        episode.send((Reply(item.id, status="refused", text=written(item.answer.gold["actions"])),))
    return stop.value.value


def test_a_model_as_judge_is_asked_and_its_failure_leaves_the_item_unscored(public_data: Path) -> None:
    item = suite(public_data, ":judge=model-plan").items[9]  # pick the cloth, place it in the bathtub
    gold = item.answer.gold["actions"]

    def judged(verdict: str):
        score, asked = play(item, lambda q: verdict if "judge" in q.id else written(gold))
        assert [one.id for (one,) in asked] == [item.id, f"{item.id}/judge/plan"]
        return score

    verdict = {"matches": [[["pick", "Yellow cloth"]], [["place", "Yellow cloth", "Bathtub"]]]}
    assert judged(json.dumps(verdict)).value == 1.0
    assert judged(json.dumps({"matches": [[], []]})).value == 0.0
    assert judged("both are fine").value is None
    each = suite(public_data, ":judge=model").items[9]
    _, asked = play(each, lambda q: '{"matches": []}' if "judge" in q.id else written(gold))
    assert [len(one) for one in asked] == [1, 2], "one call for each action that is compared"
    assert each.meta["protocol"] == "judge=model" and suite(public_data).items[9].meta["protocol"] == ""


def test_oracles(tasks: Suite, tmp_path: Path) -> None:
    """Of n actions that are compared a wrong plan has all but the first: precision 1, recall (n - 1) / n, so
    F1 is 2 (n - 1) / (2 n - 1); their order is kept."""
    right, wrong = (card_of(tasks, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.further[0].mean) == (1.0, 1.0, 1.0)
    ignored = {"find", "search", "navigate"}
    compared = [sum(a[0].lower() not in ignored for a in i.answer.gold["actions"]) for i in tasks.items]
    floor = mean(2 * (n - 1) / (2 * n - 1) for n in compared)
    assert wrong.official.mean == wrong.micro.mean == pytest.approx(floor)
    assert wrong.further[0].mean == pytest.approx(floor)


@pytest.mark.parametrize("options", [":judge=gpt", ":colour=red"])
def test_unknown_options_are_named(public_data: Path, options: str) -> None:
    with pytest.raises(GumptionError, match="no such option") as error:
        open_suite(f"embodiedbrain-planning{options}", public_data)
    assert "rule" in error.value.remedy


def test_a_run_is_scored_again_from_its_folder_alone(tasks: Suite, tmp_path: Path) -> None:
    (model,) = open_models("baseline/oracle", accuracy=0.5, seed=3)
    few = Suite(tasks.name, "1", tasks.items[:12], tasks.media)
    done = run(few, model, tmp_path / "run")
    first = (tmp_path / "run" / "scores.parquet").read_bytes()
    assert score_run(tmp_path / "run").folder == done.folder
    assert (tmp_path / "run" / "scores.parquet").read_bytes() == first


def test_the_reader_finds_all_69(public_data: Path) -> None:
    read = [read_plan(reply) for reply in gold_replies(public_data)]
    assert all(one.actions for one in read) and not any(one.repaired or one.refused for one in read)
